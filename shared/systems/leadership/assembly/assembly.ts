// How a leadership world falls into parts: the register, the links, each sink, three parts of each node, and a bag of
// messages. A step asks for few of them, and what it does depends on nothing else.
import { assert, present, unreachable } from "../../../base/assert.ts";
import {
  BAG,
  type Assembly,
  type AssemblyWish,
  type LocalMove,
  type Look,
  type Loose,
  type Part,
  type Placed,
} from "../../search.ts";
import type { LeadershipAction } from "../action.ts";
import type { LeadershipConfig } from "../config.ts";
import { enabledLeadership } from "../enabled.ts";
import { nodeAt, pending, sinkAt, type LeadershipWorld, type NodeState, type Pending } from "../world.ts";
import { formOf, reductionsOf, type Form, type Renaming } from "./form.ts";
import { versionsAhead } from "./lease.ts";
import { isStamped, messageOf, messagePart, placeMessage, type MessagePart } from "./message.ts";
import {
  cycleOf,
  isTimelessSeat,
  isTimelessWork,
  isWorkTimer,
  latestOf,
  nodeOf,
  onAsking,
  nodeRenamings,
  ownTimers,
  placeProcess,
  placeSeat,
  placeWork,
  renameSeat,
  watchedNode,
  type ProcessPart,
  type SeatPart,
  type WorkPart,
} from "./node.ts";
import {
  isDated,
  linksPart,
  NEW_MESSAGES_FROM,
  placeRegister,
  placeSink,
  registerPart,
  sinkOf,
  sinkOfMessage,
  sinkPart,
  storeOf,
  type LinksPart,
  type RegisterPart,
  type SinkPart,
} from "./rest.ts";

type Wish = AssemblyWish<LeadershipWorld, LeadershipAction>;

const REGISTER = 0;
const LINKS = 1;
const FIRST_NODE = 2;
/** The parts of a node, in their order. */
const PROCESS = 0;
const SEAT = 1;
const WORK = 2;
const NODE_PARTS = 3;

/** So late that everything put off is due. */
const LATE_MS = 1e12;

/** What a slot holds, and of which node or sink. */
type Place =
  | { readonly kind: "register" | "links" | "message" }
  | { readonly kind: "process" | "seat" | "work" | "sink"; readonly index: number };

export function assembleLeadership(
  config: LeadershipConfig,
  start: LeadershipWorld,
  wish: Wish,
): Assembly<LeadershipWorld, LeadershipAction> {
  const form = formOf(config, start, {
    reduced: wish.form === "reduced",
    keepsOperations: wish.keepsOperations,
  });
  const nodes = config.nodes.length;
  const firstSink = FIRST_NODE + nodes * NODE_PARTS;
  const places: readonly Place[] = [
    { kind: "register" },
    { kind: "links" },
    ...config.nodes.flatMap((_, index): Place[] => [
      { kind: "process", index },
      { kind: "seat", index },
      { kind: "work", index },
    ]),
    ...config.sinks.map((_, index): Place => ({ kind: "sink", index })),
  ];
  const everySlot = places.map((_, slot) => slot);
  const placeOf = (slot: number): Place => places[slot] ?? { kind: "message" };
  const ofNode = (index: number, which: number): number => FIRST_NODE + index * NODE_PARTS + which;

  // --- join ------------------------------------------------------------------------------------------------------------

  const joined = (
    nowMs: number,
    slots: readonly Placed[],
    bag: readonly Loose[],
    asked: ((slot: number) => void) | null,
  ): LeadershipWorld => {
    const placed = (slot: number): Placed => present(slots[slot], "every slot holds a part");
    /** A value of one slot: made at once, or when it is asked about. */
    const of = <Value extends object>(slot: number, known: object, make: () => Value): Value =>
      asked === null
        ? make()
        : onAsking(known, () => {
            asked(slot);
            return make();
          });
    const links = placed(LINKS).part as LinksPart;
    /** What makes a part's reference the reading that it has in this world. */
    const zeroOf = (atMs: number): number => (form.time === "absolute" ? 0 : -(nowMs + atMs));
    const register = placed(REGISTER);
    return {
      config,
      now: nowMs,
      seq: 0,
      nextMessage: NEW_MESSAGES_FROM,
      nextOrder: 1,
      store: of(REGISTER, {}, () => registerOf(register.part as RegisterPart, zeroOf(register.atMs)).store),
      acquisition: of(REGISTER, {}, () => (register.part as RegisterPart).acquisition),
      nodes: config.nodes.map(({ id }, index) => {
        const delays = {
          leaseDelayMs: links.leaseDelayMs[index] ?? null,
          sinkDelayMs: links.sinkDelayMs[index] ?? null,
        };
        const parts = {
          process: placed(ofNode(index, PROCESS)),
          seat: placed(ofNode(index, SEAT)),
          work: placed(ofNode(index, WORK)),
        };
        if (asked === null) return nodeOf(form, index, nowMs, parts, delays);
        const hear = {
          seat: () => asked(ofNode(index, SEAT)),
          work: () => asked(ofNode(index, WORK)),
        };
        return of(ofNode(index, PROCESS), { id, ...delays }, () =>
          watchedNode(form, index, nowMs, parts, delays, hear),
        );
      }),
      sinks: config.sinks.map(({ id }, index) =>
        of(firstSink + index, { id }, () => {
          const { part, atMs } = placed(firstSink + index);
          const raw = sinkOf(form, part as SinkPart, index);
          return raw.checked.length === 0
            ? raw
            : sinkOf(form, sinkPart(form, raw, { zeroMs: zeroOf(atMs), renaming: null }), index);
        }),
      ),
      messages: bag.map(({ part, atMs, earliestMs, latestMs }, index) => {
        const bounds = { earliestMs: nowMs + earliestMs, latestMs: nowMs + latestMs };
        const raw = messageOf(form, part as MessagePart, index + 1, bounds);
        if (!isStamped(form, part as MessagePart)) return raw;
        const told = messagePart(form, raw, { zeroMs: zeroOf(atMs), renaming: null });
        return messageOf(form, told, index + 1, bounds);
      }),
      cuts: links.cuts,
    };
  };

  const registerOf = (part: RegisterPart, zeroMs: number) => {
    const { acquisition } = part;
    if (!isDated(form, part)) return { store: storeOf(form, part), acquisition };
    const raw = { store: storeOf(form, part), acquisition };
    return { store: storeOf(form, registerPart(form, raw, { zeroMs, renaming: null })), acquisition };
  };

  // --- look ------------------------------------------------------------------------------------------------------------

  const nothing: LeadershipWorld = {
    ...start,
    store: { revision: 0, created: 0, leases: {} },
    acquisition: { ordinal: 0, node: -1, incarnation: 0 },
    nodes: start.nodes.map((node) => ({ ...node, status: "waiting", timers: [], calls: [] })),
    sinks: start.sinks.map((sink) => ({ ...sink, checked: [] })),
    messages: [],
    cuts: [],
  };

  /** A world with this part alone, so late that everything of it is due. */
  const alone = (slot: number, part: Part): LeadershipWorld => {
    const world = { ...nothing, now: LATE_MS };
    const place = placeOf(slot);
    const withNode = (index: number, node: Partial<NodeState>): LeadershipWorld => ({
      ...world,
      nodes: world.nodes.map((other, at) => (at === index ? { ...other, ...node } : other)),
    });
    switch (place.kind) {
      case "register":
        return { ...world, ...registerOf(part as RegisterPart, 0) };
      case "links":
        return { ...world, cuts: (part as LinksPart).cuts };
      case "process": {
        const { status, ended, identity, clock } = part as ProcessPart;
        return withNode(place.index, { status, ended, identity, clock });
      }
      case "seat":
      case "work": {
        const own = part as SeatPart | WorkPart;
        return withNode(place.index, { clock: own.clock, timers: ownTimers(own) });
      }
      case "sink": {
        const sink = sinkOf(form, part as SinkPart, place.index);
        return { ...world, sinks: world.sinks.map((other, at) => (at === place.index ? sink : other)) };
      }
      case "message":
        return {
          ...world,
          messages: [messageOf(form, part as MessagePart, 1, { earliestMs: 0, latestMs: 0 })],
        };
      default:
        return unreachable(place);
    }
  };
  const look = (slot: number, part: Part): Look<LeadershipAction> => {
    const place = placeOf(slot);
    const world = alone(slot, part);
    const put = pending(world.nodes.some(({ status }) => status === "paused") ? awake(world) : world);
    const moves: LocalMove<LeadershipAction>[] = [];
    for (const action of [...enabledLeadership(world), ...wish.more(world)]) {
      if (slotOf(action) !== slot) continue;
      moves.push({
        action,
        due: dueOf(put, action),
        looksAtBounds: action.kind !== "deliver" && action.kind !== "lose",
      });
    }
    const process = place.kind === "process" ? (part as ProcessPart) : null;
    return {
      moves,
      pending: slot === BAG ? [] : put.map((item) => [item.earliestMs, item.latestMs] as const),
      timeless: timeless(place, part),
      floorMs: floorOf(place, part),
      cycleMs: process === null ? 0 : cycleOf(process.clock),
      still: process?.status === "paused",
      waitsFor: waitsFor(place, part),
      momentous: process === null ? [] : momentous(process),
    };
  };

  const timeless = (place: Place, part: Part): boolean => {
    switch (place.kind) {
      case "register":
        return !isDated(form, part as RegisterPart);
      case "links":
        return true;
      case "process":
        return cycleOf((part as ProcessPart).clock) === 0;
      case "seat":
        return isTimelessSeat(part as SeatPart);
      case "work":
        return isTimelessWork(part as WorkPart);
      case "sink":
        return (part as SinkPart).checked.length === 0;
      case "message":
        return !isStamped(form, part as MessagePart);
      default:
        return unreachable(place);
    }
  };

  /** When everything that a part names lies further back than any machine looks, it may as well lie there for ever. */
  const floorOf = (place: Place, part: Part): number => {
    if (place.kind !== "seat" && place.kind !== "work") return -Infinity;
    const own = part as SeatPart | WorkPart;
    // Work compares times only with now; an elector adds a timing first.
    const looksBackMs =
      place.kind === "work" ? (config.work.kind === "route" ? Infinity : 0) : form.saturationMs;
    return -Math.ceil(((latestOf(own) + looksBackMs) * 1000) / own.clock.ratePermille) - 1;
  };

  const waitsFor = (place: Place, part: Part): number => {
    if (place.kind === "seat" || place.kind === "work") return ofNode(place.index, PROCESS);
    if (place.kind !== "message") return -1;
    const { payload } = part as MessagePart;
    return payload.kind === "lease-answer" || payload.kind === "write-answer"
      ? ofNode(payload.node, PROCESS)
      : -1;
  };

  /** The slot of the part that an action belongs to; null for time, which belongs to none. */
  const slotOf = (action: LeadershipAction): number | null => {
    const node = (id: string, which: number): number =>
      ofNode(
        config.nodes.findIndex((candidate) => candidate.id === id),
        which,
      );
    const sink = (id: string): number =>
      firstSink + config.sinks.findIndex((candidate) => candidate.id === id);
    switch (action.kind) {
      case "advance":
        return null;
      case "fire":
        return config.nodes.some(({ id }) => id === action.lane)
          ? node(action.lane, isWorkTimer(action.timer) ? WORK : SEAT)
          : sink(action.lane);
      case "cancel":
      case "pause":
      case "resume":
      case "crash":
      case "restart":
      case "set-rate":
      case "step-wall-clock":
        return node(action.node, PROCESS);
      case "deliver":
      case "lose":
      case "delay":
      case "duplicate":
      case "refuse":
      case "lose-answer":
      case "delay-answer": {
        const index = sinkOfMessage(action.message);
        return index < 0 ? BAG : firstSink + index;
      }
      case "cut":
      case "heal":
      case "set-delay":
        return LINKS;
      case "delete-lease":
      case "strip-annotation":
      case "edit-holder":
      case "foreign-write":
        return REGISTER;
      case "restart-sink":
        return sink(action.sink);
      default:
        return unreachable(action);
    }
  };

  // --- settle ----------------------------------------------------------------------------------------------------------

  const place = (world: LeadershipWorld, slot: number, renaming: Renaming | null): Placed => {
    const what = placeOf(slot);
    switch (what.kind) {
      case "register":
        return placeRegister(form, world, renaming);
      case "links":
        return { part: linksPart(world), atMs: 0 };
      case "process":
        return placeProcess(form, nodeAt(world, what.index), world.now);
      case "seat":
        return placeSeat(form, nodeAt(world, what.index), what.index, world.now, renaming);
      case "work":
        return placeWork(form, nodeAt(world, what.index), what.index, world.now, renaming);
      case "sink":
        return placeSink(form, sinkAt(world, what.index), world.now, renaming);
      case "message":
        throw new Error("messages have no slot of their own");
      default:
        return unreachable(what);
    }
  };

  /** The slots that a step was not asking about and has written all the same: what stood for them is gone. */
  const written = (before: LeadershipWorld, after: LeadershipWorld, asked: readonly number[]): number[] =>
    everySlot.filter((slot) => {
      if (asked.includes(slot)) return false;
      const what = placeOf(slot);
      switch (what.kind) {
        case "register":
          return after.store !== before.store || after.acquisition !== before.acquisition;
        case "links":
          return after.cuts !== before.cuts;
        case "process":
          return after.nodes[what.index] !== before.nodes[what.index];
        case "seat":
        case "work": {
          if (!asked.includes(ofNode(what.index, PROCESS))) return false;
          const [was, is] = [nodeAt(before, what.index), nodeAt(after, what.index)];
          // Another rate, and all times of the node must be told anew.
          if (was.clock !== is.clock) return true;
          return what.kind === "seat" ? was.elector !== is.elector : was.work !== is.work;
        }
        case "sink":
          return after.sinks[what.index] !== before.sinks[what.index];
        default:
          return false;
      }
    });

  const renamingOfStep = (
    before: LeadershipWorld | null,
    after: LeadershipWorld,
    touched: readonly number[],
  ): Renaming | null => {
    if (!form.reduced) return null;
    const versions = touched.includes(REGISTER) ? versionsAhead(form, after.store.revision) : 0;
    const renamed = config.nodes.flatMap((_, index) =>
      touched.includes(ofNode(index, PROCESS))
        ? nodeRenamings(form, nodeAt(after, index), index, before === null ? null : nodeAt(before, index), {
            seat: touched.includes(ofNode(index, SEAT)),
            work: touched.includes(ofNode(index, WORK)),
          })
        : [],
    );
    return versions === 0 && renamed.length === 0 ? null : { versions, nodes: renamed };
  };

  return {
    slots: places.map((what) => {
      switch (what.kind) {
        case "process":
        case "seat":
        case "work":
          return `${config.nodes[what.index]?.id ?? ""} ${what.kind}`;
        case "sink":
          return config.sinks[what.index]?.id ?? "";
        default:
          return what.kind;
      }
    }),
    dated: places.map((what) => {
      if (form.time === "absolute") return false;
      switch (what.kind) {
        case "seat":
        case "work":
          return true;
        case "process":
          return cycleOf(nodeAt(start, what.index).clock) > 0 || wish.changesRates;
        case "register":
          return !form.namesRenewals;
        case "sink":
          return config.sinks[what.index]?.enforcement === "check-then-act";
        default:
          return false;
      }
    }),
    reductions: reductionsOf(form),
    absolute: form.time === "absolute",
    always: LINKS,
    split(world) {
      const renaming = renamingOfStep(null, world, everySlot);
      return {
        nowMs: reading(form, world.now, 0),
        slots: everySlot.map((slot) => place(world, slot, renaming)),
        bag: world.messages.map((message) => placeMessage(form, message, world.now, renaming)),
      };
    },
    join: (nowMs, slots, bag) => joined(nowMs, slots, bag, null),
    watched: joined,
    look,
    settle(before, after, asked) {
      const touched = [...asked, ...written(before, after, asked)];
      const renaming = renamingOfStep(before, after, touched);
      return {
        slots: touched.map((slot) => [slot, place(after, slot, renaming)] as const),
        bag: after.messages.map((message) => placeMessage(form, message, after.now, renaming)),
        renaming,
      };
    },
    rename(slot, part, given) {
      const renaming = given as Renaming;
      const rewrite = { zeroMs: 0, renaming };
      const what = placeOf(slot);
      switch (what.kind) {
        case "register": {
          const { acquisition } = part as RegisterPart;
          return registerPart(form, { store: storeOf(form, part as RegisterPart), acquisition }, rewrite);
        }
        case "seat":
          return renameSeat(form, part as SeatPart, renaming);
        case "sink":
          return sinkPart(form, sinkOf(form, part as SinkPart, what.index), rewrite);
        case "message": {
          const message = messageOf(form, part as MessagePart, 1, { earliestMs: 0, latestMs: 0 });
          return messagePart(form, message, rewrite);
        }
        case "links":
        case "process":
        case "work":
          return part;
        default:
          return unreachable(what);
      }
    },
    reading: (nowMs, forMs) => reading(form, nowMs, forMs),
    resembles,
  };
}

/** As if nobody were paused: when things would be due. */
const awake = (world: LeadershipWorld): LeadershipWorld => ({
  ...world,
  nodes: world.nodes.map((node) => (node.status === "paused" ? { ...node, status: "running" } : node)),
});

/** What a part needs to be told of the clock: nothing, where within its second it is, or all of it. */
function reading(form: Form, nowMs: number, forMs: number): number {
  const then = nowMs + forMs;
  switch (form.time) {
    case "relative":
      return 0;
    case "second":
      return then % 1000;
    case "absolute":
      return then;
    default:
      return unreachable(form.time);
  }
}

/** Which of the things put off an action is; null for none. */
function dueOf(put: readonly Pending[], action: LeadershipAction): number | null {
  if (action.kind !== "deliver" && action.kind !== "fire") return null;
  const index = put.findIndex(({ what }) =>
    what.kind === "message"
      ? action.kind === "deliver" && what.message.id === action.message
      : action.kind === "fire" && what.timer.name === action.timer,
  );
  assert(index >= 0, "what may happen was put off");
  return index;
}

/** Acts that set something going from the moment of the act on. */
function momentous({ status, ended }: ProcessPart): readonly string[] {
  switch (status) {
    case "crashed":
      return ["restart"];
    case "waiting":
      return [];
    case "paused":
      return ["clock"];
    case "running":
      return ended ? ["restart", "clock"] : ["cancel", "clock"];
    default:
      return unreachable(status);
  }
}

/** The same action, but for the numbers of messages and calls. */
function resembles(local: LeadershipAction, real: LeadershipAction): boolean {
  if (local.kind !== real.kind) return false;
  if (local.kind === "fire" && real.kind === "fire")
    return (
      local.lane === real.lane &&
      (local.timer === real.timer || (numbered(local.timer) && numbered(real.timer)))
    );
  const strip = (action: LeadershipAction): string =>
    JSON.stringify({ ...action, message: 0 }, Object.keys({ ...action, message: 0 }).toSorted());
  return strip(local) === strip(real);
}

const numbered = (timer: string): boolean => timer.startsWith("act:") || timer.startsWith("c:");

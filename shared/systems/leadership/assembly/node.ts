// A node in normal form, as three parts: its process, its elector with the calls and timers that belong to it, and its
// work. They wait for the process where it stands still; otherwise a step of one asks for another only now and then.
import type { ElectorConfig } from "../../../protocol/elector/contract.ts";
import type { Elector } from "../../../protocol/elector/elector.ts";
import type { Work } from "../../../protocol/work/work.ts";
import type { Placed } from "../../search.ts";
import { globalMs, monotonicMs, type Clock } from "../clock.ts";
import { electorConfigOf } from "../drive.ts";
import { timerDueMs, type NodeState, type OpenCall, type Timer } from "../world.ts";
import { callPart, electorPart, momentOfElector, type ElectorPart, type LocalRewrite } from "./elector.ts";
import { renamingOf, zeroNear, type Form, type NodeRenaming, type Renaming } from "./form.ts";

/** Status, identity and belief. Its reference is a moment at which the clock had no part of a millisecond over. */
export interface ProcessPart extends Pick<
  NodeState,
  | "status"
  | "incarnation"
  | "identity"
  | "ended"
  | "belief"
  | "wins"
  | "knownAcquisition"
  | "produced"
  | "clock"
> {
  readonly pausedAtMs: 0;
}

type Timers = readonly (readonly [name: string, dueMs: number])[];

export interface SeatPart {
  /** The node's clock as this part needs it to tell when its timers are due: reading 0 at the reference. */
  readonly clock: Clock;
  /** Without its configuration, which the process tells. */
  readonly elector: ElectorPart | null;
  readonly calls: readonly OpenCall[];
  readonly timers: Timers;
}

export interface WorkPart {
  readonly clock: Clock;
  readonly work: Work;
  readonly consumer: NodeState["consumer"];
  readonly exchange: NodeState["exchange"];
  readonly timers: Timers;
}

/** Timers of a client that gives up on a call carry the number of the call. */
const CLIENT = "c:";

/** Whose a timer is. */
export const isWorkTimer = (name: string): boolean =>
  name.startsWith("w:") || name.startsWith("m:") || name.startsWith("x:");

const periodOf = ({ ratePermille }: Clock): number => 1000 / greatestDivisor(ratePermille, 1000);

/** How often a clock's reference begins again; 0 where it never moves. */
export const cycleOf = (clock: Clock): number => {
  const periodMs = periodOf(clock);
  return periodMs === 1 ? 0 : periodMs;
};

export function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right);
}

/** How much of a period had gone by at a moment. */
function partAt(clock: Clock, ms: number): number {
  const periodMs = periodOf(clock);
  return (((ms - clock.atMs) % periodMs) + periodMs) % periodMs;
}

// --- process ------------------------------------------------------------------------------------------------------

export function placeProcess(form: Form, node: NodeState, nowMs: number): Placed {
  const atMs = form.time === "absolute" ? 0 : 0 - partAt(node.clock, nowMs);
  return { part: processPart(form, node, nowMs + atMs), atMs };
}

function processPart(form: Form, node: NodeState, zeroMs: number): ProcessPart {
  const { clock, belief } = node;
  return {
    status: node.status,
    incarnation: node.incarnation,
    identity: node.identity,
    ended: node.ended,
    belief: belief === null ? null : { token: belief.token, acquisition: belief.acquisition, sinceMs: 0 },
    wins: form.countsWins ? node.wins : 0,
    knownAcquisition: node.knownAcquisition,
    produced: node.produced,
    clock:
      form.time === "absolute"
        ? clock
        : {
            ratePermille: clock.ratePermille,
            atMs: 0,
            localMs: 0,
            // Where times in the Lease are names, nobody reads a wall clock.
            wallOffsetMs: form.namesRenewals ? 0 : clock.wallOffsetMs + monotonicMs(clock, zeroMs) - zeroMs,
          },
    pausedAtMs: 0,
  };
}

/** The clock of a world in which the process' reference is at `zeroMs`. */
function clockOf(form: Form, { clock }: ProcessPart, zeroMs: number): Clock {
  if (form.time === "absolute") return clock;
  // Readings before 0 are as good as any: only differences between readings matter.
  return { ...clock, atMs: zeroMs, localMs: zeroMs };
}

// --- elector and work ---------------------------------------------------------------------------------------------

/** What both kinds of part are told from: the earliest of their timers, or else a moment that they name. */
function localOf(
  form: Form,
  node: Pick<NodeState, "clock" | "incarnation">,
  at: { readonly index: number; readonly timers: readonly number[]; readonly moment: number | null },
  renaming: Renaming | null,
): LocalRewrite & { readonly clock: Clock; readonly timeless: boolean } {
  const momentMs =
    at.timers.length > 0
      ? Math.min(...at.timers)
      : at.moment === null
        ? null
        : globalMs(node.clock, at.moment);
  const timeless = form.time === "absolute" || momentMs === null;
  const zeroMs = momentMs === null ? 0 : zeroNear(form, momentMs);
  return {
    rewrite: { zeroMs, renaming },
    renaming: renamingOf(renaming, at.index, node.incarnation),
    zeroMs: form.time === "absolute" ? 0 : timeless ? 0 : monotonicMs(node.clock, zeroMs),
    clock:
      form.time === "absolute"
        ? node.clock
        : timeless
          ? { ratePermille: node.clock.ratePermille, atMs: 0, localMs: 0, wallOffsetMs: 0 }
          : clockFrom(node.clock, zeroMs),
    timeless,
  };
}

/** A clock that reads 0 at a moment told as 0, with the same part of a period gone by. */
function clockFrom({ ratePermille, ...clock }: Clock, zeroMs: number): Clock {
  const partMs = partAt({ ratePermille, ...clock }, zeroMs);
  return {
    ratePermille,
    atMs: 0 - partMs,
    localMs: 0 - Math.floor((partMs * ratePermille) / 1000),
    wallOffsetMs: 0,
  };
}

const timersPart = (timers: readonly Timer[], local: LocalRewrite): Timers =>
  timers
    .map(
      ({ name, dueMs }) =>
        [
          timerName(local.renaming, name),
          dueMs - (name === "start" ? local.rewrite.zeroMs : local.zeroMs),
        ] as const,
    )
    .toSorted(([left], [right]) => (left < right ? -1 : 1));

const timerName = (renaming: NodeRenaming | null, name: string): string =>
  name.startsWith(CLIENT) ? `${CLIENT}${callPart(renaming, Number(name.slice(CLIENT.length)))}` : name;

export function placeSeat(
  form: Form,
  node: NodeState,
  index: number,
  nowMs: number,
  renaming: Renaming | null,
): Placed {
  const timers = node.timers.filter(({ name }) => !isWorkTimer(name));
  const dues = timers.map((timer) => timerDueMs(node, timer));
  const moment = node.elector === null ? null : momentOfElector(node.elector);
  const local = localOf(form, node, { index, timers: dues, moment }, renaming);
  const part: SeatPart = {
    clock: local.clock,
    elector: node.elector === null ? null : electorPart(form, node.elector, local),
    calls: node.calls
      .map(({ call, verb, purpose }) => ({ call: callPart(local.renaming, call), verb, purpose }))
      .toSorted((left, right) => left.call - right.call),
    timers: timersPart(timers, local),
  };
  return { part, atMs: local.timeless ? 0 : local.rewrite.zeroMs - nowMs };
}

export function placeWork(
  form: Form,
  node: NodeState,
  index: number,
  nowMs: number,
  renaming: Renaming | null,
): Placed {
  const timers = node.timers.filter(({ name }) => isWorkTimer(name));
  const dues = timers.map((timer) => timerDueMs(node, timer));
  const moment = node.work.kind === "idle" ? null : node.work.nextMs;
  const local = localOf(form, node, { index, timers: dues, moment }, renaming);
  const part: WorkPart = {
    clock: local.clock,
    work: workPart(form, node.work, local),
    consumer: node.consumer,
    exchange: node.exchange,
    timers: timersPart(timers, local),
  };
  return { part, atMs: local.timeless ? 0 : local.rewrite.zeroMs - nowMs };
}

/** Nothing in it is a time. */
export const isTimelessSeat = ({ elector, timers }: SeatPart): boolean =>
  timers.length === 0 && (elector === null || momentOfElector(elector as Elector) === null);

export const isTimelessWork = ({ work, timers }: WorkPart): boolean =>
  timers.length === 0 && work.kind === "idle";

/** The latest moment that a part names, told from its reference by the node's own clock. */
export function latestOf(part: SeatPart | WorkPart): number {
  const dues = part.timers.map(([, dueMs]) => dueMs);
  const next = "work" in part && part.work.kind !== "idle" ? [part.work.nextMs, part.work.stopAtMs ?? 0] : [];
  return Math.max(0, ...dues, ...next);
}

function workPart(form: Form, work: Work, local: LocalRewrite): Work {
  const off = local.renaming?.operations ?? 0;
  if (work.kind === "idle") return { kind: "idle", begun: work.begun - off };
  const { work: settings } = form.config;
  const counted = !form.reduced || (settings.kind === "loop" && settings.operations > 0);
  const at = (ms: number): number => ms - local.zeroMs;
  const led = {
    authority: { token: work.authority.token, acquisition: work.authority.acquisition },
    begun: work.begun - off,
    // Counted only up to a limit; below 0 a claim is still to come.
    done: counted ? work.done : Math.min(work.done, 0),
    nextMs: at(work.nextMs),
    stopAtMs: work.stopAtMs === null ? null : at(work.stopAtMs),
  };
  if (work.kind === "waiting") return { kind: "waiting", ...led };
  const { token, acquisition, number, claim } = work.operation;
  const operation = { token, acquisition, number: number - off, claim };
  return work.kind === "thinking"
    ? { kind: "thinking", operation, ...led }
    : { kind: "calling", operation, open: work.open, ...led };
}

// --- back ---------------------------------------------------------------------------------------------------------

/** A node of these parts in a world whose clock reads `nowMs`. */
export function nodeOf(
  form: Form,
  index: number,
  nowMs: number,
  parts: { readonly process: Placed; readonly seat: Placed; readonly work: Placed },
  delays: Pick<NodeState, "leaseDelayMs" | "sinkDelayMs">,
): NodeState {
  const process = parts.process.part as ProcessPart;
  const clock = clockOf(form, process, nowMs + parts.process.atMs);
  return {
    id: form.config.nodes[index]?.id ?? "",
    status: process.status,
    incarnation: process.incarnation,
    identity: process.identity,
    pausedAtMs: 0,
    clock,
    elector: electorOf(form, index, parts, nowMs, clock),
    ended: process.ended,
    timers: timersOf(form, parts, nowMs, clock),
    calls: (parts.seat.part as SeatPart).calls,
    belief: process.belief,
    wins: process.wins,
    knownAcquisition: process.knownAcquisition,
    work: workOf(form, parts.work, nowMs, clock),
    consumer: (parts.work.part as WorkPart).consumer,
    exchange: (parts.work.part as WorkPart).exchange,
    produced: process.produced,
    ...delays,
  };
}

/**
 * The same node, but `asked` hears when its elector or its work is asked about, and what they are is worked out only then.
 * Its timers may be read by all: each part looks only for its own, by name.
 */
export function watchedNode(
  form: Form,
  index: number,
  nowMs: number,
  parts: { readonly process: Placed; readonly seat: Placed; readonly work: Placed },
  delays: Pick<NodeState, "leaseDelayMs" | "sinkDelayMs">,
  asked: { seat(): void; work(): void },
): NodeState {
  const process = parts.process.part as ProcessPart;
  const clock = clockOf(form, process, nowMs + parts.process.atMs);
  const { calls, elector } = parts.seat.part as SeatPart;
  const { consumer, exchange } = parts.work.part as WorkPart;
  // Whether there is an elector is told by the status: a process that has started and not crashed has one.
  const seated = elector !== null;
  // Only routes have these; of a route everybody may know whether they are there, so it is asked about at once.
  if (consumer !== null || exchange !== null) asked.work();
  return {
    id: form.config.nodes[index]?.id ?? "",
    status: process.status,
    incarnation: process.incarnation,
    identity: process.identity,
    pausedAtMs: 0,
    clock,
    elector: seated
      ? onAsking({}, () => {
          asked.seat();
          return electorOf(form, index, parts, nowMs, clock) as Elector;
        })
      : null,
    ended: process.ended,
    timers: timersOf(form, parts, nowMs, clock),
    calls: onAsking({}, () => {
      asked.seat();
      return calls;
    }),
    belief: process.belief,
    wins: process.wins,
    knownAcquisition: process.knownAcquisition,
    work: onAsking({}, () => {
      asked.work();
      return workOf(form, parts.work, nowMs, clock);
    }),
    consumer,
    exchange,
    produced: process.produced,
    ...delays,
  };
}

/** Something that is made when it is first asked about, except for what is `known` of it. */
export function onAsking<Value extends object>(known: object, make: () => Value): Value {
  let value: Value | null = null;
  const made = (): Value => (value ??= make());
  return new Proxy(known, {
    get: (target, name) =>
      (Object.hasOwn(target, name) ? Reflect.get(target, name) : Reflect.get(made(), name)) as unknown,
    has: (_, name) => Reflect.has(made(), name),
    ownKeys: () => Reflect.ownKeys(made()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(made(), name);
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
  }) as Value;
}

/** The rewrite by which a part's reference gets the reading that it has in this world. */
function back(form: Form, clock: Clock, atMs: number, nowMs: number): LocalRewrite {
  const zeroMs = form.time === "absolute" ? 0 : -(nowMs + atMs);
  return {
    rewrite: { zeroMs, renaming: null },
    renaming: null,
    zeroMs: form.time === "absolute" ? 0 : -monotonicMs(clock, nowMs + atMs),
  };
}

function timersBack(
  { timers }: SeatPart | WorkPart,
  local: Pick<LocalRewrite, "rewrite" | "zeroMs">,
): readonly Timer[] {
  return timers.map(([name, dueMs]) => ({
    name,
    dueMs: dueMs - (name === "start" ? local.rewrite.zeroMs : local.zeroMs),
    order: 0,
  }));
}

/** The timers of a part alone, told from its reference. */
export const ownTimers = (part: SeatPart | WorkPart): readonly Timer[] =>
  timersBack(part, { rewrite: { zeroMs: 0, renaming: null }, zeroMs: 0 });

function timersOf(
  form: Form,
  { seat, work }: { readonly seat: Placed; readonly work: Placed },
  nowMs: number,
  clock: Clock,
): readonly Timer[] {
  return [
    ...timersBack(seat.part as SeatPart, back(form, clock, seat.atMs, nowMs)),
    ...timersBack(work.part as WorkPart, back(form, clock, work.atMs, nowMs)),
  ];
}

function electorOf(
  form: Form,
  index: number,
  { process, seat }: { readonly process: Placed; readonly seat: Placed },
  nowMs: number,
  clock: Clock,
): Elector | null {
  const { elector } = seat.part as SeatPart;
  if (elector === null) return null;
  const config: ElectorConfig = electorConfigOf(form.config, index, process.part as ProcessPart);
  const told = electorPart(form, elector as Elector, back(form, clock, seat.atMs, nowMs));
  return { ...told, config } as Elector;
}

const workOf = (form: Form, { part, atMs }: Placed, nowMs: number, clock: Clock): Work =>
  workPart(form, (part as WorkPart).work, back(form, clock, atMs, nowMs));

// --- renaming -----------------------------------------------------------------------------------------------------

/** A part with other numbers for versions: all else of a renaming concerns the parts of the node that was stepped. */
export function renameSeat(form: Form, part: SeatPart, renaming: Renaming): SeatPart {
  const local: LocalRewrite = { rewrite: { zeroMs: 0, renaming }, renaming: null, zeroMs: 0 };
  return part.elector === null
    ? part
    : { ...part, elector: electorPart(form, part.elector as Elector, local) };
}

/** What a step was given of a node. */
export interface GivenNode {
  readonly seat: boolean;
  readonly work: boolean;
}

/**
 * What has to be renamed everywhere because of this node: its calls that still wait become 1, 2, …, its operations are
 * told from the newest. `before`: the node before the step; null: whatever was, as when a whole world is split.
 */
export function nodeRenamings(
  form: Form,
  node: NodeState,
  index: number,
  before: NodeState | null,
  given: GivenNode,
): readonly NodeRenaming[] {
  if (!form.reduced) return [];
  const gone = (incarnation: number): NodeRenaming => ({
    node: index,
    incarnation,
    calls: [],
    operations: form.renamesOperations ? null : 0,
  });
  const { incarnation } = node;
  const renamings: NodeRenaming[] = [];
  // A process that was started again has left messages behind that nobody will hear of.
  for (let earlier = before === null ? 1 : before.incarnation; earlier < incarnation; earlier += 1)
    if (earlier > 0) renamings.push(gone(earlier));
  if (node.status === "crashed") {
    if (before?.status !== "crashed") renamings.push(gone(incarnation));
    return renamings;
  }
  const calls = given.seat ? waiting(node.calls) : null;
  const renumber =
    calls !== null &&
    (before === null || callsMade(node) !== calls.length || calls.some((call, at) => call !== at + 1));
  const operations = given.work && form.renamesOperations ? node.work.begun : 0;
  if (renumber || operations !== 0)
    renamings.push({ node: index, incarnation, calls: renumber ? calls : null, operations });
  return renamings;
}

const waiting = (calls: readonly OpenCall[]): readonly number[] =>
  calls.map(({ call }) => call).toSorted((left, right) => left - right);

function callsMade({ elector }: NodeState): number {
  switch (elector?.profile) {
    case "epoch-lab":
      return elector.calls;
    case "client-go":
      return elector.nextCall - 1;
    case "noop":
    case undefined:
      return 0;
  }
}

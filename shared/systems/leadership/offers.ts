// The menu of a moment: what could happen next in plain words, and what cannot, with the reason.
import { unreachable } from "../../base/assert.ts";
import type { RequestPurpose } from "./event.ts";
import type { Offer } from "../system.ts";
import { classifyLeadership, type LeadershipAction } from "./action.ts";
import { actionFor, enabledLeadership, refusalLeadership } from "./enabled.ts";
import { LEASE_LANE, leaseOf, pending, type LeadershipWorld, type Message, type Pending } from "./world.ts";

export function leadershipOffers(world: LeadershipWorld): readonly Offer<LeadershipAction>[] {
  const natural = pending(world)
    .toSorted((left, right) => left.earliestMs - right.earliestMs || left.order - right.order)
    .map((item): Offer<LeadershipAction> => {
      const action = actionFor(world, item.what);
      return {
        id: JSON.stringify(action),
        action,
        label: labelOf(world, action),
        class: classifyLeadership(action),
        lane: laneOf(world, item),
        impossible: item.earliestMs <= world.now || !item.ready ? refusalLeadership(world, action) : null,
        dueMs: item.earliestMs <= world.now ? null : item.earliestMs,
      };
    });
  const enabled = enabledLeadership(world).filter((action) => {
    const kind = classifyLeadership(action).kind;
    return kind === "operator" || kind === "fault";
  });
  return [
    ...natural,
    ...enabled.map((action) => offer(world, action, null)),
    ...impossible(world).map(([action, why]) => offer(world, action, why)),
  ];
}

/** Things that users look for and that cannot happen now. */
function impossible(world: LeadershipWorld): readonly (readonly [LeadershipAction, string])[] {
  const wanted: LeadershipAction[] = world.nodes.flatMap((node): LeadershipAction[] => [
    { kind: "pause", node: node.id },
    { kind: "resume", node: node.id },
    { kind: "crash", node: node.id },
    { kind: "restart", node: node.id, identity: "new" },
    { kind: "cancel", node: node.id },
  ]);
  wanted.push({ kind: "delete-lease" }, { kind: "strip-annotation" });
  return wanted.flatMap((action) => {
    const why = refusalLeadership(world, action);
    return why === null ? [] : [[action, why] as const];
  });
}

function offer(
  world: LeadershipWorld,
  action: LeadershipAction,
  why: string | null,
): Offer<LeadershipAction> {
  return {
    id: JSON.stringify(action),
    action,
    label: labelOf(world, action),
    class: classifyLeadership(action),
    lane:
      "node" in action
        ? action.node
        : "sink" in action
          ? action.sink
          : "message" in action
            ? (world.messages.find((message) => message.id === action.message)?.from ?? "")
            : LEASE_LANE,
    impossible: why,
    dueMs: null,
  };
}

function laneOf(world: LeadershipWorld, { what }: Pending): string {
  switch (what.kind) {
    case "message":
      return what.message.to;
    case "node-timer":
      return world.nodes[what.node]?.id ?? "";
    case "sink-timer":
      return world.sinks[what.sink]?.id ?? "";
    default:
      return unreachable(what);
  }
}

/** An action as a button says it. */
export function labelOf(world: LeadershipWorld, action: LeadershipAction): string {
  switch (action.kind) {
    case "advance":
      return `time passes to ${(action.toMs / 1000).toFixed(2)} s`;
    case "deliver": {
      const message = world.messages.find((candidate) => candidate.id === action.message);
      return message === undefined ? "a message arrives" : arrival(message);
    }
    case "foreign-write":
      return "somebody else writes the Lease";
    case "fire":
      return timerLabel(world, action.lane, action.timer);
    case "cancel":
      return `ask ${action.node} to stop`;
    case "pause":
      return `pause ${action.node}`;
    case "resume":
      return `resume ${action.node}`;
    case "crash":
      return `crash ${action.node}`;
    case "restart":
      return action.identity === "same"
        ? `start ${action.node} again under the same identity`
        : `start ${action.node} again`;
    case "lose":
      return `lose ${named(world, action.message)}`;
    case "delay":
      return `delay ${named(world, action.message)} by ${action.byMs / 1000} s`;
    case "refuse":
      return `answer ${action.code} to ${named(world, action.message)}`;
    case "lose-answer":
      return `serve ${named(world, action.message)}, lose the answer`;
    case "delay-answer":
      return `serve ${named(world, action.message)}, answer ${action.byMs / 1000} s late`;
    case "duplicate":
      return `deliver ${named(world, action.message)} twice`;
    case "cut":
      return `cut ${action.node} off from ${toWhat(action.to)}`;
    case "heal":
      return `heal the link between ${action.node} and ${toWhat(action.to)}`;
    case "set-delay":
      return `${action.node} to ${action.to === "lease" ? "the Lease API" : "the sinks"}: ${action.delayMs} ms each way`;
    case "set-rate":
      return `run ${action.node}'s clock at ${action.ratePermille / 1000} times the true rate`;
    case "step-wall-clock":
      return `step ${action.node}'s wall clock by ${action.byMs / 1000} s`;
    case "delete-lease":
      return "delete the Lease";
    case "strip-annotation":
      return "strip the term annotation";
    case "edit-holder":
      return action.holder === ""
        ? "clear the holder by hand"
        : `set the holder to "${action.holder}" by hand`;
    case "restart-sink":
      return `restart ${action.sink}`;
    default:
      return unreachable(action);
  }
}

const toWhat = (to: string): string => (to === LEASE_LANE ? "the Lease API" : to);

function arrival(message: Message): string {
  const { payload } = message;
  switch (payload.kind) {
    case "lease-request":
      return `${message.from}'s ${purposeWord(payload.purpose)} reaches the Lease API`;
    case "lease-answer":
      return `${message.to} hears about its ${purposeWord(payload.purpose)}`;
    case "write":
      return `${message.from}'s write of ${payload.facts.value} reaches ${message.to}`;
    case "write-answer":
      return `${message.to} hears from ${message.from} about ${payload.facts.value}`;
    default:
      return unreachable(payload);
  }
}

function named(world: LeadershipWorld, id: number): string {
  const message = world.messages.find((candidate) => candidate.id === id);
  if (message === undefined) return `message ${id}`;
  const { payload } = message;
  switch (payload.kind) {
    case "lease-request":
      return `${message.from}'s ${purposeWord(payload.purpose)}`;
    case "lease-answer":
      return `the answer to ${message.to}'s ${purposeWord(payload.purpose)}`;
    case "write":
      return `${message.from}'s write of ${payload.facts.value} to ${message.to}`;
    case "write-answer":
      return `${message.from}'s answer about ${payload.facts.value}`;
    default:
      return unreachable(payload);
  }
}

function purposeWord(purpose: RequestPurpose): string {
  switch (purpose) {
    case "read":
      return "read";
    case "create":
      return "creation";
    case "acquire":
      return "acquisition";
    case "renew":
      return "renewal";
    case "release":
      return "release";
    case "raise-term":
      return "raise of the term";
    case "delete":
      return "deletion";
    default:
      return unreachable(purpose);
  }
}

function timerLabel(world: LeadershipWorld, lane: string, timer: string): string {
  const node = world.nodes.find((candidate) => candidate.id === lane);
  if (node === undefined) return `${lane} acts on the write that it checked`;
  if (timer === "producer") return `${lane}'s producer writes, leader or not`;
  if (timer === "start") return `${lane}'s process starts`;
  if (timer.startsWith("c:")) return `${lane}'s client gives up on a call`;
  if (timer.startsWith("m:delegate")) return `${lane}'s delegate ticks`;
  if (timer === "x:work") return `${lane}'s pipeline writes its exchange`;
  if (timer === "x:call") return `${lane}'s pipeline stops waiting for the sinks`;
  if (timer.startsWith("m:")) return `${lane}'s master looks after its delegate`;
  if (timer === "w:call") return `${lane} stops waiting for the sinks`;
  if (timer === "w:work") return workLabel(lane, node.work.kind);
  switch (timer) {
    case "e:renew":
      return `${lane} renews the Lease`;
    case "e:poll":
    case "e:retry":
      return leaseOf(world)?.spec.holderIdentity === node.identity
        ? `${lane} renews the Lease`
        : `${lane} looks at the Lease`;
    case "e:deadline":
      return `${lane} reads its clock and steps down`;
    case "e:attempt":
      return `${lane} gives up on its request`;
    case "e:drain":
      return `${lane}'s drain timeout is over`;
    default:
      return `${lane}'s timer ${timer.slice(2)} fires`;
  }
}

function workLabel(lane: string, kind: "idle" | "waiting" | "thinking" | "calling"): string {
  switch (kind) {
    case "thinking":
      return `${lane} sends the write it has prepared`;
    case "idle":
    case "waiting":
    case "calling":
      return `${lane} asks "do I lead?" for its next write`;
    default:
      return unreachable(kind);
  }
}

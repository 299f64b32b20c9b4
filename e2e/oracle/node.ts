// One node of the oracle's world: our elector, its timers, and its requests on their way.
import { assert, unreachable } from "../../shared/base/assert.ts";
import type {
  CallResult,
  ElectorInput,
  ElectorOutput,
  Instant,
} from "../../shared/protocol/elector/contract.ts";
import { JITTER_FACTOR } from "../../shared/protocol/elector/clientGo/acquire.ts";
import { stepClientGo, type ClientGoElector } from "../../shared/protocol/elector/clientGo/clientGo.ts";
import type { Lease, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { nanosecondsOf, NS_PER_MS } from "./rules.ts";
import type { Fault, NodePlan } from "./schedule.ts";
import type { Happening } from "./transcript.ts";

/** What the elector's goroutine has still to do before it waits again, in order. */
export type Errand =
  | { readonly kind: "request"; readonly call: number; readonly request: LeaseRequest }
  | { readonly kind: "line"; readonly happening: Happening; readonly closesCall: boolean }
  | { readonly kind: "callback"; readonly happening: Happening }
  | { readonly kind: "return" };

/** A request on its way to the server. It outlives the caller's patience. */
export interface Sent {
  readonly call: number;
  readonly request: LeaseRequest;
  readonly fault: Fault;
  readonly dueNs: number;
}

/** An answer on its way back. */
export type Answer =
  | { readonly kind: "known"; readonly dueNs: number; readonly code: number; readonly result: CallResult }
  /** A GET that read one of the versions which were stored in its millisecond, from the `since`th on. */
  | { readonly kind: "reading"; readonly dueNs: number; readonly since: number }
  | { readonly kind: "read"; readonly dueNs: number; readonly versions: readonly (Lease | null)[] };

export interface Node {
  /** The time of the last thing that this node did; 0 once its millisecond is over. */
  readonly nowNs: number;
  /** Null before its start and when client-go refused its configuration. */
  readonly elector: ClientGoElector | null;
  /** Run has returned, or was never called. */
  readonly returned: boolean;
  readonly startNs: number | null;
  readonly timers: Readonly<Record<string, number>>;
  /** The acquire loop's sleep: its end is drawn, anywhere in this range. */
  readonly sleep: { readonly fromNs: number; readonly toNs: number } | null;
  /** When `cancel` is logged; its effect follows. `cancelMayFail`: the schedule's end came at the same instant. */
  readonly cancelNs: number | null;
  readonly cancelMayFail: boolean;
  /** When the node's context ends. */
  readonly contextEndNs: number | null;
  readonly contextEnded: boolean;
  readonly errands: readonly Errand[];
  /** Callbacks that run in goroutines of their own, in any order. */
  readonly callbacks: readonly Happening[];
  readonly open: { readonly call: number; readonly verb: string; readonly answer: Answer | null } | null;
  readonly sent: readonly Sent[];
}

/** The moment between the making of an elector and its Run, at which its context may already end. */
export const RUN = "run";

export function createNode(plan: NodePlan): Node {
  return {
    nowNs: 0,
    elector: null,
    returned: false,
    startNs: Math.max(0, nanosecondsOf(plan.start)),
    timers: {},
    sleep: null,
    cancelNs: null,
    cancelMayFail: false,
    contextEndNs: null,
    contextEnded: false,
    errands: [],
    callbacks: [],
    open: null,
    sent: [],
  };
}

export const isBusy = (node: Node): boolean => node.errands.length > 0 || node.callbacks.length > 0;

/** When the node's next fixed thing is due; Infinity for never. A drawn sleep is not fixed. */
export function dueNs(node: Node): number {
  if (isBusy(node)) return node.nowNs;
  return Math.min(
    node.startNs ?? Infinity,
    node.cancelNs !== null && !node.cancelMayFail ? node.cancelNs : Infinity,
    node.contextEndNs ?? Infinity,
    node.open?.answer?.dueNs ?? Infinity,
    ...Object.values(node.timers),
    ...node.sent.map((sent) => sent.dueNs),
  );
}

export const instantOf = (ns: number): Instant => ({ monotonicMs: ns / NS_PER_MS, wallMs: ns / NS_PER_MS });

/** Gives the elector an input and takes up what it puts out. */
export function feed(node: Node, id: string, input: ElectorInput): Node {
  assert(node.elector !== null, "only a started elector is fed");
  const [elector, outputs] = stepClientGo(node.elector, input);
  return withoutSilentErrands(
    outputs.reduce<Node>((next, output) => perform(next, id, output), { ...node, elector }),
  );
}

/** Does at once what no line shows and nothing else depends on: callbacks are started, Run returns. */
export function withoutSilentErrands(node: Node): Node {
  const [errand, ...errands] = node.errands;
  if (errand?.kind === "callback")
    return withoutSilentErrands({ ...node, errands, callbacks: [...node.callbacks, errand.happening] });
  if (errand?.kind === "return")
    return withoutSilentErrands({ ...node, errands, returned: true, sleep: null, timers: {} });
  return node;
}

function perform(node: Node, id: string, output: ElectorOutput): Node {
  const errand = (next: Errand): Node => ({ ...node, errands: [...node.errands, next] });
  switch (output.kind) {
    case "call":
      return errand({ kind: "request", call: output.call, request: output.request });
    case "give-up": {
      const queued = node.errands.findLast((other) => other.kind === "request" && other.call === output.call);
      const verb = queued?.kind === "request" ? queued.request.verb : (node.open?.verb ?? "");
      return errand({ kind: "line", happening: { ev: "gave-up", node: id, verb }, closesCall: true });
    }
    case "set-timer": {
      const at = Math.round(output.dueMs * NS_PER_MS);
      if (output.timer !== "retry") return { ...node, timers: { ...node.timers, [output.timer]: at } };
      const retryNs = at - node.nowNs;
      return { ...node, sleep: { fromNs: at, toNs: at + Math.trunc(JITTER_FACTOR * retryNs) } };
    }
    case "clear-timer": {
      const { [output.timer]: _cleared, ...timers } = node.timers;
      return output.timer === "retry" ? { ...node, sleep: null } : { ...node, timers };
    }
    case "started-leading":
      return errand({ kind: "callback", happening: { ev: "started", node: id } });
    case "new-leader":
      return errand({ kind: "callback", happening: { ev: "new-leader", node: id, id: output.identity } });
    case "stopped-leading":
      return errand({ kind: "line", happening: { ev: "stopped", node: id }, closesCall: false });
    case "ended":
      return errand({ kind: "return" });
    case "renewed":
    case "stop-work":
    case "abort-work":
    case "judged-expired":
    case "released":
      return node;
    default:
      return unreachable(output);
  }
}

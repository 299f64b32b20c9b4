// What a route node does: a master consumer over a timer delegate, its bridge, and a pipeline that takes one exchange at a
// time, works on it and writes to the sinks. Drives the machine of one node as drive.ts does elector and loop.
import type { Problem } from "../../base/result.ts";
import {
  createConsumer,
  stepConsumer,
  type Consumer,
  type ConsumerInput,
  type ConsumerOutput,
} from "../../protocol/master/consumer.ts";
import { MASTER_VARIANTS, type EnvelopeFacts, type MasterVariant } from "../../protocol/master/contract.ts";
import { DEFAULT_MASTER } from "../../protocol/master/master.ts";
import { DEFAULT_PLAN, type DelegatePlan } from "../../protocol/master/plan.ts";
import { timerPlan } from "../../protocol/master/timer.ts";
import { parseMasterUri } from "../../protocol/master/uri.ts";
import { monotonicMs } from "./clock.ts";
import { changeNode, clearTimer, emit, inTurn, setTimer, type Draft } from "./draft.ts";
import { nodeAt, type ExchangeInHand } from "./world.ts";

export interface RouteConfig {
  /** `master:<lock>:<delegate-uri>`; the lock must be the system's own, the delegate a timer. */
  readonly uri: string;
  /** Which master consumer: ours, or one of the two generations of the crates. Default `epoch-lab`. */
  readonly variant: MasterVariant;
  /** How long the pipeline works on one exchange before it writes. Default 100. */
  readonly processMs: number;
  /** How long a write waits for its answers before the exchange counts as done. Default 5000. */
  readonly callTimeoutMs: number;
  /** Bound of a delegate stop (`drain_timeout_ms`). Default 5000. */
  readonly drainTimeoutMs: number;
  /** How long the delegate takes to end once it is cancelled. Default 0. */
  readonly lingerMs: number;
  /** How many envelopes the delegate emits at each tick. Default 1. */
  readonly burst: number;
}

export const DEFAULT_ROUTE: RouteConfig = {
  uri: "master:orders:timer:tick?period=1000",
  variant: "epoch-lab",
  processMs: 100,
  callTimeoutMs: 5000,
  drainTimeoutMs: 5000,
  lingerMs: 0,
  burst: 1,
};

export { MASTER_VARIANTS };

/** Timer prefix of the consumer's own timers, and the two of the exchange in hand. */
export const ROUTE_TIMERS = "m:";
export const EXCHANGE_WORK = "x:work";
export const EXCHANGE_CALL = "x:call";

/** Why a route cannot run in this system; empty when it can. */
export function validateRoute(route: RouteConfig, lock: string): readonly Problem[] {
  const parsed = parseMasterUri(route.uri);
  if (!parsed.ok) return [{ ...parsed.error, path: "work.uri" }];
  if (parsed.value.lock !== lock)
    return [
      {
        path: "work.uri",
        expected: `the lock "${lock}" of this configuration`,
        got: JSON.stringify(parsed.value.lock),
        remedy: `Write master:${lock}:…, or change "lock".`,
      },
    ];
  const plan = planOf(route);
  return plan.ok ? [] : plan.error.map((problem) => ({ ...problem, path: "work.uri" }));
}

function planOf(route: RouteConfig) {
  const parsed = parseMasterUri(route.uri);
  if (!parsed.ok) return { ok: false as const, error: [parsed.error] };
  return timerPlan(parsed.value.delegate, { burst: route.burst, lingerMs: route.lingerMs });
}

export function createRoute(route: RouteConfig, lock: string): Consumer {
  const plan = planOf(route);
  const plans: readonly DelegatePlan[] = [plan.ok ? plan.value : DEFAULT_PLAN];
  return createConsumer(
    { ...DEFAULT_MASTER, variant: route.variant, lock, drainTimeoutMs: route.drainTimeoutMs },
    { creates: [], plans },
  );
}

/** What the embedding node does for a route that the route cannot do itself. */
export interface RouteHooks {
  /** Nothing guarded runs any more. */
  readonly workStopped: () => void;
  /** The route gives its candidacy up. */
  readonly leaveElection: () => void;
  /** Write an exchange to all sinks; the answers come back as {@link exchangeAnswered}. */
  readonly write: (exchange: EnvelopeFacts) => void;
}

export function feedRoute(draft: Draft, index: number, input: ConsumerInput, hooks: RouteHooks): void {
  inTurn(draft, () => runRoute(draft, index, input, hooks));
}

function runRoute(draft: Draft, index: number, input: ConsumerInput, hooks: RouteHooks): void {
  const { world } = draft;
  const { consumer, clock } = nodeAt(world, index);
  if (consumer === null) return;
  const [next, outputs] = stepConsumer(consumer, input, monotonicMs(clock, world.now));
  changeNode(draft, index, { consumer: next });
  for (const output of outputs) perform(draft, index, output, hooks);
}

function perform(draft: Draft, index: number, output: ConsumerOutput, hooks: RouteHooks): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  switch (output.kind) {
    case "set-timer":
      return setTimer(draft, index, ROUTE_TIMERS + output.timer, output.dueMs);
    case "clear-timer":
      return clearTimer(draft, index, ROUTE_TIMERS + output.timer);
    case "phase":
      draft.cause = emit(draft, node.id, {
        kind: "delegate",
        node: node.id,
        phase: output.phase,
        acquisition: output.acquisition,
        detail: output.detail,
      });
      return;
    case "accepted":
      emit(draft, node.id, {
        kind: "envelope-accepted",
        node: node.id,
        envelope: output.envelope,
        token: output.epoch,
        acquisition: output.acquisition,
        queued: output.queued,
      });
      return;
    case "exchange": {
      draft.cause = emit(draft, node.id, {
        kind: "envelope-forwarded",
        node: node.id,
        envelope: output.envelope,
        token: output.epoch,
        acquisition: output.acquisition,
      });
      const { envelope, run, epoch, acquisition } = output;
      const exchange: ExchangeInHand = {
        facts: { envelope, run, epoch, acquisition },
        open: [],
      };
      changeNode(draft, index, { exchange });
      const route = world.config.work;
      const processMs = route.kind === "route" ? route.processMs : 0;
      return setTimer(draft, index, EXCHANGE_WORK, monotonicMs(node.clock, world.now) + processMs);
    }
    case "abort-exchange":
      changeNode(draft, index, { exchange: null });
      clearTimer(draft, index, EXCHANGE_WORK);
      return clearTimer(draft, index, EXCHANGE_CALL);
    case "dropped":
      emit(draft, node.id, {
        kind: "envelopes-dropped",
        node: node.id,
        count: output.envelopes.length,
        envelopes: output.envelopes.map(({ envelope }) => envelope),
        acquisition: output.envelopes[0]?.acquisition ?? 0,
        why: dropReason(output.why, output.where),
      });
      return;
    case "work-stopped":
      return hooks.workStopped();
    case "leave-election":
      return hooks.leaveElection();
    case "finished":
    case "stop-returned":
    case "forwarded":
    case "refused":
    case "metric":
    case "log":
    case "note":
      return;
  }
}

function dropReason(
  why: Extract<ConsumerOutput, { kind: "dropped" }>["why"],
  where: "bridge" | "pipeline",
): string {
  const place = where === "bridge" ? "in the bridge" : "in the pipeline's queue";
  switch (why) {
    case "drain-timeout":
      return `the drain timeout ran out while they waited ${place}`;
    case "route-cancelled":
      return `the route was cancelled while they waited ${place}`;
    case "pipeline-closed":
      return `the pipeline was closed while they waited ${place}`;
    case "aborted":
      return `the guarded work was aborted while they waited ${place}`;
  }
}

/** The pipeline has worked on its exchange for long enough and writes. */
export function exchangeWorked(draft: Draft, index: number, hooks: RouteHooks): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  if (node.exchange === null) return;
  const open = world.sinks.map((_, sink) => sink);
  changeNode(draft, index, { exchange: { ...node.exchange, open } });
  if (open.length === 0) return exchangeDone(draft, index, hooks);
  const route = world.config.work;
  const timeout = route.kind === "route" ? route.callTimeoutMs : 0;
  setTimer(draft, index, EXCHANGE_CALL, monotonicMs(node.clock, world.now) + timeout);
  hooks.write(node.exchange.facts);
}

export function exchangeAnswered(
  draft: Draft,
  index: number,
  answer: { readonly envelope: number; readonly sink: number },
  hooks: RouteHooks,
): void {
  const { exchange } = nodeAt(draft.world, index);
  if (exchange === null || exchange.facts.envelope !== answer.envelope) return;
  const open = exchange.open.filter((sink) => sink !== answer.sink);
  changeNode(draft, index, { exchange: { ...exchange, open } });
  if (open.length === 0) exchangeDone(draft, index, hooks);
}

/** The exchange is over, answered or not: the pipeline takes the next. */
export function exchangeDone(draft: Draft, index: number, hooks: RouteHooks): void {
  const { exchange } = nodeAt(draft.world, index);
  if (exchange === null) return;
  changeNode(draft, index, { exchange: null });
  clearTimer(draft, index, EXCHANGE_CALL);
  feedRoute(draft, index, { kind: "processed", envelope: exchange.facts.envelope }, hooks);
}

// Guarded work: a loop that asks "do I lead?", prepares for a while, and then writes to the outside. The point between the
// question and the completion of the external call is where a lease stops protecting anything.
import { assert, unreachable } from "../../base/assert.ts";
import type { WriteVerdict } from "../sink/sink.ts";

export interface WorkConfig {
  /** From the start of leadership to the first operation: caches to fill, dependencies to recover. Default 0. */
  readonly warmUpMs: number;
  /** From one operation's start to the next one's. Default 5000. */
  readonly periodMs: number;
  /** Between "do I lead?" and sending the write. Default 100. */
  readonly thinkMs: number;
  /** How long a call waits for its answer before it counts as unanswered. Default 5000. */
  readonly callTimeoutMs: number;
  /** Send an unanswered write again, with the same idempotency key. Default false. */
  readonly retry: boolean;
  /** Begin every epoch with a write that only raises the sink's mark. Default false. */
  readonly claim: boolean;
  /** How long cancelled work takes to stop. Default 0: at once. */
  readonly cleanupMs: number;
  /** Whether the clean-up ends with one more write, as a last flush does. Default false. */
  readonly flush: boolean;
  /** Operations per epoch; 0 for no limit. Default 0. */
  readonly operations: number;
}

export const DEFAULT_WORK: WorkConfig = {
  warmUpMs: 0,
  periodMs: 5000,
  thinkMs: 100,
  callTimeoutMs: 5000,
  retry: false,
  claim: false,
  cleanupMs: 0,
  flush: false,
  operations: 0,
};

/** On whose authority an operation is made: taken when it begins and not looked at again. */
export interface Authority {
  readonly token: string;
  readonly acquisition: number;
}

export interface Operation extends Authority {
  /** Counts the operations of a process from 0; joined with the process it is the idempotency key. */
  readonly number: number;
  readonly claim: boolean;
}

interface Led {
  readonly authority: Authority;
  /** How many operations this process has begun. */
  readonly begun: number;
  /** How many of them under this leadership, claims not counted. */
  readonly done: number;
  /** When the next operation may begin, by the monotonic clock. */
  readonly nextMs: number;
  /** Cancelled: nothing new begins; stops once this is due and no call is open. Null while leading. */
  readonly stopAtMs: number | null;
}

export type Work =
  | { readonly kind: "idle"; readonly begun: number }
  | ({ readonly kind: "waiting" } & Led)
  /** Asked "do I lead?", heard yes; the write is still to be sent. */
  | ({ readonly kind: "thinking"; readonly operation: Operation } & Led)
  /** The write is out; `open` sinks have not answered. */
  | ({
      readonly kind: "calling";
      readonly operation: Operation;
      readonly open: readonly number[];
    } & Led);

export type WorkInput =
  | { readonly kind: "lead"; readonly authority: Authority }
  /** The token changed under a running leadership: the term was raised, or the token follows the Lease. */
  | { readonly kind: "authority"; readonly authority: Authority }
  | { readonly kind: "cancel" }
  | { readonly kind: "abort" }
  | { readonly kind: "timer"; readonly timer: "work" | "call" }
  | {
      readonly kind: "answer";
      readonly operation: number;
      readonly sink: number;
      readonly verdict: WriteVerdict;
      readonly mark: string;
    };

export type WorkOutput =
  | { readonly kind: "set-timer"; readonly timer: "work" | "call"; readonly dueMs: number }
  | { readonly kind: "clear-timer"; readonly timer: "work" | "call" }
  | { readonly kind: "checked"; readonly operation: Operation }
  /** Send the operation to these sinks (`again`: for the second time or later). */
  | {
      readonly kind: "send";
      readonly operation: Operation;
      readonly sinks: readonly number[];
      readonly again: boolean;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "refused-as-stale"; readonly mark: string };

export type WorkStep = readonly [Work, readonly WorkOutput[]];

export const IDLE_WORK: Work = { kind: "idle", begun: 0 };

/** `nowMs`: the monotonic clock. `sinks`: how many sinks there are; every operation goes to all of them. */
export function stepWork(
  config: WorkConfig,
  sinks: number,
  work: Work,
  input: WorkInput,
  nowMs: number,
): WorkStep {
  switch (input.kind) {
    case "lead": {
      if (work.kind !== "idle") {
        // Won again while the old work still cleans up: it goes on under its old authority and the new one starts after it.
        return [{ ...work, authority: input.authority, stopAtMs: null, done: 0 }, []];
      }
      const led: Work = {
        kind: "waiting",
        authority: input.authority,
        begun: work.begun,
        done: config.claim ? -1 : 0,
        nextMs: nowMs + config.warmUpMs,
        stopAtMs: null,
      };
      return config.warmUpMs === 0
        ? begin(config, sinks, led, nowMs)
        : [led, [{ kind: "set-timer", timer: "work", dueMs: led.nextMs }]];
    }
    case "authority":
      return work.kind === "idle" ? [work, []] : [{ ...work, authority: input.authority }, []];
    case "cancel":
      return cancel(config, sinks, work, nowMs);
    case "abort":
      return work.kind === "idle" ? [work, []] : stop(work);
    case "timer":
      return input.timer === "work"
        ? workTimer(config, sinks, work, nowMs)
        : callTimer(config, sinks, work, nowMs);
    case "answer":
      return answered(config, sinks, work, input, nowMs);
    default:
      return unreachable(input);
  }
}

/** Whether guarded work is going on: something checked, out, or cleaning up. */
export const isWorking = (work: Work): boolean => work.kind !== "idle";

function begin(config: WorkConfig, sinks: number, work: Work, nowMs: number): WorkStep {
  assert(work.kind === "waiting", "an operation begins only when none is open");
  const flushing = work.stopAtMs !== null;
  const claim = work.done < 0 && !flushing;
  const operation: Operation = { ...work.authority, number: work.begun, claim };
  const next = {
    ...work,
    begun: work.begun + 1,
    done: work.done + 1,
    nextMs: claim ? nowMs : nowMs + config.periodMs,
  };
  const checked: WorkOutput[] = flushing ? [] : [{ kind: "checked", operation }];
  if (claim || flushing || config.thinkMs === 0) {
    const [sent, outputs] = send(config, sinks, { ...next, kind: "thinking", operation }, nowMs);
    return [sent, [...checked, ...outputs]];
  }
  return [
    { ...next, kind: "thinking", operation },
    [...checked, { kind: "set-timer", timer: "work", dueMs: nowMs + config.thinkMs }],
  ];
}

function send(
  config: WorkConfig,
  sinks: number,
  work: Extract<Work, { kind: "thinking" }>,
  nowMs: number,
): WorkStep {
  const open = Array.from({ length: sinks }, (_, index) => index);
  if (open.length === 0) return rest(config, sinks, work, nowMs, []);
  return [
    { ...work, kind: "calling", open },
    [
      { kind: "send", operation: work.operation, sinks: open, again: false },
      { kind: "set-timer", timer: "call", dueMs: nowMs + config.callTimeoutMs },
    ],
  ];
}

/** After an operation: wait for the next one's time, or finish stopping. */
function rest(
  config: WorkConfig,
  sinks: number,
  work: Exclude<Work, { kind: "idle" }>,
  nowMs: number,
  outputs: readonly WorkOutput[],
): WorkStep {
  const waiting: Extract<Work, { kind: "waiting" }> = {
    kind: "waiting",
    authority: work.authority,
    begun: work.begun,
    done: work.done,
    nextMs: work.nextMs,
    stopAtMs: work.stopAtMs,
  };
  if (waiting.stopAtMs !== null) {
    if (waiting.stopAtMs <= nowMs) {
      const [stopped, more] = stop(waiting);
      return [stopped, [...outputs, ...more]];
    }
    return [waiting, [...outputs, { kind: "set-timer", timer: "work", dueMs: waiting.stopAtMs }]];
  }
  if (config.operations > 0 && waiting.done >= config.operations) return [waiting, outputs];
  if (waiting.nextMs <= nowMs) {
    const [begun, more] = begin(config, sinks, waiting, nowMs);
    return [begun, [...outputs, ...more]];
  }
  return [waiting, [...outputs, { kind: "set-timer", timer: "work", dueMs: waiting.nextMs }]];
}

function workTimer(config: WorkConfig, sinks: number, work: Work, nowMs: number): WorkStep {
  switch (work.kind) {
    case "idle":
      return [work, []];
    case "waiting": {
      if (work.stopAtMs === null) return begin(config, sinks, work, nowMs);
      if (!config.flush || work.stopAtMs > nowMs) return rest(config, sinks, work, nowMs, []);
      // The last flush of a clean-up: sent on the authority that the work had, which may be gone.
      return begin({ ...config, flush: false }, sinks, work, nowMs);
    }
    case "thinking":
      return send(config, sinks, work, nowMs);
    case "calling":
      return [work, []];
    default:
      return unreachable(work);
  }
}

function callTimer(config: WorkConfig, sinks: number, work: Work, nowMs: number): WorkStep {
  if (work.kind !== "calling") return [work, []];
  if (!config.retry || work.stopAtMs !== null) return rest(config, sinks, work, nowMs, []);
  return [
    work,
    [
      { kind: "send", operation: work.operation, sinks: work.open, again: true },
      { kind: "set-timer", timer: "call", dueMs: nowMs + config.callTimeoutMs },
    ],
  ];
}

function answered(
  config: WorkConfig,
  sinks: number,
  work: Work,
  input: Extract<WorkInput, { kind: "answer" }>,
  nowMs: number,
): WorkStep {
  if (work.kind !== "calling" || work.operation.number !== input.operation || !work.open.includes(input.sink))
    return [work, []];
  const open = work.open.filter((sink) => sink !== input.sink);
  const outputs: WorkOutput[] =
    input.verdict === "stale" ? [{ kind: "refused-as-stale", mark: input.mark }] : [];
  if (open.length > 0) return [{ ...work, open }, outputs];
  return rest(config, sinks, work, nowMs, [...outputs, { kind: "clear-timer", timer: "call" }]);
}

function cancel(config: WorkConfig, sinks: number, work: Work, nowMs: number): WorkStep {
  switch (work.kind) {
    case "idle":
      return [work, [{ kind: "stopped" }]];
    case "waiting":
    case "thinking": {
      // Cooperative cancellation: an operation that has not been sent is dropped.
      if (work.stopAtMs !== null) return [work, []];
      const stopAtMs = nowMs + config.cleanupMs;
      return rest(config, sinks, { ...work, stopAtMs }, nowMs, [{ kind: "clear-timer", timer: "work" }]);
    }
    case "calling":
      // A call that is out cannot be taken back: it is waited for.
      return work.stopAtMs !== null ? [work, []] : [{ ...work, stopAtMs: nowMs + config.cleanupMs }, []];
    default:
      return unreachable(work);
  }
}

function stop(work: Exclude<Work, { kind: "idle" }>): WorkStep {
  return [
    { kind: "idle", begun: work.begun },
    [{ kind: "clear-timer", timer: "work" }, { kind: "clear-timer", timer: "call" }, { kind: "stopped" }],
  ];
}

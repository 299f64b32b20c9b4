// client-go's renew: a retry period after every success it opens a window of one renew deadline, and in it tries at once
// and then at every tick. Reading that somebody else holds the Lease is only a failed try: the window alone ends it.
import { unreachable } from "../../../base/assert.ts";
import type { ElectorOutput, Instant, StopReason } from "../contract.ts";
import { endAttempt, startAttempt, type Tried } from "./attempt.ts";
import { nanoseconds } from "./record.ts";
import { finish } from "./release.ts";
import {
  memoryOf,
  reportTransition,
  type ClientGoElector,
  type InPlace,
  type Memory,
  type Stepped,
  type Window,
} from "./state.ts";

const clearWindow: readonly ElectorOutput[] = [
  { kind: "clear-timer", timer: "deadline" },
  { kind: "clear-timer", timer: "tick" },
];

/** wait.PollUntilContextTimeout, immediate: deadline and ticker start together, before the first try. */
export function openWindow(elector: InPlace<"resting">, at: Instant): Stepped {
  const { renewDeadlineMs, retryPeriodMs } = elector.config.timings;
  const window: Window = {
    nextTickMs: at.monotonicMs + retryPeriodMs,
    deadlineMs: at.monotonicMs + renewDeadlineMs,
  };
  const [next, outputs] = afterRenewStep(startAttempt(memoryOf(elector), at), window, at);
  return [next, [{ kind: "set-timer", timer: "deadline", dueMs: window.deadlineMs }, ...outputs]];
}

/** A tick: the next try of the window. A tick that came during a try waited for its end; more than one are one. */
export function tick(elector: InPlace<"polling">, at: Instant): Stepped {
  const window = { ...elector.window, nextTickMs: tickAfter(elector, at) };
  return afterRenewStep(startAttempt(memoryOf(elector), at), window, at);
}

function tickAfter(elector: InPlace<"polling">, at: Instant): number {
  const { nextTickMs } = elector.window;
  const { retryPeriodMs } = elector.config.timings;
  const lateNs = nanoseconds(at.monotonicMs) - nanoseconds(nextTickMs);
  const periods = Math.max(0, Math.floor(lateNs / nanoseconds(retryPeriodMs))) + 1;
  return nextTickMs + periods * retryPeriodMs;
}

export function afterRenewStep(tried: Tried, window: Window, at: Instant): Stepped {
  switch (tried.kind) {
    case "open":
      return [{ ...tried.memory, kind: "renewing", window, attempt: tried.attempt }, tried.outputs];
    case "failed":
      return [
        { ...memoryOf(tried.memory), kind: "polling", window },
        [...tried.outputs, { kind: "set-timer", timer: "tick", dueMs: window.nextTickMs }],
      ];
    case "succeeded": {
      const [memory, news] = reportTransition(memoryOf(tried.memory));
      const renewMs = at.monotonicMs + memory.config.timings.retryPeriodMs;
      return [
        { ...memory, kind: "resting", renewMs },
        [
          ...clearWindow,
          ...news,
          // A Lease that was lost and taken again within the window is no different to the elector: nobody is told.
          { kind: "renewed", lease: tried.lease, termRaised: false },
          { kind: "set-timer", timer: "renew", dueMs: renewMs },
        ],
      ];
    }
    default:
      return unreachable(tried);
  }
}

/** The window's context has ended, by its deadline or with the elector's own. */
export function endWindow(
  elector: InPlace<"renewing"> | InPlace<"polling">,
  reason: StopReason,
  at: Instant,
): Stepped {
  const cancelled = cancelWork(reason);
  const [ended, given]: readonly [Memory, readonly ElectorOutput[]] =
    elector.kind === "renewing" ? endAttempt(memoryOf(elector), elector.attempt) : [memoryOf(elector), []];
  const [memory, news] = reportTransition(ended);
  const [next, outputs] = finish(memory, reason, at);
  return [next, [...cancelled, ...given, ...clearWindow, ...news, ...outputs]];
}

/** Cancelled between two windows. */
export function cancelRest(elector: InPlace<"resting">, at: Instant): Stepped {
  const [next, outputs]: readonly [ClientGoElector, readonly ElectorOutput[]] = finish(
    memoryOf(elector),
    "cancelled",
    at,
  );
  return [next, [...cancelWork("cancelled"), { kind: "clear-timer", timer: "renew" }, ...outputs]];
}

/** The work's context is a child of the elector's, so it ends with a cancellation at once, but with a deadline only at the very end. */
const cancelWork = (reason: StopReason): readonly ElectorOutput[] =>
  reason === "cancelled" ? [{ kind: "stop-work", reason }] : [];

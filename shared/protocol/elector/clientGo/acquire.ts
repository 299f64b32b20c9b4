// client-go's acquire: one attempt at once, then one after every retry period plus jitter, until it wins or is cancelled.
import { unreachable } from "../../../base/assert.ts";
import type { ElectorOutput, Instant } from "../contract.ts";
import { endAttempt, startAttempt, type Tried } from "./attempt.ts";
import { stop } from "./release.ts";
import { memoryOf, reportTransition, type InPlace, type Memory, type Stepped } from "./state.ts";

/** client-go's JitterFactor: a draw stretches the sleep by up to 1.2 retry periods. */
export const JITTER_FACTOR = 1.2;

export function attemptToAcquire(memory: Memory, at: Instant): Stepped {
  return afterAcquireStep(startAttempt(memoryOf(memory), at), at);
}

export function afterAcquireStep(tried: Tried, at: Instant): Stepped {
  switch (tried.kind) {
    case "open":
      return [{ ...tried.memory, kind: "acquiring", attempt: tried.attempt }, tried.outputs];
    case "failed": {
      const [memory, news] = reportTransition(memoryOf(tried.memory));
      const [waiting, outputs] = sleep(memory, at);
      return [waiting, [...tried.outputs, ...news, ...outputs]];
    }
    case "succeeded": {
      const [memory, news] = reportTransition(memoryOf(tried.memory));
      // Run: the work starts in a goroutine of its own, and the renew loop begins in the same instant.
      return [
        { ...memory, kind: "resting", renewMs: at.monotonicMs },
        [
          ...news,
          { kind: "started-leading", lease: tried.lease },
          { kind: "set-timer", timer: "renew", dueMs: at.monotonicMs },
        ],
      ];
    }
    default:
      return unreachable(tried);
  }
}

/** wait.JitterUntil, sliding: the sleep counts from the end of the attempt. */
function sleep(memory: Memory, at: Instant): Stepped {
  const { jitter, timings } = memory.config;
  const draw = jitter[memory.nextDraw] ?? 0;
  const stretchMs = Math.floor(draw * JITTER_FACTOR * timings.retryPeriodMs);
  const retryMs = at.monotonicMs + timings.retryPeriodMs + stretchMs;
  const nextDraw = jitter.length === 0 ? 0 : (memory.nextDraw + 1) % jitter.length;
  return [
    { ...memory, nextDraw, kind: "waiting", retryMs },
    [{ kind: "set-timer", timer: "retry", dueMs: retryMs }],
  ];
}

/** Cancelled before it led: OnStoppedLeading runs all the same. */
export function cancelAcquire(elector: InPlace<"acquiring"> | InPlace<"waiting">): Stepped {
  if (elector.kind === "waiting") {
    const clear: ElectorOutput = { kind: "clear-timer", timer: "retry" };
    return stop(elector, [clear], "cancelled");
  }
  const [ended, outputs] = endAttempt(memoryOf(elector), elector.attempt);
  const [memory, news] = reportTransition(ended);
  return stop(memory, [...outputs, ...news], "cancelled");
}

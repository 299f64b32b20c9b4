// Which configurations `epoch-lab` refuses, and the margin that a safe one has.
import type { Problem } from "../../../base/result.ts";
import type { ElectorConfig } from "../contract.ts";

export type SafetyTimings = Pick<ElectorConfig, "timings" | "drainTimeoutMs" | "clockRateBound">;

/**
 * How much later a rival can take the Lease than the last guarded work has stopped, in ms of the rival's clock:
 * `leaseDuration - clockRateBound x (renewDeadline + drainTimeout)`. The leader counts from the start of the request that
 * renewed, a rival from after it saw that renewal; so nothing else eats into it but pauses, which no timing bounds.
 */
export function safetyMarginMs({ timings, drainTimeoutMs, clockRateBound }: SafetyTimings): number {
  return Math.floor(timings.leaseDurationMs - clockRateBound * (timings.renewDeadlineMs + drainTimeoutMs));
}

/** Why this configuration cannot be safe or cannot work; empty when it can. Each problem names inequality, numbers and remedy. */
export function validateEpochLab(config: SafetyTimings): readonly Problem[] {
  const { timings, drainTimeoutMs, clockRateBound } = config;
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  const problems: Problem[] = [];
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0)
    problems.push({
      path: "timings.leaseDurationMs",
      expected: "a whole number of seconds, 1000 ms or more, because a Lease stores whole seconds",
      got: `${leaseDurationMs} ms`,
      remedy: `Use ${Math.max(1, Math.ceil(leaseDurationMs / 1000)) * 1000} ms.`,
    });
  if (retryPeriodMs < 1)
    problems.push({
      path: "timings.retryPeriodMs",
      expected: "retryPeriod >= 1 ms",
      got: `${retryPeriodMs} ms`,
      remedy: "Use a tenth of the lease duration or so.",
    });
  if (2 * retryPeriodMs > renewDeadlineMs)
    problems.push({
      path: "timings.renewDeadlineMs",
      expected: "2 x retryPeriod <= renewDeadline, so that one failed attempt does not cost the leadership",
      got: `2 x ${retryPeriodMs} ms = ${2 * retryPeriodMs} ms > ${renewDeadlineMs} ms`,
      remedy: `Lower retryPeriod to ${Math.floor(renewDeadlineMs / 2)} ms or raise renewDeadline to ${2 * retryPeriodMs} ms.`,
    });
  if (safetyMarginMs(config) <= 0) {
    const needed = clockRateBound * (renewDeadlineMs + drainTimeoutMs);
    problems.push({
      path: "timings.leaseDurationMs",
      expected:
        "clockRateBound x (renewDeadline + drainTimeout) < leaseDuration, or a rival can lead while old work runs",
      got: `${clockRateBound} x (${renewDeadlineMs} + ${drainTimeoutMs}) ms = ${Math.ceil(needed)} ms >= ${leaseDurationMs} ms`,
      remedy: `Raise leaseDuration to ${(Math.floor(needed / 1000) + 1) * 1000} ms, or lower renewDeadline or drainTimeout.`,
    });
  }
  return problems;
}

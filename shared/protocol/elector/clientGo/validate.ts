// Which configurations client-go's NewLeaderElector refuses, in its own order. Like it, this stops at the first.
import type { Problem } from "../../../base/result.ts";
import type { ElectorConfig } from "../contract.ts";
import { JITTER_FACTOR } from "./acquire.ts";
import { nanoseconds } from "./record.ts";

export interface ClientGoRefusal {
  readonly problem: Problem;
  /** The text of client-go's own error. */
  readonly upstream: string;
}

export type ClientGoSettings = Pick<ElectorConfig, "timings" | "identity">;

/** Why client-go refuses this configuration: the first reason alone, or nothing when it accepts it. */
export function validateClientGo(config: ClientGoSettings): readonly Problem[] {
  const refusal = refusalByClientGo(config);
  return refusal === null ? [] : [refusal.problem];
}

/**
 * The first check of NewLeaderElector that fails. Not checked there, so not here: that the lease duration is a whole
 * number of seconds (it is cut, even to 0), that it exceeds renewDeadline + retryPeriod, that the identity is unique.
 */
export function refusalByClientGo({ timings, identity }: ClientGoSettings): ClientGoRefusal | null {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  // The product is a Go Duration: cut to whole nanoseconds.
  const stretchedNs = Math.trunc(JITTER_FACTOR * nanoseconds(retryPeriodMs));
  const stretchedMs = stretchedNs / 1_000_000;

  if (nanoseconds(leaseDurationMs) <= nanoseconds(renewDeadlineMs))
    return {
      upstream: "leaseDuration must be greater than renewDeadline",
      problem: {
        path: "timings.leaseDurationMs",
        expected: "leaseDuration > renewDeadline",
        got: `${leaseDurationMs} ms <= ${renewDeadlineMs} ms`,
        remedy: "Raise leaseDuration or lower renewDeadline; 15 s and 10 s are usual.",
      },
    };
  if (nanoseconds(renewDeadlineMs) <= stretchedNs)
    return {
      upstream: "renewDeadline must be greater than retryPeriod*JitterFactor",
      problem: {
        path: "timings.renewDeadlineMs",
        expected: `renewDeadline > ${JITTER_FACTOR} x retryPeriod`,
        got: `${renewDeadlineMs} ms <= ${JITTER_FACTOR} x ${retryPeriodMs} ms = ${stretchedMs} ms`,
        remedy: "Raise renewDeadline or lower retryPeriod; 10 s and 2 s are usual.",
      },
    };
  // Each "less than 1" of the source compares Durations, which count nanoseconds: it means above zero.
  const positive = [
    { name: "leaseDuration", path: "timings.leaseDurationMs", ms: leaseDurationMs, usual: "15 s is usual" },
    { name: "renewDeadline", path: "timings.renewDeadlineMs", ms: renewDeadlineMs, usual: "10 s is usual" },
    { name: "retryPeriod", path: "timings.retryPeriodMs", ms: retryPeriodMs, usual: "2 s is usual" },
  ];
  for (const { name, path, ms, usual } of positive)
    if (nanoseconds(ms) < 1)
      return {
        upstream: `${name} must be greater than zero`,
        problem: {
          path,
          expected: `${name} > 0`,
          got: `${ms} ms`,
          remedy: `Set a positive ${name}; ${usual}.`,
        },
      };
  if (identity === "")
    return {
      upstream: "Lock identity is empty",
      problem: {
        path: "identity",
        expected:
          "an identity of at least one character, because an empty holder means that nobody holds the Lease",
        got: "an empty identity",
        remedy: "Give each process a name of its own, such as its host name and a random part.",
      },
    };
  return null;
}

import { describe, expect, it } from "vitest";
import { refusalByClientGo, validateClientGo } from "./validate.ts";

interface Row {
  readonly why: string;
  readonly timings: readonly [leaseDurationMs: number, renewDeadlineMs: number, retryPeriodMs: number];
  readonly identity?: string;
  /** client-go's own words; null when it accepts. */
  readonly upstream: string | null;
  readonly got?: string;
}

const rows: readonly Row[] = [
  { why: "the usual timings are accepted", timings: [15_000, 10_000, 2000], upstream: null },
  {
    why: "two leaders after a plain partition are accepted",
    timings: [11_000, 10_000, 8000],
    upstream: null,
  },
  {
    why: "less than a second is accepted, though it is written as 0",
    timings: [900, 600, 200],
    upstream: null,
  },
  {
    why: "a lease duration equal to the renew deadline is refused",
    timings: [10_000, 10_000, 2000],
    upstream: "leaseDuration must be greater than renewDeadline",
    got: "10000 ms <= 10000 ms",
  },
  {
    why: "a renew deadline equal to 1.2 retry periods is refused",
    timings: [15_000, 2400, 2000],
    upstream: "renewDeadline must be greater than retryPeriod*JitterFactor",
    got: "2400 ms <= 1.2 x 2000 ms = 2400 ms",
  },
  { why: "a renew deadline just above it is accepted", timings: [15_000, 2401, 2000], upstream: null },
  {
    why: "all zero fails by the first rule",
    timings: [0, 0, 0],
    upstream: "leaseDuration must be greater than renewDeadline",
    got: "0 ms <= 0 ms",
  },
  {
    why: "a lease duration below zero",
    timings: [-1, -2, -3],
    upstream: "leaseDuration must be greater than zero",
    got: "-1 ms",
  },
  {
    why: "a renew deadline below zero",
    timings: [15_000, -1, -2],
    upstream: "renewDeadline must be greater than zero",
    got: "-1 ms",
  },
  {
    why: "no retry period",
    timings: [15_000, 10_000, 0],
    upstream: "retryPeriod must be greater than zero",
    got: "0 ms",
  },
  {
    why: "the timings are looked at before the identity",
    timings: [10_000, 10_000, 2000],
    identity: "",
    upstream: "leaseDuration must be greater than renewDeadline",
  },
  {
    why: "no identity",
    timings: [15_000, 10_000, 2000],
    identity: "",
    upstream: "Lock identity is empty",
    got: "an empty identity",
  },
];

describe("client-go's configuration checks", () => {
  for (const { why, timings, identity = "a", upstream, got } of rows)
    it(why, () => {
      const [leaseDurationMs, renewDeadlineMs, retryPeriodMs] = timings;
      const settings = { timings: { leaseDurationMs, renewDeadlineMs, retryPeriodMs }, identity };
      expect(refusalByClientGo(settings)?.upstream ?? null).toBe(upstream);
      const problems = validateClientGo(settings);
      expect(problems).toHaveLength(upstream === null ? 0 : 1);
      if (got !== undefined) expect(problems[0]?.got).toBe(got);
    });
});

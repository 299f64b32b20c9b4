import { describe, expect, it } from "vitest";
import {
  DEFAULT_RECONNECT,
  RECONNECT_TABLE_DEFAULTS,
  reconnectDelayMs,
  shouldRetry,
  withLegacyAttempts,
  type ReconnectPolicy,
} from "./reconnect.ts";

const policy = (change: Partial<ReconnectPolicy>): ReconnectPolicy => ({ ...DEFAULT_RECONNECT, ...change });

interface DelayRow {
  readonly why: string;
  readonly policy: ReconnectPolicy;
  readonly draw: number | null;
  readonly delays: readonly number[];
}

const delays: readonly DelayRow[] = [
  {
    why: "doubles up to the longest wait",
    policy: policy({}),
    draw: null,
    delays: [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000],
  },
  {
    why: "follows its own multiplier and bound",
    policy: policy({ multiplier: 10, maxDelayMs: 1500 }),
    draw: null,
    delays: [100, 1000, 1500],
  },
  { why: "draws at least nine tenths", policy: policy({}), draw: 0, delays: [90, 180, 360] },
  {
    why: "is the plain wait in the middle of the draw",
    policy: policy({}),
    draw: 0.5,
    delays: [100, 200, 400],
  },
  {
    why: "never passes the longest wait by jitter",
    policy: policy({ initialDelayMs: 30_000 }),
    draw: 0.999,
    delays: [30_000],
  },
  {
    why: "ignores the draw where jitter is off",
    policy: policy({ jitterFactor: 0 }),
    draw: 0,
    delays: [100, 200],
  },
];

describe("reconnectDelayMs", () => {
  for (const row of delays) {
    it(row.why, () => {
      expect(row.delays.map((_, n) => reconnectDelayMs(row.policy, n, row.draw))).toEqual(row.delays);
    });
  }
});

interface RetryRow {
  readonly why: string;
  readonly policy: ReconnectPolicy;
  readonly attempts: number;
  readonly expected: boolean;
}

const retries: readonly RetryRow[] = [
  { why: "0 is no limit", policy: policy({ maxAttempts: 0 }), attempts: 10_000, expected: true },
  { why: "below the limit", policy: policy({ maxAttempts: 3 }), attempts: 2, expected: true },
  { why: "at the limit", policy: policy({ maxAttempts: 3 }), attempts: 3, expected: false },
  { why: "disabled refuses the first", policy: policy({ enabled: false }), attempts: 0, expected: false },
  {
    why: "the absolute limit holds without another",
    policy: policy({ maxAttemptsAbsolute: 2 }),
    attempts: 2,
    expected: false,
  },
  {
    why: "the smaller of two limits holds",
    policy: policy({ maxAttempts: 1, maxAttemptsAbsolute: 2 }),
    attempts: 1,
    expected: false,
  },
];

describe("shouldRetry", () => {
  for (const row of retries) {
    it(row.why, () => expect(shouldRetry(row.policy, row.attempts)).toBe(row.expected));
  }
});

interface LegacyRow {
  readonly why: string;
  readonly policy: ReconnectPolicy;
  readonly legacy: number | null;
  readonly maxAttempts: number;
}

const legacies: readonly LegacyRow[] = [
  { why: "fills an unlimited policy", policy: DEFAULT_RECONNECT, legacy: 20, maxAttempts: 20 },
  { why: "loses against a limit", policy: policy({ maxAttempts: 5 }), legacy: 20, maxAttempts: 5 },
  { why: "wins against an explicit 0", policy: policy({ maxAttempts: 0 }), legacy: 20, maxAttempts: 20 },
  {
    why: "loses against a table without a limit, which means 10",
    policy: RECONNECT_TABLE_DEFAULTS,
    legacy: 20,
    maxAttempts: 10,
  },
  { why: "absent changes nothing", policy: DEFAULT_RECONNECT, legacy: null, maxAttempts: 0 },
];

describe("withLegacyAttempts", () => {
  for (const row of legacies) {
    it(row.why, () => expect(withLegacyAttempts(row.policy, row.legacy).maxAttempts).toBe(row.maxAttempts));
  }
});

import { describe, expect, it } from "vitest";
import { sentence } from "../../base/result.ts";
import { FOREVER_MS, parseMasterTable, readMasterTable } from "./settings.ts";

interface Row {
  readonly why: string;
  readonly table: Readonly<Record<string, unknown>>;
  readonly drainTimeoutMs?: number;
  readonly maxAttempts: number;
  readonly enabled?: boolean;
}

const read: readonly Row[] = [
  { why: "nothing: 5 s, no limit", table: {}, drainTimeoutMs: 5000, maxAttempts: 0, enabled: true },
  {
    why: "a drain timeout as text counts as absent",
    table: { drain_timeout_ms: "100", whatever: 1 },
    drainTimeoutMs: 5000,
    maxAttempts: 0,
  },
  { why: "a drain timeout of 0 is taken", table: { drain_timeout_ms: 0 }, drainTimeoutMs: 0, maxAttempts: 0 },
  {
    why: "a negative drain timeout never ends",
    table: { drain_timeout_ms: -1 },
    drainTimeoutMs: FOREVER_MS,
    maxAttempts: 0,
  },
  { why: "the older key alone", table: { delegate_retry_max_attempts: 7 }, maxAttempts: 7 },
  { why: "the older key as 0 counts as absent", table: { delegate_retry_max_attempts: 0 }, maxAttempts: 0 },
  {
    why: "the older key below 0 counts as absent",
    table: { delegate_retry_max_attempts: -3 },
    maxAttempts: 0,
  },
  {
    why: "the newer key wins",
    table: { delegate_retry_max_attempts: 20, reconnect: { max_attempts: 5 } },
    maxAttempts: 5,
  },
  {
    why: "but an explicit 0 loses",
    table: { delegate_retry_max_attempts: 20, reconnect: { max_attempts: 0 } },
    maxAttempts: 20,
  },
  {
    why: "and a table without a limit means 10",
    table: { delegate_retry_max_attempts: 20, reconnect: { initial_delay_ms: 500 } },
    maxAttempts: 10,
  },
  {
    why: "one wrong value throws the whole table away",
    table: { reconnect: { enabled: false, max_attempts: "3" } },
    maxAttempts: 0,
    enabled: true,
  },
  { why: "disabled", table: { reconnect: { enabled: false } }, maxAttempts: 10, enabled: false },
];

describe("readMasterTable, as the crates read it", () => {
  for (const row of read) {
    it(row.why, () => {
      const settings = readMasterTable(row.table);
      expect(settings.reconnect.maxAttempts).toBe(row.maxAttempts);
      if (row.drainTimeoutMs !== undefined) expect(settings.drainTimeoutMs).toBe(row.drainTimeoutMs);
      if (row.enabled !== undefined) expect(settings.reconnect.enabled).toBe(row.enabled);
    });
  }
});

const parsed: readonly Row[] = [
  { why: "nothing: the same defaults", table: {}, drainTimeoutMs: 5000, maxAttempts: 0 },
  {
    why: "an explicit 0 wins over the older key",
    table: { delegate_retry_max_attempts: 20, reconnect: { max_attempts: 0 } },
    maxAttempts: 0,
  },
  {
    why: "the older key fills a table that does not say",
    table: { delegate_retry_max_attempts: 20, reconnect: { initial_delay_ms: 500 } },
    maxAttempts: 20,
  },
  { why: "a table that does not say means 10", table: { reconnect: {} }, maxAttempts: 10 },
];

describe("parseMasterTable, as epoch-lab reads it", () => {
  for (const row of parsed) {
    it(row.why, () => {
      const settings = parseMasterTable(row.table);
      expect(settings).toMatchObject({ ok: true, value: { reconnect: { maxAttempts: row.maxAttempts } } });
    });
  }

  const refused: readonly { readonly why: string; readonly table: unknown; readonly says: RegExp }[] = [
    { why: "text for a number", table: { drain_timeout_ms: "100" }, says: /^drain_timeout_ms: .*got "100"/ },
    {
      why: "an unknown key",
      table: { drain_timeout: 100 },
      says: /^drain_timeout: expected only documented keys/,
    },
    { why: "a drain timeout of 0", table: { drain_timeout_ms: 0 }, says: /^drain_timeout_ms: .*at least 1/ },
    { why: "a negative drain timeout", table: { drain_timeout_ms: -1 }, says: /^drain_timeout_ms: .*got -1/ },
    {
      why: "one wrong value in the table",
      table: { reconnect: { max_attempts: "3" } },
      says: /^reconnect\.max_attempts: /,
    },
    { why: "waits that shrink", table: { reconnect: { multiplier: 0.5 } }, says: /^reconnect\.multiplier: / },
  ];
  for (const row of refused) {
    it(`refuses ${row.why}`, () => {
      const settings = parseMasterTable(row.table);
      expect(settings.ok).toBe(false);
      if (!settings.ok) expect(settings.error.map(sentence).join("\n")).toMatch(row.says);
    });
  }
});

import { describe, expect, it } from "vitest";
import {
  applyWrite,
  createSink,
  ENFORCEMENTS,
  judgeWrite,
  restartSink,
  type Enforcement,
  type Sink,
  type Write,
  type WriteVerdict,
} from "./sink.ts";

const write = (token: string, key = `k${token}`, acquisition = Number(token) || 0): Write => ({
  value: "10",
  key,
  token,
  acquisition,
  claim: false,
});

interface Row {
  readonly why: string;
  readonly sink: Enforcement;
  readonly dedupe?: boolean;
  /** Applied before, in order; "restart" restarts the sink. */
  readonly before: readonly (Write | "restart")[];
  readonly write: Write;
  readonly verdict: WriteVerdict;
}

const rows: readonly Row[] = [
  {
    why: "no fence applies an old epoch",
    sink: "none",
    before: [write("2")],
    write: write("1"),
    verdict: "applied",
  },
  { why: "no fence needs no token", sink: "none", before: [], write: write(""), verdict: "applied" },
  {
    why: "an atomic fence refuses an old epoch",
    sink: "atomic",
    before: [write("2")],
    write: write("1"),
    verdict: "stale",
  },
  {
    why: "an atomic fence applies an equal epoch",
    sink: "atomic",
    before: [write("2")],
    write: write("2", "other"),
    verdict: "applied",
  },
  {
    why: "an atomic fence compares as numbers",
    sink: "atomic",
    before: [write("9")],
    write: write("10"),
    verdict: "applied",
  },
  {
    why: "an atomic fence remembers through a restart",
    sink: "atomic",
    before: [write("2"), "restart"],
    write: write("1"),
    verdict: "stale",
  },
  {
    why: "a fence refuses a missing token",
    sink: "atomic",
    before: [],
    write: write(""),
    verdict: "no-token",
  },
  { why: "a fence refuses zero", sink: "atomic", before: [], write: write("0"), verdict: "no-token" },
  {
    why: "a fence refuses what is no number",
    sink: "memory",
    before: [],
    write: write("one"),
    verdict: "no-token",
  },
  {
    why: "a fence in memory refuses an old epoch",
    sink: "memory",
    before: [write("2")],
    write: write("1"),
    verdict: "stale",
  },
  {
    why: "a fence in memory forgets at a restart",
    sink: "memory",
    before: [write("2"), "restart"],
    write: write("1"),
    verdict: "applied",
  },
  {
    why: "check-then-act checks as a fence does",
    sink: "check-then-act",
    before: [write("2")],
    write: write("1"),
    verdict: "stale",
  },
  {
    why: "equality refuses a token that it has replaced",
    sink: "equality",
    before: [write("1"), write("2")],
    write: write("1"),
    verdict: "not-current",
  },
  {
    why: "equality takes an old token that it never saw for a new one",
    sink: "equality",
    before: [write("2")],
    write: write("1"),
    verdict: "applied",
  },
  {
    why: "equality applies the current token",
    sink: "equality",
    before: [write("2")],
    write: write("2"),
    verdict: "applied",
  },
  {
    why: "a key is applied once",
    sink: "idempotency-key",
    before: [write("1", "k")],
    write: write("2", "k"),
    verdict: "duplicate",
  },
  {
    why: "a key is no fence",
    sink: "idempotency-key",
    before: [write("2", "k2")],
    write: write("1", "k1"),
    verdict: "applied",
  },
  {
    why: "a fence is no key",
    sink: "atomic",
    before: [write("1", "k")],
    write: write("1", "k"),
    verdict: "applied",
  },
  {
    why: "fence and key refuse a repeat",
    sink: "atomic",
    dedupe: true,
    before: [write("1", "k")],
    write: write("1", "k"),
    verdict: "duplicate",
  },
  {
    why: "fence and key refuse an old epoch as stale first",
    sink: "atomic",
    dedupe: true,
    before: [write("1", "k"), write("2")],
    write: write("1", "k"),
    verdict: "stale",
  },
];

function prepared(row: Row): Sink {
  return row.before.reduce<Sink>(
    (sink, part) => (part === "restart" ? restartSink(sink) : applyWrite(sink, part)),
    createSink(row.sink, row.dedupe ?? false),
  );
}

describe("a sink", () => {
  for (const row of rows)
    it(row.why, () => {
      expect(judgeWrite(prepared(row), row.write)).toBe(row.verdict);
    });

  it("is shown in all six variants", () => {
    expect([...new Set(rows.map((row) => row.sink))].toSorted()).toEqual([...ENFORCEMENTS].toSorted());
  });

  it("takes a claim as a mark and nothing else", () => {
    const sink = applyWrite(createSink("atomic"), { ...write("5"), claim: true });
    expect(sink.mark).toBe("5");
    expect(sink.applied).toEqual([]);
  });
});

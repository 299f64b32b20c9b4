// Each invariant with a line of events that breaks it and one that does not.
import { describe, expect, it } from "vitest";
import type { Event } from "../systems/event.ts";
import { parseLeadershipConfig } from "../systems/leadership/config.ts";
import { leadershipInvariants } from "./catalogue.ts";
import { judge, type Verdict } from "./invariant.ts";

type Loose = { readonly kind: Event["kind"]; readonly at?: number } & Record<string, unknown>;

/** Events with only what matters to the case; the rest is filled in. */
const line = (...parts: readonly Loose[]): readonly Event[] =>
  parts.map(
    (part, seq) =>
      ({
        seq,
        at: seq * 1000,
        lane: part["sink"] ?? part["node"] ?? "lease",
        localAt: null,
        cause: null,
        ...part,
      }) as unknown as Event,
  );

const leads = (node: string, acquisition: number, token = String(acquisition)): Loose => ({
  kind: "started-leading",
  node,
  acquisition,
  token,
});
const cancelled = (node: string): Loose => ({
  kind: "work-cancelled",
  node,
  reason: "renew-deadline",
  acquisition: 0,
});
const stopped = (node: string): Loose => ({ kind: "work-stopped", node, acquisition: 0 });
const taken = (node: string, acquisition: number): Loose => ({
  kind: "request-served",
  node,
  purpose: "acquire",
  changed: true,
  acquisition,
});
const released = (node: string): Loose => ({
  kind: "request-served",
  node,
  purpose: "release",
  changed: true,
  acquisition: null,
});
const applied = (
  sink: string,
  acquisition: number,
  newestBefore: number,
  more: Record<string, unknown> = {},
): Loose => ({
  kind: "write-applied",
  sink,
  node: "a",
  value: "10",
  key: `k${acquisition}`,
  token: String(acquisition),
  acquisition,
  newestBefore,
  mark: String(Math.max(acquisition, newestBefore)),
  ...more,
});
const refused = (acquisition: number, reason = "stale"): Loose => ({
  kind: "write-refused",
  sink: "fenced",
  node: "a",
  acquisition,
  reason,
  value: "10",
});
const envelope = (kind: "envelope-accepted" | "envelope-forwarded", number: number, token = "1"): Loose => ({
  kind,
  node: "a",
  envelope: number,
  token,
  acquisition: 1,
});
const accepted = (number: number, token?: string): Loose => envelope("envelope-accepted", number, token);
const forwarded = (number: number, token?: string): Loose => envelope("envelope-forwarded", number, token);
const dropped = (...envelopes: readonly number[]): Loose => ({
  kind: "envelopes-dropped",
  node: "a",
  count: envelopes.length,
  envelopes,
  acquisition: 1,
  why: "",
});

interface Row {
  readonly invariant: string;
  readonly why: string;
  readonly events: readonly Event[];
  readonly verdict: Verdict["kind"];
}

const rows: readonly Row[] = [
  {
    invariant: "ordered:fenced",
    why: "an older leader's write after a newer one's",
    events: line(applied("fenced", 2, 1), applied("fenced", 1, 2)),
    verdict: "broken",
  },
  {
    invariant: "ordered:fenced",
    why: "an older leader's write before a newer one's",
    events: line(applied("fenced", 1, 0), applied("fenced", 2, 1)),
    verdict: "holds",
  },
  {
    invariant: "ordered:fenced",
    why: "another sink's disorder",
    events: line(applied("other", 1, 2)),
    verdict: "holds",
  },
  {
    invariant: "one-believer",
    why: "two at once",
    events: line(leads("a", 1), leads("b", 2)),
    verdict: "broken",
  },
  {
    invariant: "one-believer",
    why: "one after the other",
    events: line(leads("a", 1), cancelled("a"), leads("b", 2)),
    verdict: "holds",
  },
  {
    invariant: "one-acts",
    why: "work not stopped yet when another starts",
    events: line(leads("a", 1), cancelled("a"), leads("b", 2)),
    verdict: "broken",
  },
  {
    invariant: "one-acts",
    why: "work stopped before another starts",
    events: line(leads("a", 1), cancelled("a"), stopped("a"), leads("b", 2)),
    verdict: "holds",
  },
  {
    invariant: "epochs-increase",
    why: "a lower token later",
    events: line(leads("a", 1, "10"), leads("b", 2, "9")),
    verdict: "broken",
  },
  {
    invariant: "epochs-increase",
    why: "9 before 10, as numbers",
    events: line(leads("a", 1, "9"), leads("b", 2, "10")),
    verdict: "holds",
  },
  {
    invariant: "no-epoch-twice",
    why: "the same token again",
    events: line(leads("a", 1, "1"), leads("b", 2, "2"), leads("a", 3, "1")),
    verdict: "broken",
  },
  {
    invariant: "no-epoch-twice",
    why: "a new one each time",
    events: line(leads("a", 1), leads("b", 2)),
    verdict: "holds",
  },
  {
    invariant: "fence-respected",
    why: "a token below an applied one",
    events: line(applied("fenced", 2, 0), applied("fenced", 1, 2)),
    verdict: "broken",
  },
  {
    invariant: "fence-respected",
    why: "equal tokens",
    events: line(applied("fenced", 2, 0), applied("fenced", 2, 2)),
    verdict: "holds",
  },
  {
    invariant: "no-duplicate-effect",
    why: "one key twice at one sink",
    events: line(applied("x", 1, 0), applied("x", 1, 1)),
    verdict: "broken",
  },
  {
    invariant: "no-duplicate-effect",
    why: "one key at two sinks",
    events: line(applied("x", 1, 0), applied("y", 1, 0)),
    verdict: "holds",
  },
  {
    invariant: "rightful-leader-served",
    why: "the newest leader refused",
    events: line(taken("a", 1), refused(1)),
    verdict: "broken",
  },
  {
    invariant: "rightful-leader-served",
    why: "an older leader refused",
    events: line(taken("a", 1), taken("b", 2), refused(1)),
    verdict: "holds",
  },
  {
    invariant: "rightful-leader-served",
    why: "a repeat refused as a duplicate",
    events: line(taken("a", 1), refused(1, "duplicate")),
    verdict: "holds",
  },
  {
    invariant: "release-after-work",
    why: "released while working",
    events: line(taken("a", 1), leads("a", 1), released("a")),
    verdict: "broken",
  },
  {
    invariant: "release-after-work",
    why: "released after the work stopped",
    events: line(taken("a", 1), leads("a", 1), stopped("a"), released("a")),
    verdict: "holds",
  },
  {
    invariant: "release-own",
    why: "another's acquisition freed",
    events: line(taken("a", 1), taken("b", 2), released("a")),
    verdict: "broken",
  },
  {
    invariant: "release-own",
    why: "its own freed",
    events: line(taken("a", 1), released("a")),
    verdict: "holds",
  },
  {
    invariant: "bridge-in-order",
    why: "an envelope overtaken",
    events: line(accepted(1), accepted(2), forwarded(2)),
    verdict: "broken",
  },
  {
    invariant: "bridge-in-order",
    why: "a stamp read live",
    events: line(accepted(1, "1"), forwarded(1, "2")),
    verdict: "broken",
  },
  {
    invariant: "bridge-in-order",
    why: "in order, under the epoch of acceptance",
    events: line(accepted(1), accepted(2), forwarded(1), forwarded(2)),
    verdict: "holds",
  },
  {
    invariant: "bridge-in-order",
    why: "the one before it was dropped and said so",
    events: line(accepted(1), accepted(2), dropped(1), forwarded(2)),
    verdict: "holds",
  },
  {
    invariant: "nothing-dropped",
    why: "three dropped",
    events: line(dropped(1, 2, 3)),
    verdict: "broken",
  },
  { invariant: "nothing-dropped", why: "nothing dropped", events: line(forwarded(1)), verdict: "holds" },
  {
    invariant: "model-agrees",
    why: "a divergence",
    events: line({ kind: "model-diverged", node: "a" }),
    verdict: "broken",
  },
  {
    invariant: "model-agrees",
    why: "a foreign write is none",
    events: line({ kind: "foreign-write", what: "", whose: "other" }),
    verdict: "holds",
  },
  { invariant: "two-believe", why: "never two", events: line(leads("a", 1)), verdict: "not-reached" },
  {
    invariant: "two-believe",
    why: "two at once",
    events: line(leads("a", 1), leads("b", 2)),
    verdict: "reached",
  },
  {
    invariant: "stale-write-reaches-sink",
    why: "an old write, refused",
    events: line(taken("a", 1), taken("b", 2), refused(1)),
    verdict: "reached",
  },
  {
    invariant: "stale-write-reaches-sink",
    why: "only the newest leader's",
    events: line(taken("a", 1), applied("x", 1, 0)),
    verdict: "not-reached",
  },
  { invariant: "stale-write-refused", why: "refused as stale", events: line(refused(1)), verdict: "reached" },
  {
    invariant: "stale-write-refused",
    why: "refused as a duplicate",
    events: line(refused(1, "duplicate")),
    verdict: "not-reached",
  },
  {
    invariant: "stale-belief-bounded",
    why: "believes on after another took the Lease",
    events: line(leads("a", 1), taken("b", 2), { kind: "renewed", node: "b" }),
    verdict: "broken",
  },
  {
    invariant: "stale-belief-bounded",
    why: "stopped in the same instant",
    events: line(
      taken("a", 1),
      leads("a", 1),
      { ...cancelled("a"), at: 2000 },
      { ...taken("b", 2), at: 2000 },
    ),
    verdict: "holds",
  },
];

describe("the invariants", () => {
  const config = parseLeadershipConfig({
    nodes: [{ id: "a" }, { id: "b" }],
    sinks: [{ id: "fenced", enforcement: "atomic" }],
  });
  const invariants = config.ok ? leadershipInvariants(config.value) : [];

  for (const row of rows) {
    it(`${row.invariant}: ${row.why} -> ${row.verdict}`, () => {
      const invariant = invariants.find((candidate) => candidate.id === row.invariant);
      expect(invariant).toBeDefined();
      if (invariant !== undefined) expect(judge(invariant, row.events).kind).toBe(row.verdict);
    });
  }

  it("are each shown both ways", () => {
    for (const { id } of invariants) {
      const verdicts = new Set(rows.filter((row) => row.invariant === id).map((row) => row.verdict));
      expect(`${id} ${verdicts.size}`).toBe(`${id} 2`);
    }
  });
});

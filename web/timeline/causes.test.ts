import { describe, expect, it } from "vitest";
import { fixture } from "./fixture.testing.ts";
import { causalCone } from "./causes.ts";

/** `causes[seq]`: what led to it. */
const cone = (causes: readonly (number | null)[], seq: number): Record<number, string> => {
  const { events } = fixture(
    causes.map((cause, at) => (cause === null ? { at, lane: "a" } : { at, lane: "a", cause })),
  );
  return Object.fromEntries(causalCone(events, seq));
};

const cases = [
  { why: "an event by itself", causes: [null, null], seq: 0, cone: { 0: "self" } },
  {
    why: "what led to it and what came of it, over several steps",
    causes: [null, 0, 1, 2, 3],
    seq: 2,
    cone: { 0: "past", 1: "past", 2: "self", 3: "future", 4: "future" },
  },
  {
    why: "what else came of its cause is neither",
    causes: [null, 0, 0, 2],
    seq: 1,
    cone: { 0: "past", 1: "self" },
  },
  { why: "an event that is not there has no cone", causes: [null], seq: 7, cone: {} },
];

describe("causalCone", () => {
  for (const row of cases) it(row.why, () => expect(cone(row.causes, row.seq)).toEqual(row.cone));
});

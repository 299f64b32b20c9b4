import { describe, expect, it } from "vitest";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { searchScenarios } from "./search.ts";

interface Row {
  readonly why: string;
  readonly words: string;
  readonly first: string | null;
}

const rows: readonly Row[] = [
  { why: "nothing asked, everything in order", words: "  ", first: scenarios[0]?.id ?? "" },
  { why: "by its name", words: "fast-clock", first: "fast-clock" },
  { why: "in any order and case", words: "LATE paused", first: "paused-leader" },
  {
    why: "named ones before those that only mention it",
    words: "process counter",
    first: "token-process-counter",
  },
  { why: "nothing has all of the words", words: "lease xylophone", first: null },
];

describe("searching the catalogue", () => {
  for (const { why, words, first } of rows)
    it(why, () => {
      expect(searchScenarios(scenarios, words)[0]?.id ?? null).toBe(first);
    });

  it("every scenario is found by its own title", () => {
    for (const { id, title } of scenarios)
      expect(searchScenarios(scenarios, title).map((found) => found.id)).toContain(id);
  });
});

import { describe, expect, it } from "vitest";
import { fixture, type Row } from "../fixture.testing.ts";
import type { Sending } from "../picture/picture.ts";
import { findFolds } from "./folds.ts";

const ask: Sending = { to: "lease", label: "read", epoch: null, weight: "request", stale: false };

/** A routine request and its answer, 100 ms later. */
const exchange = (at: number): readonly Row[] => [
  { at, lane: "b", routine: true, sends: ask },
  { at: at + 100, lane: "b", routine: true },
];
const news = (at: number): Row => ({ at, lane: "a" });

interface Case {
  readonly why: string;
  readonly rows: readonly Row[];
  readonly endAt?: number;
  readonly folds: readonly (readonly [first: number, last: number, durationMs: number])[];
}

const cases: readonly Case[] = [
  { why: "nothing is folded where things happen", rows: [news(0), news(1000), news(4000)], folds: [] },
  {
    why: "silence longer than four seconds is folded",
    rows: [news(0), news(12_000)],
    folds: [[1, 0, 12_000]],
  },
  { why: "silence at the start of a run is folded", rows: [news(9000)], folds: [[0, -1, 9000]] },
  { why: "silence at the end of a run is folded", rows: [news(0)], endAt: 5000, folds: [[1, 0, 5000]] },
  {
    why: "routine between two pieces of news is folded as one stretch",
    rows: [news(0), ...exchange(1000), ...exchange(3000), ...exchange(6000), news(8000)],
    folds: [[1, 6, 8000]],
  },
  {
    why: "two exchanges show the pattern and stay",
    rows: [news(0), ...exchange(1000), ...exchange(3900), news(6000)],
    folds: [],
  },
  {
    why: "many exchanges within a short time stay",
    rows: [news(0), ...exchange(100), ...exchange(1000), ...exchange(2000), news(2500)],
    folds: [],
  },
  {
    why: "routine that still goes on keeps its last two exchanges",
    rows: [news(0), ...[1, 3, 5, 7, 9].flatMap((second) => exchange(second * 1000))],
    folds: [[1, 6, 7000]],
  },
  {
    why: "silence inside routine too short to fold is folded by itself",
    rows: [news(0), ...exchange(1000), ...exchange(9000), news(9500)],
    folds: [[3, 2, 7900]],
  },
];

describe("findFolds", () => {
  for (const { why, rows, endAt, folds } of cases)
    it(why, () => {
      const { events, depictions, routine } = fixture(rows);
      const found = findFolds(events, depictions, routine, endAt ?? rows.at(-1)?.at ?? 0);
      expect(found.map(({ first, last, durationMs }) => [first, last, durationMs])).toEqual(folds);
    });
});

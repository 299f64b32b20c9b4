import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixture, type Fixture, type Row } from "../fixture.testing.ts";
import { words, type Shape } from "../picture/picture.ts";
import { duration, placeEvents, reach, type Axis } from "./axis.ts";
import { TOP } from "./metrics.ts";

const place = (made: Fixture): Axis => placeEvents(made);

const CELL: Shape = {
  kind: "cell",
  epoch: null,
  text: "11",
  style: "stale",
  below: words("overwrote 20"),
  completes: null,
};
const shapes: readonly Shape[] = [
  { kind: "tick" },
  { kind: "note", words: words(["two", "lines"]) },
  { kind: "record", epoch: null, words: words("renewed"), look: "filled" },
  CELL,
  { kind: "cross", words: null },
];

const anyRows = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(30_000)),
      lane: fc.constantFrom("a", "b", "lease", "ledger"),
      shape: fc.constantFrom(...shapes),
      routine: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ wait, lane, shape, routine }): Row => {
      at += wait;
      return { at, lane, shape, routine };
    });
  });

describe("placeEvents", () => {
  it("starts at the top", () => {
    expect(place(fixture([{ at: 0, lane: "a" }])).ys[0]).toBe(TOP);
  });

  it("gives longer waits more room, and less of it the longer they are", () => {
    const { ys } = place(fixture([0, 100, 500, 2100].map((at) => ({ at, lane: "a" }))));
    const [first = 0, second = 0, third = 0, fourth = 0] = ys;
    expect(third - second).toBeGreaterThan(second - first);
    expect(fourth - third).toBeGreaterThan(third - second);
    expect((fourth - third) / 1600).toBeLessThan((second - first) / 100);
  });

  it("a second cell in a lane stands clear of what the first says below itself", () => {
    const { ys } = place(fixture([0, 1].map((at) => ({ at, lane: "ledger", shape: CELL }))));
    const { above, below } = reach({ sends: null, arrival: null, shape: CELL });
    expect((ys[1] ?? 0) - (ys[0] ?? 0)).toBeGreaterThanOrEqual(above + below);
  });

  it("folded events lie inside their fold, in order, and what follows below it", () => {
    const routine = Array.from({ length: 9 }, (_, index): Row => ({
      at: 1000 + index * 2000,
      lane: "b",
      routine: true,
      sends: { to: "lease", label: "read", epoch: null, weight: "request", stale: false },
    }));
    const axis = place(fixture([{ at: 0, lane: "a" }, ...routine, { at: 20_000, lane: "a" }]));
    const [fold] = axis.folds;
    expect(axis.folds).toHaveLength(1);
    for (let seq = 1; seq <= 9; seq += 1) {
      expect(axis.ys[seq]).toBeGreaterThan(fold?.y0 ?? Infinity);
      expect(axis.ys[seq]).toBeLessThan(fold?.y1 ?? 0);
    }
    expect(axis.ys[10]).toBeGreaterThan(fold?.y1 ?? Infinity);
    expect(fold?.text).toBe("9 events · 20 s folded");
  });

  it("an opened fold takes its room, and is told from what was never folded", () => {
    const made = fixture(
      [
        { at: 0, lane: "a" },
        { at: 9000, lane: "a" },
      ],
      { unfolded: [1] },
    );
    const axis = place(made);
    expect(axis.folds).toEqual([]);
    expect(axis.opened.map(({ key }) => key)).toEqual([1]);
  });

  it("never goes back in time, keeps marks of a lane apart, and ticks apart from each other", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const made = fixture(rows);
        const { ys, folded, ticks, endY, folds } = place(made);
        for (let seq = 1; seq < ys.length; seq += 1) expect(ys[seq]).toBeGreaterThanOrEqual(ys[seq - 1] ?? 0);
        const bottoms = new Map<string, number>();
        rows.forEach(({ lane }, seq) => {
          if (folded[seq] === 1) return;
          const { above, below } = reach(made.depictions[seq] ?? { sends: null, arrival: null, shape: CELL });
          const y = ys[seq] ?? 0;
          expect(y - above).toBeGreaterThanOrEqual((bottoms.get(lane) ?? -Infinity) - 1e-9);
          bottoms.set(lane, y + below);
        });
        for (const y of ys) expect(y).toBeLessThanOrEqual(endY);
        for (let index = 1; index < ticks.length; index += 1) {
          expect((ticks[index]?.y ?? 0) - (ticks[index - 1]?.y ?? 0)).toBeGreaterThanOrEqual(38 - 1e-9);
          expect(ticks[index]?.atMs).toBeGreaterThan(ticks[index - 1]?.atMs ?? Infinity);
        }
        for (const { y } of ticks) expect(folds.some((fold) => y > fold.y0 && y < fold.y1)).toBe(false);
      }),
    );
  });

  it("finds the place of a time between two events between them", () => {
    const { ys, yAt } = place(fixture([0, 1000].map((at) => ({ at, lane: "a" }))));
    expect(yAt(500)).toBeCloseTo(((ys[0] ?? 0) + (ys[1] ?? 0)) / 2);
    expect(yAt(1000)).toBe(ys[1]);
  });
});

describe("duration", () => {
  const cases = [
    { why: "tenths of seconds below a minute", ms: 11_840, text: "11.8 s" },
    { why: "whole seconds without a point", ms: 15_000, text: "15 s" },
    { why: "minutes and seconds", ms: 125_000, text: "2 min 5 s" },
    { why: "whole minutes alone", ms: 120_000, text: "2 min" },
  ];
  for (const { why, ms, text } of cases) it(why, () => expect(duration(ms)).toBe(text));
});

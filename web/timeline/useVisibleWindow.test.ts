import { describe, expect, it } from "vitest";
import { GUTTER, HEADER } from "./layout/metrics.ts";
import { followAcross, followCursor, windowAt } from "./useVisibleWindow.ts";

describe("windowAt", () => {
  it("covers what is on the screen, and stays the same while scrolling a little", () => {
    const { y0, y1 } = windowAt(1000, 700, 1);
    expect(y0).toBeLessThan(1000);
    expect(y1).toBeGreaterThan(1700);
    expect(windowAt(1005, 700, 1)).toEqual({ y0, y1 });
  });

  it("is in the picture's own pixels when the picture is drawn larger", () => {
    const { y0, y1 } = windowAt(2000, 700, 2);
    expect(y0).toBeLessThan(1000);
    expect(y1).toBeGreaterThan(1350);
    expect(y1).toBeLessThan(1700);
  });
});

describe("followCursor", () => {
  const room = 700 - HEADER;
  const cases = [
    { why: "a cursor in sight leaves the picture where it is", y: 400, scrollTop: 100, scale: 1, top: 100 },
    { why: "one below is brought to two thirds", y: 2000, scrollTop: 0, scale: 1, top: 2000 - room * 0.68 },
    { why: "one above is brought to one third", y: 500, scrollTop: 3000, scale: 1, top: 500 - room * 0.32 },
    { why: "the top of the picture is as far as it goes", y: 20, scrollTop: 3000, scale: 1, top: 0 },
  ];
  for (const { why, y, scrollTop, scale, top } of cases)
    it(why, () => expect(followCursor(y, scrollTop, 700, scale)).toBeCloseTo(top));
});

describe("followAcross", () => {
  const width = 390;
  const cases = [
    { why: "what is in sight leaves the picture where it is", x0: 120, x1: 300, left: 0, to: 0 },
    {
      why: "a receiver to the right is brought in, no further than it needs",
      x0: 300,
      x1: 500,
      left: 0,
      to: 500 + 48 - width,
    },
    { why: "a sender to the left is brought in", x0: 200, x1: 300, left: 300, to: 200 - 48 - GUTTER },
    {
      why: "where both ends do not fit the receiver comes first",
      x0: 100,
      x1: 700,
      left: 0,
      to: 700 - (width + GUTTER) / 2,
    },
  ];
  for (const { why, x0, x1, left, to } of cases)
    it(why, () => expect(followAcross({ x0, x1 }, left, width, 1)).toBeCloseTo(to));
});

import { describe, expect, it } from "vitest";
import { HEADER } from "./layout/metrics.ts";
import { followCursor, windowAt } from "./useVisibleWindow.ts";

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

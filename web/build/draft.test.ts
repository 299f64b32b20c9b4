import { describe, expect, it } from "vitest";
import { drawsOf, freeName, getAt, keysOf, listAt, numberOf, problemsAt, setAt } from "./draft.ts";

interface PathRow {
  readonly path: string;
  readonly keys: readonly (string | number)[];
}
const paths: readonly PathRow[] = [
  { path: "lock", keys: ["lock"] },
  { path: "nodes[0].timings.retryPeriodMs", keys: ["nodes", 0, "timings", "retryPeriodMs"] },
  { path: "nodes[12].jitter[3]", keys: ["nodes", 12, "jitter", 3] },
];

describe("places in a draft", () => {
  for (const { path, keys } of paths)
    it(`${path} is read`, () => {
      expect(keysOf(path)).toEqual(keys);
    });

  it("what is set is got back, and the rest stays as it was", () => {
    const draft = { nodes: [{ id: "a" }, { id: "b", clock: { offsetMs: 1 } }], lock: "orders" };
    const changed = setAt(draft, "nodes[1].clock.offsetMs", 5);
    expect(getAt(changed, "nodes[1].clock.offsetMs")).toBe(5);
    expect(changed).toEqual({ nodes: [{ id: "a" }, { id: "b", clock: { offsetMs: 5 } }], lock: "orders" });
    expect(draft.nodes[1]?.clock?.offsetMs).toBe(1);
  });

  it("what is not there is made on the way", () => {
    expect(setAt({}, "network.leaseDelay.minMs", 3)).toEqual({ network: { leaseDelay: { minMs: 3 } } });
    expect(getAt({}, "network.leaseDelay.minMs")).toBeUndefined();
    expect(listAt("text", "nodes")).toEqual([]);
  });
});

interface NumberRow {
  readonly text: string;
  readonly value: number | string;
}
const numbers: readonly NumberRow[] = [
  { text: "15000", value: 15_000 },
  { text: " 2 ", value: 2 },
  { text: "-1", value: -1 },
  { text: "1.05", value: 1.05 },
  { text: "", value: "" },
  { text: "soon", value: "soon" },
  { text: "Infinity", value: "Infinity" },
];

describe("a number field", () => {
  for (const { text, value } of numbers)
    it(`${JSON.stringify(text)} is kept as ${JSON.stringify(value)}`, () => {
      expect(numberOf(text)).toBe(value);
    });
});

describe("problems", () => {
  it("belong to a place when they are at it or below it", () => {
    const at = (path: string) => ({ path, expected: "", got: "", remedy: "" });
    const all = ["nodes[1].id", "nodes[1]", "nodes[10].id", "nodes[1].clock.offsetMs"].map(at);
    expect(problemsAt(all, "nodes[1]").map(({ path }) => path)).toEqual([
      "nodes[1].id",
      "nodes[1]",
      "nodes[1].clock.offsetMs",
    ]);
  });
});

describe("names and draws", () => {
  it("a further entry gets a name that is free", () => {
    expect(freeName(["a", "b"], ["a", "b", "c"])).toBe("c");
    expect(freeName(["a", "a-2"], ["a"])).toBe("a-3");
  });

  it("a seed gives the same draws every time, others for another seed, all from 0 to below 1", () => {
    expect(drawsOf(7, 16)).toEqual(drawsOf(7, 16));
    expect(drawsOf(7, 16)).not.toEqual(drawsOf(8, 16));
    expect(drawsOf(1, 1000).every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(new Set(drawsOf(1, 1000)).size).toBeGreaterThan(900);
  });
});

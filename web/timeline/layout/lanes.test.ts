import { describe, expect, it } from "vitest";
import type { Lane } from "../../../shared/systems/system.ts";
import { LANES } from "../fixture.testing.ts";
import { placeLanes } from "./lanes.ts";
import { GUTTER } from "./metrics.ts";

const [NODE, LEASE, , SINK] = LANES as [Lane, Lane, Lane, Lane];
const many = (count: number, like: Lane): readonly Lane[] =>
  Array.from({ length: count }, (_, index) => ({ ...like, id: `${like.id}${index}` }));

const cases = [
  { why: "two nodes and a sink on a wide screen", lanes: LANES, widthPx: 840, wider: false },
  { why: "one node", lanes: [NODE, LEASE], widthPx: 840, wider: false },
  { why: "two nodes and a sink on a telephone scroll", lanes: LANES, widthPx: 390, wider: true },
  {
    why: "seven nodes and three sinks",
    lanes: [NODE, LEASE, ...many(6, NODE), ...many(3, SINK)],
    widthPx: 1100,
    wider: false,
  },
  {
    why: "seven nodes and six sinks on a telephone scroll",
    lanes: [NODE, LEASE, ...many(6, NODE), ...many(6, SINK)],
    widthPx: 390,
    wider: true,
  },
];

describe("placeLanes", () => {
  for (const { why, lanes, widthPx, wider } of cases)
    it(`${why}: lanes stand apart and inside the picture`, () => {
      const placed = placeLanes(lanes, new Map(), widthPx);
      expect(placed.width > widthPx).toBe(wider);
      let edge = GUTTER;
      for (const lane of placed.lanes) {
        expect(lane.x - lane.half).toBeGreaterThan(edge + 20);
        for (const band of lane.bands) {
          expect(band.x - lane.bandWidth / 2).toBeGreaterThanOrEqual(lane.x - lane.half);
          expect(band.x + lane.bandWidth / 2).toBeLessThanOrEqual(lane.x + lane.half);
        }
        edge = lane.x + lane.half;
      }
      expect(edge).toBeLessThan(placed.width - 20);
    });

  it("a sink with long values has a wider lane", () => {
    const short = placeLanes(LANES, new Map([["ledger", ["10"]]]), 840).lanes.at(-1);
    const long = placeLanes(LANES, new Map([["ledger", ["payment 4711"]]]), 840).lanes.at(-1);
    expect(long?.half).toBeGreaterThan(short?.half ?? Infinity);
  });
});

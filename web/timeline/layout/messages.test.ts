import { describe, expect, it } from "vitest";
import { fixture, LANES, type Row } from "../fixture.testing.ts";
import type { Arrival, Sending } from "../picture/picture.ts";
import { placeEvents } from "./axis.ts";
import { placeLanes } from "./lanes.ts";
import type { ArrowMark } from "./marks.ts";
import { placeArrows } from "./messages.ts";

const request: Sending = { to: "lease", label: "renew", epoch: null, weight: "request", stale: false };
const answer: Sending = { to: "a", label: "", epoch: null, weight: "answer", stale: false };
const arrives = (from: number, fate: Arrival["fate"] = "taken"): Arrival => ({ from, fate, meantFor: null });

function arrowsOf(rows: readonly Row[]) {
  const made = fixture(rows);
  const axis = placeEvents(made);
  const { lanes } = placeLanes(LANES, new Map(), 800);
  return { ...placeArrows(made.events, made.depictions, made.routine, lanes, axis), axis, lanes };
}

const xOf = (id: string): number => arrowsOf([]).lanes.find((lane) => lane.id === id)?.x ?? 0;

interface Case {
  readonly why: string;
  readonly rows: readonly Row[];
  readonly arrows: readonly Partial<ArrowMark>[];
}

const sent: Row = { at: 0, lane: "a", sends: request };

const cases: readonly Case[] = [
  {
    why: "a message that arrived goes from its sending to its arrival",
    rows: [sent, { at: 150, lane: "lease", arrival: arrives(0) }],
    arrows: [{ seq: 0, endSeq: 1, fate: "taken" }],
  },
  {
    why: "one that is still on its way has no end",
    rows: [sent],
    arrows: [{ seq: 0, endSeq: null, fate: "in-flight" }],
  },
  {
    why: "a refused one says so",
    rows: [sent, { at: 150, lane: "lease", arrival: arrives(0, "refused") }],
    arrows: [{ seq: 0, endSeq: 1, fate: "refused" }],
  },
  {
    why: "a lost one ends at the event that lost it, in its sender's lane",
    rows: [sent, { at: 0, lane: "a", arrival: arrives(0, "lost") }],
    arrows: [{ seq: 0, endSeq: 1, fate: "lost" }],
  },
  {
    why: "an answer that came too late is told from one that was taken",
    rows: [
      { at: 0, lane: "lease", sends: answer },
      { at: 9000, lane: "a", arrival: arrives(0, "ignored") },
    ],
    arrows: [{ seq: 0, endSeq: 1, fate: "ignored", weight: "answer" }],
  },
  {
    why: "a request and its answer are two arrows",
    rows: [
      sent,
      { at: 150, lane: "lease", arrival: arrives(0), sends: answer },
      { at: 300, lane: "a", arrival: arrives(1) },
    ],
    arrows: [
      { seq: 0, endSeq: 1 },
      { seq: 1, endSeq: 2 },
    ],
  },
  {
    why: "a message that was delivered twice has two arrows",
    rows: [
      { at: 0, lane: "a", sends: { ...request, to: "ledger", weight: "work" } },
      { at: 100, lane: "ledger", arrival: arrives(0) },
      { at: 200, lane: "ledger", arrival: arrives(0) },
    ],
    arrows: [
      { seq: 0, endSeq: 1 },
      { seq: 0, endSeq: 2 },
    ],
  },
];

describe("placeArrows", () => {
  for (const { why, rows, arrows } of cases)
    it(why, () => expect(arrowsOf(rows).arrows).toMatchObject(arrows));

  it("slants with time: it never ends above its beginning", () => {
    const { arrows } = arrowsOf([sent, { at: 150, lane: "lease", arrival: arrives(0) }]);
    for (const { y0, y1 } of arrows) expect(y1).toBeGreaterThan(y0);
  });

  it("starts beside its sender and ends beside its receiver", () => {
    const [arrow] = arrowsOf([sent, { at: 150, lane: "lease", arrival: arrives(0) }]).arrows;
    expect(arrow?.x0).toBeGreaterThan(xOf("a"));
    expect(arrow?.x1).toBeLessThan(xOf("lease"));
  });

  it("a lost message ends on its way, and its cross stands there", () => {
    const { arrows, crosses } = arrowsOf([sent, { at: 0, lane: "a", arrival: arrives(0, "lost") }]);
    const [arrow] = arrows;
    expect(arrow?.x1).toBeGreaterThan(xOf("a"));
    expect(arrow?.x1).toBeLessThan(xOf("lease"));
    expect(crosses.get(1)).toEqual({ x: arrow?.x1, y: arrow?.y1 });
  });

  it("draws no arrow inside a fold", () => {
    const rows = [0, 1, 2, 3, 4].flatMap((index): Row[] => [
      { at: index * 2000, lane: "a", routine: true, sends: request },
      { at: index * 2000 + 100, lane: "lease", routine: true, arrival: arrives(index * 2) },
    ]);
    const { arrows } = arrowsOf([...rows, { at: 11_000, lane: "b" }]);
    expect(arrows).toEqual([]);
  });
});

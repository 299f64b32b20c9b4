import { describe, expect, it } from "vitest";
import { MAIN_BRANCH } from "../../shared/trace/recording.ts";
import { leadershipView } from "../systems/leadership/view.ts";
import { lineRun, originOf, violations } from "./derive.ts";
import { cursorAtFraction, ticksOf } from "./marks.ts";
import { freshRecording } from "./store.ts";

const recording = freshRecording({ kind: "scenario", scenario: "paused-leader" });
const origin = originOf(recording);
if (!origin.ok) throw new Error("the first scenario resolves");
const { run } = lineRun(origin.value, recording, MAIN_BRANCH);

describe("the scrubber's ticks", () => {
  const ticks = ticksOf(run, leadershipView.mark, violations(origin.value, run));
  const kinds = (seqs: readonly number[]) => seqs.map((seq) => run.events[seq]?.kind);

  it("show elections, faults and violations, each event once", () => {
    expect(kinds(ticks.election)).toContain("started-leading");
    expect(kinds(ticks.fault)).toEqual(["paused", "resumed"]);
    expect(kinds(ticks.violation)).toContain("write-applied");
    const all = [...ticks.events, ...ticks.election, ...ticks.fault, ...ticks.violation];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("a place on the scrubber", () => {
  interface Row {
    readonly fraction: number;
    readonly seen: number;
  }
  const total = run.events.length;
  const rows: readonly Row[] = [
    { fraction: -1, seen: 0 },
    { fraction: 0, seen: 0 },
    { fraction: 1, seen: total },
    { fraction: 2, seen: total },
  ];
  for (const { fraction, seen } of rows)
    it(`${fraction} of the way is ${seen === 0 ? "the start" : "the end"}`, () => {
      expect(run.eventEnds[cursorAtFraction(run, fraction)]).toBe(seen);
    });

  it("never goes back while the hand goes on", () => {
    let last = 0;
    for (let percent = 0; percent <= 100; percent += 1) {
      const cursor = cursorAtFraction(run, percent / 100);
      expect(cursor).toBeGreaterThanOrEqual(last);
      last = cursor;
    }
    expect(last).toBe(run.actions.length);
  });
});

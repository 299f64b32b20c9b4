import { beforeAll, describe, expect, it } from "vitest";
import { MAIN_BRANCH, type Recording } from "../../shared/trace/recording.ts";
import {
  cursorOf,
  firstDifference,
  lineRun,
  originOf,
  questions,
  sharedLength,
  stepBack,
  stepForward,
  verdictsAt,
  verdictsOf,
  violations,
  type LabRun,
} from "./derive.ts";
import { freshRecording } from "./store.ts";

const recording = freshRecording({ kind: "scenario", scenario: "paused-leader" });
const resolved = originOf(recording);
if (!resolved.ok) throw new Error("the first scenario resolves");
const origin = resolved.value;
let run: LabRun;
beforeAll(() => {
  run = lineRun(origin, recording, MAIN_BRANCH).run;
});
const seen = (cursor: number): number => run.eventEnds[cursor] ?? NaN;

describe("steps along a line", () => {
  it("every step forward shows at least one event, until the end", () => {
    let cursor = 0;
    while (cursor < run.actions.length) {
      const next = stepForward(run, cursor);
      expect(next).toBeGreaterThan(cursor);
      if (next < run.actions.length) expect(seen(next)).toBeGreaterThan(seen(cursor));
      cursor = next;
    }
    expect(seen(cursor)).toBe(run.events.length);
  });

  it("a step back from where a step forward led shows what was seen before", () => {
    for (let cursor = 0; cursor < run.actions.length - 1; cursor = stepForward(run, cursor))
      expect(seen(stepBack(run, stepForward(run, cursor)))).toBe(seen(cursor));
  });

  it("there is nothing before the start", () => {
    expect(stepBack(run, 0)).toBe(0);
  });

  it("the cursor of an event is the first at which it has happened", () => {
    for (const { seq } of run.events) {
      const cursor = cursorOf(run, seq);
      expect(seen(cursor)).toBeGreaterThan(seq);
      expect(seen(cursor - 1)).toBeLessThanOrEqual(seq);
    }
  });
});

describe("verdicts at a moment", () => {
  it("are those of the whole line as far as they had been decided", () => {
    for (const verdict of verdictsOf(origin, run)) {
      if (!("seq" in verdict)) continue;
      const at = (cursor: number) =>
        verdictsAt(origin, run, cursor).find(({ invariant }) => invariant === verdict.invariant)?.kind;
      const cursor = cursorOf(run, verdict.seq);
      expect(at(cursor)).toBe(verdict.kind);
      expect(at(cursor - 1)).toBe(verdict.kind === "broken" ? "holds" : "not-reached");
    }
  });

  it("violations are in order, and the plain ledger's is among them", () => {
    const found = violations(origin, run);
    expect(found).toEqual(found.toSorted((left, right) => left - right));
    const stale = run.events.find((event) => event.kind === "write-applied" && event.value === "11");
    expect(found).toContain(stale?.seq);
  });
});

describe("questions", () => {
  it("are asked before the event that they are about", () => {
    expect(questions(origin, run).map(({ seq }) => run.events[seq])).toMatchObject([
      { kind: "write-sent", node: "a", value: "11" },
    ]);
  });

  it("are not asked on a line that has left the script before it", () => {
    const left: Recording = {
      ...recording,
      branches: [
        ...recording.branches,
        {
          id: "b1",
          name: "left",
          parent: MAIN_BRANCH,
          forkAt: 30,
          actions: [{ kind: "delete-lease" } as never],
        },
      ],
    };
    expect(questions(origin, lineRun(origin, left, "b1").run)).toEqual([]);
  });
});

describe("replaying", () => {
  const withMain = (length: number, extra: readonly unknown[] = []): Recording => ({
    ...recording,
    branches: recording.branches.map((branch) => ({
      ...branch,
      actions: [...branch.actions.slice(0, length), ...(extra as typeof branch.actions)],
    })),
  });

  it("a line cut before what failed replays, although the failing one was replayed last", () => {
    const failing = lineRun(origin, withMain(10, [{ kind: "resume", node: "a" }]), MAIN_BRANCH);
    expect(failing.failure).toMatchObject({ index: 10, reason: "a is not paused." });
    const cut = lineRun(origin, withMain(10), MAIN_BRANCH);
    expect(cut.failure).toBeNull();
    expect(cut.run.actions).toHaveLength(10);
  });

  it("a line that grew has the same worlds as one replayed from the start", () => {
    lineRun(origin, withMain(20), MAIN_BRANCH);
    const grown = lineRun(origin, withMain(60), MAIN_BRANCH).run;
    lineRun(origin, withMain(0), MAIN_BRANCH);
    expect(lineRun(origin, withMain(60), MAIN_BRANCH).run.events).toEqual(grown.events);
  });
});

describe("comparing", () => {
  interface Row {
    readonly why: string;
    readonly left: readonly string[];
    readonly right: readonly string[];
    readonly shared: number;
  }
  const rows: readonly Row[] = [
    { why: "nothing in common", left: ["a"], right: ["b"], shared: 0 },
    { why: "one goes on", left: ["a", "b"], right: ["a"], shared: 1 },
    { why: "they part in the middle", left: ["a", "b", "c"], right: ["a", "x", "c"], shared: 1 },
    { why: "equal", left: ["a", "b"], right: ["a", "b"], shared: 2 },
    { why: "empty", left: [], right: ["a"], shared: 0 },
  ];
  const actions = (names: readonly string[]) => names.map((kind) => ({ kind }));
  for (const { why, left, right, shared } of rows)
    it(`shared beginning: ${why}`, () => {
      expect(sharedLength(actions(left), actions(right))).toBe(shared);
    });

  it("the first difference is the first event after the shared beginning", () => {
    const other: Recording = {
      ...recording,
      branches: [
        ...recording.branches,
        {
          id: "b2",
          name: "other",
          parent: MAIN_BRANCH,
          forkAt: 40,
          actions: [{ kind: "pause", node: "b" } as never],
        },
      ],
    };
    const difference = firstDifference(run, lineRun(origin, other, "b2").run);
    expect(difference.cursor).toBe(40);
    expect(difference.right).toMatchObject({ kind: "paused", node: "b" });
    expect(difference.left?.seq).toBe(difference.right?.seq);
  });
});

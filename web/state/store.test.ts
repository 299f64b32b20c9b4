import { beforeEach, describe, expect, it } from "vitest";
import type { BaseAction } from "../../shared/systems/system.ts";
import { lineOf, MAIN_BRANCH } from "../../shared/trace/recording.ts";
import { choicesAt } from "./choices.ts";
import {
  act,
  answer,
  back,
  chooseBranch,
  deleteBranch,
  forkHere,
  goTo,
  hereOf,
  initialChoice,
  openScenario,
  pendingQuestion,
  renameBranch,
  reset,
  step,
  toEnd,
  toStart,
  toViolation,
  undo,
  useLab,
} from "./store.ts";

beforeEach(() => useLab.setState(initialChoice(), true));

const now = () => {
  const chosen = useLab.getState();
  const { run, origin } = hereOf(chosen);
  return {
    branch: chosen.moment.branch,
    cursor: chosen.moment.cursor,
    seen: run.eventEnds[chosen.moment.cursor] ?? 0,
    length: run.actions.length,
    ms: origin.system.now(run.worlds[chosen.moment.cursor]),
    branches: chosen.recording.branches.map(({ name }) => name),
  };
};
const pause = (node: string): readonly BaseAction[] => [{ kind: "pause", node } as BaseAction];

describe("stepping", () => {
  it("takes time and what follows it as one step", () => {
    for (let steps = 0; steps < 10; steps += 1) {
      const before = now();
      expect(step()).toBe(true);
      expect(now().seen).toBeGreaterThan(before.seen);
    }
    expect(now().branches).toEqual(["as scripted"]);
  });

  it("goes on with what happens by itself at the end of the line", () => {
    toEnd();
    const { length, seen } = now();
    expect(step()).toBe(true);
    expect(now().length).toBeGreaterThan(length);
    expect(now().seen).toBeGreaterThan(seen);
  });

  it("says so when nothing is left to happen", () => {
    openScenario("healthy-election");
    toEnd();
    act([{ kind: "crash", node: "a" } as BaseAction], "crash a");
    act([{ kind: "crash", node: "b" } as BaseAction], "crash b");
    while (step());
    expect(useLab.getState().notice?.text).toContain("Nothing is left to happen by itself");
  });

  it("is undone by back, however many there were", () => {
    const seen: number[] = [];
    for (let steps = 0; steps < 12; steps += 1) {
      seen.push(now().seen);
      step();
    }
    for (const expected of seen.toReversed()) {
      back();
      expect(now().seen).toBe(expected);
    }
  });
});

describe("acting", () => {
  it("in the past makes a branch named after it, and leaves the line as it was", () => {
    for (let steps = 0; steps < 6; steps += 1) step();
    const { cursor, length } = now();
    expect(act(pause("a"), "pause a")).toBe(true);
    expect(now()).toMatchObject({
      branch: "b1",
      cursor: cursor + 1,
      branches: ["as scripted", "what if: pause a"],
    });
    chooseBranch(MAIN_BRANCH);
    expect(now()).toMatchObject({ cursor, length });
  });

  it("at the end of a line goes on with it", () => {
    toEnd();
    const { length } = now();
    act(pause("a"), "pause a");
    expect(now()).toMatchObject({ branch: MAIN_BRANCH, length: length + 1, branches: ["as scripted"] });
  });

  it("as the line does anyway only moves the cursor", () => {
    const { recording, moment } = useLab.getState();
    const next = lineOf(recording, MAIN_BRANCH)[moment.cursor];
    if (next === undefined) throw new Error("the script has a first action");
    act([{ ...next }], "the same");
    expect(now()).toMatchObject({ cursor: 1, branches: ["as scripted"] });
  });

  it("is refused in words where it cannot happen, and changes nothing", () => {
    const before = now();
    expect(act([{ kind: "resume", node: "a" } as BaseAction], "resume a")).toBe(false);
    expect(now()).toEqual(before);
    expect(useLab.getState().notice).toMatchObject({
      kind: "error",
      text: "This cannot happen now. a is not paused.",
    });
  });

  it("with a thing that is due later lets time pass to it", () => {
    step();
    step();
    const { origin, run, moment } = hereOf(useLab.getState());
    const later = choicesAt(origin.system, run.worlds[moment.cursor]).find(
      ({ offer, impossible }) => offer.dueMs !== null && impossible === null,
    );
    if (later === undefined) throw new Error("something is due later");
    expect(later.actions).toHaveLength(2);
    act(later.actions, later.offer.label);
    expect(now().ms).toBe(later.offer.dueMs);
  });
});

describe("undo", () => {
  it("restores every kind of change, in turn", () => {
    step();
    const changes: readonly (() => unknown)[] = [
      forkHere,
      () => act(pause("a"), "pause a"),
      () => renameBranch("b1", "renamed"),
      () => deleteBranch("b1"),
      reset,
    ];
    const before = changes.map((change) => {
      const { recording, moment } = useLab.getState();
      change();
      return { recording, moment };
    });
    for (const expected of before.toReversed()) {
      undo();
      expect(useLab.getState()).toMatchObject(expected);
    }
    undo();
    expect(useLab.getState().notice?.text).toBe("Nothing to undo.");
  });
});

describe("branches", () => {
  it("show the same moment where their lines agree, and the fork where they do not", () => {
    for (let steps = 0; steps < 5; steps += 1) step();
    const { cursor } = now();
    act(pause("a"), "pause a");
    step();
    step();
    chooseBranch(MAIN_BRANCH);
    expect(now().cursor).toBe(cursor);
    toStart();
    chooseBranch("b1");
    expect(now().cursor).toBe(0);
  });

  it("one that others fork from is not deleted, and says which", () => {
    step();
    forkHere();
    step();
    forkHere();
    expect(deleteBranch("b1")).toBe(false);
    expect(useLab.getState().notice?.text).toContain('Delete "branch 2" first.');
  });

  it("the cursor of a deleted branch goes to where it forked from", () => {
    step();
    const { cursor } = now();
    act(pause("a"), "pause a");
    deleteBranch("b1");
    expect(now()).toMatchObject({ branch: MAIN_BRANCH, cursor });
  });
});

describe("predictions", () => {
  const toTheQuestion = (): void => {
    toViolation(1);
    for (let steps = 0; steps < 40 && useLab.getState().asking === null; steps += 1) step();
  };

  it("hold the step up until they are answered, and then show it", () => {
    toTheQuestion();
    expect(useLab.getState().asking).toBe(0);
    const { seen } = now();
    expect(step()).toBe(false);
    expect(now().seen).toBe(seen);
    answer(0, 2);
    expect(now().seen).toBeGreaterThan(seen);
    expect(useLab.getState().answers).toEqual({ "paused-leader/0": { choice: 2 } });
    back();
    expect(pendingQuestion()).toBeNull();
  });

  it("are dropped when the cursor goes elsewhere, and asked again at the same place", () => {
    toTheQuestion();
    const { cursor } = now();
    toStart();
    expect(useLab.getState().asking).toBeNull();
    goTo(cursor);
    step();
    expect(useLab.getState().asking).toBe(0);
  });
});

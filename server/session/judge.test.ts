import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import { applyChange, type Change } from "../../shared/trace/change.ts";
import { lineOf, MAIN_BRANCH, type Recording } from "../../shared/trace/recording.ts";
import { replay } from "../../shared/trace/run.ts";
import { emptyRecording, ORIGIN, scriptedRecording, tick } from "../fixture/lab.ts";
import { createJudge } from "./judge.ts";

const resolved = resolveOrigin(ORIGIN);
if (!resolved.ok) throw new Error("the scenario is known");
const { system, config } = resolved.value;

/** Whether every line of a recording can be replayed from its start: what the judge must agree with. */
function canReplay(recording: Recording): boolean {
  return recording.branches.every(({ id }) => replay(system, config, lineOf(recording, id)).ok);
}

/** Actions of which some can happen, depending on what came before. */
const action: fc.Arbitrary<BaseAction> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 20 }).map((byMs) => tick(byMs + 1)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...["pause", "resume", "crash"].map((kind) => ({ kind, node: "a" })),
      { kind: "restart", node: "a", identity: "new" },
      { kind: "fire", lane: "a", timer: "start" },
    ),
  },
);

/** A change of some kind; where it is to be made is chosen when the recording is known. */
const wish = fc.record({
  kind: fc.constantFrom("append", "append", "append", "fork", "shorten", "delete"),
  where: fc.nat(),
  at: fc.nat(),
  // Long ones cross the distance at which worlds are kept.
  actions: fc.oneof(
    fc.array(action, { minLength: 1, maxLength: 6 }),
    fc.constant(Array.from({ length: 300 }, (_, index) => tick(index + 1))),
  ),
});
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

function asChange(recording: Recording, { kind, where, at, actions }: Wish, number: number): Change {
  const branch = recording.branches[where % recording.branches.length]?.id ?? MAIN_BRANCH;
  const { length } = lineOf(recording, branch);
  const moment = at % (length + 1);
  switch (kind) {
    case "append":
      return { kind: "append", branch, at: length, actions };
    case "fork":
      return {
        kind: "fork",
        branch: { id: `b${number}`, name: "x", parent: branch, forkAt: moment, actions },
      };
    case "shorten":
      return { kind: "shorten", branch, to: moment };
    default:
      return { kind: "delete", branch };
  }
}

describe("the judge", () => {
  it("accepts a change exactly when the whole recording still replays from its start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 12 }), async (wishes) => {
        const judge = createJudge(resolved.value);
        let recording = emptyRecording();
        for (const [number, wanted] of wishes.entries()) {
          const change = asChange(recording, wanted, number);
          const changed = applyChange(recording, change);
          if (!changed.ok) continue;
          const problem = await judge.change(recording, change);
          expect(problem === null).toBe(canReplay(changed.value));
          if (problem === null) recording = changed.value;
        }
        expect(await createJudge(resolved.value).recording(recording)).toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it("accepts the scripts of the catalogue, and names the first action of a recording that cannot happen", async () => {
    const recording = scriptedRecording();
    expect(await createJudge(resolved.value).recording(recording)).toBeNull();
    const wrong: Recording = {
      ...recording,
      branches: [
        ...recording.branches,
        {
          id: "b1",
          name: "x",
          parent: MAIN_BRANCH,
          forkAt: 2,
          actions: [tick(1), { kind: "resume", node: "b" } as BaseAction],
        },
      ],
    };
    const problem = await createJudge(resolved.value).recording(wrong);
    expect(problem).toMatchObject({
      path: "branches[1].actions[1]",
      expected: "an action that can happen after 3 actions",
    });
    expect(problem?.got).toContain("b is not paused");
  });
});

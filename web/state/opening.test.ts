import { beforeEach, describe, expect, it } from "vitest";
import { encodeRecording } from "../../shared/trace/codec.ts";
import { newRecording, type Recording } from "../../shared/trace/recording.ts";
import { openFileText, openPermalink, openRecording, openScenarioLink } from "./opening.ts";
import { freshRecording, initialChoice, step, useLab } from "./store.ts";

beforeEach(() => useLab.setState(initialChoice(), true));

const scripted = freshRecording({ kind: "scenario", scenario: "paused-leader" });
const [main] = scripted.branches;
if (main === undefined) throw new Error("there is a main branch");

/** The script with an impossible action put into it, and a branch before and one after that. */
const broken: Recording = {
  ...scripted,
  branches: [
    {
      ...main,
      actions: [
        ...main.actions.slice(0, 20),
        { kind: "resume", node: "a" } as never,
        ...main.actions.slice(20),
      ],
    },
    { id: "b1", name: "before", parent: "main", forkAt: 10, actions: [] },
    { id: "b2", name: "after", parent: "main", forkAt: 30, actions: [] },
    { id: "b3", name: "child of after", parent: "b2", forkAt: 30, actions: [] },
  ],
};

describe("opening", () => {
  it("refuses what does not replay, with place and reason, and leaves the lab as it was", () => {
    step();
    const before = useLab.getState();
    expect(openRecording(broken, null, "This link")).toBe(false);
    const { refusal, recording, moment } = useLab.getState();
    expect({ recording, moment }).toEqual({ recording: before.recording, moment: before.moment });
    expect(refusal?.replay).toMatchObject({
      index: 20,
      branch: "as scripted",
      reason: "a is not paused.",
      action: { kind: "resume", node: "a" },
    });
  });

  it("offers what can be replayed: the line up to there, and the branches that forked before", () => {
    openRecording(broken, null, "This link");
    const salvage = useLab.getState().refusal?.salvage;
    expect(salvage?.branches.map(({ name, actions }) => [name, actions.length])).toEqual([
      ["as scripted", 20],
      ["before", 0],
    ]);
  });

  interface Bad {
    readonly why: string;
    readonly open: () => boolean;
    readonly path: string;
    readonly got: string;
  }
  const bad: readonly Bad[] = [
    {
      why: "an unknown scenario",
      open: () => openScenarioLink("nothing", null),
      path: "scenario",
      got: '"nothing"',
    },
    {
      why: "a moment beyond the scenario",
      open: () => openScenarioLink("paused-leader", 100_000),
      path: "at",
      got: "100000",
    },
    { why: "a damaged link", open: () => openPermalink("?"), path: "", got: "a text of 1 characters" },
    {
      why: "a file of something else",
      open: () => openFileText("{}", "The file"),
      path: "format",
      got: "nothing",
    },
    {
      why: "a configuration out of range",
      open: () =>
        openFileText(
          encodeRecording(
            newRecording({ kind: "config", system: "leadership", title: "x", config: { nodes: [] } }, []),
          ),
          "The file",
        ),
      path: "config.nodes",
      got: "[]",
    },
  ];
  for (const { why, open, path, got } of bad)
    it(`refuses in words: ${why}`, () => {
      const before = useLab.getState().recording;
      expect(open()).toBe(false);
      expect(useLab.getState().refusal?.problems[0]).toMatchObject({ path, got });
      expect(useLab.getState().recording).toBe(before);
    });
});

import { describe, expect, it } from "vitest";
import { applyChange } from "../../shared/trace/change.ts";
import { familyProblem } from "../../shared/trace/codec.ts";
import { lineOf, newRecording, type Branch, type Recording } from "../../shared/trace/recording.ts";
import { changesBetween, keepMine, within } from "./merge.ts";

const act = (...names: readonly string[]) => names.map((kind) => ({ kind }));

function recordingOf(main: readonly string[], ...branches: readonly Branch[]): Recording {
  const fresh = newRecording({ kind: "scenario", scenario: "paused-leader" }, act(...main));
  return { ...fresh, branches: [...fresh.branches, ...branches] };
}
const branch = (id: string, parent: string, forkAt: number, ...names: readonly string[]): Branch => ({
  id,
  name: id,
  parent,
  forkAt,
  actions: act(...names),
});
const base = recordingOf(["a", "b", "c"], branch("b1", "main", 2, "x"), branch("b2", "b1", 3, "y"));
const lines = (recording: Recording) =>
  Object.fromEntries(
    recording.branches.map(({ id, name }) => [
      name,
      lineOf(recording, id)
        .map(({ kind }) => kind)
        .join(""),
    ]),
  );

interface Step {
  readonly why: string;
  readonly to: Recording;
  readonly kinds: readonly string[];
}

const steps: readonly Step[] = [
  { why: "nothing changed", to: base, kinds: [] },
  {
    why: "a line went on",
    to: recordingOf(["a", "b", "c", "d"], ...base.branches.slice(1)),
    kinds: ["append"],
  },
  {
    why: "a line was cut and went on otherwise",
    to: recordingOf(["a", "b", "d"], ...base.branches.slice(1)),
    kinds: ["shorten", "append"],
  },
  {
    why: "a fork",
    to: { ...base, branches: [...base.branches, branch("b3", "main", 1, "z")] },
    kinds: ["fork"],
  },
  {
    why: "a branch and its child were deleted",
    to: recordingOf(["a", "b", "c"]),
    kinds: ["delete", "delete"],
  },
  {
    why: "renamed",
    to: recordingOf(
      ["a", "b", "c"],
      { ...branch("b1", "main", 2, "x"), name: "other" },
      branch("b2", "b1", 3, "y"),
    ),
    kinds: ["rename"],
  },
  {
    why: "an id that came to mean another branch",
    to: recordingOf(["a", "b", "c"], branch("b1", "main", 1, "q")),
    kinds: ["delete", "delete", "fork"],
  },
  {
    why: "everything begun anew",
    to: recordingOf(["q"]),
    kinds: ["delete", "delete", "shorten", "append"],
  },
];

describe("the changes from one recording to another", () => {
  for (const { why, to, kinds } of steps)
    it(`lead there one by one: ${why}`, () => {
      const changes = changesBetween(base, to);
      expect(changes.map(({ kind }) => kind)).toEqual(kinds);
      let now = base;
      for (const change of changes) {
        const changed = applyChange(now, change);
        if (!changed.ok) throw new Error(JSON.stringify(changed.error));
        now = changed.value;
      }
      expect(now).toEqual(to);
      expect(changesBetween(now, to)).toEqual([]);
    });
});

interface Race {
  readonly why: string;
  readonly mine: Recording;
  readonly theirs: Recording;
  readonly kept: readonly string[];
  readonly lines: Readonly<Record<string, string>>;
}

const start = recordingOf(["a", "b"]);
const races: readonly Race[] = [
  {
    why: "both went on with one line: theirs stays, ours becomes a branch",
    mine: recordingOf(["a", "b", "m"]),
    theirs: recordingOf(["a", "b", "t"]),
    kept: ["as scripted (yours)"],
    lines: { "as scripted": "abt", "as scripted (yours)": "abm" },
  },
  {
    why: "both did the same: nothing is doubled",
    mine: recordingOf(["a", "b", "m"]),
    theirs: recordingOf(["a", "b", "m", "t"]),
    kept: [],
    lines: { "as scripted": "abmt" },
  },
  {
    why: "only we went on: it is put on top of what others did elsewhere",
    mine: recordingOf(["a", "b", "m"]),
    theirs: recordingOf(["a", "b"], branch("b1", "main", 1, "t")),
    kept: [],
    lines: { "as scripted": "abm", b1: "at" },
  },
  {
    why: "both forked under one id",
    mine: recordingOf(["a", "b"], branch("b1", "main", 1, "m")),
    theirs: recordingOf(["a", "b"], branch("b1", "main", 2, "t")),
    kept: ["b1 (yours)"],
    lines: { "as scripted": "ab", b1: "abt", "b1 (yours)": "am" },
  },
  {
    why: "we forked from a line that others made anew",
    mine: recordingOf(["a", "b"], branch("b1", "main", 2, "m")),
    theirs: recordingOf(["q"]),
    kept: ["b1 (yours)"],
    lines: { "as scripted": "q", "b1 (yours)": "abm" },
  },
];

describe("keeping what lost a race", () => {
  for (const { why, mine, theirs, kept, lines: expected } of races)
    it(why, () => {
      const merged = keepMine(start, mine, theirs, { branch: "main", cursor: 2 });
      expect(merged.kept).toEqual(kept);
      expect(lines(merged.recording)).toEqual(expected);
      expect(familyProblem(merged.recording.branches)).toBeNull();
      expect(within(merged.recording, merged.moment)).toEqual(merged.moment);
    });

  it("the cursor stays on our own line, under its new name", () => {
    const merged = keepMine(start, recordingOf(["a", "b", "m"]), recordingOf(["a", "b", "t"]), {
      branch: "main",
      cursor: 3,
    });
    expect(lineOf(merged.recording, merged.moment.branch).map(({ kind }) => kind)).toEqual(["a", "b", "m"]);
    expect(merged.moment.cursor).toBe(3);
  });

  it("what we deleted stays deleted, unless others went on with it", () => {
    const before = recordingOf(["a", "b"], branch("b1", "main", 1, "x"));
    const gone = keepMine(before, start, before, { branch: "main", cursor: 0 });
    expect(gone.recording.branches).toHaveLength(1);
    const wanted = recordingOf(["a", "b"], branch("b1", "main", 1, "x", "t"));
    const stays = keepMine(before, start, wanted, { branch: "main", cursor: 0 });
    expect(lines(stays.recording)).toEqual({ "as scripted": "ab", b1: "axt" });
  });
});

import { describe, expect, it } from "vitest";
import { sentence } from "../base/result.ts";
import { resolveOrigin } from "../scenario/origin.ts";
import { applyChange } from "./change.ts";
import { decodeRecording, encodeRecording, momentProblem, parseChange, RECORDING_LIMITS } from "./codec.ts";
import { ENGINE_VERSION, newRecording, type Branch, type Recording } from "./recording.ts";

const recording = newRecording({ kind: "scenario", scenario: "paused-leader" }, [
  { kind: "advance", toMs: 10 },
  { kind: "pause", node: "a" },
] as const);
const branch = (more: Partial<Branch>): Branch => ({
  id: "b1",
  name: "one",
  parent: "main",
  forkAt: 1,
  actions: [],
  ...more,
});
const withBranches = (...more: readonly Partial<Branch>[]): string =>
  JSON.stringify({ ...recording, branches: [...recording.branches, ...more.map(branch)] });
const changed = (more: object): string => JSON.stringify({ ...recording, ...more });

interface Row {
  readonly why: string;
  readonly text: string;
  readonly says: readonly string[];
}

const refusals: readonly Row[] = [
  {
    why: "another format is named",
    text: changed({ format: "itf" }),
    says: ["format", '"epoch-lab-recording"', '"itf"', "Choose a file"],
  },
  { why: "a list is not a recording", text: "[]", says: ["format", "got nothing"] },
  {
    why: "an older engine gives both numbers and what to do",
    text: changed({ engine: ENGINE_VERSION - 1 }),
    says: [`expected ${ENGINE_VERSION}`, `got ${ENGINE_VERSION - 1}`, "record the run again"],
  },
  {
    why: "a newer engine asks for an update",
    text: changed({ engine: ENGINE_VERSION + 1, surprise: true }),
    says: [`got ${ENGINE_VERSION + 1}`, "Update this lab"],
  },
  { why: "malformed JSON has a place", text: '{"format": \n oops}', says: ["line 2, column 2", '"o"'] },
  { why: "a file that is cut off says so", text: encodeRecording(recording).slice(0, -9), says: ["cut off"] },
  {
    why: "a file that is too large is not read",
    text: " ".repeat(RECORDING_LIMITS.textLength + 1),
    says: [`at most ${RECORDING_LIMITS.textLength}`],
  },
  {
    why: "a deep configuration is refused",
    text: changed({ origin: { kind: "config", system: "leadership", title: "t", config: nested(60) } }),
    says: ["levels deep"],
  },
  {
    why: "an unknown system is named",
    text: changed({ origin: { kind: "config", system: "sundial", title: "t", config: {} } }),
    says: ["origin.system", '"sundial"'],
  },
  {
    why: "an unknown scenario is named",
    text: changed({ origin: { kind: "scenario", scenario: "no-such" } }),
    says: ["scenario", '"no-such"', "paused-leader"],
  },
  {
    why: "a configuration is checked by its system",
    text: changed({ origin: { kind: "config", system: "leadership", title: "t", config: { nodes: 7 } } }),
    says: ["config.nodes"],
  },
  { why: "a stray key is named", text: changed({ hello: 1 }), says: ["hello", "only documented keys"] },
  {
    why: "an action is checked by its system, with its place",
    text: withBranches({ actions: [{ kind: "advance" }] }),
    says: ["branches[1].actions[0].toMs"],
  },
  {
    why: "an unknown action has a place",
    text: withBranches({ actions: [{ kind: "explode" }] }),
    says: ["branches[1].actions[0].kind"],
  },
  { why: "ids are taken once", text: withBranches({}, {}), says: ["branches[2].id", "not taken"] },
  { why: "there is one main branch", text: withBranches({ id: "main" }), says: ["branches[1].id"] },
  {
    why: "the main branch is the first",
    text: changed({ branches: [branch({ parent: null, forkAt: 0 })] }),
    says: ["branches[0].id", '"main"'],
  },
  {
    why: "the main branch has no parent",
    text: changed({ branches: [{ ...recording.branches[0], parent: "main" }] }),
    says: ["branches[0].parent"],
  },
  {
    why: "parents come before, so that there is no circle",
    text: withBranches({ id: "b1", parent: "b2", forkAt: 0 }, { id: "b2", parent: "b1", forkAt: 0 }),
    says: ["branches[1].parent", '"b2"'],
  },
  {
    why: "a fork is at a moment that the parent has",
    text: withBranches({ forkAt: 3 }),
    says: ["branches[1].forkAt", "0 to 2"],
  },
  {
    why: "branches are bounded",
    text: withBranches(...Array.from({ length: 64 }, (_, index) => ({ id: `b${index}` }))),
    says: ["branches", "at most 64"],
  },
  {
    why: "actions are bounded in all",
    text: withBranches(
      { actions: Array.from({ length: 50_000 }, () => ({ kind: "x" })) },
      { id: "b2", actions: Array.from({ length: 50_000 }, () => ({ kind: "x" })) },
    ),
    says: ["at most 100000 actions", "100002"],
  },
  { why: "a blank name is refused", text: withBranches({ name: "  " }), says: ["branches[1].name"] },
];

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("decodeRecording", () => {
  for (const row of refusals)
    it(row.why, () => {
      const decoded = decodeRecording(row.text, resolveOrigin);
      const words = decoded.ok ? "decoded" : decoded.error.map(sentence).join("\n");
      for (const say of row.says) expect(words).toContain(say);
      expect(words).not.toMatch(/undefined|\[object/);
    });

  it("reads what encodeRecording writes", () => {
    const forked = applyChange<{ readonly kind: string }>(recording, { kind: "fork", branch: branch({}) });
    const whole = forked.ok ? forked.value : recording;
    expect(decodeRecording(encodeRecording(whole), resolveOrigin)).toEqual({ ok: true, value: whole });
  });

  it("forgives a byte order mark", () => {
    expect(decodeRecording(`\uFEFF${encodeRecording(recording)}`, resolveOrigin).ok).toBe(true);
  });

  it("keeps names of keys that mean something to JavaScript as plain data", () => {
    const text = changed({ origin: { kind: "scenario", scenario: "paused-leader" } }).replace(
      '"origin":{',
      '"origin":{"__proto__":{"polluted":true},',
    );
    const decoded = decodeRecording(text, resolveOrigin);
    expect(decoded.ok).toBe(false);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("encodeRecording", () => {
  it("does not depend on the order of keys, and gives every action a line", () => {
    const turned: Recording = {
      branches: [
        {
          actions: [
            { toMs: 10, kind: "advance" },
            { node: "a", kind: "pause" },
          ] as never,
          forkAt: 0,
          parent: null,
          name: "as scripted",
          id: "main",
        },
      ],
      origin: { scenario: "paused-leader", kind: "scenario" },
      engine: ENGINE_VERSION,
      format: "epoch-lab-recording",
    };
    expect(encodeRecording(turned)).toBe(encodeRecording(recording));
    expect(encodeRecording(turned).split("\n")).toContain('        {"kind":"advance","toMs":10},');
  });
});

describe("parseChange", () => {
  const system = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
  const rows: readonly { readonly why: string; readonly change: unknown; readonly says: string }[] = [
    { why: "accepts a rename", change: { kind: "rename", branch: "main", name: "x" }, says: "fine" },
    {
      why: "accepts an append",
      change: { kind: "append", branch: "main", at: 2, actions: [{ kind: "delete-lease" }] },
      says: "fine",
    },
    { why: "accepts a fork", change: { kind: "fork", branch: branch({}) }, says: "fine" },
    { why: "accepts a delete", change: { kind: "delete", branch: "b1" }, says: "fine" },
    { why: "accepts an undo", change: { kind: "shorten", branch: "b1", to: 1 }, says: "fine" },
    {
      why: "refuses an action of a wrong shape, with its place",
      change: {
        kind: "append",
        branch: "main",
        at: 2,
        actions: [{ kind: "delete-lease" }, { kind: "advance" }],
      },
      says: "actions[1].toMs",
    },
    {
      why: "refuses one within a fork, too",
      change: { kind: "fork", branch: branch({ actions: [{ kind: "explode" }] }) },
      says: "branch.actions[0].kind",
    },
    {
      why: "refuses an append of nothing",
      change: { kind: "append", branch: "main", at: 2, actions: [] },
      says: "actions: expected a length of at least 1",
    },
    { why: "refuses an unknown change", change: { kind: "merge" }, says: "kind" },
    { why: "refuses what is no object", change: 7, says: "type object" },
  ];
  for (const row of rows)
    it(row.why, () => {
      if (!system.ok) throw new Error("the scenario is known");
      const parsed = parseChange(row.change, system.value.system);
      expect(parsed.ok ? "fine" : parsed.error.map(sentence).join("\n")).toContain(row.says);
    });
});

describe("momentProblem", () => {
  const rows = [
    { why: "the start is a moment", moment: { branch: "main", cursor: 0 }, says: "fine" },
    { why: "the end is a moment", moment: { branch: "main", cursor: 2 }, says: "fine" },
    { why: "beyond the end is none", moment: { branch: "main", cursor: 3 }, says: "0 to 2" },
    { why: "another branch has none", moment: { branch: "b9", cursor: 0 }, says: "one of main" },
  ];
  for (const row of rows)
    it(row.why, () => {
      const problem = momentProblem(recording, row.moment);
      expect(problem === null ? "fine" : sentence(problem)).toContain(row.says);
    });
});

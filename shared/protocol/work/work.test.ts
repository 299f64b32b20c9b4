import { describe, expect, it } from "vitest";
import {
  DEFAULT_WORK,
  IDLE_WORK,
  stepWork,
  type Work,
  type WorkConfig,
  type WorkInput,
  type WorkOutput,
} from "./work.ts";

const authority = { token: "3", acquisition: 3 };
const lead: WorkInput = { kind: "lead", authority };
const answer = (operation: number, verdict: "applied" | "stale" = "applied"): WorkInput => ({
  kind: "answer",
  operation,
  sink: 0,
  verdict,
  mark: "9",
});

interface Row {
  readonly why: string;
  readonly config: Partial<WorkConfig>;
  readonly inputs: readonly (readonly [nowMs: number, input: WorkInput])[];
  /** What the last input brings. */
  readonly outputs: readonly WorkOutput["kind"][];
  readonly then: Work["kind"];
}

const rows: readonly Row[] = [
  {
    why: "checks at once when it leads",
    config: {},
    inputs: [[0, lead]],
    outputs: ["checked", "set-timer"],
    then: "thinking",
  },
  {
    why: "warms up first",
    config: { warmUpMs: 3000 },
    inputs: [[0, lead]],
    outputs: ["set-timer"],
    then: "waiting",
  },
  {
    why: "sends what it prepared without asking again",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
    ],
    outputs: ["send", "set-timer"],
    then: "calling",
  },
  {
    why: "begins with a claim",
    config: { claim: true },
    inputs: [[0, lead]],
    outputs: ["checked", "send", "set-timer"],
    then: "calling",
  },
  {
    why: "goes on to its first operation after the claim",
    config: { claim: true },
    inputs: [
      [0, lead],
      [50, answer(0)],
    ],
    outputs: ["clear-timer", "checked", "set-timer"],
    then: "thinking",
  },
  {
    why: "rests after the last answer",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [200, answer(0)],
    ],
    outputs: ["clear-timer", "set-timer"],
    then: "waiting",
  },
  {
    why: "reports a refusal as stale",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [200, answer(0, "stale")],
    ],
    outputs: ["refused-as-stale", "clear-timer", "set-timer"],
    then: "waiting",
  },
  {
    why: "ignores an answer to an earlier operation",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [200, answer(7)],
    ],
    outputs: [],
    then: "calling",
  },
  {
    why: "gives an unanswered call up",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [5100, { kind: "timer", timer: "call" }],
    ],
    outputs: ["checked", "set-timer"],
    then: "thinking",
  },
  {
    why: "repeats an unanswered call when told to",
    config: { retry: true },
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [5100, { kind: "timer", timer: "call" }],
    ],
    outputs: ["send", "set-timer"],
    then: "calling",
  },
  {
    why: "drops what was not sent when it is cancelled",
    config: {},
    inputs: [
      [0, lead],
      [50, { kind: "cancel" }],
    ],
    outputs: ["clear-timer", "clear-timer", "clear-timer", "stopped"],
    then: "idle",
  },
  {
    why: "waits for a call that is out when it is cancelled",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [150, { kind: "cancel" }],
    ],
    outputs: [],
    then: "calling",
  },
  {
    why: "stops after that call's answer",
    config: {},
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [150, { kind: "cancel" }],
      [200, answer(0)],
    ],
    outputs: ["clear-timer", "clear-timer", "clear-timer", "stopped"],
    then: "idle",
  },
  {
    why: "cleans up for as long as it takes",
    config: { cleanupMs: 800 },
    inputs: [
      [0, lead],
      [50, { kind: "cancel" }],
    ],
    outputs: ["clear-timer", "set-timer"],
    then: "waiting",
  },
  {
    why: "ends its clean-up with a last write",
    config: { cleanupMs: 800, flush: true },
    inputs: [
      [0, lead],
      [50, { kind: "cancel" }],
      [850, { kind: "timer", timer: "work" }],
    ],
    outputs: ["send", "set-timer"],
    then: "calling",
  },
  {
    why: "ends at once when it is aborted",
    config: { cleanupMs: 800, flush: true },
    inputs: [
      [0, lead],
      [50, { kind: "cancel" }],
      [100, { kind: "abort" }],
    ],
    outputs: ["clear-timer", "clear-timer", "stopped"],
    then: "idle",
  },
  {
    why: "stops at its number of operations",
    config: { operations: 1 },
    inputs: [
      [0, lead],
      [100, { kind: "timer", timer: "work" }],
      [200, answer(0)],
    ],
    outputs: ["clear-timer"],
    then: "waiting",
  },
  {
    why: "is stopped already when it never worked",
    config: {},
    inputs: [[0, { kind: "cancel" }]],
    outputs: ["stopped"],
    then: "idle",
  },
];

describe("guarded work", () => {
  for (const row of rows)
    it(row.why, () => {
      let work: Work = IDLE_WORK;
      let outputs: readonly WorkOutput[] = [];
      for (const [nowMs, input] of row.inputs)
        [work, outputs] = stepWork({ ...DEFAULT_WORK, ...row.config }, 1, work, input, nowMs);
      expect(outputs.map((output) => output.kind)).toEqual(row.outputs);
      expect(work.kind).toBe(row.then);
    });

  it("keeps the authority that it began with", () => {
    let [work] = stepWork(DEFAULT_WORK, 1, IDLE_WORK, lead, 0);
    [work] = stepWork(
      DEFAULT_WORK,
      1,
      work,
      { kind: "authority", authority: { token: "8", acquisition: 3 } },
      50,
    );
    const [, outputs] = stepWork(DEFAULT_WORK, 1, work, { kind: "timer", timer: "work" }, 100);
    expect(outputs[0]).toMatchObject({ kind: "send", operation: { token: "3" } });
  });
});

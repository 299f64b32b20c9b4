// `play` as a team would use it: exit codes and sentences.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { encodeRecording } from "../../shared/trace/codec.ts";
import { newRecording } from "../../shared/trace/recording.ts";
import { play } from "./play.ts";

const folder = mkdtempSync(join(tmpdir(), "epoch-lab-play-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...argv: readonly string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = play(
    argv,
    (text) => out.push(text),
    (text) => errors.push(text),
  );
  return { code, out: out.join("\n"), errors: errors.join("\n") };
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const pausedActions = (() => {
  const origin = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
  return origin.ok ? origin.value.script : [];
})();
const twoNodes = {
  nodes: [{ id: "a" }, { id: "b" }],
  sinks: [{ id: "ledger", enforcement: "none" }],
};

interface Row {
  readonly why: string;
  readonly argv: readonly string[];
  readonly code: number;
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  {
    why: "the catalogue can be listed",
    argv: ["--list"],
    code: 0,
    says: /paused-leader\s+The lease moved on/,
  },
  {
    why: "no argument is refused with the usage",
    argv: [],
    code: 2,
    says: /Expected one scenario or file, got 0/,
  },
  { why: "an unknown flag is refused", argv: ["--frobnicate"], code: 2, says: /frobnicate/ },
  {
    why: "an unknown scenario names the catalogue",
    argv: ["nope"],
    code: 2,
    says: /expected one of paused-leader, .* got "nope"/,
  },
  { why: "a missing file is said", argv: [join(folder, "absent.json")], code: 2, says: /ENOENT/ },
  { why: "broken JSON is said", argv: [file("broken.json", "{")], code: 2, says: /expected JSON/ },
  {
    why: "a configuration with a misspelt key is refused",
    argv: [file("typo.json", { config: { ...twoNodes, tokn: "constant" } })],
    code: 2,
    says: /config\.tokn: expected only documented keys/,
  },
  {
    why: "an unsafe configuration names its inequality",
    argv: [file("unsafe.json", { config: { nodes: [{ id: "a", timings: { renewDeadlineMs: 14_000 } }] } })],
    code: 2,
    says: /clockRateBound x \(renewDeadline \+ drainTimeout\) < leaseDuration/,
  },
  {
    why: "an undisturbed configuration passes",
    argv: [file("fine.json", { config: twoNodes })],
    code: 0,
    says: /Verdicts as expected/,
  },
  {
    why: "a configuration that breaks an invariant fails",
    argv: [
      file("breaks.json", {
        config: {
          ...twoNodes,
          token: "constant",
          nodes: [
            { id: "a", profile: "noop" },
            { id: "b", profile: "noop" },
          ],
        },
      }),
    ],
    code: 1,
    says: /one-believer: expected "holds", got "broken"/,
  },
  {
    why: "an expected break passes",
    argv: [
      file("expected.json", {
        config: {
          nodes: [
            { id: "a", profile: "noop" },
            { id: "b", profile: "noop" },
          ],
          token: "constant",
          work: { kind: "none" },
        },
        script: [{ untilMs: 1000 }],
        expect: {
          "one-believer": "broken",
          "one-acts": "broken",
          "epochs-increase": "broken",
          "no-epoch-twice": "broken",
        },
      }),
    ],
    code: 0,
    says: /Verdicts as expected/,
  },
  {
    why: "an unknown invariant is refused",
    argv: [file("unknown.json", { config: twoNodes, expect: { nonsense: "holds" } })],
    code: 2,
    says: /expect\.nonsense: expected one of/,
  },
  {
    why: "a script line that cannot be played is named",
    argv: [
      file("script.json", {
        config: twoNodes,
        script: [{ untilMs: 100 }, { act: { kind: "resume", node: "a" } }],
      }),
    ],
    code: 2,
    says: /script\[1\].*a is not paused/,
  },
  {
    why: "an action of no known kind is refused",
    argv: [file("action.json", { config: twoNodes, script: [{ act: { kind: "explode" } }] })],
    code: 2,
    says: /script\[0\]\.act/,
  },
  {
    why: "a recording of a configuration is judged strictly",
    argv: [
      file(
        "recording.json",
        encodeRecording({
          ...newRecording(
            { kind: "config", system: "leadership", title: "t", config: { nodes: [{ id: "a" }] } },
            [],
          ),
        }),
      ),
    ],
    code: 0,
    says: /Verdicts as expected/,
  },
  {
    why: "a recording of a scenario keeps its claims",
    argv: [
      file(
        "scenario.json",
        encodeRecording(newRecording({ kind: "scenario", scenario: "paused-leader" }, pausedActions)),
      ),
    ],
    code: 0,
    says: /Verdicts as expected/,
  },
  {
    why: "a recording of another engine is refused with both numbers",
    argv: [
      file("engine.json", {
        ...newRecording({ kind: "scenario", scenario: "paused-leader" }, []),
        engine: 99,
      }),
    ],
    code: 2,
    says: /engine.*expected 1.*got 99/,
  },
  {
    why: "a recording with an impossible action says where",
    argv: [
      file(
        "impossible.json",
        encodeRecording(
          newRecording({ kind: "scenario", scenario: "paused-leader" }, [
            { kind: "resume", node: "a" } as never,
          ]),
        ),
      ),
    ],
    code: 2,
    says: /actions\[0\].*a is not paused/,
  },
];

describe("play", () => {
  for (const row of rows)
    it(row.why, () => {
      const { code, out, errors } = run(...row.argv);
      expect(`${out}\n${errors}`.replaceAll("\n", " ")).toMatch(row.says);
      expect(code).toBe(row.code);
    });

  for (const scenario of scenarios)
    it(`${scenario.id} ends as it claims`, () => {
      expect(run(scenario.id, "--quiet")).toMatchObject({ code: 0 });
    });

  it("prints one JSON object", () => {
    const { out, code } = run("paused-leader", "--json");
    const parsed = JSON.parse(out) as { ok: boolean; events: { text: string }[] };
    expect(code).toBe(0);
    expect(parsed.ok).toBe(true);
    expect(parsed.events.length).toBeGreaterThan(50);
  });
});

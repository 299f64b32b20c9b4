// `npm run play -- NAME-or-FILE`: plays a scenario, a recording or a configuration file without a browser.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { sentence, type Problem } from "../../shared/base/result.ts";
import { judgeAll } from "../../shared/invariant/catalogue.ts";
import type { Invariant, Verdict } from "../../shared/invariant/invariant.ts";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { parsePlayFile } from "../../shared/scenario/file.ts";
import { resolveOrigin, unknownScenario } from "../../shared/scenario/origin.ts";
import { playScript } from "../../shared/scenario/play.ts";
import type { ExpectedVerdicts } from "../../shared/scenario/scenario.ts";
import type { Event } from "../../shared/systems/event.ts";
import type { BaseAction, System } from "../../shared/systems/system.ts";
import { decodeRecording } from "../../shared/trace/codec.ts";
import { lineOf, MAIN_BRANCH, RECORDING_FORMAT } from "../../shared/trace/recording.ts";
import { replay } from "../../shared/trace/run.ts";

/** 0: the verdicts are as expected. 1: they are not. 2: the input cannot be played. */
type ExitCode = 0 | 1 | 2;

const USAGE = `Plays a scenario, a recording or a configuration file and judges it.

  npm run play -- NAME            a scenario of the catalogue
  npm run play -- FILE.json       a recording (exported by the lab) or a configuration file
  npm run play -- --list          the names of the catalogue

  --json           one JSON object instead of text
  --quiet          verdicts only, no narration
  --branch ID      which branch of a recording (default ${MAIN_BRANCH})

A configuration file: { "system": "leadership", "title": "…", "config": { … }, "script": [ … ], "expect": { "INVARIANT": "holds" } }.
"config" is what the lab's builder shows as JSON. Script lines: { "untilMs": 5000 }, { "untilEvent": { "kind": "crashed" } },
{ "act": { "kind": "pause", "node": "a" } }; without a script a minute passes undisturbed. What "expect" leaves out, a recording
and a configuration file are expected to keep: every invariant that must always hold.

Exit code: 0 verdicts as expected, 1 not as expected, 2 the input cannot be played.`;

/** What is to be played, whatever it came from. */
interface Playing {
  readonly title: string;
  readonly system: System<unknown, unknown, BaseAction>;
  readonly config: unknown;
  readonly actions: readonly BaseAction[];
  readonly invariants: readonly Invariant[];
  /** Verdicts by invariant; what is not named here is not judged unless `strict`. */
  readonly expect: ExpectedVerdicts;
  /** Whether every `always` invariant that `expect` does not name must hold. */
  readonly strict: boolean;
}

type Loaded =
  | { readonly ok: true; readonly playing: Playing }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const refused = (...problems: readonly Problem[]): Loaded => ({ ok: false, problems });

function load(what: string, branch: string | undefined): Loaded {
  const scenario = scenarios.find((candidate) => candidate.id === what);
  if (scenario !== undefined) {
    const origin = resolveOrigin({ kind: "scenario", scenario: what });
    if (!origin.ok) return refused(...origin.error);
    const { title, system, config, script, invariants } = origin.value;
    return {
      ok: true,
      playing: {
        title,
        system,
        config,
        actions: script,
        invariants,
        expect: scenario.verdicts,
        strict: false,
      },
    };
  }
  let text: string;
  try {
    text = readFileSync(what, "utf8");
  } catch (error) {
    const looksLikeFile = /[./\\]/.test(what);
    return refused(
      looksLikeFile
        ? {
            path: what,
            expected: "a readable file",
            got: error instanceof Error ? error.message : String(error),
            remedy: "Check the path.",
          }
        : { ...unknownScenario(what), remedy: "Choose one of them, or give the path of a file." },
    );
  }
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return refused({
      path: what,
      expected: "JSON",
      got: error instanceof Error ? error.message : String(error),
      remedy: "Export the recording again, or correct the file.",
    });
  }
  const isRecording =
    typeof input === "object" && input !== null && Reflect.get(input, "format") === RECORDING_FORMAT;
  return isRecording ? loadRecording(text, branch ?? MAIN_BRANCH) : loadFile(input);
}

function loadRecording(text: string, branch: string): Loaded {
  const recording = decodeRecording(text, resolveOrigin);
  if (!recording.ok) return refused(...recording.error);
  const origin = resolveOrigin(recording.value.origin);
  if (!origin.ok) return refused(...origin.error);
  if (!recording.value.branches.some((candidate) => candidate.id === branch))
    return refused({
      path: "--branch",
      expected: `one of ${recording.value.branches.map((candidate) => candidate.id).join(", ")}`,
      got: JSON.stringify(branch),
      remedy: "Name a branch that the recording has.",
    });
  const { title, system, config, invariants, scenario } = origin.value;
  return {
    ok: true,
    playing: {
      title,
      system,
      config,
      actions: lineOf(recording.value, branch),
      invariants,
      expect: scenario === null || branch !== MAIN_BRANCH ? {} : scenario.verdicts,
      strict: scenario === null || branch !== MAIN_BRANCH,
    },
  };
}

function loadFile(input: unknown): Loaded {
  const file = parsePlayFile(input);
  if (!file.ok) return refused(...file.error);
  const { title, system, config, script, invariants, expect } = file.value;
  const actions = playScript(system, config, script as never);
  if (!actions.ok)
    return refused({
      path: `script[${actions.error.line}]`,
      expected: "a line that can be played",
      got: actions.error.reason,
      remedy: "Correct this line or those before it.",
    });
  return {
    ok: true,
    playing: { title, system, config, actions: actions.value, invariants, expect, strict: true },
  };
}

/** Verdicts that are not as expected, each as a sentence. */
function surprises(playing: Playing, verdicts: readonly Verdict[]): readonly string[] {
  return verdicts.flatMap((verdict) => {
    const wanted =
      playing.expect[verdict.invariant] ??
      (playing.strict && verdict.modality === "always" ? "holds" : undefined);
    return wanted === undefined || wanted === verdict.kind
      ? []
      : [`${verdict.invariant}: expected "${wanted}", got "${verdict.kind}".`];
  });
}

function line(event: Event, playing: Playing): string {
  const at = (event.at / 1000).toFixed(2).padStart(8);
  return `${at}  ${event.lane.padEnd(10)}  ${playing.system.narrate(event)}`;
}

const MARKS: Readonly<Record<Verdict["kind"], string>> = {
  holds: "holds",
  broken: "BROKEN",
  reached: "reached",
  "not-reached": "not reached",
  unobserved: "unobserved",
};

export function play(
  argv: readonly string[],
  print: (text: string) => void,
  complain: (text: string) => void,
): ExitCode {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        quiet: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        branch: { type: "string" },
      },
    });
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.list) {
    for (const scenario of scenarios) print(`${scenario.id.padEnd(28)} ${scenario.question}`);
    return 0;
  }
  const [what] = positionals;
  if (what === undefined || positionals.length > 1) {
    complain(`Expected one scenario or file, got ${positionals.length}.\n\n${USAGE}`);
    return 2;
  }
  const loaded = load(what, values.branch);
  if (!loaded.ok) {
    if (values.json) print(JSON.stringify({ ok: false, problems: loaded.problems }, null, 2));
    else for (const problem of loaded.problems) complain(sentence(problem));
    return 2;
  }
  const { playing } = loaded;
  const run = replay(playing.system, playing.config, playing.actions);
  if (!run.ok) {
    const { index, action, reason } = run.error;
    const problem: Problem = {
      path: `actions[${index}]`,
      expected: "an action that can happen there",
      got: JSON.stringify(action),
      remedy: reason,
    };
    if (values.json) print(JSON.stringify({ ok: false, problems: [problem] }, null, 2));
    else complain(sentence(problem));
    return 2;
  }
  const { events } = run.value;
  const verdicts = judgeAll(playing.invariants, events);
  const unexpected = surprises(playing, verdicts);
  if (values.json) {
    print(
      JSON.stringify(
        {
          ok: unexpected.length === 0,
          title: playing.title,
          actions: playing.actions.length,
          verdicts,
          unexpected,
          ...(values.quiet
            ? {}
            : {
                events: events.map((event) => ({ ...event, text: playing.system.narrate(event) })),
              }),
        },
        null,
        2,
      ),
    );
    return unexpected.length === 0 ? 0 : 1;
  }
  print(playing.title);
  if (!values.quiet) for (const event of events) print(line(event, playing));
  print("");
  for (const verdict of verdicts) {
    const when = "at" in verdict ? ` at ${(verdict.at / 1000).toFixed(2)} s` : "";
    print(`${MARKS[verdict.kind].padEnd(12)} ${verdict.claim}${when}  [${verdict.invariant}]`);
  }
  print("");
  for (const text of unexpected) print(text);
  print(unexpected.length === 0 ? "Verdicts as expected." : "Verdicts not as expected.");
  return unexpected.length === 0 ? 0 : 1;
}

// Run as a command, not when a test imports it.
if (process.argv[1] !== undefined && /play\.(ts|js)$/.test(process.argv[1]))
  process.exitCode = play(
    process.argv.slice(2),
    (text) => console.log(text),
    (text) => console.error(text),
  );

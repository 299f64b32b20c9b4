// `npm run explore -- --scenario paused-leader --faults pause=1`: searches a configuration for the shortest way to break
// an invariant, or for a proof within bounds that there is none.
import { readFileSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { unreachable } from "../../shared/base/assert.ts";
import { sentence, type Problem } from "../../shared/base/result.ts";
import {
  advance,
  counterexample,
  createSearch,
  progressOf,
  report,
  stop,
  type Report,
} from "../../shared/explore/explore.ts";
import { DEFAULT_BOUNDS, type Question } from "../../shared/explore/question.ts";
import type { Counts } from "../../shared/explore/core.ts";
import type { Invariant } from "../../shared/invariant/invariant.ts";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { parsePlayFile } from "../../shared/scenario/file.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import type { BaseAction, System } from "../../shared/systems/system.ts";
import { encodeRecording } from "../../shared/trace/codec.ts";
import type { Origin } from "../../shared/trace/recording.ts";
import { replay } from "../../shared/trace/run.ts";

/** 0: searched to the end of its bounds, nothing broken. 1: broken. 2: the question cannot be asked. 3: stopped early. */
export type ExitCode = 0 | 1 | 2 | 3;

const USAGE = `Searches every run of a configuration, within bounds, for the shortest one that breaks an invariant.

  npm run explore -- --scenario NAME [--faults pause=1,crash=1]
  npm run explore -- --config FILE   a configuration file, as "npm run play" takes it
  npm run explore -- --list          scenarios, and the faults and invariants to choose from

  --faults KIND=N,…    how often each kind of fault may happen in a run (default: none)
  --invariant ID,…     what must not be broken; "all" for every one (default: what reaches the sinks)
  --horizon TIME       virtual time a run may take: 500ms, 30s, 2m, or none (default 1m)
  --depth N            how many things may happen in a run, waiting not counted (default: no bound)
  --states N           stop after so many states (default ${DEFAULT_BOUNDS.states})
  --memory SIZE        stop before more memory is taken, as in 500MB or 2GB (default 1500MB)
  --moments unit|due   try what may happen at any moment at every unit of time (default), or only when something is due
  --unit TIME          the unit (default: the largest that divides the configured times)
  --rates N,…          rates in permille that a clock may change to, for --faults clock=1
  --out FILE           write the counterexample as a recording, for the lab or "npm run play"
  --json               one JSON object on stdout
  --quiet              no progress on stderr

Exit code: 0 searched to the end and not broken, 1 broken, 2 the question cannot be asked, 3 stopped early.`;

/** What is searched, whatever it came from. */
interface Subject {
  readonly title: string;
  readonly system: System<unknown, unknown, BaseAction>;
  readonly config: unknown;
  readonly invariants: readonly Invariant[];
  readonly origin: Origin;
}

type Loaded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const refused = (...problems: readonly Problem[]): { ok: false; problems: readonly Problem[] } => ({
  ok: false,
  problems,
});

export interface Terminal {
  print(text: string): void;
  complain(text: string): void;
  /** Called for each line of progress; null for no progress. */
  readonly progress: ((text: string) => void) | null;
  /** Aborts when the user stops the search. */
  readonly signal: AbortSignal | null;
  nowMs(): number;
}

const OPTIONS = {
  scenario: { type: "string" },
  config: { type: "string" },
  faults: { type: "string", default: "" },
  invariant: { type: "string", default: "" },
  horizon: { type: "string", default: "" },
  depth: { type: "string", default: "" },
  states: { type: "string", default: "" },
  memory: { type: "string", default: "" },
  moments: { type: "string", default: "unit" },
  unit: { type: "string", default: "" },
  rates: { type: "string", default: "" },
  out: { type: "string" },
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parse>["values"];

const parse = (argv: readonly string[]) =>
  parseArgs({ args: [...argv], allowPositionals: false, options: OPTIONS });

export async function explore(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { print, complain } = terminal;
  let values: Values;
  try {
    ({ values } = parse(argv));
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.list) {
    list(print);
    return 0;
  }
  const refuse = (problems: readonly Problem[]): ExitCode => {
    if (values.json) print(JSON.stringify({ ok: false, problems }, null, 2));
    else for (const problem of problems) complain(sentence(problem));
    return 2;
  };
  const subject = load(values);
  if (!subject.ok) return refuse(subject.problems);
  const { title, system, config, origin } = subject.value;
  const asked = questionFrom(values, subject.value);
  if (!asked.ok) return refuse(asked.problems);
  const search = createSearch(system, config, asked.value);
  if (!search.ok) return refuse(search.error);

  const startedMs = terminal.nowMs();
  let saidMs = startedMs;
  while (advance(search.value, 5_000)) {
    const nowMs = terminal.nowMs();
    if (terminal.progress !== null && !values.quiet && nowMs - saidMs >= 1000) {
      saidMs = nowMs;
      terminal.progress(progressLine(progressOf(search.value), nowMs - startedMs));
    }
    // Gives a signal the chance to be heard.
    await setImmediate();
    if (terminal.signal?.aborted === true) stop(search.value);
  }
  const tookMs = terminal.nowMs() - startedMs;
  const found = report(search.value);
  if (found.verdict.kind === "violation" && values.out !== undefined) {
    const recording = counterexample(origin, [], found.verdict);
    try {
      writeFileSync(values.out, encodeRecording(recording));
    } catch (error) {
      return refuse([
        {
          path: "--out",
          expected: "a file that can be written",
          got: error instanceof Error ? error.message : String(error),
          remedy: "Check the path; the search has found a counterexample.",
        },
      ]);
    }
  }
  if (values.json) print(JSON.stringify(jsonOf(title, found, tookMs, values.out ?? null), null, 2));
  else tell(print, subject.value, found, tookMs, values.out ?? null);
  return exitCodeOf(found);
}

export function exitCodeOf({ verdict }: Report): ExitCode {
  switch (verdict.kind) {
    case "exhausted":
      return 0;
    case "violation":
      return 1;
    case "stopped":
      return 3;
    default:
      return unreachable(verdict);
  }
}

// --- what was asked -----------------------------------------------------------------------------------------------

function load(values: Values): Loaded<Subject> {
  if ((values.scenario === undefined) === (values.config === undefined))
    return refused({
      path: "",
      expected: "either --scenario NAME or --config FILE",
      got: values.scenario === undefined ? "neither" : "both",
      remedy: "See --help.",
    });
  if (values.scenario !== undefined) {
    const facts: Origin = { kind: "scenario", scenario: values.scenario };
    const origin = resolveOrigin(facts);
    if (!origin.ok) return refused(...origin.error);
    const { title, system, config, invariants } = origin.value;
    return { ok: true, value: { title, system, config, invariants, origin: facts } };
  }
  const path = values.config ?? "";
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return refused({
      path,
      expected: "a readable file of JSON",
      got: error instanceof Error ? error.message : String(error),
      remedy: 'Check the path, or correct the file; the format is that of "npm run play -- --help".',
    });
  }
  const file = parsePlayFile(input);
  if (!file.ok) return refused(...file.error);
  const { title, system, config, invariants } = file.value;
  return {
    ok: true,
    value: {
      title,
      system,
      config,
      invariants,
      origin: { kind: "config", system: system.id, title, config },
    },
  };
}

function questionFrom(values: Values, subject: Subject): Loaded<Question<unknown>> {
  const problems: Problem[] = [];
  const number = (name: string, text: string, fallback: number | null): number | null => {
    if (text === "") return fallback;
    if (/^[0-9]{1,9}$/.test(text)) return Number(text);
    problems.push({
      path: `--${name}`,
      expected: "a whole number",
      got: JSON.stringify(text),
      remedy: "Write it in digits.",
    });
    return fallback;
  };
  const time = (name: string, text: string, fallback: number | null): number | null => {
    if (text === "") return fallback;
    if (text === "none" && name === "horizon") return null;
    const ms = parseTime(text);
    if (ms !== null) return ms;
    problems.push({
      path: `--${name}`,
      expected: "a time such as 500ms, 30s or 2m",
      got: JSON.stringify(text),
      remedy: "Write a number and its unit.",
    });
    return fallback;
  };
  const faults: Record<string, number> = {};
  for (const item of values.faults.split(",").filter((text) => text !== "")) {
    const [, name, count] = /^([a-z-]+)=([0-9]{1,3})$/.exec(item) ?? [];
    if (name === undefined || count === undefined)
      problems.push({
        path: "--faults",
        expected: "KIND=N, as in pause=1,crash=2",
        got: JSON.stringify(item),
        remedy: "See --list for the kinds.",
      });
    else faults[name] = Number(count);
  }
  if (values.moments !== "unit" && values.moments !== "due")
    problems.push({
      path: "--moments",
      expected: '"unit" or "due"',
      got: JSON.stringify(values.moments),
      remedy: "unit tries every moment, due is faster and proves nothing.",
    });
  const memory = values.memory === "" ? DEFAULT_BOUNDS.memoryBytes : parseSize(values.memory);
  if (memory === null)
    problems.push({
      path: "--memory",
      expected: "a size such as 500MB or 2GB",
      got: JSON.stringify(values.memory),
      remedy: "Write a number and its unit.",
    });
  const { system, config, invariants } = subject;
  const judge =
    values.invariant === "all"
      ? invariants.filter(({ modality }) => modality === "always").map(({ id }) => id)
      : values.invariant === ""
        ? (system.search?.usual(config) ?? invariants.map(({ id }) => id))
        : values.invariant.split(",");
  const value: Question<unknown> = {
    invariants,
    judge,
    faults,
    bounds: {
      horizonMs: time("horizon", values.horizon, DEFAULT_BOUNDS.horizonMs),
      depth: number("depth", values.depth, null),
      states: number("states", values.states, DEFAULT_BOUNDS.states) ?? DEFAULT_BOUNDS.states,
      memoryBytes: memory ?? DEFAULT_BOUNDS.memoryBytes,
    },
    moments: values.moments === "due" ? "due" : "unit",
    unitMs: time("unit", values.unit, null),
    ratesPermille: values.rates
      .split(",")
      .filter((text) => text !== "")
      .map((text) => number("rates", text, 1000) ?? 1000),
    from: null,
    form: "reduced",
  };
  return problems.length > 0 ? refused(...problems) : { ok: true, value };
}

export function parseTime(text: string): number | null {
  const [, digits, unit] = /^([0-9]{1,9})(ms|s|m)$/.exec(text) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * (unit === "m" ? 60_000 : unit === "s" ? 1000 : 1);
}

export function parseSize(text: string): number | null {
  const [, digits, unit] = /^([0-9]{1,9})(MB|GB)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * (unit?.toUpperCase() === "GB" ? 1e9 : 1e6);
}

// --- what was found -----------------------------------------------------------------------------------------------

const count = (value: number): string => value.toLocaleString("en-GB");
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const plural = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;

function progressLine(counts: Counts, tookMs: number): string {
  const rate = Math.round((counts.states / Math.max(1, tookMs)) * 1000);
  return (
    `${seconds(tookMs)}: ${plural(counts.states, "state")}, ${plural(counts.transitions, "transition")}, ` +
    `depth ${counts.depth}, ${count(counts.frontier)} waiting, ${count(rate)} states/s, ${Math.round(counts.bytes / 1e6)} MB`
  );
}

function faultsText(faults: Readonly<Record<string, number>>): string {
  const used = Object.entries(faults).filter(([, times]) => times > 0);
  return used.length === 0 ? "no fault" : used.map(([name, times]) => `${times} × ${name}`).join(", ");
}

function tell(
  print: (text: string) => void,
  { title, system, config }: Subject,
  found: Report,
  tookMs: number,
  out: string | null,
): void {
  const { verdict, counts, bounds, time } = found;
  print(title);
  print(`Judged: ${found.judged.join(", ")}. Allowed: ${faultsText(found.faults)}.`);
  print("");
  switch (verdict.kind) {
    case "violation": {
      print(`BROKEN: ${verdict.claim}  [${verdict.invariant}]`);
      print(
        `It takes ${plural(verdict.length, "step")} and ${faultsText(verdict.faults)}; broken at ${seconds(verdict.atMs)}. No run of fewer steps breaks it.`,
      );
      print("");
      const run = replay(system, config, verdict.actions);
      if (run.ok)
        for (const event of run.value.events)
          print(
            `${(event.at / 1000).toFixed(2).padStart(8)}  ${event.lane.padEnd(10)}  ${system.narrate(event)}`,
          );
      print("");
      print(out === null ? "--out FILE writes it as a recording." : `Written to ${out}.`);
      break;
    }
    case "exhausted":
      print(
        verdict.complete
          ? "HOLDS: every run was searched to its end, however long it takes."
          : `HOLDS within the bounds: every run was searched up to ${boundsText(bounds, verdict.cut)}.`,
      );
      break;
    case "stopped":
      print(
        `STOPPED EARLY by ${stoppedText(verdict.by, bounds)}: nothing is known about the ${plural(counts.frontier, "state")} left. This is no proof.`,
      );
      break;
    default:
      unreachable(verdict);
  }
  print("");
  print(
    `${plural(counts.states, "state")}, ${plural(counts.transitions, "transition")}, depth ${counts.depth}, widest level ${count(counts.widest)}, in ${seconds(tookMs)} ` +
      `(${count(Math.round((counts.states / Math.max(1, tookMs)) * 1000))} states/s, ${Math.round(counts.bytes / counts.states)} bytes a state, ${plural(counts.performed, "step")} of the engine).`,
  );
  print(
    `Time: units of ${time.unitMs} ms${time.moments === "due" ? ", where something is due only" : ""}; ${time.exact ? "exact" : "not exact"}.`,
  );
  for (const why of time.inexact) print(`  ${why}`);
  for (const what of found.reductions) print(`  ${what}`);
  for (const id of found.neverReached)
    print(`Never reached: ${id}. What it stands for was tried by no run of this search.`);
}

function boundsText(
  bounds: Report["bounds"],
  cut: { readonly horizon: number; readonly depth: number },
): string {
  const parts: string[] = [];
  if (cut.horizon > 0 && bounds.horizonMs !== null)
    parts.push(`${seconds(bounds.horizonMs)} of virtual time`);
  if (cut.depth > 0 && bounds.depth !== null) parts.push(plural(bounds.depth, "step"));
  return parts.join(" and ");
}

function stoppedText(by: "states" | "memory" | "user", bounds: Report["bounds"]): string {
  switch (by) {
    case "states":
      return `the bound of ${plural(bounds.states, "state")}`;
    case "memory":
      return `the bound of ${Math.round(bounds.memoryBytes / 1e6)} MB`;
    case "user":
      return "the user";
    default:
      return unreachable(by);
  }
}

function jsonOf(title: string, found: Report, tookMs: number, out: string | null) {
  return {
    ok: found.verdict.kind === "exhausted",
    title,
    ...found,
    tookMs,
    statesPerSecond: Math.round((found.counts.states / Math.max(1, tookMs)) * 1000),
    recording: found.verdict.kind === "violation" ? out : null,
  };
}

function list(print: (text: string) => void): void {
  print("Scenarios:");
  for (const scenario of scenarios) print(`  ${scenario.id.padEnd(28)} ${scenario.question}`);
  const [first] = scenarios;
  const origin = first === undefined ? null : resolveOrigin({ kind: "scenario", scenario: first.id });
  if (origin === null || !origin.ok) return;
  print("");
  print("Faults and acts for --faults:");
  for (const { name, title } of origin.value.system.search?.budgets ?? [])
    print(`  ${name.padEnd(28)} ${title}`);
  print("");
  print(`Invariants for --invariant, as ${first?.id ?? ""} has them:`);
  for (const { id, modality, claim } of origin.value.invariants)
    if (modality === "always") print(`  ${id.padEnd(28)} ${claim}`);
}

// Run as a command, not when a test imports it.
if (process.argv[1] !== undefined && /explore\.(ts|js)$/.test(process.argv[1])) {
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  process.once("SIGTERM", () => stopping.abort());
  process.exitCode = await explore(process.argv.slice(2), {
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
    progress: (text) => console.error(text),
    signal: stopping.signal,
    nowMs: () => Date.now(),
  });
}

// Compares the engine's master consumer with transcripts of the published rust-camel crates.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { failed, ok, sentence, type Problem, type Result } from "../../../shared/base/result.ts";
import type { MasterVariant } from "../../../shared/protocol/master/contract.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { simulate, type Line, type Tosses } from "./simulate.ts";

/** The first place where a play differs from its transcript. */
export interface CamelDifference {
  readonly t: number;
  /** The transcript's line; null: it has ended. */
  readonly expected: string | null;
  /** The play's line; null: it has ended. */
  readonly got: string | null;
}

export interface CamelComparison {
  /** Name of the transcript file. */
  readonly transcript: string;
  readonly variant: MasterVariant;
  readonly lines: number;
  /** Null: equal. */
  readonly difference: CamelDifference | null;
}

interface Note {
  readonly name: string;
  readonly why: string;
}

export interface CamelReport {
  readonly comparisons: readonly CamelComparison[];
  /** What was given and is not compared, with the reason. */
  readonly leftOut: readonly Note[];
  /** What should have been compared and could not be read. */
  readonly unreadable: readonly Note[];
}

/** What the comparison leaves out, and why. Everything else in a transcript must be equal. */
export const LEFT_OUT: readonly { readonly id: string; readonly what: string; readonly why: string }[] = [
  {
    id: "order",
    what: "the order of lines that carry the same millisecond",
    why: "which of several tasks runs first is an accident of the crates' scheduler; both sides are sorted",
  },
  {
    id: "route",
    what: "mode route (`*.route.jsonl`)",
    why: "a route's controller, status words and commands are not part of the consumer",
  },
  {
    id: "program",
    what: "schedules of the `k8s` and `both` programs",
    why: "they are about electors, not about the consumer",
  },
  {
    id: "keys",
    what: "schedules with `start_ms` or `start_error` of the election, `send_cancellable`, or a panic",
    why: "the engine has no such delegate and no election that is slow to join; such a schedule is reported as unreadable",
  },
];

/** How far the coins of {@link Tosses} are tried where a transcript does not come up with all of them at 0. */
const TOSSES_MAX = 6;

/**
 * Compares every transcript with the schedule that it was made from.
 * @param schedulesPaths schedules, or folders of them (folders inside are searched too).
 * @param transcriptsPath a transcript, or a folder of them.
 */
export function compareCamel(
  schedulesPaths: string | readonly string[],
  transcriptsPath: string,
): CamelReport {
  const files = [schedulesPaths].flat().flatMap((path) => filesUnder(path, ".json"));
  const schedules = new Map(files.map((file) => [basename(file, ".json"), file]));
  const comparisons: CamelComparison[] = [];
  const leftOut: Note[] = [];
  const unreadable: Note[] = [];
  const missing = new Set(schedules.keys());
  for (const file of filesUnder(transcriptsPath, ".jsonl")) {
    const name = basename(file);
    const [, stem = "", mode] = /^(.*?)(?:\.(consumer|route))?(?:\.seed\d+)?\.jsonl$/.exec(name) ?? [];
    const schedule = schedules.get(stem);
    if (schedule === undefined) {
      leftOut.push({ name, why: `no schedule ${stem}.json was given` });
      continue;
    }
    missing.delete(stem);
    if (mode !== "consumer") {
      const row = LEFT_OUT.find(({ id }) => id === (mode ?? "program"));
      leftOut.push({ name, why: `${row?.what}: ${row?.why}` });
      continue;
    }
    const parsed = parseSchedule(readFileSync(schedule, "utf8"));
    const lines = parseTranscript(readFileSync(file, "utf8"));
    if (!parsed.ok) unreadable.push({ name: basename(schedule), why: parsed.error.map(sentence).join(" ") });
    else if (!lines.ok) unreadable.push({ name, why: lines.error.map(sentence).join(" ") });
    else
      comparisons.push({
        transcript: name,
        ...compareLines(parsed.value, lines.value, variantOf(file, lines.value)),
      });
  }
  for (const stem of missing) unreadable.push({ name: `${stem}.json`, why: "no transcript of it was given" });
  return { comparisons, leftOut, unreadable };
}

/** Compares one play of a schedule with a transcript, trying all falls of the crates' coins. */
export function compareLines(
  schedule: Schedule,
  expected: readonly Line[],
  variant: MasterVariant,
): Omit<CamelComparison, "transcript"> {
  const head = { variant, lines: expected.length };
  let furthest: CamelDifference | null = null;
  for (const tosses of tossesFor(schedule)) {
    const difference = firstDifference(expected, simulate(schedule, variant, tosses));
    if (difference === null) return { ...head, difference: null };
    if (furthest === null || difference.t > furthest.t) furthest = difference;
  }
  return { ...head, difference: furthest };
}

/** Parses a transcript: JSON lines with a time and an event. */
export function parseTranscript(text: string): Result<readonly Line[]> {
  const problems: Problem[] = [];
  const lines = text.split("\n").flatMap((line, index): readonly Line[] => {
    if (line === "") return [];
    const value = parseJson(line);
    if (isLine(value)) return [value];
    problems.push({
      path: `line ${index + 1}`,
      expected: 'a JSON object with "t" and "event"',
      got: line.slice(0, 60),
      remedy: "Record the transcript again.",
    });
    return [];
  });
  return problems.length > 0 ? failed(problems) : ok(lines);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const isLine = (value: unknown): value is Line =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "t") === "number" &&
  typeof Reflect.get(value, "event") === "string";

/** All falls of the coins, plainest first. Where no route is cancelled there are none. */
function* tossesFor(schedule: Schedule): Generator<Tosses> {
  const max = schedule.actions.some((action) => action.do === "cancel") ? TOSSES_MAX : 0;
  for (let bridgePasses = 0; bridgePasses <= max; bridgePasses += 1)
    for (let pipelinePasses = 0; pipelinePasses <= max; pipelinePasses += 1)
      yield { bridgePasses, pipelinePasses };
}

/** Which generation wrote a transcript: by its folder's name, else by what only one of them prints. */
function variantOf(file: string, lines: readonly Line[]): MasterVariant {
  if (/[\\/]0\.33\.0[\\/]/.test(file)) return "camel-first";
  if (/[\\/]0\.64\.0[\\/]/.test(file)) return "camel-hardened";
  const placeholder = (line: Line) => String(line["msg"]).startsWith("metrics emission placeholder");
  return lines.some(placeholder) ? "camel-first" : "camel-hardened";
}

/** The first place where two transcripts differ, each sorted within a millisecond. */
export function firstDifference(expected: readonly Line[], got: readonly Line[]): CamelDifference | null {
  const left = sorted(expected);
  const right = sorted(got);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const a = left[index];
    const b = right[index];
    if (a === undefined && b === undefined) return null;
    if (a?.text !== b?.text)
      return {
        t: Math.min(a?.t ?? Infinity, b?.t ?? Infinity),
        expected: a?.text ?? null,
        got: b?.text ?? null,
      };
  }
  return null;
}

interface Sorted {
  readonly t: number;
  readonly text: string;
}

const sorted = (lines: readonly Line[]): readonly Sorted[] =>
  lines.map((line) => ({ t: line.t, text: canonical(line) })).toSorted(order);

const order = (a: Sorted, b: Sorted): number => a.t - b.t || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);

/** JSON with its keys in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}

function filesUnder(path: string, ending: string): readonly string[] {
  if (!statSync(path).isDirectory()) return path.endsWith(ending) ? [path] : [];
  return readdirSync(path, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? filesUnder(inner, ending) : entry.name.endsWith(ending) ? [inner] : [];
    });
}

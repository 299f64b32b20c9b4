// Compares the engine's master consumer with transcripts of the published rust-camel crates.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sentence } from "../../../shared/base/result.ts";
import type { MasterVariant } from "../../../shared/protocol/master/contract.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { simulate, type Line, type Tosses } from "./simulate.ts";

/** The first place where a play differs from its transcript. */
export interface CamelDifference {
  readonly t: number;
  /** The transcript's line; null: the play has one line too many. */
  readonly expected: string | null;
  /** The play's line; null: it is missing. */
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

export interface CamelReport {
  readonly comparisons: readonly CamelComparison[];
  /** What was given and not compared, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

/** What the comparison leaves out, and why. Everything else in a transcript must be equal. */
export const LEFT_OUT: readonly { readonly what: string; readonly why: string }[] = [
  {
    what: "the order of lines that carry the same millisecond",
    why: "which of several tasks runs first is an accident of the crates' scheduler; both sides are sorted",
  },
  {
    what: "mode route (`*.route.jsonl`)",
    why: "a route's controller, status words and commands are not part of the consumer",
  },
  {
    what: "schedules of the `k8s` and `both` programs",
    why: "they are about electors, not about the consumer",
  },
];

/** How far the coins of {@link Tosses} are tried where a transcript does not come up with all of them at 0. */
const TOSSES_MAX = 6;

/**
 * Compares every transcript that belongs to a schedule.
 * @param schedulesPath a schedule, or a folder of them (folders inside are searched too).
 * @param transcriptsPath a transcript, or a folder of them.
 */
export function compareCamel(schedulesPath: string, transcriptsPath: string): CamelReport {
  const schedules = new Map(
    filesUnder(schedulesPath, ".json").map((file) => [basename(file, ".json"), file]),
  );
  const comparisons: CamelComparison[] = [];
  const leftOut: { name: string; why: string }[] = [];
  const used = new Set<string>();
  for (const file of filesUnder(transcriptsPath, ".jsonl")) {
    const name = basename(file);
    const [, stem = "", mode = ""] = /^(.*?)(?:\.(consumer|route))?(?:\.seed\d+)?\.jsonl$/.exec(name) ?? [];
    const schedule = schedules.get(stem);
    if (schedule === undefined) {
      leftOut.push({ name, why: `no schedule of the name ${stem}.json was given` });
      continue;
    }
    used.add(stem);
    if (mode !== "consumer") {
      const what = LEFT_OUT[mode === "route" ? 1 : 2];
      leftOut.push({ name, why: `${what?.what ?? mode}: ${what?.why ?? ""}` });
      continue;
    }
    const parsed = parseSchedule(readFileSync(schedule, "utf8"));
    if (parsed.ok) comparisons.push(compareOne(parsed.value, file));
    else leftOut.push({ name, why: parsed.error.map(sentence).join(" ") });
  }
  for (const stem of schedules.keys())
    if (!used.has(stem)) leftOut.push({ name: `${stem}.json`, why: "no transcript of this name was given" });
  return { comparisons, leftOut };
}

/** Compares one transcript with the schedule that it was made from. */
export function compareOne(schedule: Schedule, transcriptFile: string): CamelComparison {
  const expected = readFileSync(transcriptFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  const variant = variantOf(transcriptFile, expected);
  const head = { transcript: basename(transcriptFile), variant, lines: expected.length };
  let first: CamelDifference | null = null;
  for (const tosses of tossesFor(schedule)) {
    const difference = firstDifference(expected, simulate(schedule, variant, tosses));
    if (difference === null) return { ...head, difference: null };
    if (first === null || difference.t > first.t) first = difference;
  }
  return { ...head, difference: first };
}

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

export function firstDifference(expected: readonly Line[], got: readonly Line[]): CamelDifference | null {
  const left = sorted(expected);
  const right = sorted(got);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const a = left[index];
    const b = right[index];
    if (a === undefined && b === undefined) return null;
    if (a?.text === b?.text) continue;
    // The side whose line comes later lacks the other's.
    if (a === undefined || (b !== undefined && order(b, a) < 0))
      return { t: b?.t ?? 0, expected: null, got: b?.text ?? null };
    if (b === undefined || a.t < b.t) return { t: a.t, expected: a.text, got: null };
    return { t: a.t, expected: a.text, got: b.text };
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
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? filesUnder(inner, ending) : entry.name.endsWith(ending) ? [inner] : [];
    });
}

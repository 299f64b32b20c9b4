// Plays every checked-in schedule through the `client-go` profile and compares it with what the real client-go did.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sentence, type Result } from "../../shared/base/result.ts";
import { firstDifference } from "./match.ts";
import { parseSchedules, type Schedule } from "./schedule.ts";
import { lineText, parseTranscript, type Line } from "./transcript.ts";

const here = import.meta.dirname;

function value<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.error.map(sentence).join("\n"));
}

const schedulesOf = (file: string): readonly Schedule[] =>
  value(parseSchedules(readFileSync(join(here, "schedules", file), "utf8")));

const transcriptOf = (name: string): readonly Line[] =>
  value(parseTranscript(readFileSync(join(here, "transcripts", `${name}.jsonl`), "utf8")));

const files = readdirSync(join(here, "schedules")).toSorted();
const everySchedule = files.flatMap(schedulesOf);

for (const file of files)
  describe(`as the real client-go: ${file}`, () => {
    for (const schedule of schedulesOf(file))
      it(schedule.name, () => {
        expect(firstDifference(schedule, transcriptOf(schedule.name))).toBeNull();
      });
  });

it("has a schedule for every transcript, and twenty at least", () => {
  const recorded = readdirSync(join(here, "transcripts")).toSorted();
  expect(recorded).toEqual(everySchedule.map(({ name }) => `${name}.jsonl`).toSorted());
  expect(recorded.length).toBeGreaterThanOrEqual(20);
});

interface Forgery {
  readonly why: string;
  readonly schedule: string;
  readonly forge: (lines: readonly Line[]) => readonly Line[];
}

const indexOf = (lines: readonly Line[], part: string, nth = 0): number => {
  const found = lines.flatMap((line, index) => (lineText(line).includes(part) ? [index] : []))[nth];
  if (found === undefined) throw new Error(`No line ${nth} with ${part}`);
  return found;
};

const changed = (lines: readonly Line[], part: string, change: (line: Line) => Line): readonly Line[] => {
  const at = indexOf(lines, part);
  return lines.map((line, index) => (index === at ? change(line) : line));
};

const forgeries: readonly Forgery[] = [
  {
    why: "a renewal one millisecond late",
    schedule: "healthy",
    forge: (lines) => changed(lines, '"t":2,"ev":"request"', (line) => ({ ...line, atMs: line.atMs + 1 })),
  },
  {
    why: "a request that is missing",
    schedule: "healthy",
    forge: (lines) => lines.toSpliced(indexOf(lines, '"t":4,"ev":"request"'), 1),
  },
  {
    why: "a line that is doubled",
    schedule: "cut-leader",
    forge: (lines) => {
      const at = indexOf(lines, '"ev":"stopped","node":"a"');
      return lines.toSpliced(at, 0, ...lines.slice(at, at + 1));
    },
  },
  {
    why: "another answer",
    schedule: "update-500",
    forge: (lines) =>
      changed(lines, '"code":500', (line) => ({
        ...line,
        happening: { ev: "answer", node: "a", verb: "update", code: 409 },
      })),
  },
  {
    why: "another number of transitions",
    schedule: "cut-leader",
    forge: (lines) =>
      changed(lines, '"holder":"b"', (line) =>
        line.happening.ev === "commit" ? { ...line, happening: { ...line.happening, transitions: 2 } } : line,
      ),
  },
  {
    why: "an answer before its commit",
    schedule: "healthy",
    forge: (lines) => {
      const at = indexOf(lines, '"t":2,"ev":"commit"');
      const [commit, answer] = lines.slice(at, at + 2);
      if (commit === undefined || answer === undefined) throw new Error("No two lines to swap");
      return lines.toSpliced(at, 2, answer, commit);
    },
  },
  {
    why: "a callback that never came",
    schedule: "release",
    forge: (lines) => lines.toSpliced(indexOf(lines, '"ev":"started","node":"b"'), 1),
  },
  {
    why: "an attempt of a waiting node before its retry period",
    schedule: "cut-follower",
    forge: (lines) => {
      const at = indexOf(lines, '"node":"b"', -1 + countOf(lines, '"ev":"request","node":"b"'));
      const early: Line = { atMs: 1500, happening: { ev: "request", node: "b", verb: "get" } };
      const rest = lines.toSpliced(at, 1);
      return rest.toSpliced(indexOf(rest, '"t":2,'), 0, early);
    },
  },
  {
    why: "a transcript that ends early",
    schedule: "release",
    forge: (lines) => lines.slice(0, -1),
  },
  {
    why: "a transcript that goes on",
    schedule: "release",
    forge: (lines) => [...lines, { atMs: 30_000, happening: { ev: "stopped", node: "b" } }],
  },
];

function countOf(lines: readonly Line[], part: string): number {
  return lines.filter((line) => lineText(line).includes(part)).length;
}

describe("refuses", () => {
  for (const { why, schedule: name, forge } of forgeries)
    it(why, () => {
      const schedule = everySchedule.find((candidate) => candidate.name === name);
      if (schedule === undefined) throw new Error(`No schedule ${name}`);
      expect(firstDifference(schedule, forge(transcriptOf(name)))).not.toBeNull();
    });
});

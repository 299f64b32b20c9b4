// The command behind `npm run oracle`: compares our `client-go` profile with transcripts of the real one.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sentence, type Problem, type Result } from "../../shared/base/result.ts";
import { camelMain } from "./camel/main.ts";
import { firstDifference, type Difference } from "./match.ts";
import { parseSchedules, type Schedule } from "./schedule.ts";
import { lineText, parseTranscript, type Line } from "./transcript.ts";

const USAGE = `Usage: npm run oracle -- SCHEDULES.json [MORE.json ...] TRANSCRIPTS
  SCHEDULES.json  a JSON array of schedules in the oracle's format
  TRANSCRIPTS     a folder that holds NAME.jsonl for each schedule
       npm run oracle -- camel SCHEDULES TRANSCRIPTS
  the same for the master consumer and the published Camel crates`;

/** How many lines of the transcript are shown before and after a difference. */
const CONTEXT = 4;

export interface Output {
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Returns the exit code: 0 when all are equal, 1 when any differs or cannot be read, 2 when it was called wrongly. */
export function compareOracle(args: readonly string[], { say, complain }: Output): number {
  if (args[0] === "camel") return camelMain(args.slice(1), { say, complain });
  const folder = args.at(-1);
  const files = args.slice(0, -1);
  if (folder === undefined || files.length === 0) {
    complain(`Expected at least one schedule file and a transcript folder, got ${args.length} argument(s).`);
    complain(USAGE);
    return 2;
  }
  if (!isFolder(folder)) {
    complain(`${folder}: expected a folder of transcripts, got none. Name the folder as the last argument.`);
    return 2;
  }
  const counts = { equal: 0, different: 0, unreadable: 0 };
  for (const file of files) {
    const schedules = read(file, parseSchedules);
    if (!schedules.ok) {
      report(complain, file, schedules.error);
      counts.unreadable += 1;
      continue;
    }
    for (const schedule of schedules.value) {
      const path = join(folder, `${schedule.name}.jsonl`);
      const lines = read(path, parseTranscript);
      if (!lines.ok) {
        report(complain, path, lines.error);
        counts.unreadable += 1;
        continue;
      }
      const difference = firstDifference(schedule, lines.value);
      counts[difference === null ? "equal" : "different"] += 1;
      say(verdict(schedule, lines.value, difference));
    }
  }
  say(`${counts.equal} equal, ${counts.different} different, ${counts.unreadable} unreadable`);
  return counts.different + counts.unreadable > 0 ? 1 : 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function read<T>(path: string, parse: (text: string) => Result<T>): Result<T> {
  if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false))
    return {
      ok: false,
      error: [
        {
          path: "",
          expected: "a file",
          got: "none of that name",
          remedy: "Check the path, or record it first.",
        },
      ],
    };
  return parse(readFileSync(path, "utf8"));
}

function report(complain: Output["complain"], path: string, problems: readonly Problem[]): void {
  for (const problem of problems) complain(`${path}: ${sentence(problem)}`);
}

function verdict(schedule: Schedule, lines: readonly Line[], difference: Difference | null): string {
  if (difference === null) return `${schedule.name}: equal, ${lines.length} lines`;
  const { index, found, expected } = difference;
  const row = (line: Line, at: number): string => `    ${String(at + 1).padStart(4)}  ${lineText(line)}`;
  const first = Math.max(0, index - CONTEXT);
  return [
    `${schedule.name}: first difference at ${found === null ? "the end of the transcript" : `line ${index + 1}`}`,
    ...lines.slice(first, index).map((line, offset) => row(line, first + offset)),
    `  transcript: ${found === null ? "nothing more" : lineText(found)}`,
    ...(expected.length === 0
      ? ["  machine:    nothing more"]
      : expected.map((text, at) => `  ${at === 0 ? "machine:   " : "        or:"} ${text}`)),
    ...lines.slice(index + 1, index + 1 + CONTEXT).map((line, offset) => row(line, index + 1 + offset)),
  ].join("\n");
}

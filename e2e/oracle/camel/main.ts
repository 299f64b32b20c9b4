// `npm run oracle -- camel SCHEDULES... TRANSCRIPTS`: compares our master consumer with transcripts of the published crates.
import { statSync } from "node:fs";
import { compareCamel, type CamelComparison } from "./compare.ts";

/** Where the words go. */
interface Output {
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

const USAGE = `Usage: npm run oracle -- camel SCHEDULES [MORE ...] TRANSCRIPTS
  SCHEDULES    schedules of the Camel oracle, or folders of them
  TRANSCRIPTS  a transcript NAME.consumer.jsonl, or a folder of them`;

/** Prints the first difference of each transcript. @returns the exit code: 0 when all that was compared is equal. */
export function camelMain(args: readonly string[], { say, complain }: Output): number {
  const transcripts = args.at(-1);
  const schedules = args.slice(0, -1);
  if (transcripts === undefined || schedules.length === 0) {
    complain(`Expected schedules and transcripts, got ${args.length} argument(s).\n${USAGE}`);
    return 2;
  }
  const absent = args.filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (absent.length > 0) {
    complain(`Expected files or folders, got nothing at ${absent.join(", ")}. Check the paths.\n${USAGE}`);
    return 2;
  }
  const { comparisons, leftOut, unreadable } = compareCamel(schedules, transcripts);
  for (const comparison of comparisons) say(verdict(comparison));
  for (const { name, why } of leftOut) say(`${name}: not compared; ${why}`);
  for (const { name, why } of unreadable) complain(`${name}: ${why}`);
  const different = comparisons.filter((comparison) => comparison.difference !== null).length;
  say(
    `${comparisons.length - different} equal, ${different} different, ${unreadable.length} unreadable, ${leftOut.length} not compared`,
  );
  return different + unreadable.length > 0 || comparisons.length === 0 ? 1 : 0;
}

function verdict({ transcript, variant, lines, difference }: CamelComparison): string {
  if (difference === null) return `${transcript}: equal to ${variant}, ${lines} lines`;
  return [
    `${transcript}: first difference to ${variant} at ${difference.t} ms`,
    `  transcript: ${difference.expected ?? "nothing more"}`,
    `  machine:    ${difference.got ?? "nothing more"}`,
  ].join("\n");
}

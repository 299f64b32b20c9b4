import { describe, expect, it } from "vitest";
import { createProgressPrinter, type Progress } from "./progress.ts";

function print(isTTY: boolean, steps: readonly Progress[]): string {
  let text = "";
  const write = (part: string | Uint8Array): boolean => {
    text += String(part);
    return true;
  };
  const report = createProgressPrinter({ write, isTTY });
  for (const step of steps) report(step);
  return text;
}

const build = (built: number, total: number): Progress => ({ kind: "build", built, total });

const rows = [
  {
    why: "rewrites one line on a terminal, and ends it before a note",
    isTTY: true,
    steps: [build(0, 2), build(1, 2), { kind: "note", text: "Done." }],
    expected: "\r  built 0 of 2 packages (0 %)\r  built 1 of 2 packages (50 %)\nDone.\n",
  },
  {
    why: "prints a line for each tenth elsewhere",
    isTTY: false,
    steps: [0, 1, 2, 10, 19, 20].map((built) => build(built, 100)),
    expected:
      "  built 0 of 100 packages (0 %)\n  built 10 of 100 packages (10 %)\n  built 20 of 100 packages (20 %)\n",
  },
  {
    why: "counts nothing to build as done",
    isTTY: false,
    steps: [build(0, 0)],
    expected: "  built 0 of 0 packages (100 %)\n",
  },
  {
    why: "stays at 100 % when Go names more packages than were stale",
    isTTY: false,
    steps: [build(12, 10)],
    expected: "  built 12 of 10 packages (100 %)\n",
  },
] as const;

describe("createProgressPrinter", () => {
  for (const row of rows) it(row.why, () => expect(print(row.isTTY, row.steps)).toBe(row.expected));
});

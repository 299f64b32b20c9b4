// The closing line of a CI run: counted from the reports that the test runners wrote themselves.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { REPORTS, stageRecords } from "./reports.ts";

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});
const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
});

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

function read<T>(schema: z.ZodType<T>, name: string): T | null {
  const path = `${REPORTS}/${name}`;
  return existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
}

function unitTests(): Counts {
  const report = read(vitestReport, "vitest.json");
  if (report === null) return NOTHING;
  // A file that does not load has no tests to count: it is one failure all the same.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function journeys(): Counts {
  const report = read(playwrightReport, "playwright.json");
  if (report === null) return NOTHING;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
}

const reports: Readonly<Record<string, Counts>> = { unit: unitTests(), e2e: journeys() };
const counts = Object.values(reports);
const sum = (key: keyof Counts): number => counts.reduce((total, each) => total + each[key], 0);
// A stage can fail without a failed test: a type error, an error between tests, a server that does not start.
const others = read(stageRecords, "stages.json")?.filter(
  ({ name, ok }) => !ok && (reports[name]?.failed ?? 0) === 0,
).length;

// No record of the stages at all: the run never got as far as the first one.
const failed = sum("failed") + (others ?? 1);
const skipped = sum("skipped");
console.log(`${sum("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

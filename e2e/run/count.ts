// The closing line of a CI run: counted from the reports that the test runners wrote themselves.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const reports = fileURLToPath(new URL("../../.reports/", import.meta.url));

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const read = (name: string): unknown =>
  existsSync(reports + name) ? JSON.parse(readFileSync(reports + name, "utf8")) : null;

function number(from: unknown, key: string): number {
  const value: unknown = typeof from === "object" && from !== null ? Reflect.get(from, key) : 0;
  return typeof value === "number" ? value : 0;
}

const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
const vitest = read("vitest.json");
counts.passed += number(vitest, "numPassedTests");
counts.failed += number(vitest, "numFailedTests");
counts.skipped += number(vitest, "numPendingTests") + number(vitest, "numTodoTests");
// A file that could not be loaded has no tests to count: it is a failure all the same.
if (counts.failed === 0) counts.failed += number(vitest, "numFailedTestSuites");
const playwright = read("playwright.json");
const stats: unknown =
  typeof playwright === "object" && playwright !== null ? Reflect.get(playwright, "stats") : null;
counts.passed += number(stats, "expected") + number(stats, "flaky");
counts.failed += number(stats, "unexpected");
counts.skipped += number(stats, "skipped");

console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`,
);

// `npm test`: everything, in order; each stage says what it is, and the first failing one of the static checks ends it.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromiumMissing, findChromium } from "./chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = `${root}.reports`;

interface Stage {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Whether the later stages still tell something when this one fails. */
  readonly goOn: boolean;
}

const stages: readonly Stage[] = [
  { name: "types", command: ["tsc", "-b"], goOn: false },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"], goOn: false },
  { name: "format", command: ["oxfmt", "--check"], goOn: false },
  {
    name: "unit tests",
    command: [
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reports}/vitest.json`,
    ],
    goOn: true,
  },
  { name: "build", command: ["tsx", "e2e/run/build.ts"], goOn: false },
  { name: "end to end", command: ["playwright", "test", "--config", "e2e/playwright.config.ts"], goOn: true },
];

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const failed: string[] = [];
for (const stage of stages) {
  console.log(`\n== ${stage.name}`);
  if (stage.name === "end to end" && findChromium() === null) {
    console.error(chromiumMissing());
    failed.push(stage.name);
    continue;
  }
  const [command, ...args] = stage.command;
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (done.error !== undefined) console.error(`${command}: ${done.error.message}`);
  if (done.status === 0) continue;
  failed.push(stage.name);
  if (!stage.goOn) break;
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}.`);
  process.exit(1);
}
console.log("\nEverything passed.");

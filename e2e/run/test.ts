// `npm test`: everything, in order. A failing static check or build ends the run, because what follows would judge code
// that is known to be wrong; failing unit tests do not, so that one run shows all that is broken.
// `npm test -- unit e2e` runs only the stages named.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { chromiumMissing, findChromium } from "./chromium.ts";
import { REPORTS, ROOT, type StageRecord } from "./reports.ts";

interface Stage {
  readonly name: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** The command that shows this failure alone. */
  readonly alone: string;
  /** Whether the later stages still tell something when this one fails. */
  readonly goOn: boolean;
  /** What stands in the way of running it, as a sentence. */
  readonly obstacle?: () => string | null;
}

const STAGES: readonly Stage[] = [
  { name: "types", title: "Types", command: ["tsc", "-b"], alone: "npm run typecheck", goOn: false },
  { name: "lint", title: "Lint", command: ["oxlint"], alone: "npm run lint", goOn: false },
  {
    name: "format",
    title: "Format",
    command: ["oxfmt", "--check"],
    alone: "npm run format (which mends it)",
    goOn: false,
  },
  {
    name: "unit",
    title: "Unit tests",
    command: [
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${REPORTS}/vitest.json`,
    ],
    alone: "npm run unit",
    goOn: true,
  },
  {
    name: "build",
    title: "Build",
    command: ["tsx", "e2e/run/build.ts"],
    alone: "npm run build",
    goOn: false,
  },
  {
    name: "e2e",
    title: "Journeys in Chromium",
    command: ["playwright", "test", "--config", "e2e/playwright.config.ts"],
    alone: "npm run e2e",
    goOn: true,
    obstacle: () => (findChromium() === null ? chromiumMissing() : null),
  },
];

function chosenStages(names: readonly string[]): readonly Stage[] {
  const known = STAGES.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(
      `Expected the names of stages (${known.join(", ")}), got "${unknown}". Name some of them, or none for all.`,
    );
    process.exit(2);
  }
  return names.length === 0 ? STAGES : STAGES.filter(({ name }) => names.includes(name));
}

let running: ChildProcess | null = null;
// Whoever ends this program ends the stage that runs; npm passes a signal on to this process only.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    running?.kill(signal);
    process.exit(1);
  });

async function succeeds({ command: [program, ...args], obstacle }: Stage): Promise<boolean> {
  const problem = obstacle?.() ?? null;
  if (problem !== null) {
    console.error(problem);
    return false;
  }
  running = spawn(program, args, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  try {
    const [status, signal] = (await once(running, "close")) as [number | null, NodeJS.Signals | null];
    if (signal !== null) console.error(`${program} was ended by ${signal}.`);
    return status === 0;
  } catch (error) {
    console.error(`${program} could not be started: ${String(error)}`);
    return false;
  } finally {
    running = null;
  }
}

const stages = chosenStages(process.argv.slice(2));
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const records: StageRecord[] = [];
for (const stage of stages) {
  console.log(`\n== ${stage.title}`);
  const start = performance.now();
  const ok = await succeeds(stage);
  records.push({ name: stage.name, ok, seconds: Math.round((performance.now() - start) / 100) / 10 });
  writeFileSync(`${REPORTS}/stages.json`, JSON.stringify(records, null, 2));
  if (!ok && !stage.goOn) break;
}

console.log("");
for (const { name, title, alone } of stages) {
  const record = records.find((each) => each.name === name);
  const result = record === undefined ? "not run" : record.ok ? "passed" : `FAILED; alone: ${alone}`;
  const time = record === undefined ? "" : `${record.seconds.toFixed(1)} s`;
  console.log(`${title.padEnd(22)}${time.padStart(8)}  ${result}`);
}
if (records.some(({ ok }) => !ok)) process.exitCode = 1;

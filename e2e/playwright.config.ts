// Real journeys in a real Chromium against the built lab, on a port and with a data folder of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { chromiumMissing, findChromium } from "./run/chromium.ts";

const executablePath = findChromium();
if (executablePath === null) throw new Error(chromiumMissing());

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("expected the probe to listen on a TCP port")),
      );
    });
  });
}

// Playwright reads this file again in each of its workers. They inherit the environment, so what the first reading
// chooses, and only that, is what the server and all the tests get.
const port = (process.env["EPOCH_LAB_E2E_PORT"] ??= String(await freePort()));
if (process.env["EPOCH_LAB_DATA"] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), "epoch-lab-e2e-"));
  process.env["EPOCH_LAB_DATA"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../.reports/playwright",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "../.reports/playwright.json" }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
  webServer: {
    command: `node dist/server/main.js --port ${port}`,
    cwd: "..",
    url: `http://127.0.0.1:${port}/health`,
    env: { EPOCH_LAB_DATA: process.env["EPOCH_LAB_DATA"], NODE_ENV: "production" },
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
    reuseExistingServer: false,
    timeout: 60_000,
  },
});

// Real journeys in a real browser against the built lab.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./run/chromium.ts";

const PORT = Number(process.env["EPOCH_LAB_TEST_PORT"] ?? 4671);
const data = process.env["EPOCH_LAB_DATA"] ?? mkdtempSync(join(tmpdir(), "epoch-lab-e2e-"));
const executablePath = findChromium();

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../.reports/playwright",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "../.reports/playwright.json" }]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
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
    command: `node dist/server/main.js --port ${PORT}`,
    cwd: "..",
    url: `http://127.0.0.1:${PORT}/health`,
    env: { EPOCH_LAB_DATA: data, NODE_ENV: "production" },
    reuseExistingServer: false,
    timeout: 60_000,
  },
});

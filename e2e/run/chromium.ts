// Finds the Chromium that drives the end-to-end tests.
import { existsSync } from "node:fs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path in CHROMIUM if it is set, else the first usual place that has one, else null. */
export function findChromium(): string | null {
  const named = process.env["CHROMIUM"];
  if (named !== undefined && named !== "") return existsSync(named) ? named : null;
  return PLACES.find((place) => existsSync(place)) ?? null;
}

/** What to do when there is none. */
export function chromiumMissing(): string {
  const named = process.env["CHROMIUM"];
  if (named !== undefined && named !== "")
    return `The end-to-end tests need Chromium: expected a browser at CHROMIUM, got "${named}", where there is no file. Correct the path, or unset CHROMIUM.`;
  const command =
    process.platform === "darwin"
      ? "brew install --cask chromium"
      : process.platform === "win32"
        ? "winget install Google.Chrome"
        : "sudo apt-get install --no-install-recommends chromium";
  return `The end-to-end tests need Chromium and none was found. Install it with one command: ${command} (or set CHROMIUM to its path).`;
}

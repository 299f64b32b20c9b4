// Figures of the screen in Chromium on the built lab: step to paint and scrubbing on a line of 5 000 events, and the first load.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { leadership } from "../../shared/systems/leadership/system.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import { encodeRecording } from "../../shared/trace/codec.ts";
import { newRecording } from "../../shared/trace/recording.ts";
import { chromiumMissing, findChromium } from "../run/chromium.ts";
import { median, quantile, rounded } from "./measure.ts";

const EVENTS = 5000;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A recording of an undisturbed run with that many events. */
function longRecording(): string {
  const config = {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
  };
  const parsed = leadership.parseConfig(config);
  if (!parsed.ok) throw new Error("the configuration is right");
  let world = leadership.create(parsed.value);
  const actions: LeadershipAction[] = [];
  for (let events = 0; events < EVENTS;) {
    const action = leadership.next(world);
    if (action === null) break;
    const step = leadership.step(world, action);
    world = step.world;
    events += step.events.length;
    actions.push(action);
  }
  return encodeRecording(
    newRecording({ kind: "config", system: "leadership", title: "A long run", config }, actions),
  );
}

/** Presses a key `times` times; each is timed from the key to the end of the frame that shows it. */
const pressAndPaint = (page: Page, key: string, times: number): Promise<number[]> =>
  page.evaluate(
    async ({ key: pressed, times: count }) => {
      const took: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const start = performance.now();
        document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: pressed, code: pressed, bubbles: true }),
        );
        // The frame after the next callback has been painted when the message arrives.
        await new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => resolve();
            channel.port2.postMessage(null);
          });
        });
        took.push(performance.now() - start);
      }
      return took;
    },
    { key, times },
  );

/** Frames per second while the pointer drags over the whole scrubber and back. */
async function scrub(page: Page): Promise<number> {
  const slider = page.getByRole("slider", { name: "Place on the line" });
  const box = await slider.boundingBox();
  if (box === null) throw new Error("the scrubber is on the screen");
  // As text, because what runs TypeScript names inner functions by a helper that the page does not have.
  await page.evaluate(`{
    const counter = { frames: 0, from: performance.now(), on: true };
    window.benchFrames = counter;
    requestAnimationFrame(function tick() {
      counter.frames += 1;
      if (counter.on) requestAnimationFrame(tick);
    });
  }`);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 2, y);
  await page.mouse.down();
  const until = Date.now() + 3000;
  for (let step = 0; Date.now() < until; step += 1) {
    const at = Math.abs(((step * 0.01) % 2) - 1);
    await page.mouse.move(box.x + 2 + at * (box.width - 4), y);
  }
  await page.mouse.up();
  return page.evaluate(() => {
    const counter = Reflect.get(window, "benchFrames") as { frames: number; from: number; on: boolean };
    counter.on = false;
    return (counter.frames * 1000) / (performance.now() - counter.from);
  });
}

export async function benchBrowser() {
  const executablePath = findChromium();
  if (executablePath === null) return { error: chromiumMissing() };
  const folder = mkdtempSync(join(tmpdir(), "epoch-lab-bench-"));
  const file = join(folder, "long.json");
  writeFileSync(file, longRecording());
  const server = spawn(
    process.execPath,
    [join(root, "dist/server/main.js"), "--port", "0", "--data", join(folder, "data")],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const address = await new Promise<string>((resolve, reject) => {
    server.once("exit", () => reject(new Error("the lab did not start: run npm run build first")));
    server.stdout.on("data", (chunk: Buffer) => {
      const match = /(http:\S+)/.exec(chunk.toString());
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox", "--disable-background-networking"] : [],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const opening = Date.now();
    await page.goto(address);
    await page.getByRole("button", { name: "Step", exact: true }).waitFor();
    const usableMs = Date.now() - opening;
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: /open/i }).click();
    await (await chooser).setFiles(file);
    await page
      .getByText(/of 5\s?0\d\d/)
      .first()
      .waitFor();
    await page.keyboard.press("End");
    const back = await pressAndPaint(page, "ArrowLeft", 100);
    const forward = await pressAndPaint(page, "ArrowRight", 100);
    const framesPerSecond = await scrub(page);
    return {
      events: EVENTS,
      usableMs,
      stepToPaintMs: { median: rounded(median(forward), 1), p95: rounded(quantile(forward, 0.95), 1) },
      backToPaintMs: { median: rounded(median(back), 1), p95: rounded(quantile(back, 0.95), 1) },
      scrubbingFramesPerSecond: rounded(framesPerSecond, 1),
    };
  } finally {
    await browser.close();
    server.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

import { beforeEach, describe, expect, it } from "vitest";
import { BEAT_MS, FOLD_MS, restMs, startPlayback } from "./playback.ts";
import { answerKey, hereOf, initialChoice, setPlaying, toEnd, useLab } from "./store.ts";

/** Frames that come when the test says so. */
function fakeClock() {
  let callback: ((ms: number) => void) | null = null;
  let nowMs = 0;
  return {
    clock: {
      requestAnimationFrame: (next: (ms: number) => void) => {
        callback = next;
        return 1;
      },
      cancelAnimationFrame: () => {
        callback = null;
      },
    },
    run(ms: number, frameMs = 16): void {
      for (const untilMs = nowMs + ms; nowMs < untilMs; nowMs += frameMs) {
        const frame = callback;
        callback = null;
        frame?.(nowMs);
      }
    },
  };
}

const cursor = (): number => useLab.getState().moment.cursor;
const length = (): number => hereOf(useLab.getState()).run.actions.length;

beforeEach(() =>
  useLab.setState(
    { ...initialChoice(), answers: { [answerKey("paused-leader", 0)]: { choice: null } } },
    true,
  ),
);

describe("playing", () => {
  it("takes one step a beat, whatever the virtual time between them", () => {
    const { clock, run } = fakeClock();
    const stop = startPlayback(clock);
    setPlaying(true);
    run(BEAT_MS * 0.9);
    expect(cursor()).toBe(0);
    run(BEAT_MS * 0.2);
    const first = cursor();
    expect(first).toBeGreaterThan(0);
    run(BEAT_MS * 0.7);
    expect(cursor()).toBe(first);
    stop();
  });

  it("is faster by the speed", () => {
    const { clock, run } = fakeClock();
    useLab.setState({ speed: 4 });
    const stop = startPlayback(clock);
    setPlaying(true);
    run(BEAT_MS / 4 + 32);
    expect(cursor()).toBeGreaterThan(0);
    stop();
  });

  it("stops at the end that the line had, and goes on when it is started from there", () => {
    const { clock, run } = fakeClock();
    useLab.setState({ speed: 64 });
    const stop = startPlayback(clock);
    const end = length();
    setPlaying(true);
    run(20_000);
    expect(useLab.getState().playing).toBe(false);
    expect(cursor()).toBe(end);
    expect(length()).toBe(end);
    setPlaying(true);
    run(500);
    expect(length()).toBeGreaterThan(end);
    expect(useLab.getState().playing).toBe(true);
    stop();
  });

  it("pauses at a question", () => {
    const { clock, run } = fakeClock();
    useLab.setState({ speed: 64, answers: {} });
    const stop = startPlayback(clock);
    setPlaying(true);
    run(20_000);
    expect(useLab.getState()).toMatchObject({ playing: false, asking: 0 });
    stop();
  });
});

describe("as timed", () => {
  it("waits as long as virtual time does, and folds what is longer", () => {
    useLab.setState({ pace: "timed" });
    const waits: number[] = [];
    const { run, origin } = hereOf(useLab.getState());
    for (let at = 0; at < run.actions.length; at += 1) {
      useLab.setState({ moment: { branch: "main", cursor: at } });
      waits.push(restMs(useLab.getState()));
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(FOLD_MS);
    expect(waits.some((wait) => wait === 150)).toBe(true);
    expect(origin.system.id).toBe("leadership");
  });

  it("knows when the next thing happens beyond the end of the line", () => {
    useLab.setState({ pace: "timed" });
    toEnd();
    expect(restMs(useLab.getState())).toBeGreaterThan(0);
  });
});

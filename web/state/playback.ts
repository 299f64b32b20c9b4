// The one animation loop. It moves the cursor and knows no protocol.
import type { BaseAction, System } from "../../shared/systems/system.ts";
import { stepForward } from "./derive.ts";
import { hereOf, setPlaying, step, useLab, type Chosen } from "./store.ts";

/** From one step to the next at speed 1, one event a tick. */
export const BEAT_MS = 700;
/** The longest wait for anything, as timed: longer quiet is folded. */
export const FOLD_MS = 1500;
/** Steps in one frame, at most: beyond that a picture shows nothing that an eye could follow. */
const STEPS_PER_FRAME = 4;

/** How long the picture rests on the present moment before it goes on. */
export function restMs(chosen: Chosen): number {
  if (chosen.pace === "event") return BEAT_MS / chosen.speed;
  const { origin, run, moment } = hereOf(chosen);
  const next = stepForward(run, moment.cursor);
  const nowMs = origin.system.now(run.worlds[moment.cursor]);
  const nextMs =
    next > moment.cursor
      ? origin.system.now(run.worlds[next])
      : nextEventMs(origin.system, run.worlds[moment.cursor]);
  return Math.min((nextMs - nowMs) / chosen.speed, FOLD_MS);
}

/** When something can be seen again, at the end of a line. */
function nextEventMs(system: System<unknown, unknown, BaseAction>, from: unknown): number {
  let world = from;
  for (let quiet = 0; quiet < 100; quiet += 1) {
    const action = system.next(world);
    if (action === null) break;
    const stepped = system.step(world, action);
    world = stepped.world;
    if (stepped.events.length > 0) break;
  }
  return system.now(world);
}

interface Clock {
  requestAnimationFrame(callback: (ms: number) => void): number;
  cancelAnimationFrame(frame: number): void;
}

/** Runs while `playing`. A line that had an end when play was pressed is played to that end; from the end it goes on. */
export function startPlayback(clock: Clock): () => void {
  let frame = 0;
  let dueMs: number | null = null;
  let until: number | null = null;
  let goesOn = false;
  const tick = (ms: number): void => {
    const chosen = useLab.getState();
    if (!chosen.playing) return;
    dueMs ??= ms + restMs(chosen);
    for (let steps = 0; steps < STEPS_PER_FRAME && dueMs !== null && dueMs <= ms; steps += 1) {
      const moved = step();
      const now = useLab.getState();
      const { run, moment } = hereOf(now);
      if (!moved || (!goesOn && until !== null && moment.cursor >= until)) {
        setPlaying(false);
        return;
      }
      if (!now.playing) return;
      // A frame that came late does not shorten the waits after it.
      dueMs = Math.max(dueMs, ms - BEAT_MS) + restMs(now);
      until = goesOn ? null : Math.min(until ?? run.actions.length, run.actions.length);
    }
    frame = clock.requestAnimationFrame(tick);
  };
  const start = (): void => {
    const { run, moment } = hereOf(useLab.getState());
    goesOn = moment.cursor >= run.actions.length;
    until = goesOn ? null : run.actions.length;
    dueMs = null;
    clock.cancelAnimationFrame(frame);
    frame = clock.requestAnimationFrame(tick);
  };
  if (useLab.getState().playing) start();
  const stop = useLab.subscribe((now, before) => {
    if (now.playing && !before.playing) start();
    // Another pace counts from now.
    else if (now.playing && (now.speed !== before.speed || now.pace !== before.pace)) dueMs = null;
  });
  return () => {
    stop();
    clock.cancelAnimationFrame(frame);
  };
}

// The look-around every 200 ms, counted from the moment the loop began. Only ticks that would do something get a timer.
import { isHardened, set, TICK_MS, type CamelDraft } from "./loop.ts";

/**
 * Ticks that fired at the select and had nothing to do are not played one by one: they are passed over here. One that is due
 * at this very moment counts as fired before whatever else happens now.
 */
export function skipIdleTicks(d: CamelDraft): void {
  const { phase: at, tickMs, tickSetMs, listeningSinceMs } = d.loop;
  if (at.kind !== "listening" || tickSetMs !== null || listeningSinceMs >= d.now || tickMs > d.now) return;
  set(d, { tickMs: tickMs + (Math.floor((d.now - tickMs) / TICK_MS) + 1) * TICK_MS });
}

/** Sets the timer of the next tick where that would do something. */
export function setTick(d: CamelDraft): void {
  const { loop, run } = d;
  const wanted =
    loop.phase.kind === "listening" &&
    (run === null
      ? loop.isLeading
      : run.task.kind === "finished" || (isHardened(d) && run.epoch !== loop.epoch));
  const dueMs = wanted ? loop.tickMs : null;
  if (dueMs === loop.tickSetMs) return;
  set(d, { tickSetMs: dueMs });
  d.out.push(
    dueMs === null ? { kind: "clear-timer", timer: "tick" } : { kind: "set-timer", timer: "tick", dueMs },
  );
}

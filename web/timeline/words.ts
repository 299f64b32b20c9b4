// Times and sentences as the picture says them.
import type { Event } from "../../shared/systems/event.ts";
import type { AnySystem } from "./moments.ts";

/** "24.4": seconds with as many digits as they need, at most three. */
export function secondsLabel(ms: number): string {
  return String(Math.round(ms) / 1000);
}

/** The cursor's time, short enough for the gutter: "24.62", "1234.5". */
export function timeLabel(ms: number): string {
  const seconds = ms / 1000;
  const digits = seconds < 100 ? 2 : seconds < 1000 ? 1 : 0;
  return seconds.toFixed(digits);
}

/** What a screen reader says of an event. */
export function sentenceOf(system: AnySystem, event: Event): string {
  return `${secondsLabel(event.at)} s: ${system.narrate(event)}`;
}

// The ticks of the scrubber: where along a line elections, faults and violations are.
import type { Event } from "../../shared/systems/event.ts";
import type { Mark } from "../systems/view.ts";
import type { LabRun } from "./derive.ts";

export interface Ticks {
  readonly events: readonly number[];
  readonly election: readonly number[];
  readonly fault: readonly number[];
  readonly violation: readonly number[];
}

/** More plain ticks than this stand too close together to be told apart. */
const PLAIN_MAX = 160;

/** By sequence number. A violation outranks what else the event is. */
export function ticksOf(
  run: LabRun,
  mark: (event: Event) => Mark | null,
  violations: readonly number[],
): Ticks {
  const broken = new Set(violations);
  const events: number[] = [];
  const election: number[] = [];
  const fault: number[] = [];
  for (const event of run.events) {
    if (broken.has(event.seq)) continue;
    const kind = mark(event);
    if (kind === "election") election.push(event.seq);
    else if (kind === "fault") fault.push(event.seq);
    else if (run.events.length <= PLAIN_MAX) events.push(event.seq);
  }
  return { events, election, fault, violation: [...broken] };
}

/** The cursor whose events come closest to a fraction of the line, 0 to 1. */
export function cursorAtFraction(run: LabRun, fraction: number): number {
  const total = run.events.length;
  const wanted = Math.round(Math.max(0, Math.min(1, fraction)) * total);
  // The first cursor at which that many events have happened; the very end when all have.
  if (wanted >= total) return run.actions.length;
  let low = 0;
  let high = run.eventEnds.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((run.eventEnds[middle] ?? 0) >= wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Which stretches of a run are folded: silence, and routine that brings nothing new.
import type { Event } from "../../../shared/systems/event.ts";
import type { Depiction } from "../picture/picture.ts";

/** Silence or routine that lasts no longer than this is drawn. */
export const FOLD_FROM_MS = 4000;
/** Routine of fewer exchanges than this is drawn: two show the pattern. */
const EXCHANGES_FROM = 3;

export interface FoldRange {
  /** Identity across layouts, and the event that the fold is entered with. */
  readonly key: number;
  /** First and last event inside; `last` is `first - 1` for a silence before `first`. */
  readonly first: number;
  readonly last: number;
  /** How long it lasts, from what happens before it to what happens after it. */
  readonly durationMs: number;
}

/**
 * The folds of a run, in order. `endAt`: the time at which the run ends. Routine at the very end of a run is still going on,
 * so its last exchanges stay visible.
 */
export function findFolds(
  events: readonly Event[],
  depictions: readonly Depiction[],
  routine: Uint8Array,
  endAt: number,
): readonly FoldRange[] {
  const folds: FoldRange[] = [];
  const timeOf = (seq: number): number => events[seq]?.at ?? (seq < 0 ? 0 : endAt);
  let at = 0;
  while (at <= events.length) {
    if (at < events.length && routine[at] === 1) {
      let end = at;
      while (end < events.length && routine[end] === 1) end += 1;
      const last = end === events.length ? beforeLastExchanges(depictions, at, end) : end - 1;
      const durationMs = timeOf(last + 1) - timeOf(at - 1);
      if (
        last > at &&
        exchanges(depictions, at, last) >= EXCHANGES_FROM &&
        timeOf(last) - timeOf(at) > FOLD_FROM_MS
      ) {
        folds.push({ key: at, first: at, last, durationMs });
        at = last + 1;
        continue;
      }
      // Too little to fold: drawn, with any silence in between looked at below.
      for (let seq = at; seq < end; seq += 1) silence(seq);
      at = end;
      continue;
    }
    silence(at);
    at += 1;
  }
  return folds;

  function silence(before: number): void {
    const durationMs = timeOf(before) - timeOf(before - 1);
    if (durationMs <= FOLD_FROM_MS || folds.at(-1)?.last === before - 1) return;
    folds.push({ key: before, first: before, last: before - 1, durationMs });
  }
}

/** A request with words on it starts an exchange. */
const starts = (depiction: Depiction | undefined): boolean => depiction?.sends?.weight === "request";

function exchanges(depictions: readonly Depiction[], first: number, last: number): number {
  let count = 0;
  for (let seq = first; seq <= last; seq += 1) if (starts(depictions[seq])) count += 1;
  return count;
}

/** The last event before the last two exchanges of a stretch. */
function beforeLastExchanges(depictions: readonly Depiction[], first: number, end: number): number {
  let left = 2;
  for (let seq = end - 1; seq >= first; seq -= 1) {
    if (starts(depictions[seq])) left -= 1;
    if (left === 0) return seq - 1;
  }
  return first - 1;
}

// Where events stand on the time axis. Time is compressed: distance grows with the square root of duration, what is quiet is
// folded, and marks with words in the same lane are pushed apart until nothing touches.
import { bisectRight } from "d3-array";
import type { Event } from "../../../shared/systems/event.ts";
import type { Depiction, Picture } from "../picture/picture.ts";
import { findFolds, type FoldRange } from "./folds.ts";
import type { FoldMark, MomentFacts, TickMark } from "./marks.ts";
import { CELL_HEIGHT, FOLD_HEIGHT, LINE, RECORD, TOP } from "./metrics.ts";

/** Pixels per square root of a millisecond. */
const STRETCH = 0.82;
const GAP_LEAST = 5;
const GAP_MOST = 54;
/** Between two actions at the same instant. */
const GAP_SAME_INSTANT = 4;
const FOLD_MARGIN = 8;
/** Least distance between two ticks, and for ticks between whole seconds: they need more, to be worth their ink. */
const TICK_LEAST = 38;
const TICK_LEAST_HALVES = 64;
const TICK_LEAST_FINE = 110;

export interface Axis {
  /** `ys[seq]`. Never falls. */
  readonly ys: Float64Array;
  /** Their words are not placed across yet: `textX` is 0. */
  readonly folds: readonly FoldMark[];
  readonly opened: readonly FoldMark[];
  /** `folded[seq]` is 1 inside a fold. */
  readonly folded: Uint8Array;
  readonly ticks: readonly TickMark[];
  readonly endY: number;
  readonly yAt: (atMs: number) => number;
}

/** How far a mark reaches above and below its place in its lane. */
export function reach(depiction: Depiction): { readonly above: number; readonly below: number } {
  const { shape } = depiction;
  switch (shape.kind) {
    case "tick":
      return { above: 2, below: 2 };
    case "note":
      return shape.words.matters
        ? { above: LINE / 2, below: LINE * (shape.words.lines.length - 0.5) }
        : { above: 2, below: 2 };
    case "record":
      return { above: RECORD / 2 + 2, below: RECORD / 2 + 2 };
    case "cell":
      return {
        above: CELL_HEIGHT / 2 + 1,
        below: CELL_HEIGHT / 2 + 1 + (shape.below === null ? 0 : LINE + 2),
      };
    case "cross":
      return { above: LINE / 2, below: LINE / 2 };
    default:
      return { above: 0, below: 0 };
  }
}

export interface AxisInput {
  readonly events: readonly Event[];
  readonly depictions: readonly Depiction[];
  readonly routine: Uint8Array;
  readonly moments: readonly MomentFacts[];
  readonly picture: Pick<Picture, "summarise">;
  readonly unfolded: ReadonlySet<number>;
}

export function placeEvents(input: AxisInput): Axis {
  const { events, depictions, routine, moments } = input;
  const endAt = Math.max(moments.at(-1)?.at ?? 0, events.at(-1)?.at ?? 0);
  const found = findFolds(events, depictions, routine, endAt);
  const ranges = found.filter((fold) => !input.unfolded.has(fold.key));
  const actionOf = actions(events.length, moments);
  const ys = new Float64Array(events.length);
  const folded = new Uint8Array(events.length);
  const folds: FoldMark[] = [];
  const bottoms = new Map<string, number>();
  // Places by time, for ticks and for moments between events: the last place before and the first place after.
  const times: number[] = [0];
  const firsts: number[] = [TOP];
  const lasts: number[] = [TOP];
  let y = TOP;
  let time = 0;
  let fold = 0;
  // What a mark says below itself is read before the next thing happens, in whichever lane.
  let floor = 0;

  const mark = (at: number, place: number): void => {
    if (times.at(-1) === at) lasts[lasts.length - 1] = place;
    else {
      times.push(at);
      firsts.push(place);
      lasts.push(place);
    }
    y = place;
    time = at;
  };
  const foldMark = (range: FoldRange, y0: number, y1: number): FoldMark => {
    const inside = range.last >= range.first ? events.slice(range.first, range.last + 1) : [];
    const what = inside.length === 0 ? "nothing happens" : input.picture.summarise(inside);
    return {
      key: range.key,
      firstSeq: range.first,
      lastSeq: range.last,
      y0,
      y1,
      text: `${what} · ${duration(range.durationMs)} folded`,
      textX: 0,
    };
  };
  const addFold = (range: FoldRange): FoldMark => {
    let y0 = y + FOLD_MARGIN;
    for (const bottom of bottoms.values()) y0 = Math.max(y0, bottom + 2);
    const made = foldMark(range, y0, y0 + FOLD_HEIGHT);
    folds.push(made);
    return made;
  };

  for (let seq = 0; seq < events.length; seq += 1) {
    const event = events[seq] as Event;
    const depiction = depictions[seq] as Depiction;
    const range = ranges[fold];
    if (range !== undefined && range.first === seq) {
      fold += 1;
      const made = addFold(range);
      if (range.last >= range.first) {
        const from = event.at;
        const span = Math.max(1, (events[range.last]?.at ?? from) - from);
        const inner = FOLD_HEIGHT - 12;
        for (let inside = range.first; inside <= range.last; inside += 1) {
          const at = events[inside]?.at ?? from;
          ys[inside] = made.y0 + 6 + ((at - from) / span) * inner;
          folded[inside] = 1;
          mark(at, ys[inside] ?? made.y0);
        }
        seq = range.last;
      }
      y = made.y1;
      lasts[lasts.length - 1] = range.last >= range.first ? y : (lasts.at(-1) ?? y);
      for (const lane of bottoms.keys()) bottoms.set(lane, made.y1);
      if (range.last >= range.first) continue;
    }
    const silent = folds.at(-1)?.y1 === y;
    const sameAction = seq > 0 && actionOf[seq] === actionOf[seq - 1];
    const wait = event.at - time;
    const quiet = routine[seq] === 1 && routine[seq - 1] === 1;
    const gap = silent ? FOLD_MARGIN : wait > 0 ? stretch(wait, quiet) : sameAction ? 0 : GAP_SAME_INSTANT;
    const { above, below } = reach(depiction);
    const free = Math.max((bottoms.get(event.lane) ?? -Infinity) + above, wait > 0 ? floor : 0);
    const place = seq === 0 && wait === 0 ? Math.max(TOP, free) : Math.max(y + gap, free);
    ys[seq] = place;
    bottoms.set(event.lane, place + below);
    if (depiction.shape.kind === "cell" && depiction.shape.below !== null) floor = place + below + 5;
    mark(event.at, place);
  }
  if (endAt > time) {
    const range = ranges[fold];
    if (range !== undefined) {
      const made = addFold(range);
      mark(endAt, made.y1 + FOLD_MARGIN);
    } else mark(endAt, y + stretch(endAt - time, false));
  }
  let endY = y;
  for (const bottom of bottoms.values()) endY = Math.max(endY, bottom);

  const yAt = (atMs: number): number => {
    const index = bisectRight(times, atMs) - 1;
    if (index < 0) return firsts[0] ?? TOP;
    const from = lasts[index] ?? TOP;
    const t0 = times[index] ?? 0;
    const t1 = times[index + 1];
    if (t1 === undefined || atMs === t0) return atMs === t0 ? (firsts[index] ?? from) : from;
    return from + ((atMs - t0) / (t1 - t0)) * ((firsts[index + 1] ?? from) - from);
  };
  const opened = found
    .filter((fold) => input.unfolded.has(fold.key))
    .map((fold) =>
      foldMark(fold, ys[Math.min(fold.first, fold.last)] ?? TOP, ys[Math.max(fold.first, fold.last)] ?? endY),
    );
  return { ys, folds, opened, folded, ticks: placeTicks(endAt, yAt, folds), endY, yAt };
}

function stretch(waitMs: number, quiet: boolean): number {
  const full = Math.min(GAP_MOST, Math.max(GAP_LEAST, STRETCH * Math.sqrt(waitMs)));
  return quiet ? Math.max(GAP_LEAST, full * 0.72) : full;
}

/** Which action each event belongs to. */
function actions(count: number, moments: readonly MomentFacts[]): Int32Array {
  const found = new Int32Array(count);
  let seq = 0;
  for (let index = 1; index < moments.length; index += 1) {
    const end = moments[index]?.eventEnd ?? seq;
    while (seq < end) {
      found[seq] = index;
      seq += 1;
    }
  }
  return found;
}

const TICK_STEPS_MS = [3_600_000, 600_000, 60_000, 30_000, 10_000, 5000, 2000, 1000, 500, 200, 100] as const;
/** A step that would need more candidates than this is finer than anybody looks. */
const CANDIDATES_MOST = 2000;

/** Round times with room around each; rounder ones first. */
function placeTicks(
  endAt: number,
  yAt: (atMs: number) => number,
  folds: readonly FoldMark[],
): readonly TickMark[] {
  const taken = new Map<number, number[]>();
  const ticks: TickMark[] = [];
  const starts = folds.map((fold) => fold.y0);
  const free = (y: number, least: number): boolean => {
    const bucket = Math.floor(y / TICK_LEAST);
    for (let near = bucket - 3; near <= bucket + 3; near += 1)
      for (const other of taken.get(near) ?? []) if (Math.abs(other - y) < least) return false;
    const fold = folds[bisectRight(starts, y + 2) - 1];
    return fold === undefined || y > fold.y1 + 2;
  };
  const add = (atMs: number): void => {
    const y = yAt(atMs);
    if (!free(y, atMs % 1000 === 0 ? TICK_LEAST : atMs % 500 === 0 ? TICK_LEAST_HALVES : TICK_LEAST_FINE))
      return;
    const bucket = Math.floor(y / TICK_LEAST);
    taken.set(bucket, [...(taken.get(bucket) ?? []), y]);
    ticks.push({ atMs, y, label: `${atMs / 1000} s` });
  };
  add(0);
  for (const step of TICK_STEPS_MS) {
    if (endAt / step > CANDIDATES_MOST) break;
    for (let at = step; at <= endAt; at += step) add(at);
  }
  return ticks.toSorted((left, right) => left.y - right.y);
}

/** "11.8 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

// The arrows: every message from the event that sent it to the event that ended it. The cause of an event joins the two, so a
// late answer, a duplicate and an answer after a restart all find their own beginning.
import type { Event } from "../../../shared/systems/event.ts";
import type { Depiction } from "../picture/picture.ts";
import type { Axis } from "./axis.ts";
import type { ArrowMark, LaneMark } from "./marks.ts";

const ROOM = 3;
/** How far a lost message gets, as a part of its way. */
const LOST_AT = 0.55;
/** How far a message is drawn that has not arrived when the run ends. */
const IN_FLIGHT_AT = 0.6;
const SLOPE = 12;

export interface Ended {
  /** Where each lost message was lost, by the event that says so. */
  readonly crosses: ReadonlyMap<number, { readonly x: number; readonly y: number }>;
  readonly arrows: readonly ArrowMark[];
}

export function placeArrows(
  events: readonly Event[],
  depictions: readonly Depiction[],
  routine: Uint8Array,
  lanes: readonly LaneMark[],
  axis: Axis,
): Ended {
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  const arrows: ArrowMark[] = [];
  const crosses = new Map<number, { x: number; y: number }>();
  const open = new Map<number, Event>();
  const foldOf = (seq: number): number => (axis.folded[seq] === 1 ? foldIndex(axis, seq) : -1);

  const draw = (from: Event, end: Event | null): void => {
    const sending = depictions[from.seq]?.sends;
    const arrival = end === null ? null : (depictions[end.seq]?.arrival ?? null);
    const source = byId.get(from.lane);
    if (sending === null || sending === undefined || source === undefined) return;
    const target = byId.get(
      arrival === null || arrival.fate === "lost" ? sending.to : (end?.lane ?? sending.to),
    );
    if (target === undefined || target === source) return;
    // Inside one fold only ticks are drawn.
    const fold = foldOf(from.seq);
    if (fold >= 0 && end !== null && foldOf(end.seq) === fold) return;
    const direction = target.x > source.x ? 1 : -1;
    const x0 = source.x + direction * (source.half + ROOM);
    const reachX = target.x - direction * (target.half + (target.role === "sink" ? 0 : ROOM));
    const y0 = axis.ys[from.seq] ?? 0;
    let x1 = reachX;
    let y1 = end === null ? y0 : (axis.ys[end.seq] ?? y0);
    const lost = arrival?.fate === "lost";
    if (lost || end === null) {
      const part = lost ? LOST_AT : IN_FLIGHT_AT;
      x1 = x0 + (reachX - x0) * part;
      y1 = end === null ? Math.min(y0 + SLOPE, axis.endY) : Math.max(y1, y0 + SLOPE * part);
      if (lost && end !== null) crosses.set(end.seq, { x: x1, y: y1 });
    }
    arrows.push({
      key: `${from.seq}-${end?.seq ?? ""}`,
      seq: from.seq,
      endSeq: end?.seq ?? null,
      x0,
      y0,
      x1,
      y1,
      fate: end === null ? "in-flight" : (arrival?.fate ?? "taken"),
      weight: sending.weight,
      routine: routine[from.seq] === 1,
      stale: sending.stale,
      epoch: sending.epoch,
    });
  };

  for (const event of events) {
    const depiction = depictions[event.seq];
    if (depiction === undefined) continue;
    const { arrival } = depiction;
    if (arrival !== null) {
      const from = events[arrival.from];
      if (from !== undefined) {
        draw(from, event);
        open.delete(from.seq);
      }
    }
    if (depiction.sends !== null) open.set(event.seq, event);
  }
  for (const event of open.values()) draw(event, null);
  return { arrows: arrows.toSorted((left, right) => left.y0 - right.y0), crosses };
}

function foldIndex(axis: Axis, seq: number): number {
  return axis.folds.findIndex((fold) => seq >= fold.firstSeq && seq <= fold.lastSeq);
}

// The picture of a run as a pure function: where everything stands, for a given width. The cursor is no part of it.
import type { Depiction } from "../picture/picture.ts";
import { placeEvents, reach, type Axis } from "./axis.ts";
import { placeSpans } from "./bands.ts";
import { placeAlong, placeAtCross, placeBelow, placeGapLabel, placeNote } from "./labels.ts";
import { placeLanes } from "./lanes.ts";
import type {
  ArrowMark,
  EventMark,
  GapMark,
  LaneMark,
  LinkMark,
  TimelineInput,
  TimelineMarks,
} from "./marks.ts";
import { placeArrows } from "./messages.ts";
import { BOTTOM, CELL_HEIGHT, CELL_TAB, GUTTER, RECORD, TEXT, TEXT_CELL, TEXT_TAB } from "./metrics.ts";
import { createOccupancy, type Occupancy } from "./occupancy.ts";
import { elide, textWidth } from "./textWidth.ts";

/** A number longer than this is shown by its end. */
const TAB_DIGITS = 3;

export function layoutTimeline(input: TimelineInput, widthPx: number): TimelineMarks {
  const { events, moments, picture } = input;
  const depictions = picture.depict(events);
  const { lanes, width } = placeLanes(input.lanes, cellTexts(events, depictions), widthPx);
  const axis = placeEvents({ events, depictions, moments, picture, unfolded: input.unfolded });
  const { arrows, crosses } = placeArrows(events, depictions, lanes, axis);
  const spans = placeSpans(moments, lanes, axis, picture);
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));

  const marks = events.map((event): EventMark => {
    const depiction = depictions[event.seq] as Depiction;
    const lane = byId.get(event.lane);
    const cross = crosses.get(event.seq);
    return {
      seq: event.seq,
      lane: event.lane,
      x: cross?.x ?? lane?.x ?? GUTTER,
      y: cross?.y ?? axis.ys[event.seq] ?? 0,
      ...extents(depiction, lane),
      depiction,
      ...cellWords(depiction, lane),
      label: null,
      folded: axis.folded[event.seq] === 1,
    };
  });

  const room = createOccupancy(
    lanes
      .filter((lane) => lane.role === "process")
      .map((lane) => ({ x0: lane.x - lane.half, x1: lane.x + lane.half })),
    { x0: GUTTER + 2, x1: width },
  );
  obstacles(marks, axis, room, width);
  for (const arrow of arrows) if (arrow.weight !== "answer") room.addLine(arrow);
  const gaps = spans.gaps.map(({ lines, ...gap }): GapMark => {
    room.take({ x0: gap.x - 6, y0: gap.y0, x1: gap.x + 2, y1: gap.y1 });
    const lane = byId.get(gap.lane);
    return lane === undefined ? gap : { ...gap, label: placeGapLabel(gap, lines, lane, room) };
  });
  const sides = busySides(arrows, marks.length);
  // What matters, then arrows that matter, then asides.
  const labelled = placeEventLabels(marks, byId, sides, room, true);
  const withWork = placeArrowLabels(arrows, depictions, room, (arrow) => arrow.weight === "work");
  const requests = placeArrowLabels(
    withWork,
    depictions,
    room,
    (arrow) => arrow.weight === "request" && !arrow.routine,
  );
  const asides = placeEventLabels(labelled, byId, sides, room, false);
  const all = placeArrowLabels(requests, depictions, room, (arrow) => arrow.routine);

  return {
    width,
    height: axis.endY + BOTTOM,
    lanes,
    ticks: axis.ticks,
    folds: axis.folds.map((fold) => ({
      ...fold,
      textX: foldTextX(fold.text, lanes, Math.min(width, widthPx)),
    })),
    opened: axis.opened,
    bands: spans.bands,
    blocks: spans.blocks,
    gaps,
    arrows: all,
    links: placeLinks(marks),
    events: asides,
    cursorYs: cursorPlaces(input, marks, axis),
    yAt: axis.yAt,
  };
}

/** The middle of the room between lanes with bands that is nearest to the picture's middle and wide enough for the words. */
function foldTextX(text: string, lanes: readonly LaneMark[], width: number): number {
  const need = textWidth(text, TEXT) + 42;
  const middle = (GUTTER + width) / 2;
  let left = GUTTER;
  let best = middle;
  let distance = Infinity;
  const see = (x0: number, x1: number): void => {
    if (x1 - x0 < need) return;
    const at = Math.min(Math.max(middle, x0 + need / 2), x1 - need / 2);
    if (Math.abs(at - middle) >= distance) return;
    best = at;
    distance = Math.abs(at - middle);
  };
  for (const lane of lanes) {
    if (lane.role !== "process") continue;
    see(left, lane.x - lane.half);
    left = lane.x + lane.half;
  }
  see(left, width);
  return best;
}

function cellTexts(
  events: TimelineInput["events"],
  depictions: readonly Depiction[],
): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const event of events) {
    const shape = depictions[event.seq]?.shape;
    if (shape?.kind !== "cell") continue;
    const there = texts.get(event.lane);
    if (there === undefined) texts.set(event.lane, [shape.text]);
    else there.push(shape.text);
  }
  return texts;
}

function extents(
  { shape }: Depiction,
  lane: LaneMark | undefined,
): { readonly halfWidth: number; readonly halfHeight: number } {
  switch (shape.kind) {
    case "cell":
      return { halfWidth: lane?.half ?? 20, halfHeight: CELL_HEIGHT / 2 };
    case "record":
      return { halfWidth: RECORD / 2, halfHeight: RECORD / 2 };
    case "cross":
      return { halfWidth: 5, halfHeight: 5 };
    case "note":
    case "tick":
      return { halfWidth: lane?.role === "process" ? lane.half : RECORD / 2, halfHeight: 3 };
    default:
      return { halfWidth: 4, halfHeight: 4 };
  }
}

/** Value and number of a cell as they fit into it. */
function cellWords(
  { shape }: Depiction,
  lane: LaneMark | undefined,
): { readonly text: string; readonly tab: string } {
  if (shape.kind !== "cell" || lane === undefined) return { text: "", tab: "" };
  const label = shape.epoch?.label ?? "";
  const tab = label.length > TAB_DIGITS ? `…${label.slice(1 - TAB_DIGITS)}` : label;
  const room = 2 * lane.half - (tab === "" ? 8 : CELL_TAB + Math.max(0, textWidth(tab, TEXT_TAB) - 14) + 8);
  return { text: elide(shape.text, TEXT_CELL, room, "bold"), tab };
}

function placeLinks(marks: readonly EventMark[]): readonly LinkMark[] {
  return marks.flatMap((mark) => {
    const { shape } = mark.depiction;
    const start = shape.kind === "cell" && shape.completes !== null ? marks[shape.completes] : undefined;
    if (start === undefined || shape.kind !== "cell") return [];
    const { x, halfWidth, y, seq } = mark;
    return [{ seq: start.seq, endSeq: seq, x: x - halfWidth, y0: start.y, y1: y, epoch: shape.epoch }];
  });
}

/** What words must not stand on. */
function obstacles(marks: readonly EventMark[], axis: Axis, room: Occupancy, width: number): void {
  for (const { x, y, halfWidth, halfHeight, depiction, folded } of marks) {
    if (folded || depiction.shape.kind === "tick" || depiction.shape.kind === "note") continue;
    room.take({ x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight });
  }
  for (const fold of axis.folds) room.take({ x0: 0, y0: fold.y0, x1: width, y1: fold.y1 });
}

/** On which side of an event its own message leaves or comes: -1 left, 1 right, 0 both or neither. */
function busySides(arrows: readonly ArrowMark[], count: number): Int8Array {
  const sides = new Int8Array(count);
  const both = new Uint8Array(count);
  const see = (seq: number, side: -1 | 1): void => {
    if (sides[seq] === -side) both[seq] = 1;
    sides[seq] = side;
  };
  for (const { seq, endSeq, x0, x1, fate } of arrows) {
    see(seq, x1 > x0 ? 1 : -1);
    if (endSeq !== null && fate !== "lost") see(endSeq, x1 > x0 ? -1 : 1);
  }
  for (let seq = 0; seq < count; seq += 1) if (both[seq] === 1) sides[seq] = 0;
  return sides;
}

function placeEventLabels(
  marks: readonly EventMark[],
  lanes: ReadonlyMap<string, LaneMark>,
  sides: Int8Array,
  room: Occupancy,
  matters: boolean,
): readonly EventMark[] {
  return marks.map((mark, index) => {
    if (mark.folded || mark.label !== null) return mark;
    const { shape } = mark.depiction;
    const said = shape.kind === "cell" ? shape.below : shape.kind === "tick" ? null : shape.words;
    const lane = lanes.get(mark.lane);
    if (said === null || said.matters !== matters || lane === undefined) return mark;
    if (shape.kind === "cell") return { ...mark, label: placeBelow(mark, said, room) };
    if (shape.kind === "cross" && mark.x !== lane.x)
      return { ...mark, label: placeAtCross(mark, said, room) };
    // An event that happens together with a message of the same lane leaves its side to the message.
    const own = sides[mark.seq] ?? 0;
    const next = marks[index + 1];
    const side =
      own !== 0 || next === undefined || next.y - mark.y > 8 || next.lane !== mark.lane
        ? own
        : (sides[next.seq] ?? 0);
    return { ...mark, label: placeNote(mark, said, lane, side as -1 | 0 | 1, room) };
  });
}

/** Arrows with the same words that leave from the same place at once: the words are said once. */
const BUNDLE = 12;

function placeArrowLabels(
  arrows: readonly ArrowMark[],
  depictions: readonly Depiction[],
  room: Occupancy,
  now: (arrow: ArrowMark) => boolean,
): readonly ArrowMark[] {
  const said = new Set<ArrowMark>();
  return arrows.map((arrow, index) => {
    const text = depictions[arrow.seq]?.sends?.label ?? "";
    if (arrow.label !== null || text === "" || !now(arrow) || said.has(arrow)) return arrow;
    const bundle: [ArrowMark, ...ArrowMark[]] = [arrow];
    for (let later = index + 1; later < arrows.length; later += 1) {
      const other = arrows[later];
      if (other === undefined || other.y0 - arrow.y0 > BUNDLE) break;
      if (other.x0 !== arrow.x0 || depictions[other.seq]?.sends?.label !== text) continue;
      bundle.push(other);
      said.add(other);
    }
    return { ...arrow, label: placeAlong(bundle, text, room) };
  });
}

/** Where the cursor stands after each action: just below what happened last. */
function cursorPlaces(input: TimelineInput, marks: readonly EventMark[], axis: Axis): readonly number[] {
  let lowest = 0;
  return input.moments.map(({ eventEnd, at }) => {
    const last = marks[eventEnd - 1];
    let y = axis.yAt(at);
    if (last !== undefined && input.events[last.seq]?.at === at) {
      const next = axis.ys[eventEnd] ?? Infinity;
      const from = axis.ys[last.seq] ?? last.y;
      y = last.folded
        ? from
        : from + Math.min(reach(last.depiction).below + 4, Math.max(2, (next - from) * 0.7));
    }
    lowest = Math.max(lowest, y);
    return lowest;
  });
}

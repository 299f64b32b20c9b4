// The picture of a run as a pure function: where everything stands, for a given width. The cursor is no part of it.
import type { Depiction } from "../picture/picture.ts";
import { placeEvents, reach, type Axis } from "./axis.ts";
import { placeSpans } from "./bands.ts";
import { placeLanes } from "./lanes.ts";
import type { EventMark, LaneMark, LinkMark, PageLabels, TimelineInput, TimelineMarks } from "./marks.ts";
import { placeArrows } from "./messages.ts";
import { BOTTOM, CELL_HEIGHT, CELL_TAB, GUTTER, RECORD, TEXT, TEXT_CELL, TEXT_TAB } from "./metrics.ts";
import { cutPages, labelPage } from "./pages.ts";
import { elide, textWidth } from "./textWidth.ts";

/** An epoch whose number is longer than this is told by its ordinal. */
const TAB_DIGITS = 3;

const NO_LABELS: PageLabels = { events: new Map(), arrows: new Map(), gaps: new Map() };

export function layoutTimeline(input: TimelineInput, widthPx: number): TimelineMarks {
  const { events, moments, picture } = input;
  const { depictions, routine } = picture.depict(events);
  const { lanes, width } = placeLanes(input.lanes, cellTexts(events, depictions), widthPx);
  const axis = placeEvents({ events, depictions, routine, moments, picture, unfolded: input.unfolded });
  const { arrows, crosses } = placeArrows(events, depictions, routine, lanes, axis);
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
      routine: routine[event.seq] === 1,
      folded: axis.folded[event.seq] === 1,
    };
  });

  const height = axis.endY + BOTTOM;
  const { gaps } = spans;
  const pages = cutPages(axis, height);
  const pageInput = { lanes, width, axis, depictions, events: marks, arrows, gaps };
  const labels = new Map<number, PageLabels>();
  return {
    width,
    height,
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
    arrows,
    links: placeLinks(marks),
    events: marks,
    pages,
    labelsOf(index) {
      let found = labels.get(index);
      const page = pages[index];
      if (page === undefined) return NO_LABELS;
      if (found === undefined) labels.set(index, (found = labelPage(page, pageInput)));
      return found;
    },
    ...cursorPlaces(input, marks, axis),
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
  let widest = 0;
  const see = (x0: number, x1: number): void => {
    if (x1 - x0 < need) {
      // None may do: then from the beginning of the widest.
      if (distance === Infinity && x0 < width && x1 - x0 > widest) {
        widest = x1 - x0;
        best = x0 + need / 2;
      }
      return;
    }
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
  const tab = label.length > TAB_DIGITS ? `#${shape.epoch?.ordinal ?? ""}` : label;
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

/** Where time and the cursor stand after each action: the cursor just below what happened last. */
function cursorPlaces(
  input: TimelineInput,
  marks: readonly EventMark[],
  axis: Axis,
): Pick<TimelineMarks, "cursorYs" | "timeYs"> {
  let lowest = 0;
  const cursorYs: number[] = [];
  const timeYs: number[] = [];
  for (const { eventEnd, at } of input.moments) {
    const last = marks[eventEnd - 1];
    let time = axis.yAt(at);
    let y = time;
    if (last !== undefined && input.events[last.seq]?.at === at) {
      const next = axis.ys[eventEnd] ?? Infinity;
      time = axis.ys[last.seq] ?? last.y;
      y = last.folded ? time : time + Math.min(reach(last.depiction).below + 4, Math.max(2, next - time - 3));
    }
    lowest = Math.max(lowest, y);
    cursorYs.push(lowest);
    timeYs.push(time);
  }
  return { cursorYs, timeYs };
}

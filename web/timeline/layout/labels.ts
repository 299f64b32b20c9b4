// Finds a place for words beside a mark, or none: two words never stand on each other.
import type { Words } from "../picture/picture.ts";
import type { ArrowMark, Box, EventMark, GapMark, LabelMark, LaneMark } from "./marks.ts";
import { BAND_MARGIN, LINE, RECORD, TEXT, TEXT_GAP } from "./metrics.ts";
import type { Occupancy, Segment } from "./occupancy.ts";
import { textWidth } from "./textWidth.ts";

const BESIDE = 8;
const ALONG = 8;
const PAD = 2;
const BRACKET_ROOM = 9;
const NONE: readonly Segment[] = [];

interface Candidate {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly anchor: LabelMark["anchor"];
  readonly angle: number;
}

interface Style {
  readonly tone: LabelMark["tone"];
  readonly epoch: number | null;
  readonly bold: boolean;
  readonly sizePx: number;
}

function boxOf({ lines, x, y, anchor, angle }: Candidate, style: Style): Box {
  let width = 0;
  for (const line of lines)
    width = Math.max(width, textWidth(line, style.sizePx, style.bold ? "bold" : "regular"));
  const height = LINE * lines.length;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  if (angle === 0)
    return { x0: left - PAD, y0: y - LINE / 2, x1: left + width + PAD, y1: y - LINE / 2 + height };
  const turn = (Math.abs(angle) * Math.PI) / 180;
  const w = width * Math.cos(turn) + LINE * Math.sin(turn);
  const h = width * Math.sin(turn) + LINE * Math.cos(turn);
  return { x0: x - w / 2 - PAD, y0: y - h / 2, x1: x + w / 2 + PAD, y1: y + h / 2 };
}

/** Takes the free candidate that fewest lines cross; the first of equals. Null when none is free. */
function settle(
  candidates: Iterable<Candidate>,
  style: Style,
  room: Occupancy,
  { acrossColumns = false, own = NONE }: { acrossColumns?: boolean; own?: readonly Segment[] } = {},
): LabelMark | null {
  let best: { candidate: Candidate; box: Box; crossings: number } | null = null;
  for (const candidate of candidates) {
    const box = boxOf(candidate, style);
    if (!room.isFree(box, acrossColumns)) continue;
    const crossings = room.crossings(box, own);
    if (best === null || crossings < best.crossings) best = { candidate, box, crossings };
    if (crossings === 0) break;
  }
  if (best === null) return null;
  room.take(best.box);
  const { tone, epoch, bold } = style;
  return { ...best.candidate, tone, epoch, bold, box: best.box };
}

const styleOf = (words: Words): Style => ({
  tone: words.tone,
  epoch: words.epoch,
  bold: words.tone !== "plain" || words.epoch !== null,
  sizePx: TEXT,
});

/** All the ways to say it: in full, then short. */
function versions(words: Words): readonly (readonly string[])[] {
  return words.short === "" ? [words.lines] : [words.lines, [words.short]];
}

/** Words beside a lane. `busySide`: where the event's own messages leave or come; the other side is tried first. */
export function placeNote(
  mark: EventMark,
  words: Words,
  lane: LaneMark,
  busySide: number,
  room: Occupancy,
): LabelMark | null {
  const half = lane.role === "register" ? RECORD / 2 : lane.half;
  // Beyond a bracket there is still room.
  const right: readonly [side: number, out: number][] = [
    [1, 0],
    [1, BRACKET_ROOM],
  ];
  const left: readonly [side: number, out: number][] = [[-1, 0]];
  const places = busySide === 1 ? [...left, ...right] : [...right, ...left];
  function* candidates(): Generator<Candidate> {
    for (const lines of versions(words))
      for (const [side, out] of places)
        for (const shift of [0, -LINE / 2, LINE / 2])
          yield {
            lines,
            x: mark.x + side * (half + BESIDE + out),
            y: mark.y + shift - (lines.length > 1 && shift < 0 ? LINE / 2 : 0),
            anchor: side === 1 ? "start" : "end",
            angle: 0,
          };
  }
  return settle(candidates(), styleOf(words), room);
}

/** Words below a cell. */
export function placeBelow(mark: EventMark, words: Words, room: Occupancy): LabelMark | null {
  const y = mark.y + mark.halfHeight + LINE / 2 + 1;
  const candidates = versions(words).map((lines): Candidate => ({
    lines,
    x: mark.x,
    y,
    anchor: "middle",
    angle: 0,
  }));
  return settle(candidates, styleOf(words), room);
}

/** Words at a cross between lanes. */
export function placeAtCross(mark: EventMark, words: Words, room: Occupancy): LabelMark | null {
  const { x, y } = mark;
  const candidates = versions(words).flatMap((lines): readonly Candidate[] => [
    { lines, x: x + 10, y, anchor: "start", angle: 0 },
    { lines, x: x - 10, y, anchor: "end", angle: 0 },
    { lines, x, y: y + LINE, anchor: "middle", angle: 0 },
    { lines, x, y: y - LINE, anchor: "middle", angle: 0 },
  ]);
  return settle(candidates, styleOf(words), room);
}

/** Arrows that the same words are said of: they leave from the same place at once and fan out. */
export type Bundle = readonly [ArrowMark, ...ArrowMark[]];

/** Words along a bundle, first near its source: above the topmost arrow, wherever that is, or below the lowest. */
export function placeAlong(bundle: Bundle, text: string, room: Occupancy): LabelMark | null {
  const [arrow] = bundle;
  const dx = arrow.x1 - arrow.x0;
  const length = Math.hypot(dx, arrow.y1 - arrow.y0);
  const style: Style = {
    tone: "plain",
    epoch: arrow.epoch?.ordinal ?? null,
    bold: arrow.stale,
    sizePx: TEXT,
  };
  const width = textWidth(text, style.sizePx, style.bold ? "bold" : "regular");
  if (length < width + 14) return null;
  const near = (width / 2 + 10) / length;
  function* candidates(): Generator<Candidate> {
    for (const side of [-1, 1])
      for (let part = near; part <= 1 - near; part += Math.max(0.03, 12 / length)) {
        const x = arrow.x0 + dx * part;
        const { y, slope } = outermost(bundle, x, side);
        const turn = Math.atan(slope);
        yield {
          lines: [text],
          x,
          y: y + (side * ALONG) / Math.cos(turn),
          anchor: "middle",
          angle: Math.abs(slope) > 1 ? 0 : (turn * 180) / Math.PI,
        };
      }
  }
  const placed = settle(candidates(), style, room, { own: bundle });
  // A stale message is what the picture is about: rather across a lane's bands than unnamed.
  return placed === null && arrow.stale
    ? settle(candidates(), style, room, { own: bundle, acrossColumns: true })
    : placed;
}

/** The topmost (side -1) or lowest arrow of a bundle at `x`. */
function outermost(bundle: Bundle, x: number, side: number): { readonly y: number; readonly slope: number } {
  let best = { y: side * -Infinity, slope: 0 };
  for (const { x0, y0, x1, y1 } of bundle) {
    if (x < Math.min(x0, x1) || x > Math.max(x0, x1)) continue;
    const slope = x1 === x0 ? 0 : (y1 - y0) / (x1 - x0);
    const y = y0 + (x - x0) * slope;
    if (side < 0 ? y < best.y : y > best.y) best = { y, slope };
  }
  return best;
}

/** Words beside a bracket, as near to its middle as there is room. */
export function placeGapLabel(gap: GapMark, lane: LaneMark, room: Occupancy): LabelMark | null {
  const { lines, y0, y1 } = gap;
  const style: Style = { tone: gap.tone, epoch: null, bold: true, sizePx: TEXT_GAP };
  const span = y1 - y0;
  if (span < LINE) return null;
  const first = y0 + LINE / 2;
  const last = Math.max(first, y1 - LINE * lines.length + LINE / 2);
  const middle = (first + last) / 2;
  const left = lane.x - lane.half - BAND_MARGIN - 4;
  function* candidates(): Generator<Candidate> {
    for (let away = 0; away <= Math.max(span / 2, LINE); away += LINE / 2)
      for (const y of away === 0 ? [middle] : [middle - away, middle + away])
        if (y >= first && y <= last) yield { lines, x: gap.x + 6, y, anchor: "start", angle: 0 };
    for (const y of [middle, first, last]) yield { lines, x: left, y, anchor: "end", angle: 0 };
  }
  // It is what the picture is about: rather across a neighbour's bands than not at all.
  return settle(candidates(), style, room) ?? settle(candidates(), style, room, { acrossColumns: true });
}

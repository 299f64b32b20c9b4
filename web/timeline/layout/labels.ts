// Finds a place for every word of the picture, or leaves it out: two words never stand on each other. What matters most is
// placed first.
import type { Words } from "../picture/picture.ts";
import type { ArrowMark, Box, EventMark, GapMark, LabelMark, LaneMark } from "./marks.ts";
import { BAND_MARGIN, LINE, RECORD, TEXT, TEXT_GAP } from "./metrics.ts";
import type { Occupancy } from "./occupancy.ts";
import { textWidth } from "./textWidth.ts";

const BESIDE = 8;
const ALONG = 8;
const PAD = 2;

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

function boxOf(candidate: Candidate, style: Style): Box {
  const width = Math.max(
    ...candidate.lines.map((line) => textWidth(line, style.sizePx, style.bold ? "bold" : "regular")),
  );
  const height = LINE * candidate.lines.length;
  const { x, y, anchor } = candidate;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  if (candidate.angle === 0)
    return { x0: left - PAD, y0: y - LINE / 2, x1: left + width + PAD, y1: y - LINE / 2 + height };
  const turn = (Math.abs(candidate.angle) * Math.PI) / 180;
  const w = width * Math.cos(turn) + LINE * Math.sin(turn);
  const h = width * Math.sin(turn) + LINE * Math.cos(turn);
  return { x0: x - w / 2 - PAD, y0: y - h / 2, x1: x + w / 2 + PAD, y1: y + h / 2 };
}

/** Takes the free candidate that fewest lines cross; the first of equals. Null when none is free. */
function settle(
  candidates: readonly Candidate[],
  style: Style,
  room: Occupancy,
  acrossColumns = false,
): LabelMark | null {
  let best: { candidate: Candidate; box: Box; crossings: number } | null = null;
  for (const candidate of candidates) {
    const box = boxOf(candidate, style);
    if (!room.isFree(box, acrossColumns)) continue;
    const crossings = room.crossings(box);
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

/** Words beside a lane, on the side that the event's own messages leave free. */
export function placeNote(
  mark: EventMark,
  words: Words,
  lane: LaneMark,
  busySide: -1 | 0 | 1,
  room: Occupancy,
): LabelMark | null {
  const half = lane.role === "register" ? RECORD / 2 : lane.half;
  const sides = busySide === 1 ? [-1, 1] : [1, -1];
  const candidates: Candidate[] = [];
  for (const lines of versions(words))
    for (const side of sides)
      for (const shift of [0, -LINE / 2, LINE / 2])
        candidates.push({
          lines,
          x: mark.x + side * (half + BESIDE),
          y: mark.y + shift - (lines.length > 1 && shift < 0 ? LINE / 2 : 0),
          anchor: side === 1 ? "start" : "end",
          angle: 0,
        });
  return settle(candidates, styleOf(words), room);
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

/** Words at a cross. */
export function placeAtCross(mark: EventMark, words: Words, room: Occupancy): LabelMark | null {
  const candidates = versions(words).flatMap((lines): readonly Candidate[] => [
    { lines, x: mark.x + 10, y: mark.y, anchor: "start", angle: 0 },
    { lines, x: mark.x - 10, y: mark.y, anchor: "end", angle: 0 },
    { lines, x: mark.x, y: mark.y + LINE, anchor: "middle", angle: 0 },
    { lines, x: mark.x, y: mark.y - LINE, anchor: "middle", angle: 0 },
  ]);
  return settle(candidates, styleOf(words), room);
}

/**
 * Words along an arrow, first near its source. `bundle`: all arrows that these words are said of, which leave from the same place
 * and fan out; the words stand above the topmost of them, wherever that is.
 */
export function placeAlong(
  bundle: readonly [ArrowMark, ...ArrowMark[]],
  text: string,
  room: Occupancy,
): LabelMark | null {
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
  const candidates: Candidate[] = [];
  for (const side of [-1, 1])
    for (let part = near; part <= 1 - near; part += Math.max(0.03, 12 / length)) {
      const x = arrow.x0 + dx * part;
      const { y, slope } = outermost(bundle, x, side);
      const angle = Math.abs(slope) > 1 ? 0 : (Math.atan(slope) * 180) / Math.PI;
      candidates.push({
        lines: [text],
        x,
        y: y + (side * ALONG) / Math.cos(Math.atan(slope)),
        anchor: "middle",
        angle,
      });
    }
  return settle(candidates, style, room);
}

/** The topmost (side -1) or lowest arrow of a bundle at `x`. */
function outermost(
  bundle: readonly [ArrowMark, ...ArrowMark[]],
  x: number,
  side: number,
): { readonly y: number; readonly slope: number } {
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
export function placeGapLabel(
  gap: GapMark,
  lines: readonly string[],
  lane: LaneMark,
  room: Occupancy,
): LabelMark | null {
  const style: Style = { tone: gap.tone, epoch: null, bold: true, sizePx: TEXT_GAP };
  const height = LINE * lines.length;
  const span = gap.y1 - gap.y0;
  if (span < LINE) return null;
  const first = gap.y0 + LINE / 2;
  const last = Math.max(first, gap.y1 - height + LINE / 2);
  const middle = (first + last) / 2;
  const left = lane.x - lane.half - BAND_MARGIN - 4;
  const candidates: Candidate[] = [];
  for (let away = 0; away <= Math.max(span / 2, LINE); away += LINE / 2)
    for (const y of away === 0 ? [middle] : [middle - away, middle + away]) {
      if (y < first || y > last) continue;
      candidates.push({ lines, x: gap.x + 6, y, anchor: "start", angle: 0 });
    }
  for (const y of [middle, first, last]) candidates.push({ lines, x: left, y, anchor: "end", angle: 0 });
  // It is what the picture is about: rather across a neighbour's bands than not at all.
  return settle(candidates, style, room) ?? settle(candidates, style, room, true);
}

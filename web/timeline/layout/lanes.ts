// Where the lanes stand: as wide apart as the picture allows, wider where messages with words cross.
import { sum } from "d3-array";
import type { Lane } from "../../../shared/systems/system.ts";
import {
  BAND,
  BAND_MARGIN,
  BAND_NARROW,
  CELL_HEIGHT,
  CELL_TAB,
  CELL_WIDTH_MAX,
  CELL_WIDTH_MIN,
  GUTTER,
  NARROW_FROM,
  RECORD,
  TEXT_CELL,
} from "./metrics.ts";
import type { LaneMark } from "./marks.ts";
import { textWidth } from "./textWidth.ts";

const LEFT = 38;
const RIGHT = 34;
/** Beyond this a lane's distance says nothing more. */
const MOST = 300;
/** With more lanes than this they move together; words that find no room there are left out. */
const CROWDED_FROM = 7;

/** Half the width of what is drawn in a lane. */
function halfWidth(lane: Lane, bandWidth: number, bandGap: number, cellTexts: readonly string[]): number {
  switch (lane.role) {
    case "process":
      return (lane.bands.length * (bandWidth + bandGap) - bandGap) / 2 + BAND_MARGIN;
    case "register":
      return RECORD / 2 + 3;
    case "sink": {
      let widest = 0;
      for (const text of cellTexts) widest = Math.max(widest, textWidth(text, TEXT_CELL, "bold"));
      const width = Math.ceil(widest) + CELL_TAB + 16;
      return Math.min(CELL_WIDTH_MAX, Math.max(CELL_WIDTH_MIN, width)) / 2;
    }
    default:
      return CELL_HEIGHT;
  }
}

/** Least distance between what is drawn in neighbouring lanes: room for the words that stand there. */
function least(left: Lane, right: Lane, crowded: boolean): number {
  if (left.role === "sink" && right.role === "sink") return 34;
  if (left.role === "process" && right.role === "process") return crowded ? 30 : 56;
  return crowded ? 68 : 96;
}

/** How much of the free room goes between two neighbours. */
function share(left: Lane, right: Lane): number {
  if (left.role === "sink" && right.role === "sink") return 0.45;
  if (left.role === "process" && right.role === "process") return 0.8;
  if (right.role === "sink" || left.role === "sink") return 1.25;
  return 1.1;
}

/**
 * Places the lanes in `widthPx`. A picture that needs more than it is given is wider: the stage scrolls.
 * `cellTexts`: what the cells of each sink say, by lane.
 */
export function placeLanes(
  lanes: readonly Lane[],
  cellTexts: ReadonlyMap<string, readonly string[]>,
  widthPx: number,
): { readonly lanes: readonly LaneMark[]; readonly width: number } {
  const processes = lanes.filter((lane) => lane.role === "process").length;
  const band = processes >= NARROW_FROM ? BAND_NARROW : BAND;
  const halves = lanes.map((lane) => halfWidth(lane, band.width, band.gap, cellTexts.get(lane.id) ?? []));
  const pairs = lanes.slice(1).map((right, index) => ({ left: lanes[index] as Lane, right }));
  const shares = pairs.map(({ left, right }) => share(left, right));
  const leasts = pairs.map(({ left, right }) => least(left, right, lanes.length >= CROWDED_FROM));
  const need = GUTTER + LEFT + RIGHT + 2 * sum(halves) + sum(leasts);
  const free = Math.max(0, widthPx - need);
  const shareSum = sum(shares);
  const gaps = pairs.map((_, index) => {
    const part = shares[index] ?? 0;
    return Math.min(MOST, (leasts[index] ?? 0) + (shareSum === 0 ? 0 : (free * part) / (shareSum + 0.9)));
  });
  const content = need + sum(gaps) - sum(leasts);
  // What is left over goes to both sides, most of it right, where words under the last sink need it.
  const over = Math.max(0, widthPx - content);
  let x = GUTTER + LEFT + Math.min(over * 0.4, 120);
  const marks: LaneMark[] = [];
  lanes.forEach((lane, index) => {
    const half = halves[index] ?? 0;
    const before = index === 0 ? LEFT : (gaps[index - 1] ?? 0);
    const after = index === lanes.length - 1 ? RIGHT * 2 : (gaps[index] ?? 0);
    x += half;
    const left = x - half + BAND_MARGIN;
    marks.push({
      id: lane.id,
      title: lane.title,
      subtitle: lane.subtitle,
      role: lane.role,
      x,
      half,
      titleRoom: 2 * half + Math.min(before, after) - 6,
      bands: lane.bands.map(({ id, letter, meaning }, at) => ({
        id,
        letter,
        meaning,
        x: left + at * (band.width + band.gap) + band.width / 2,
      })),
      bandWidth: band.width,
    });
    x += half + (gaps[index] ?? 0);
  });
  return { lanes: marks, width: Math.max(widthPx, Math.ceil(need)) };
}

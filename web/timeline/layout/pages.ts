// Places the words of a picture page by page, when a page is first looked at: a run that grows by one event does not place all
// its words anew. Pages end where there is room, and words stay inside their page, so pages do not depend on one another.
import { bisectLeft } from "d3-array";
import type { Depiction } from "../picture/picture.ts";
import type { Axis } from "./axis.ts";
import { placeAlong, placeAtCross, placeBelow, placeGapLabel, placeNote, type Bundle } from "./labels.ts";
import type { ArrowMark, EventMark, GapMark, LabelMark, LaneMark, Page, PageLabels } from "./marks.ts";
import { GUTTER } from "./metrics.ts";
import { createOccupancy } from "./occupancy.ts";

/** A page has at least this many events, and ends at the next place with this much room. */
const EVENTS_LEAST = 60;
const EVENTS_MOST = 300;
const ROOM_AT_END = 44;
/** Words reach this far above their event; what is left of the room is for words below the event before. */
const ABOVE = 20;
/** Lost messages end a little away from their event's own place. */
const ASTRAY = 30;

/** A part of a bracket this long is named for itself. */
const GAP_LONG = 500;

/** Ranges of y, from the top down. */
export function cutPages(axis: Axis, height: number): readonly Page[] {
  const { ys } = axis;
  const pages: Page[] = [];
  let y0 = 0;
  let first = 0;
  let widest = { room: 0, after: 0 };
  for (let seq = 0; seq + 1 < ys.length; seq += 1) {
    if (seq - first < EVENTS_LEAST || (axis.folded[seq] === 1 && axis.folded[seq + 1] === 1)) continue;
    const room = (ys[seq + 1] ?? 0) - (ys[seq] ?? 0);
    if (room > widest.room) widest = { room, after: seq };
    if (room < ROOM_AT_END && seq - first < EVENTS_MOST) continue;
    const after = room >= ROOM_AT_END ? seq : widest.after;
    const last = ys[after] ?? 0;
    const next = ys[after + 1] ?? last;
    const y1 = Math.max((last + next) / 2, next - ABOVE);
    pages.push({ y0, y1 });
    y0 = y1;
    first = after + 1;
    seq = after;
    widest = { room: 0, after: first };
  }
  pages.push({ y0, y1: height });
  return pages;
}

export interface PageInput {
  readonly lanes: readonly LaneMark[];
  readonly width: number;
  readonly axis: Axis;
  readonly depictions: readonly Depiction[];
  readonly events: readonly EventMark[];
  /** In order of `y0`. */
  readonly arrows: readonly ArrowMark[];
  readonly gaps: readonly GapMark[];
}

export function labelPage(page: Page, input: PageInput): PageLabels {
  const { lanes, axis, depictions, width } = input;
  const from = bisectLeft(axis.ys, page.y0 - ASTRAY);
  const to = bisectLeft(axis.ys, page.y1 + ASTRAY);
  const marks = input.events.slice(from, to);
  const within = (y: number): boolean => y >= page.y0 && y < page.y1;
  const arrows = input.arrows.filter((arrow) => arrow.y0 < page.y1 && arrow.y1 >= page.y0);
  const room = createOccupancy(
    lanes
      .filter((lane) => lane.role === "process")
      .map((lane) => ({ x0: lane.x - lane.half, x1: lane.x + lane.half })),
    { x0: GUTTER + 2, x1: width, y0: page.y0, y1: page.y1 },
  );
  for (const { x, y, halfWidth, halfHeight, depiction, folded } of marks) {
    if (folded || depiction.shape.kind === "tick" || depiction.shape.kind === "note") continue;
    room.take({ x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight });
  }
  for (const fold of axis.folds)
    if (fold.y1 > page.y0 && fold.y0 < page.y1) room.take({ x0: 0, y0: fold.y0, x1: width, y1: fold.y1 });
  for (const arrow of arrows) room.addLine(arrow);

  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  const own = marks.filter((mark) => within(mark.y) && !mark.folded);
  const said = {
    events: new Map<number, LabelMark>(),
    arrows: new Map<string, LabelMark>(),
    gaps: new Map<string, LabelMark>(),
  };
  for (const gap of input.gaps) {
    if (gap.y1 <= page.y0 || gap.y0 >= page.y1) continue;
    room.take({ x0: gap.x - 6, y0: gap.y0, x1: gap.x + 2, y1: gap.y1 });
    const lane = byId.get(gap.lane);
    const part = { ...gap, y0: Math.max(gap.y0, page.y0), y1: Math.min(gap.y1, page.y1) };
    // Named once; a long bracket again on every page, since a reader may see only one of them.
    const named = within((gap.y0 + gap.y1) / 2) || part.y1 - part.y0 >= GAP_LONG;
    keep(said.gaps, gap.key, lane === undefined || !named ? null : placeGapLabel(part, lane, room));
  }
  const sides = busySides(arrows);
  const bundles = bundleUp(
    arrows.filter((arrow) => within(arrow.y0)),
    depictions,
  );
  // What matters, then messages in the order of their weight, then asides.
  labelEvents(true);
  labelArrows((arrow) => arrow.weight === "work");
  labelArrows((arrow) => arrow.weight === "request" && !arrow.routine);
  labelEvents(false);
  labelArrows((arrow) => arrow.routine);
  return said;

  function labelEvents(matters: boolean): void {
    own.forEach((mark, index) => {
      const { shape } = mark.depiction;
      const words = shape.kind === "cell" ? shape.below : shape.kind === "tick" ? null : shape.words;
      const lane = byId.get(mark.lane);
      if (words === null || words.matters !== matters || lane === undefined) return;
      if (shape.kind === "cell") return keep(said.events, mark.seq, placeBelow(mark, words, room));
      if (shape.kind === "cross" && mark.x !== lane.x)
        return keep(said.events, mark.seq, placeAtCross(mark, words, room));
      // An event that happens together with a message of the same lane leaves its side to the message.
      const next = own[index + 1];
      const together = next !== undefined && next.y - mark.y <= 8 && next.lane === mark.lane;
      const side = sides.get(mark.seq) ?? (together ? sides.get(next.seq) : undefined) ?? 0;
      keep(said.events, mark.seq, placeNote(mark, words, lane, side, room));
    });
  }

  function labelArrows(now: (arrow: ArrowMark) => boolean): void {
    for (const { bundle, text } of bundles)
      if (now(bundle[0])) keep(said.arrows, bundle[0].key, placeAlong(bundle, text, room));
  }
}

function keep<Key>(map: Map<Key, LabelMark>, key: Key, label: LabelMark | null): void {
  if (label !== null) map.set(key, label);
}

/** On which side of an event its own message leaves or comes: -1 left, 1 right; not in the map: both or neither. */
function busySides(arrows: readonly ArrowMark[]): ReadonlyMap<number, number> {
  const sides = new Map<number, number>();
  const see = (seq: number, side: number): void => {
    const before = sides.get(seq);
    sides.set(seq, before === undefined || before === side ? side : 0);
  };
  for (const { seq, endSeq, x0, x1, fate } of arrows) {
    see(seq, x1 > x0 ? 1 : -1);
    if (endSeq !== null && fate !== "lost") see(endSeq, x1 > x0 ? -1 : 1);
  }
  return sides;
}

/** Arrows with the same words that leave from the same place within this many pixels: the words are said once. */
const BUNDLE = 12;

function bundleUp(
  arrows: readonly ArrowMark[],
  depictions: readonly Depiction[],
): readonly { readonly bundle: Bundle; readonly text: string }[] {
  const bundled = new Set<ArrowMark>();
  return arrows.flatMap((arrow, index) => {
    const text = depictions[arrow.seq]?.sends?.label ?? "";
    if (text === "" || bundled.has(arrow)) return [];
    const bundle: [ArrowMark, ...ArrowMark[]] = [arrow];
    for (let later = index + 1; later < arrows.length; later += 1) {
      const other = arrows[later];
      if (other === undefined || other.y0 - arrow.y0 > BUNDLE) break;
      if (other.x0 !== arrow.x0 || depictions[other.seq]?.sends?.label !== text) continue;
      bundle.push(other);
      bundled.add(other);
    }
    return [{ bundle, text }];
  });
}

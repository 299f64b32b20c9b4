// What lasts: the bands of a lane, its pauses and absences, and its disagreements with the rest of the world. All three are
// read off the moments of a run by the same walk.
import type { Picture } from "../picture/picture.ts";
import type { Axis } from "./axis.ts";
import { BOTTOM, TOP } from "./metrics.ts";
import type { BandMark, BlockMark, GapMark, LaneMark, MomentFacts } from "./marks.ts";

/** Distance of a bracket from its lane. */
const BRACKET = 7;

export interface Spans {
  readonly bands: readonly BandMark[];
  readonly blocks: readonly BlockMark[];
  readonly gaps: readonly GapMark[];
}

interface Open<Value> {
  readonly value: Value;
  readonly from: number;
}

/** Turns a value at each moment into spans: one for each stretch over which it stays the same. */
function spanWalker<Value>(same: (left: Value, right: Value) => boolean) {
  const open = new Map<string, Open<Value>>();
  const closed: { key: string; value: Value; y0: number; y1: number }[] = [];
  return {
    see(key: string, value: Value | null, y: number): void {
      const current = open.get(key);
      if (current !== undefined) {
        if (value !== null && same(current.value, value)) return;
        closed.push({ key, value: current.value, y0: current.from, y1: y });
        open.delete(key);
      }
      if (value !== null) open.set(key, { value, from: y });
    },
    end(y: number) {
      for (const [key, { value, from }] of open) closed.push({ key, value, y0: from, y1: y });
      return closed.toSorted((left, right) => left.y0 - right.y0);
    },
  };
}

export function placeSpans(
  moments: readonly MomentFacts[],
  lanes: readonly LaneMark[],
  axis: Axis,
  picture: Pick<Picture, "disagreement">,
): Spans {
  const columns = new Map<
    string,
    { readonly lane: string; readonly band: string; readonly x: number; readonly width: number }
  >();
  for (const lane of lanes)
    for (const band of lane.bands)
      columns.set(`${lane.id} ${band.id}`, {
        lane: lane.id,
        band: band.id,
        x: band.x,
        width: lane.bandWidth,
      });
  const bandWalk = spanWalker<BandMark["epoch"]>(
    (left, right) => left.ordinal === right.ordinal && left.label === right.label,
  );
  const blockWalk = spanWalker<BlockMark["condition"]>((left, right) => left === right);
  const gapWalk = spanWalker<NonNullable<ReturnType<Picture["disagreement"]>>>(
    (left, right) => left.key === right.key,
  );
  const processes = lanes.filter((lane) => lane.bands.length > 0);
  let before: MomentFacts | null = null;
  for (const moment of moments) {
    const changed = before?.bands !== moment.bands;
    const conditionsChanged = before?.conditions !== moment.conditions;
    if (changed || conditionsChanged) {
      const y = startOf(before, moment, axis);
      if (changed) {
        for (const { lane, band, epoch } of moment.bands) bandWalk.see(`${lane} ${band}`, epoch, y);
        for (const lane of processes) gapWalk.see(lane.id, picture.disagreement(lane.id, moment.bands), y);
      }
      if (conditionsChanged)
        for (const { lane, condition } of moment.conditions)
          blockWalk.see(lane, condition === "running" ? null : condition, y);
    }
    before = moment;
  }
  const end = axis.endY;
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  return {
    bands: bandWalk.end(end).flatMap(({ key, value, y0, y1 }) => {
      const column = columns.get(key);
      return column === undefined ? [] : [{ key: `${key} ${y0}`, ...column, y0, y1, epoch: value }];
    }),
    blocks: blockWalk.end(end).flatMap(({ key, value, y0, y1 }) => {
      const lane = byId.get(key);
      if (lane === undefined) return [];
      const down = value === "down";
      return [
        {
          key: `${key} ${y0}`,
          lane: key,
          condition: value,
          x0: lane.x - lane.half,
          x1: lane.x + lane.half,
          // An absence at the start or the end of a run reaches to the edge of the picture.
          y0: down && y0 <= TOP ? 0 : y0,
          y1: down && y1 >= end ? end + BOTTOM : y1,
        },
      ];
    }),
    gaps: gapWalk.end(end).flatMap(({ key, value, y0, y1 }) => {
      const lane = byId.get(key);
      if (lane === undefined) return [];
      const x = lane.x + lane.half + BRACKET;
      const { lines, tone } = value;
      return [{ key: `${key} ${y0}`, lane: key, x, y0, y1, tone, lines }];
    }),
  };
}

/** Where a moment begins: at the first event of its action. */
function startOf(before: MomentFacts | null, moment: MomentFacts, axis: Axis): number {
  const first = before?.eventEnd ?? 0;
  return moment.eventEnd > first ? (axis.ys[first] ?? axis.endY) : axis.yAt(moment.at);
}

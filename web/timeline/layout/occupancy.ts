// Who stands where: keeps words from standing on one another. Rows make each question cost what is near, not what there is.
import type { Box } from "./marks.ts";

const ROW = 32;

export interface Segment {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface Occupancy {
  take(box: Box): void;
  /** Nothing stands in the box, and no column runs through it (unless `acrossColumns`). */
  isFree(box: Box, acrossColumns?: boolean): boolean;
  addLine(segment: Segment): void;
  /** How many lines run through the box, `own` ones apart. */
  crossings(box: Box, own: readonly Segment[]): number;
}

/** `columns`: ranges of x that are taken over the whole height. `page`: nothing may stand outside of it. */
export function createOccupancy(
  columns: readonly { readonly x0: number; readonly x1: number }[],
  page: Box,
): Occupancy {
  const boxes = new Map<number, Box[]>();
  const lines = new Map<number, Segment[]>();
  const put = <Item>(rows: Map<number, Item[]>, y0: number, y1: number, item: Item): void => {
    for (let row = Math.floor(y0 / ROW); row <= Math.floor(y1 / ROW); row += 1) {
      const there = rows.get(row);
      if (there === undefined) rows.set(row, [item]);
      else there.push(item);
    }
  };
  return {
    take: (box) => put(boxes, box.y0, box.y1, box),
    isFree(box, acrossColumns = false) {
      if (box.x0 < page.x0 || box.x1 > page.x1 || box.y0 < page.y0 || box.y1 > page.y1) return false;
      if (!acrossColumns)
        for (const column of columns) if (box.x0 < column.x1 && box.x1 > column.x0) return false;
      for (let row = Math.floor(box.y0 / ROW); row <= Math.floor(box.y1 / ROW); row += 1)
        for (const other of boxes.get(row) ?? []) if (overlap(box, other)) return false;
      return true;
    },
    addLine: (segment) =>
      put(lines, Math.min(segment.y0, segment.y1), Math.max(segment.y0, segment.y1), segment),
    crossings(box, own) {
      const met = new Set<Segment>();
      for (let row = Math.floor(box.y0 / ROW); row <= Math.floor(box.y1 / ROW); row += 1)
        for (const line of lines.get(row) ?? []) if (crosses(line, box) && !own.includes(line)) met.add(line);
      return met.size;
    },
  };
}

export function overlap(left: Box, right: Box): boolean {
  return left.x0 < right.x1 && left.x1 > right.x0 && left.y0 < right.y1 && left.y1 > right.y0;
}

/** Cuts the segment to the box's range of x and looks whether what is left lies above or below. */
function crosses(line: Segment, box: Box): boolean {
  const [left, right] = line.x0 <= line.x1 ? [line, null] : [null, line];
  const ax = left?.x0 ?? right?.x1 ?? 0;
  const ay = left?.y0 ?? right?.y1 ?? 0;
  const bx = left?.x1 ?? right?.x0 ?? 0;
  const by = left?.y1 ?? right?.y0 ?? 0;
  const from = Math.max(ax, box.x0);
  const to = Math.min(bx, box.x1);
  if (from > to) return false;
  const slope = bx === ax ? 0 : (by - ay) / (bx - ax);
  const y0 = ay + (from - ax) * slope;
  const y1 = ay + (to - ax) * slope;
  return Math.max(y0, y1) >= box.y0 && Math.min(y0, y1) <= box.y1;
}

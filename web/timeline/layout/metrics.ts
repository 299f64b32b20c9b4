// Sizes that layout and drawing share, in pixels before the picture is scaled as a whole (see `scaleOf`).

export const GUTTER = 52;
export const HEADER = 66;
export const TOP = 18;
export const BOTTOM = 44;

/** Width of a band and the room to the next; narrower where many processes share the picture. */
export const BAND = { width: 14, gap: 4 } as const;
export const BAND_NARROW = { width: 10, gap: 3 } as const;
export const NARROW_FROM = 5;
/** Room around the bands of a lane: the block of a pause, the start of an arrow. */
export const BAND_MARGIN = 5;

export const CELL_HEIGHT = 18;
export const CELL_WIDTH_MIN = 46;
export const CELL_WIDTH_MAX = 104;
/** The tab of a cell that holds the epoch's number. */
export const CELL_TAB = 17;
export const RECORD = 10;

export const TEXT = 11;
export const TEXT_CELL = 12;
export const TEXT_TAB = 10;
export const TEXT_GAP = 12;
/** Height of one line of words beside a mark. */
export const LINE = 14;

export const FOLD_HEIGHT = 46;

export type Density = "comfortable" | "compact" | "presenter";

/** The picture is laid out in its own pixels and drawn this much larger. */
export function scaleOf(density: Density): number {
  return density === "presenter" ? 1.375 : density === "compact" ? 0.9 : 1;
}

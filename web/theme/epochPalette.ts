// Which of the eight colours and patterns an epoch wears. Colour means epoch everywhere in the lab; beyond eight they
// come round again, and the number tells them apart.

/** How many colours and patterns there are (`--epoch-1` … `--epoch-8` in theme.css). */
export const EPOCH_COLOURS = 8;

/** Slot 1…8 of an acquisition's ordinal (from 1). 0 for what belongs to no epoch. */
export function epochSlot(ordinal: number | null): number {
  if (ordinal === null || ordinal < 1) return 0;
  return ((ordinal - 1) % EPOCH_COLOURS) + 1;
}

/** The pattern that goes with each slot, for words about it and for the patterns' own drawings. */
export const EPOCH_PATTERNS = [
  "solid",
  "diagonal",
  "dots",
  "backward diagonal",
  "rungs",
  "cross-hatch",
  "zigzag",
  "bricks",
] as const;

export type EpochPattern = (typeof EPOCH_PATTERNS)[number];

export function epochPattern(ordinal: number | null): EpochPattern | null {
  const slot = epochSlot(ordinal);
  return slot === 0 ? null : (EPOCH_PATTERNS[slot - 1] ?? null);
}

/** Dash pattern of an arrow that carries a write of this epoch: the second sign beside its colour. */
export const EPOCH_DASHES = [
  "",
  "7 2.5",
  "2 3",
  "9 3 2 3",
  "12 3",
  "5 3",
  "1.5 2.5 6 2.5",
  "9 2 2 2 2 2",
] as const;

export function epochDash(ordinal: number | null): string {
  const slot = epochSlot(ordinal);
  return slot === 0 ? "" : (EPOCH_DASHES[slot - 1] ?? "");
}

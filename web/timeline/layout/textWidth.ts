// How wide a text will be, without a DOM: the layout must be a pure function, and the same on every machine.
// Advance widths of Inter for U+0020 … U+007E in hundredths of an em, measured in the regular and the bold weight.

const REGULAR =
  "28 29 47 63 64 98 64 30 36 36 50 66 29 46 29 36 63 41 61 62 65 59 62 57 62 62 29 30 66 66 66 51 97 69 65 73 72 60 59 75 74 27 57 67 57 90 75 76 64 76 64 64 65 74 69 99 68 68 63 36 36 36 47 46 32 56 61 57 61 58 37 61 59 24 24 55 24 88 59 60 61 61 38 53 33 59 56 82 55 56 55 43 33 43 66";
const BOLD =
  "24 33 54 65 65 101 67 33 38 38 55 68 33 47 33 38 67 43 63 64 67 62 64 58 65 64 33 34 68 68 68 55 101 74 66 74 72 61 59 75 75 28 58 71 57 93 76 77 65 77 65 65 66 73 74 103 73 72 66 38 38 38 48 47 36 58 63 59 63 59 39 63 62 27 27 57 27 91 62 61 63 63 40 55 36 62 59 84 57 60 57 46 37 46 68";
/** Typographic signs; whatever is not listed counts as wide as a capital letter. */
const SIGNS: Readonly<Record<string, number>> = {
  "“": 48,
  "”": 48,
  "‘": 28,
  "’": 28,
  "–": 50,
  "—": 100,
  "…": 92,
  "·": 31,
  "×": 67,
};
const UNKNOWN = 84;

const tables = { regular: REGULAR.split(" ").map(Number), bold: BOLD.split(" ").map(Number) };

export type Weight = keyof typeof tables;

/** Widths at a size of one pixel: the same words come again and again. */
const known = { regular: new Map<string, number>(), bold: new Map<string, number>() };
const KNOWN_MOST = 20_000;

/** Width of one line of text in pixels. */
export function textWidth(text: string, sizePx: number, weight: Weight = "regular"): number {
  let ems = known[weight].get(text);
  if (ems === undefined) {
    const table = tables[weight];
    let sum = 0;
    for (const sign of text) sum += table[(sign.codePointAt(0) ?? 0) - 32] ?? SIGNS[sign] ?? UNKNOWN;
    ems = sum / 100;
    if (known[weight].size > KNOWN_MOST) known[weight].clear();
    known[weight].set(text, ems);
  }
  return ems * sizePx;
}

/** The text, or as much of its beginning as fits with an ellipsis behind it. */
export function elide(text: string, sizePx: number, roomPx: number, weight: Weight = "regular"): string {
  if (textWidth(text, sizePx, weight) <= roomPx) return text;
  let end = text.length - 1;
  while (end > 1 && textWidth(`${text.slice(0, end).trimEnd()}…`, sizePx, weight) > roomPx) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

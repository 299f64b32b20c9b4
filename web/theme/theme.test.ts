// The palette can be read: every colour that carries words keeps the contrast that WCAG asks for, in light and dark.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EPOCH_COLOURS, EPOCH_DASHES, EPOCH_PATTERNS, epochPattern, epochSlot } from "./epochPalette.ts";

const css = readFileSync(new URL("theme.css", import.meta.url), "utf8");
const [base = ""] = css.split(':root[data-theme="light"]');

type Theme = "light" | "dark";
const tokens = new Map<string, Record<Theme, string>>();
for (const [, name = "", light = "", dark = ""] of base.matchAll(
  /--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g,
))
  tokens.set(name, { light, dark });

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(front: string, back: string, theme: Theme): number {
  const [light = 0, dark = 0] = [front, back]
    .map((name) => luminance(tokens.get(name)?.[theme] ?? ""))
    .toSorted((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

const AA = 4.5;
const grounds = ["color-page", "color-panel", "color-sunken"];
const words = [
  "color-ink",
  "color-ink-soft",
  "color-bad",
  "color-good",
  "color-warn",
  "color-past",
  "color-future",
];
const slots = Array.from({ length: EPOCH_COLOURS }, (_, index) => index + 1);

for (const theme of ["light", "dark"] as const)
  describe(`${theme} theme`, () => {
    for (const word of [...words, ...slots.map((slot) => `epoch-${slot}`)])
      for (const ground of grounds)
        it(`${word} can be read on ${ground}`, () =>
          expect(contrast(word, ground, theme)).toBeGreaterThanOrEqual(AA));
    for (const slot of slots) {
      it(`ink can be read on epoch ${slot}'s fill`, () =>
        expect(contrast("color-ink", `epoch-${slot}-soft`, theme)).toBeGreaterThanOrEqual(AA));
      it(`the number in epoch ${slot}'s tab can be read`, () =>
        expect(contrast("color-page", `epoch-${slot}`, theme)).toBeGreaterThanOrEqual(AA));
    }
  });

describe("epochs", () => {
  it("have a pattern and a dash of their own for each colour", () => {
    expect(new Set(EPOCH_PATTERNS).size).toBe(EPOCH_COLOURS);
    expect(new Set(EPOCH_DASHES).size).toBe(EPOCH_COLOURS);
  });

  const rows = [
    { why: "the first acquisition wears the first colour", ordinal: 1, slot: 1 },
    { why: "the eighth wears the last", ordinal: 8, slot: 8 },
    { why: "the ninth begins again, told apart by its number", ordinal: 9, slot: 1 },
    { why: "what belongs to no epoch wears none", ordinal: 0, slot: 0 },
    { why: "nothing wears none", ordinal: null, slot: 0 },
  ];
  for (const { why, ordinal, slot } of rows)
    it(why, () => {
      expect(epochSlot(ordinal)).toBe(slot);
      expect(epochPattern(ordinal)).toBe(slot === 0 ? null : EPOCH_PATTERNS[slot - 1]);
    });
});

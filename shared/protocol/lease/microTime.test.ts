import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentence } from "../../base/result.ts";
import { formatMicroTime, microTimeOfMs, parseMicroTime } from "./microTime.ts";

const taken: readonly { readonly why: string; readonly text: string; readonly micros: number }[] = [
  { why: "the epoch", text: "1970-01-01T00:00:00.000000Z", micros: 0 },
  { why: "one microsecond after it", text: "1970-01-01T00:00:00.000001Z", micros: 1 },
  { why: "one microsecond before it", text: "1969-12-31T23:59:59.999999Z", micros: -1 },
  {
    why: "microseconds that a Date would cut off",
    text: "2026-12-01T08:00:00.123456Z",
    micros: 1_796_112_000_123_456,
  },
  {
    why: "an offset east of Greenwich",
    text: "2026-12-01T10:00:00.123456+02:00",
    micros: 1_796_112_000_123_456,
  },
  {
    why: "an offset west of Greenwich, into the next day",
    text: "2026-11-30T22:30:00.123456-09:30",
    micros: 1_796_112_000_123_456,
  },
  { why: "a leap day", text: "2024-02-29T12:00:00.000000Z", micros: 1_709_208_000_000_000 },
  {
    why: "the leap day of a year that 400 divides",
    text: "2000-02-29T00:00:00.000000Z",
    micros: 951_782_400_000_000,
  },
  {
    why: "the day after the leap day that 1900 had not",
    text: "1900-03-01T00:00:00.000000Z",
    micros: -2_203_891_200_000_000,
  },
  {
    why: "the first exact microsecond",
    text: "1684-07-28T00:12:25.259009Z",
    micros: Number.MIN_SAFE_INTEGER,
  },
  { why: "the last exact microsecond", text: "2255-06-05T23:47:34.740991Z", micros: Number.MAX_SAFE_INTEGER },
];

const refused: readonly { readonly why: string; readonly text: string; readonly sentence: string }[] = [
  {
    why: "three digits, as Date.toISOString prints: the commonest fault of operators in TypeScript",
    text: "2026-12-01T08:00:00.123Z",
    sentence:
      'expected exactly six digits after the point, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01T08:00:00.123Z", which has 3. Add 000 to the fraction.',
  },
  {
    why: "nine digits, as a nanosecond clock prints: the fault of krustlet",
    text: "2020-02-28T20:11:41.636526400Z",
    sentence:
      'expected exactly six digits after the point, as in 2026-12-01T08:00:00.000000Z, got "2020-02-28T20:11:41.636526400Z", which has 9. Cut the fraction after six digits.',
  },
  {
    why: "no digits, as a Kubernetes Time has",
    text: "2026-12-01T08:00:00Z",
    sentence:
      'expected exactly six digits after the point, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01T08:00:00Z", which has none. Add 000000 to the fraction.',
  },
  {
    why: "no zone",
    text: "2026-12-01T08:00:00.123456",
    sentence:
      'expected Z or an offset such as +02:00 at the end, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01T08:00:00.123456". Add the zone, with a colon in the offset, and nothing after it.',
  },
  {
    why: "an offset without a colon",
    text: "2026-12-01T08:00:00.123456+0200",
    sentence:
      'expected Z or an offset such as +02:00 at the end, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01T08:00:00.123456+0200". Add the zone, with a colon in the offset, and nothing after it.',
  },
  {
    why: "text after the zone",
    text: "2026-12-01T08:00:00.123456Z and on",
    sentence:
      'expected Z or an offset such as +02:00 at the end, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01T08:00:00.123456Z and on". Add the zone, with a colon in the offset, and nothing after it.',
  },
  {
    why: "a space for the T",
    text: "2026-12-01 08:00:00.123456Z",
    sentence:
      'expected a date and a time of day, as in 2026-12-01T08:00:00.000000Z, got "2026-12-01 08:00:00.123456Z". Correct it from " 08:00:00.123456Z" on.',
  },
  {
    why: "a day that does not exist",
    text: "2023-02-29T00:00:00.000000Z",
    sentence: 'expected a day that exists, got "2023-02-29T00:00:00.000000Z". Correct the day.',
  },
  {
    why: "a leap second",
    text: "2016-12-31T23:59:60.000000Z",
    sentence: 'expected a second that exists, got "2016-12-31T23:59:60.000000Z". Correct the second.',
  },
  {
    why: "an instant whose microseconds a double cannot hold",
    text: "9999-12-31T23:59:59.999999Z",
    sentence:
      'expected an instant between the middle of 1684 and the middle of 2255, got "9999-12-31T23:59:59.999999Z". Choose one whose microseconds this program can count exactly.',
  },
  {
    why: "nothing",
    text: "",
    sentence:
      'expected a date and a time of day, as in 2026-12-01T08:00:00.000000Z, got "". Correct it from "" on.',
  },
];

describe("parseMicroTime", () => {
  for (const { why, text, micros } of taken)
    it(`takes ${why}`, () => expect(parseMicroTime(text)).toEqual({ ok: true, value: micros }));

  for (const row of refused)
    it(`refuses ${row.why}`, () => {
      const parsed = parseMicroTime(row.text);
      expect(parsed.ok ? "taken" : sentence(parsed.error)).toBe(row.sentence);
    });
});

describe("formatMicroTime", () => {
  it("prints UTC with six digits", () => {
    expect(formatMicroTime(1_796_112_000_000_007)).toBe("2026-12-01T08:00:00.000007Z");
    expect(formatMicroTime(microTimeOfMs(1_796_112_000_120))).toBe("2026-12-01T08:00:00.120000Z");
  });

  it("agrees with Date on every millisecond, and gives back what it was given", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (micros) => {
        const text = formatMicroTime(micros);
        const ms = Math.floor(micros / 1_000);
        expect(text.slice(0, 23)).toBe(new Date(ms).toISOString().slice(0, 23));
        expect(parseMicroTime(text)).toEqual({ ok: true, value: micros });
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it("does not make up digits of a number that is no whole microsecond", () => {
    expect(() => formatMicroTime(0.5)).toThrow("whole number of microseconds");
  });
});

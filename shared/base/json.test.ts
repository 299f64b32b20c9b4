import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json.ts";
import { sentence } from "./result.ts";

interface Row {
  readonly why: string;
  readonly text: string;
  readonly says: string;
}

const rows: readonly Row[] = [
  {
    why: "names the place of a missing value",
    text: '{\n  "a": ,',
    says: "a JSON value at line 2, column 8",
  },
  { why: "says that the text is cut off", text: '{"a": [1, 2', says: "cut off" },
  { why: "refuses a trailing comma", text: "[1,]", says: "a JSON value at line 1, column 4" },
  { why: "refuses a bare word", text: "[nope]", says: 'got "n"' },
  { why: "refuses a second value", text: "{} {}", says: "the end of the text at line 1, column 4" },
  { why: "refuses an empty text", text: "", says: "got the end of the text" },
  {
    why: "finds the end of an open string",
    text: '["abc',
    says: "closing quote of a string at line 1, column 6",
  },
  { why: "finds a bad escape", text: '["a\\q"]', says: "a valid escape at line 1, column 4" },
  { why: "wants keys in quotes", text: "{a: 1}", says: "a key in double quotes" },
  { why: "wants a colon", text: '{"a" 1}', says: '":" after the key' },
  { why: "refuses numbers with a leading zero", text: "[01]", says: '"," or "]"' },
  { why: "refuses more levels than allowed", text: "[".repeat(41), says: "at most 40 levels" },
  {
    why: "refuses a million levels without running out of stack",
    text: '{"a":'.repeat(1_000_000),
    says: "at most 40 levels",
  },
];

describe("parseJson", () => {
  for (const row of rows)
    it(row.why, () => {
      const parsed = parseJson(row.text);
      expect(parsed.ok ? "parsed" : sentence(parsed.error)).toContain(row.says);
    });

  it("accepts what JSON.stringify writes, and gives it back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("agrees with JSON.parse on damaged text", () => {
    const damaged = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom("", "x", '"', ",", "}", "\\", "\n", "0"))
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(parseJson(text).ok).toBe(accepts(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

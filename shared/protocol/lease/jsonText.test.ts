import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, kindName, numberText, readJson, writeJson } from "./jsonText.ts";

describe("readJson", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const read = readJson(text);
        expect(read.ok && JSON.parse(writeJson(read.value))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("refuses what JSON.parse refuses", () => {
    const takes = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch (error) {
        if (error instanceof SyntaxError) return false;
        throw error;
      }
    };
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "a",
      "1",
      "0",
      "-",
      ".",
      "e",
      "true",
      "nul",
      " ",
      "\n",
      "\\",
      "\\u00e9",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        expect(readJson(text).ok).toBe(takes(text));
      }),
      { numRuns: 5_000, seed: 7 },
    );
  });

  it("keeps how a number was written, and writes it so again", () => {
    const text = "[15,15.0,1e2,1.5,-0,12345678901234567890]";
    const read = readJson(text);
    expect(read.ok && Array.isArray(read.value) && read.value.map(numberText)).toEqual([
      "15",
      "15.0",
      "1e2",
      "1.5",
      "0",
      "12345678901234567890",
    ]);
    expect(read.ok && writeJson(read.value)).toBe("[15,15.0,1e2,1.5,0,12345678901234567890]");
  });

  it("names keys that are given twice, by path, and keeps the last", () => {
    expect(readJson('{"a":1,"b":[{"c":1,"c":2}],"a":3}')).toEqual({
      ok: true,
      value: { a: 3, b: [{ c: 2 }] },
      duplicates: ["b[0].c", "a"],
    });
  });

  it("takes __proto__ as a key like any other", () => {
    const read = readJson('{"__proto__":{"polluted":true}}');
    expect(read.ok && isObject(read.value) && Object.keys(read.value)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("calls a number a number however it was written", () => {
    const read = readJson('[1,1.0,null,true,"",{},[]]');
    expect(read.ok && Array.isArray(read.value) && read.value.map(kindName)).toEqual([
      "number",
      "number",
      "null",
      "bool",
      "string",
      "object",
      "array",
    ]);
  });
});

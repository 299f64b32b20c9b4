// JSON as the API server reads it. `JSON.parse` loses three things that decide an answer: how a number was
// written (`15.0` is no integer), which keys were given twice, and what exactly was wrong.
import { quote } from "./goText.ts";

const LITERAL: unique symbol = Symbol("a number as it was written");

/** A number that is not written as a plain whole number, or is too large to be held exactly. */
export interface NumberLiteral {
  readonly [LITERAL]: string;
}

export type Json = null | boolean | number | NumberLiteral | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export type JsonText =
  | {
      readonly ok: true;
      readonly value: Json;
      /** Paths of keys that an object had twice, such as `spec.holderIdentity`; the last one counts. */
      readonly duplicates: readonly string[];
    }
  /** In the words of Go's `encoding/json`. */
  | { readonly ok: false; readonly message: string };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(LITERAL in value);

/** How the number was written, or null for any other value. */
export function numberText(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "object" && value !== null && LITERAL in value
    ? (value as NumberLiteral)[LITERAL]
    : null;
}

/** What Go calls the kind of a JSON value in its messages. */
export function kindName(value: unknown): string {
  if (numberText(value) !== null) return "number";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : value === null ? "null" : "object";
}

/** Writes a value as one line of JSON, numbers as they were written and keys in their order. */
export function writeJson(value: Json): string {
  const number = numberText(value);
  if (number !== null) return number;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`)
      .join(",")}}`;
  return JSON.stringify(value);
}

/** Where reading stands. The one mutable thing here, gone when the reading is over. */
interface Reader {
  readonly text: string;
  position: number;
  readonly duplicates: string[];
}

/** Thrown and caught inside this file alone: a fault may be found at any depth. */
interface Fault {
  readonly fault: string;
}

const isFault = (error: unknown): error is Fault =>
  typeof error === "object" && error !== null && "fault" in error;

/** Reads a JSON text. */
export function readJson(text: string): JsonText {
  const reader: Reader = { text, position: 0, duplicates: [] };
  try {
    const value = readValue(reader, "");
    if (peek(reader) !== "") fail(reader, "after top-level value");
    return { ok: true, value, duplicates: reader.duplicates };
  } catch (error) {
    if (isFault(error)) return { ok: false, message: error.fault };
    throw error;
  }
}

function fail(reader: Reader, where: string): never {
  const code = reader.text.codePointAt(reader.position);
  const fault: Fault = {
    fault:
      code === undefined
        ? "unexpected end of JSON input"
        : `invalid character ${quoteCharacter(String.fromCodePoint(code))} ${where}`,
  };
  throw fault;
}

/** Go quotes a character with single quotes. */
function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${quote(character).slice(1, -1)}'`;
}

/** The next character that is no white space, without taking it; empty at the end. */
function peek(reader: Reader): string {
  while (/^[ \t\r\n]$/.test(reader.text.charAt(reader.position))) reader.position++;
  return reader.text.charAt(reader.position);
}

function readValue(reader: Reader, path: string): Json {
  const next = peek(reader);
  switch (next) {
    case "{":
      return readObject(reader, path);
    case "[":
      return readArray(reader, path);
    case '"':
      return readString(reader);
    case "t":
      return readWord(reader, "true", true);
    case "f":
      return readWord(reader, "false", false);
    case "n":
      return readWord(reader, "null", null);
    default:
      return next === "-" || /^\d$/.test(next)
        ? readNumber(reader)
        : fail(reader, "looking for beginning of value");
  }
}

function readObject(reader: Reader, path: string): Json {
  const entries = new Map<string, Json>();
  reader.position++;
  if (peek(reader) === "}") {
    reader.position++;
    return {};
  }
  for (;;) {
    if (peek(reader) !== '"') fail(reader, "looking for beginning of object key string");
    const key = readString(reader);
    if (peek(reader) !== ":") fail(reader, "after object key");
    reader.position++;
    const here = path === "" ? key : `${path}.${key}`;
    if (entries.has(key)) reader.duplicates.push(here);
    entries.set(key, readValue(reader, here));
    const next = peek(reader);
    if (next !== "," && next !== "}") fail(reader, "after object key:value pair");
    reader.position++;
    // `fromEntries` defines properties, so that a key such as `__proto__` is a key like any other.
    if (next === "}") return Object.fromEntries(entries);
  }
}

function readArray(reader: Reader, path: string): Json {
  const items: Json[] = [];
  reader.position++;
  if (peek(reader) === "]") {
    reader.position++;
    return items;
  }
  for (;;) {
    items.push(readValue(reader, `${path}[${items.length}]`));
    const next = peek(reader);
    if (next !== "," && next !== "]") fail(reader, "after array element");
    reader.position++;
    if (next === "]") return items;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readString(reader: Reader): string {
  let value = "";
  reader.position++;
  for (;;) {
    const character = reader.text.charAt(reader.position);
    if (character === "" || character < " ") fail(reader, "in string literal");
    reader.position++;
    // Half of a surrogate pair stands for nothing; Go puts the replacement character there.
    if (character === '"') return value.replace(/\p{Surrogate}/gu, "\ufffd");
    if (character !== "\\") {
      value += character;
      continue;
    }
    const escape = reader.text.charAt(reader.position);
    if (escape === "u") {
      reader.position++;
      for (let digit = 0; digit < 4; digit++, reader.position++)
        if (!/^[0-9a-fA-F]$/.test(reader.text.charAt(reader.position)))
          fail(reader, "in \\u hexadecimal character escape");
      value += String.fromCharCode(
        Number.parseInt(reader.text.slice(reader.position - 4, reader.position), 16),
      );
    } else {
      const meant = ESCAPES[escape];
      if (meant === undefined) return fail(reader, "in string escape code");
      reader.position++;
      value += meant;
    }
  }
}

function readWord<T extends Json>(reader: Reader, word: string, value: T): T {
  for (const letter of word) {
    if (reader.text.charAt(reader.position) !== letter)
      fail(reader, `in literal ${word} (expecting '${letter}')`);
    reader.position++;
  }
  return value;
}

function readNumber(reader: Reader): number | NumberLiteral {
  const start = reader.position;
  const digits = (where: string): void => {
    if (!/^\d$/.test(reader.text.charAt(reader.position))) fail(reader, where);
    while (/^\d$/.test(reader.text.charAt(reader.position))) reader.position++;
  };
  if (reader.text.charAt(reader.position) === "-") reader.position++;
  if (reader.text.charAt(reader.position) === "0") reader.position++;
  else digits("in numeric literal");
  if (reader.text.charAt(reader.position) === ".") {
    reader.position++;
    digits("after decimal point in numeric literal");
  }
  if (/^[eE]$/.test(reader.text.charAt(reader.position))) {
    reader.position++;
    if (/^[+-]$/.test(reader.text.charAt(reader.position))) reader.position++;
    digits("in exponent of numeric literal");
  }
  const written = reader.text.slice(start, reader.position);
  const value = Number(written);
  return String(value) === written || written === "-0" ? value : { [LITERAL]: written };
}

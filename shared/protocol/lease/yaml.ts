// A Lease as `kubectl get lease NAME -o yaml` prints it. One shape, so a renderer by hand: a YAML library
// would weigh more than the lab.
//
// What takes care is quoting. kubectl's printer (go-yaml v2) leaves a text bare unless YAML 1.1 would read
// it as something else, so `"2"`, `"yes"` and every time stand in quotes, and a holder such as `node-1`
// does not.
import type { LeaseBody } from "./lease.ts";
import { toManifest, type ManifestContext } from "./manifest.ts";

/** One line, with the field it shows, so that a view can mark what changed. */
export interface YamlLine {
  /**
   * For example `spec.renewTime` or `metadata.annotations.camel.io/leader-term`; `metadata` for the line
   * that opens it.
   */
  readonly path: string;
  readonly text: string;
}

/** The text, with a line break at its end. */
export const leaseYaml = (lease: LeaseBody, context: ManifestContext = {}): string =>
  leaseYamlLines(lease, context)
    .map((line) => `${line.text}\n`)
    .join("");

/** The lines of {@link leaseYaml}: keys in the alphabet's order, absent fields absent. */
export const leaseYamlLines = (lease: LeaseBody, context: ManifestContext = {}): readonly YamlLine[] =>
  mapping(toManifest(lease, context), "", "");

/** The lines of any object as an API server sent it, parsed from JSON. */
export const objectYamlLines = (object: { readonly [key: string]: YamlValue }): readonly YamlLine[] =>
  mapping(object, "", "");

export type YamlValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };
type Value = YamlValue;

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Items stand under their key, as far to the left as it. */
function sequence(items: readonly Value[], path: string, indent: string): readonly YamlLine[] {
  return items.flatMap((item, index): readonly YamlLine[] => {
    const here = `${path}[${index}]`;
    const inner =
      typeof item !== "object" || item === null
        ? []
        : isList(item)
          ? sequence(item, here, `${indent}  `)
          : mapping(item, here, `${indent}  `);
    const [first, ...more] = inner;
    if (first !== undefined)
      return [{ ...first, text: `${indent}- ${first.text.slice(indent.length + 2)}` }, ...more];
    const [text = "", ...further] = valueLines(item, { indent: `${indent}  `, column: indent.length + 2 });
    return [`${indent}- ${text}`, ...further].map((line) => ({ path: here, text: line }));
  });
}

/** A value without inner lines: a scalar, or an empty list or object. */
function valueLines(value: Value, place: Place): readonly string[] {
  if (typeof value === "string") return scalarLines(value, place);
  if (typeof value === "object" && value !== null) return [isList(value) ? "[]" : "{}"];
  return [String(value ?? null)];
}

function mapping(map: { readonly [key: string]: Value }, path: string, indent: string): readonly YamlLine[] {
  return Object.entries(map)
    .toSorted(([left], [right]) => compareKeys(left, right))
    .flatMap(([key, value]): readonly YamlLine[] => {
      if (value === undefined) return [];
      const here = path === "" ? key : `${path}.${key}`;
      const name = `${indent}${scalarLines(key, { indent: "", column: 0 }).join("")}:`;
      // A key longer than 128 bytes takes YAML's long form, with a line of its own. Keys of a Lease are ASCII.
      const [keyLines, opening] = key.length > 128 ? [[`${indent}? ${key}`], `${indent}:`] : [[], name];
      const inner =
        typeof value !== "object" || value === null
          ? []
          : isList(value)
            ? sequence(value, here, indent)
            : mapping(value, here, `${indent}  `);
      const [first, ...more] =
        inner.length > 0 ? [""] : valueLines(value, { indent: `${indent}  `, column: opening.length + 1 });
      const lines = [...keyLines, first === "" ? opening : `${opening} ${first}`, ...more];
      return [...lines.map((text) => ({ path: here, text })), ...inner];
    });
}

/** Where a text is printed: how far its further lines are indented, and the column at which it begins. */
interface Place {
  readonly indent: string;
  readonly column: number;
}

/**
 * A text as the printer writes it: the first line, and those that follow where it has line breaks or is
 * long.
 */
function scalarLines(text: string, place: Place): readonly string[] {
  if (text.includes("\n"))
    // A literal block cannot show where a line ends in spaces.
    return isPrintable(text.replaceAll("\n", "")) && !text.endsWith(" ") && !text.includes(" \n")
      ? literalBlock(text, place.indent)
      : folded(text, place, DOUBLE_QUOTED);
  if (isResolved(text) || !isPrintable(text)) return folded(text, place, DOUBLE_QUOTED);
  return folded(text, place, isPlain(text) ? PLAIN : SINGLE_QUOTED);
}

function literalBlock(text: string, indent: string): readonly string[] {
  const hint = text.startsWith(" ") || text.startsWith("\n") ? "2" : "";
  const chomp = !text.endsWith("\n") ? "-" : text === "\n" || text.endsWith("\n\n") ? "+" : "";
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return [`|${hint}${chomp}`, ...lines.map((line) => (line === "" ? "" : `${indent}${line}`))];
}

interface Style {
  readonly quote: string;
  readonly write: (character: string) => string;
  /** Whether a line may be broken between two spaces, which then takes a backslash. */
  readonly breaksBetweenSpaces: boolean;
}

const PLAIN: Style = { quote: "", write: (character) => character, breaksBetweenSpaces: false };
const SINGLE_QUOTED: Style = {
  quote: "'",
  write: (character) => (character === "'" ? "''" : character),
  breaksBetweenSpaces: false,
};
const DOUBLE_QUOTED: Style = { quote: '"', write: escaped, breaksBetweenSpaces: true };

/** The printer breaks a line at the first space beyond this column. */
const LINE_WIDTH = 80;

function folded(text: string, { indent, column }: Place, style: Style): readonly string[] {
  const characters = Array.from(text);
  const lines: string[] = [];
  let line = style.quote;
  let width = column;
  let afterSpace = false;
  characters.forEach((character, index) => {
    const inside = index > 0 && index < characters.length - 1;
    const beforeSpace = characters[index + 1] === " ";
    if (
      character === " " &&
      inside &&
      !afterSpace &&
      width + Array.from(line).length > LINE_WIDTH &&
      (style.breaksBetweenSpaces || !beforeSpace)
    ) {
      lines.push(line);
      line = indent + (beforeSpace ? "\\" : "");
      width = 0;
    } else line += style.write(character);
    afterSpace = character === " ";
  });
  return [...lines, line + style.quote];
}

/** One line of characters that the printer writes as they are. It knows none beyond the basic plane. */
const isPrintable = (text: string): boolean =>
  /^[ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/.test(text);

/** Whether nothing in it would be taken for YAML's own signs. */
function isPlain(text: string): boolean {
  return !(
    /^(---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:]( |$))/.test(text) ||
    /^ | $/.test(text) ||
    /:( |$)| #/.test(text)
  );
}

const WORDS: ReadonlySet<string> = new Set(
  ["y", "yes", "true", "on", "n", "no", "false", "off", "null"]
    .flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`, word.toUpperCase()])
    .concat("", "~", ".nan", ".NaN", ".NAN")
    .concat(["", "+", "-"].flatMap((sign) => [`${sign}.inf`, `${sign}.Inf`, `${sign}.INF`])),
);

/** Whether YAML 1.1 reads the bare text as something else than a text. */
function isResolved(text: string): boolean {
  if (WORDS.has(text)) return true;
  if (text.startsWith(".")) return isFloat(text);
  if (!/^[-+\d]/.test(text)) return false;
  const plain = text.replaceAll("_", "");
  return (
    isTimestamp(text) ||
    isInteger(plain) ||
    isFloat(plain) ||
    /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/.test(text)
  );
}

/** Within 64 bits, in any of Go's bases. */
function isInteger(text: string): boolean {
  const parts = /^([-+]?)(0[xX][\da-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9]\d*)$/.exec(text);
  if (parts === null) return false;
  const [, sign = "", digits = ""] = parts;
  const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return sign === "-" ? value <= 1n << 63n : sign === "+" ? value < 1n << 63n : value < 1n << 64n;
}

const isFloat = (text: string): boolean =>
  /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text));

function isTimestamp(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/.exec(
      text,
    );
  if (parts === null) return false;
  const number = (index: number): number => Number(parts[index] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= days &&
    number(4) + number(9) < 24 &&
    number(5) + number(10) < 60 &&
    number(6) + number(11) < 60 &&
    number(7) <= 24 &&
    number(8) <= 60
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\u001b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u2028": "L",
  "\u2029": "P",
};

/** A character as it stands in double quotes. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const escape = ESCAPES[character];
  if (escape !== undefined) return `\\${escape}`;
  if (isPrintable(character)) return character;
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(digits), "0")}`;
}

/** The printer's order of keys: letters after everything else, digits by the number they make up. */
function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [leftAt, rightAt] = [a[index] ?? "", b[index] ?? ""];
    if (leftAt === rightAt) continue;
    const [leftLetter, rightLetter] = [/\p{L}/u.test(leftAt), /\p{L}/u.test(rightAt)];
    if (leftLetter !== rightLetter) return leftLetter ? 1 : -1;
    if (!leftLetter) {
      // After a digit other than zero, a zero is a digit of a larger number and not padding.
      const tail =
        (leftAt === "0" || rightAt === "0") && /[1-9]0*$/.test(a.slice(0, index).join("")) ? "1" : "";
      const [leftDigits, rightDigits] = [digitsAt(a, index), digitsAt(b, index)];
      const difference = Number(tail + leftDigits) - Number(tail + rightDigits);
      if (difference !== 0) return difference;
      if (leftDigits.length !== rightDigits.length) return leftDigits.length - rightDigits.length;
    }
    return leftAt < rightAt ? -1 : 1;
  }
  return a.length - b.length;
}

function digitsAt(characters: readonly string[], index: number): string {
  let end = index;
  while (/^\d$/.test(characters[end] ?? "")) end++;
  return characters.slice(index, end).join("");
}

// Text as the API server prints it in its messages: Go's two ways to quote.

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** `strconv.Quote`: what can be printed stays, the rest is escaped. */
export function quote(text: string): string {
  let quoted = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (SHORT[character] !== undefined) quoted += SHORT[character];
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${hex(code, 2)}`;
    else if (code === 0x20 || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)) quoted += character;
    else quoted += code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  }
  return `"${quoted}"`;
}

/** The quoting of the `time` package: every byte that is not printable ASCII as `\xNN`. */
export function quoteTime(text: string): string {
  let quoted = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") quoted += `\\${character}`;
    else if (code >= 0x20 && code < 0x80) quoted += character;
    else for (const byte of utf8(code)) quoted += `\\x${hex(byte, 2)}`;
  }
  return `"${quoted}"`;
}

/** The bytes of one code point. */
function utf8(code: number): readonly number[] {
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
}

/** Length in UTF-8, which is what Go's `len` counts. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

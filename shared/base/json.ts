// Reads JSON text from outside: bounded in depth, and an error names its line and column. The engines of browsers and Node
// word their messages differently and often leave the position out, so a small scanner finds it.
import { failed, ok, type Problem, type Result } from "./result.ts";

/** How deeply arrays and objects may nest by default; far more than anything of ours needs. */
export const JSON_DEPTH_MAX = 40;

export function parseJson(text: string, depthMax: number = JSON_DEPTH_MAX): Result<unknown, Problem> {
  // Before parsing: whoever walks a deep value recursively later would run out of stack.
  const fault = scan(text, depthMax);
  if (fault === null) return ok(JSON.parse(text));
  if (fault.kind === "deep")
    return failed({
      path: "",
      expected: `JSON nested at most ${depthMax} levels deep`,
      got: `a deeper one at ${place(text, fault.at)}`,
      remedy: "Nothing that this program writes is nested so deeply; check where the text comes from.",
    });
  return failed({
    path: "",
    expected: `${fault.expected} at ${place(text, fault.at)}`,
    got: found(text, fault.at),
    remedy:
      fault.at >= text.length
        ? "The text seems to be cut off; copy or export it again in full."
        : "Correct the JSON there, or export it again.",
  });
}

type Fault =
  | { readonly kind: "syntax"; readonly at: number; readonly expected: string }
  | { readonly kind: "deep"; readonly at: number };

function place(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function found(text: string, at: number): string {
  if (at >= text.length) return "the end of the text";
  return JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Control characters must be escaped in JSON strings.
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;

/** The grammar of RFC 8259 with an explicit stack: the first place where it is broken, or null. */
function scan(text: string, depthMax: number): Fault | null {
  let at = 0;
  const eat = (token: RegExp): boolean => {
    token.lastIndex = at;
    if (!token.test(text)) return false;
    at = token.lastIndex;
    return true;
  };
  const fault = (expected: string): Fault => ({ kind: "syntax", at, expected });
  const open: ("array" | "object")[] = [];
  let state: "value" | "first item" | "first key" | "key" | "after" = "value";
  for (;;) {
    eat(SPACE);
    const next = text[at];
    switch (state) {
      case "first item":
      case "first key":
        if (next === (state === "first item" ? "]" : "}")) {
          at += 1;
          open.pop();
          state = "after";
        } else state = state === "first item" ? "value" : "key";
        break;
      case "key":
        if (!eat(STRING)) return faultOfString(text, at) ?? fault("a key in double quotes");
        eat(SPACE);
        if (text[at] !== ":") return fault('":" after the key');
        at += 1;
        state = "value";
        break;
      case "value":
        if (next === "[" || next === "{") {
          open.push(next === "[" ? "array" : "object");
          if (open.length > depthMax) return { kind: "deep", at };
          at += 1;
          state = next === "[" ? "first item" : "first key";
        } else if (eat(STRING) || eat(NUMBER) || eat(WORD)) state = "after";
        else return faultOfString(text, at) ?? fault("a JSON value");
        break;
      case "after": {
        const inside = open.at(-1);
        if (inside === undefined) return at >= text.length ? null : fault("the end of the text");
        if (next === ",") {
          at += 1;
          state = inside === "array" ? "value" : "key";
        } else if (next === (inside === "array" ? "]" : "}")) {
          at += 1;
          open.pop();
        } else return fault(inside === "array" ? '"," or "]"' : '"," or "}"');
        break;
      }
    }
  }
}

/** Where a string that starts here goes wrong: far more useful than where it starts. */
function faultOfString(text: string, start: number): Fault | null {
  if (text[start] !== '"') return null;
  // oxlint-disable-next-line no-control-regex
  const good = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
  good.lastIndex = start + 1;
  good.test(text);
  const at = good.lastIndex;
  return {
    kind: "syntax",
    at,
    expected: text[at] === "\\" ? "a valid escape" : "the closing quote of a string",
  };
}

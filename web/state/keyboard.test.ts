import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { isTaken, keyOf } from "./keyboard.ts";

const press = (
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", true>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  defaultPrevented: false,
  ...held,
});

interface KeyRow {
  readonly why: string;
  readonly press: Parameters<typeof keyOf>[0];
  readonly key: string | null;
}

const keyRows: readonly KeyRow[] = [
  { why: "a letter", press: press("j"), key: "j" },
  { why: "a letter with caps lock", press: press("J"), key: "j" },
  { why: "a sign that needs shift is its own character", press: press("?", { shiftKey: true }), key: "?" },
  { why: "shift with an arrow", press: press("ArrowRight", { shiftKey: true }), key: "Shift+ArrowRight" },
  { why: "space", press: press(" "), key: " " },
  { why: "control belongs to the browser", press: press("r", { ctrlKey: true }), key: null },
  { why: "command belongs to the browser", press: press("ArrowLeft", { metaKey: true }), key: null },
  { why: "alt belongs to the browser", press: press("ArrowLeft", { altKey: true }), key: null },
  { why: "somebody has dealt with it", press: { ...press("j"), defaultPrevented: true }, key: null },
];

describe("the name of a key", () => {
  for (const { why, press: pressed, key } of keyRows)
    it(why, () => {
      expect(keyOf(pressed)).toBe(key);
    });
});

/** A focused element that lies within what the given selectors name. */
const focused = (...within: readonly string[]): Pick<Element, "closest"> => ({
  closest: ((selector: string) =>
    selector.split(", ").some((part) => within.includes(part))
      ? ({} as Element)
      : null) as Element["closest"],
});

interface TakenRow {
  readonly why: string;
  readonly key: string;
  readonly focused: Pick<Element, "closest"> | null;
  readonly isTaken: boolean;
}

const takenRows: readonly TakenRow[] = [
  { why: "nothing has the focus", key: "j", focused: null, isTaken: false },
  { why: "a text is being typed", key: "j", focused: focused("textarea"), isTaken: true },
  { why: "a list is being chosen from", key: "ArrowLeft", focused: focused("select"), isTaken: true },
  { why: "a dialog is open", key: "n", focused: focused("dialog"), isTaken: true },
  { why: "space presses the focused button", key: " ", focused: focused("button"), isTaken: true },
  { why: "other keys pass over a button", key: "n", focused: focused("button"), isTaken: false },
  { why: "arrows move in tabs", key: "ArrowRight", focused: focused("[role=tablist]"), isTaken: true },
  {
    why: "a remote steps whatever has the focus",
    key: "PageDown",
    focused: focused("button"),
    isTaken: false,
  },
  {
    why: "a scrolling region scrolls by pages",
    key: "PageDown",
    focused: focused("[data-scrolls]"),
    isTaken: true,
  },
];

describe("keys that a focused control keeps", () => {
  for (const row of takenRows)
    it(row.why, () => {
      expect(isTaken(row.key, row.focused)).toBe(row.isTaken);
    });
});

describe("commands", () => {
  it("share no key and no name", () => {
    const keys = commands.flatMap((command) => [...command.keys]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(commands.map(({ label }) => label)).size).toBe(commands.length);
  });

  const wanted = [
    " ",
    "ArrowLeft",
    "ArrowRight",
    "j",
    "k",
    "Shift+ArrowLeft",
    "Shift+ArrowRight",
    "n",
    "Home",
  ].concat(["End", "[", "]", "b", "r", "u", "1", "9", "?", "/", "p", "PageUp", "PageDown", ".", "Escape"]);
  for (const key of wanted)
    it(`have the key that users expect: ${key === " " ? "Space" : key}`, () => {
      expect(commands.some((command) => (command.keys as readonly string[]).includes(key))).toBe(true);
    });
});

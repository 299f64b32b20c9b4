import { describe, expect, it } from "vitest";
import { DEFAULT_PREFERENCES, readPreferences, writePreferences, type Preferences } from "./preferences.ts";

interface Row {
  readonly why: string;
  readonly kept: string | null;
  readonly read: Partial<Preferences>;
}

const rows: readonly Row[] = [
  { why: "nothing was kept", kept: null, read: {} },
  { why: "damaged text counts as never chosen", kept: "{", read: {} },
  { why: "something else under the name", kept: "[1]", read: {} },
  { why: "one bad value does not cost the others", kept: '{"theme":"pink","speed":8}', read: { speed: 8 } },
  { why: "a speed that the slider does not have", kept: '{"speed":3}', read: {} },
  {
    why: "answers",
    kept: '{"answers":{"paused-leader/0":{"choice":2},"slow-write/0":{"choice":null}}}',
    read: { answers: { "paused-leader/0": { choice: 2 }, "slow-write/0": { choice: null } } },
  },
];

describe("preferences", () => {
  for (const { why, kept, read } of rows)
    it(why, () => {
      expect(readPreferences({ getItem: () => kept })).toEqual({ ...DEFAULT_PREFERENCES, ...read });
    });

  it("are read as they were written", () => {
    const written: Preferences = { theme: "dark", pace: "timed", speed: 1 / 16, answers: {} };
    let kept = "";
    writePreferences({ setItem: (_, text) => void (kept = text) }, written);
    expect(readPreferences({ getItem: () => kept })).toEqual(written);
  });

  it("are the usual ones where the browser forbids its storage", () => {
    const forbidden = {
      getItem: (): string => {
        throw new Error("denied");
      },
    };
    expect(readPreferences(forbidden)).toEqual(DEFAULT_PREFERENCES);
  });
});

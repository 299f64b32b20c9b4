import fc from "fast-check";
import { deflateSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { sentence } from "../base/result.ts";
import { resolveOrigin } from "../scenario/origin.ts";
import type { BaseAction } from "../systems/system.ts";
import {
  decodePermalink,
  encodePermalink,
  PERMALINK_TEXT_MAX,
  permalinkOf,
  recordingOf,
  type Permalink,
} from "./permalink.ts";
import { ENGINE_VERSION, newRecording, type Origin, type Recording } from "./recording.ts";

const origin: Origin = { kind: "scenario", scenario: "paused-leader" };
const resolved = resolveOrigin(origin);
const script: readonly BaseAction[] = resolved.ok ? resolved.value.script : [];
const scripted: Recording = newRecording(origin, script);
const forked: Recording = {
  ...scripted,
  branches: [
    ...scripted.branches,
    {
      id: "b1",
      name: "what if … é 漢 🎈",
      parent: "main",
      forkAt: 3,
      actions: [{ kind: "pause", node: "a" } as BaseAction],
    },
  ],
};

/** Text made as permalinks are, of anything. */
function spell(data: Uint8Array): string {
  return Buffer.from(data).toString("base64url");
}
const packed = (value: unknown): string => spell(deflateSync(strToU8(JSON.stringify(value))));
const plain = (more: object): object => ({
  v: 1,
  engine: ENGINE_VERSION,
  origin,
  branches: [],
  moment: { branch: "main", cursor: 0 },
  ...more,
});

describe("a permalink", () => {
  const rows: readonly { readonly why: string; readonly recording: Recording; readonly kept: number }[] = [
    { why: "leaves out the scenario's own script", recording: scripted, kept: 0 },
    { why: "keeps what was forked from it", recording: forked, kept: 1 },
    {
      why: "keeps a main branch that was renamed",
      recording: {
        ...scripted,
        branches: scripted.branches.map((branch) => Object.assign({}, branch, { name: "mine" })),
      },
      kept: 1,
    },
    {
      why: "keeps a main branch that is shorter than the script",
      recording: newRecording(origin, []),
      kept: 1,
    },
  ];
  for (const row of rows)
    it(row.why, () => {
      const link = permalinkOf(row.recording, { branch: "main", cursor: 0 }, script);
      expect(link.branches.length).toBe(row.kept);
      const text = encodePermalink(link);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      const decoded = decodePermalink(text);
      expect(decoded).toEqual({ ok: true, value: link });
      if (decoded.ok)
        expect(recordingOf(decoded.value, script, resolveOrigin)).toEqual({ ok: true, value: row.recording });
    });

  it("of an untouched scenario is short", () => {
    const text = encodePermalink(permalinkOf(scripted, { branch: "main", cursor: 5 }, script));
    expect(text.length).toBeLessThan(200);
  });

  it("carries any configuration and name there and back", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.string({ minLength: 1, maxLength: 20 }),
        (config, title) => {
          const link: Permalink = {
            origin: { kind: "config", system: "leadership", title, config },
            branches: [],
            moment: { branch: "main", cursor: 0 },
          };
          const decoded = decodePermalink(encodePermalink(link));
          expect(decoded.ok ? decoded.value : decoded.error).toEqual(JSON.parse(JSON.stringify(link)));
        },
      ),
    );
  });
});

describe("decodePermalink refuses", () => {
  const good = encodePermalink(permalinkOf(forked, { branch: "b1", cursor: 4 }, script));
  const rows: readonly { readonly why: string; readonly text: string; readonly says: string }[] = [
    { why: "an empty text", text: "", says: "0 characters" },
    { why: "characters of another alphabet", text: "ab+c", says: '"+" at position 3' },
    { why: "a length that base64 cannot have", text: "abcde", says: "5 characters" },
    { why: "a link that was cut off", text: good.slice(0, good.length / 2), says: "copy the whole link" },
    { why: "what is not deflated", text: spell(strToU8("hello there")), says: "cannot be unpacked" },
    { why: "what is not JSON", text: spell(deflateSync(strToU8("hello"))), says: "not JSON" },
    {
      why: "a text beyond the limit",
      text: "A".repeat(PERMALINK_TEXT_MAX + 1),
      says: `at most ${PERMALINK_TEXT_MAX}`,
    },
    {
      why: "a small link that unpacks to much",
      text: spell(deflateSync(new Uint8Array(20_000_000))),
      says: "unpacks to at most 1048576",
    },
    {
      why: "deep nesting",
      text: packed(JSON.parse(`${"[".repeat(90)}${"]".repeat(90)}`)),
      says: "levels deep",
    },
    { why: "another version of permalinks", text: packed(plain({ v: 2 })), says: "expected 1, the version" },
    { why: "another engine, with both numbers", text: packed(plain({ engine: 99 })), says: "got 99" },
    { why: "a moment of another shape", text: packed(plain({ moment: 3 })), says: "moment: " },
    { why: "what is no object", text: packed(3), says: "v: " },
  ];
  for (const row of rows)
    it(row.why, () => {
      const decoded = decodePermalink(row.text);
      expect(decoded.ok ? "decoded" : sentence(decoded.error)).toContain(row.says);
    });

  it("or reads any damaged link, and never throws", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom("", "A", "_", "z9"), (at, put) => {
        const place = at % good.length;
        const decoded = decodePermalink(good.slice(0, place) + put + good.slice(place + 1));
        if (!decoded.ok) expect(sentence(decoded.error)).toMatch(/expected .+, got .+\. [A-Z]/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("recordingOf refuses", () => {
  const rows: readonly { readonly why: string; readonly link: Permalink; readonly says: string }[] = [
    {
      why: "a moment beyond the end",
      link: { origin, branches: [], moment: { branch: "main", cursor: script.length + 1 } },
      says: `0 to ${script.length}`,
    },
    {
      why: "an unknown scenario",
      link: {
        origin: { kind: "scenario", scenario: "gone" },
        branches: [],
        moment: { branch: "main", cursor: 0 },
      },
      says: '"gone"',
    },
    {
      why: "an action that its system does not know",
      link: {
        origin,
        branches: [{ id: "b1", name: "x", parent: "main", forkAt: 0, actions: [{ kind: "explode" }] }],
        moment: { branch: "main", cursor: 0 },
      },
      says: "branches[1].actions[0].kind",
    },
  ];
  for (const row of rows)
    it(row.why, () => {
      const recording = recordingOf(row.link, script, resolveOrigin);
      expect(recording.ok ? "read" : recording.error.map(sentence).join("\n")).toContain(row.says);
    });
});

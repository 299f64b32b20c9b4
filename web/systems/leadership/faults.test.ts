import { describe, expect, it } from "vitest";
import type { BaseAction } from "../../../shared/systems/system.ts";
import { resolveOrigin } from "../../../shared/scenario/origin.ts";
import type { LeadershipWorld } from "../../../shared/systems/leadership/world.ts";
import { leadershipFaults } from "./faults.ts";

const origin = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
if (!origin.ok) throw new Error("the first scenario resolves");
const { system, config, script } = origin.value;
const worlds = script.reduce<LeadershipWorld[]>(
  (before, action) => [...before, system.step(before.at(-1), action).world as LeadershipWorld],
  [system.create(config) as LeadershipWorld],
);
const defaults = (fields: readonly { readonly id: string; readonly initial: string }[]) =>
  Object.fromEntries(fields.map(({ id, initial }) => [id, initial]));

describe("the fault palette", () => {
  it("offers only what can happen: every target and option, at every moment of the script", () => {
    for (const world of worlds)
      for (const { targets, options, fields, impossible, make } of leadershipFaults(world)) {
        if (impossible !== null) continue;
        for (const target of targets.length === 0 ? [""] : targets.map(({ id }) => id))
          for (const option of options.length === 0 ? [""] : options.map(({ id }) => id)) {
            const made = make({ target, option, fields: defaults(fields) });
            expect(made).toHaveProperty("kind");
            expect(system.refusal(world, made as BaseAction)).toBeNull();
          }
      }
  });

  it("gives a reason for everything that it greys", () => {
    for (const world of worlds)
      for (const { impossible, targets } of leadershipFaults(world))
        if (impossible !== null) expect([impossible.endsWith("."), targets.length]).toEqual([true, 0]);
  });

  it("has all six kinds of thing that can be broken", () => {
    const groups = new Set(leadershipFaults(worlds[0] as LeadershipWorld).map(({ group }) => group));
    expect([...groups]).toEqual(["Node", "Link", "Request", "Clock", "Lease", "Sink"]);
  });

  interface Row {
    readonly why: string;
    readonly form: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly expected: RegExp;
  }
  const rows: readonly Row[] = [
    { why: "a word for a number", form: "set-rate", fields: { rate: "fast" }, expected: /a decimal number/ },
    { why: "nothing for a number", form: "set-rate", fields: { rate: " " }, expected: /a decimal number/ },
    {
      why: "a rate out of range",
      form: "set-rate",
      fields: { rate: "99" },
      expected: /from 0.1 to 10 × true time/,
    },
    { why: "a rate of nothing", form: "set-rate", fields: { rate: "0" }, expected: /from 0.1 to 10/ },
    { why: "a hexadecimal number", form: "set-rate", fields: { rate: "0x2" }, expected: /a decimal number/ },
    { why: "a step of nothing", form: "step-wall-clock", fields: { seconds: "0" }, expected: /other than 0/ },
  ];
  for (const { why, form, fields, expected } of rows)
    it(`refuses in words: ${why}`, () => {
      const found = leadershipFaults(worlds[3] as LeadershipWorld).find(({ id }) => id === form);
      const made = found?.make({ target: "a", option: "", fields });
      expect(made).toMatchObject({ expected: expect.stringMatching(expected) });
    });
});

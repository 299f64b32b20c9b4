import { describe, expect, it } from "vitest";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { choicesAt, numbered } from "./choices.ts";

const origin = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
if (!origin.ok) throw new Error("the first scenario resolves");
const { system, config, script } = origin.value;
const worlds = script.reduce<unknown[]>(
  (before, action) => [...before, system.step(before.at(-1), action).world],
  [system.create(config)],
);

describe("choices", () => {
  it("can be performed just as they stand, at every moment of the script", () => {
    for (const world of worlds)
      for (const { actions, impossible } of choicesAt(system, world)) {
        if (impossible !== null) continue;
        let now = world;
        for (const action of actions) {
          expect(system.refusal(now, action)).toBeNull();
          now = system.step(now, action).world;
        }
      }
  });

  it("say why when they cannot", () => {
    for (const world of worlds)
      for (const { actions, impossible } of choicesAt(system, world))
        if (impossible !== null) {
          const [first] = actions;
          expect(first === undefined ? "" : system.refusal(world, first)).toBe(impossible);
        }
  });

  it("leave faults to the palette", () => {
    for (const world of worlds)
      expect(choicesAt(system, world).map(({ offer }) => offer.class.kind)).not.toContain("fault");
  });

  it("number the possible ones from 1 to 9, and no more", () => {
    for (const world of worlds) {
      const keys = numbered(choicesAt(system, world));
      expect(keys.length).toBeLessThanOrEqual(9);
      expect(keys.every(({ impossible }) => impossible === null)).toBe(true);
    }
  });
});

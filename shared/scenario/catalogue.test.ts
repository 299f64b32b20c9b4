// Every scenario is a claim: its script plays, its verdicts come out as it says, its story reads as recorded.
import { describe, expect, it } from "vitest";
import { judgeAll } from "../invariant/catalogue.ts";
import { replay } from "../trace/run.ts";
import { findScenario, FIRST_SCENARIO, scenarios } from "./catalogue.ts";
import { resolveOrigin, type Origin } from "./origin.ts";
import { eventFits } from "./play.ts";

function originOf(scenario: string): Origin {
  const origin = resolveOrigin({ kind: "scenario", scenario });
  if (!origin.ok) throw new Error(scenario);
  return origin.value;
}

function runOf(origin: Origin) {
  const run = replay(origin.system, origin.config, origin.script);
  if (!run.ok) throw new Error(run.error.reason);
  return run.value;
}

describe("the catalogue", () => {
  it("has names that are unique and fit into a URL", () => {
    const ids = scenarios.map((scenario) => scenario.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-z0-9-]{2,39}$/.test(id))).toEqual([]);
  });

  it("has at least eighteen scenarios, the first of which exists", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(18);
    expect(findScenario(FIRST_SCENARIO)).toBeDefined();
  });
});

for (const scenario of scenarios) {
  describe(scenario.id, () => {
    const origin = originOf(scenario.id);
    const run = runOf(origin);

    it("ends in the verdicts that it claims", () => {
      const verdicts = judgeAll(origin.invariants, run.events);
      const found = Object.fromEntries(
        Object.keys(scenario.verdicts).map((id) => [
          id,
          verdicts.find((verdict) => verdict.invariant === id)?.kind,
        ]),
      );
      expect(found).toEqual(scenario.verdicts);
    });

    it("asks only about what happens, with an answer among its options", () => {
      for (const prediction of scenario.predictions) {
        expect(run.events.some((event) => eventFits(event, prediction.beforeEvent))).toBe(true);
        expect(prediction.options[prediction.answer]).toBeDefined();
      }
      expect(scenario.predictions.length).toBeGreaterThan(0);
    });

    it("says what it shows and what it does not", () => {
      expect(scenario.shows).toMatch(/\.$/);
      expect(scenario.doesNotShow).toMatch(/[.]$/);
      expect(scenario.question).toMatch(/\?$/);
    });

    it("reads as recorded", async () => {
      const lines = run.events.map(
        (event) =>
          `${(event.at / 1000).toFixed(3).padStart(8)}  ${event.lane.padEnd(10)}  ${origin.system.narrate(event)}`,
      );
      await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/${scenario.id}.txt`);
    });
  });
}

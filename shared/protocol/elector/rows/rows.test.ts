import { describe, expect, it } from "vitest";
import { play } from "./bench.ts";
import { FACTS } from "./facts.ts";
import { RULES } from "./rules.ts";

describe("client-go", () => {
  for (const row of [...FACTS, ...RULES])
    it(row.why, () => {
      expect(row.measure(play("client-go", row.plot))).toEqual(row.clientGo);
    });
});

describe("epoch-lab, where client-go", () => {
  for (const row of [...FACTS, ...RULES])
    it(row.why, () => {
      expect(row.measure(play("epoch-lab", row.plot))).toEqual(row.epochLab);
    });
});

// The engine's two promises: a recording replays to the same worlds, and equal keys have equal futures.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarios } from "../../scenario/catalogue.ts";
import type { KeySink } from "../system.ts";
import { leadership } from "./system.ts";
import type { LeadershipAction } from "./action.ts";
import type { LeadershipConfig } from "./config.ts";
import type { LeadershipWorld } from "./world.ts";

function keyOf(world: LeadershipWorld): string {
  const parts: (string | number)[] = [];
  const sink: KeySink = { number: (value) => parts.push(value), text: (value) => parts.push(value) };
  leadership.encode(world, sink);
  return JSON.stringify(parts);
}

/** Walks `choices.length` steps; each choice picks one of the enabled actions. */
function walk(config: LeadershipConfig, choices: readonly number[]) {
  let world = leadership.create(config);
  const actions: LeadershipAction[] = [];
  const events: unknown[] = [];
  for (const choice of choices) {
    const enabled = leadership.enabled(world);
    const action = enabled[choice % enabled.length];
    if (action === undefined) break;
    const step = leadership.step(world, action);
    world = step.world;
    actions.push(action);
    events.push(...step.events);
  }
  return { world, actions, events };
}

/** What a world's future is made of, without absolute time and numbering. */
function withoutNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, part: unknown) =>
      ["seq", "at", "cause", "localAt", "message", "copy"].includes(name) ? undefined : part,
    ),
  );
}

const configs = scenarios.map((scenario) => scenario.config as LeadershipConfig);
const anyConfig = fc.constantFrom(...configs);
const anyChoices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 80 });

describe("the leadership system", () => {
  it("offers only actions that it does not refuse, and refuses none that it offers", () => {
    fc.assert(
      fc.property(anyConfig, anyChoices, (config, choices) => {
        const { world } = walk(config, choices);
        for (const action of leadership.enabled(world)) {
          expect(leadership.refusal(world, action)).toBeNull();
          expect(leadership.parseAction(JSON.parse(JSON.stringify(action))).ok).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("replays a line of actions to the same world and the same events", () => {
    fc.assert(
      fc.property(anyConfig, anyChoices, (config, choices) => {
        const first = walk(config, choices);
        let world = leadership.create(config);
        const events: unknown[] = [];
        for (const action of first.actions) {
          const step = leadership.step(world, action);
          world = step.world;
          events.push(...step.events);
        }
        expect(world).toEqual(first.world);
        expect(events).toEqual(first.events);
      }),
      { numRuns: 60 },
    );
  });

  it("numbers events without gaps and never moves time back", () => {
    fc.assert(
      fc.property(anyConfig, anyChoices, (config, choices) => {
        const { events } = walk(config, choices);
        let at = 0;
        events.forEach((event, index) => {
          const { seq, at: when } = event as { seq: number; at: number };
          expect(seq).toBe(index);
          expect(when).toBeGreaterThanOrEqual(at);
          at = when;
        });
      }),
      { numRuns: 60 },
    );
  });

  it("gives equal keys only to worlds with equal futures", () => {
    // Many short walks of one small configuration meet in equal keys by different ways.
    const config = configs[0] as LeadershipConfig;
    const seen = new Map<string, LeadershipWorld>();
    let met = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(12), { minLength: 8, maxLength: 40 }), (choices) => {
        const { world } = walk(config, choices);
        const key = keyOf(world);
        const other = seen.get(key);
        if (other === undefined) {
          seen.set(key, world);
          return;
        }
        met += 1;
        let left = world;
        let right = other;
        for (let index = 0; index < 30; index += 1) {
          const leftNext = leadership.next(left);
          const rightNext = leadership.next(right);
          expect(leftNext === null).toBe(rightNext === null);
          if (leftNext === null || rightNext === null) return;
          const leftStep = leadership.step(left, leftNext);
          const rightStep = leadership.step(right, rightNext);
          expect(withoutNumbers(leftStep.events)).toEqual(withoutNumbers(rightStep.events));
          left = leftStep.world;
          right = rightStep.world;
          expect(keyOf(left)).toBe(keyOf(right));
        }
      }),
      { numRuns: 1500, seed: 7 },
    );
    expect(met).toBeGreaterThan(20);
  });
});

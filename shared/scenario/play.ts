// Plays a script: the world goes on by itself, and at the script's lines something is done to it.
import { assert } from "../base/assert.ts";
import type { Event } from "../systems/event.ts";
import type { BaseAction, System } from "../systems/system.ts";
import type { ScriptLine } from "./scenario.ts";

/** More natural steps between two lines than any scenario needs: a script that waits for what never comes stops here. */
const STEPS_MAX = 20_000;

/** Whether an event has every given field with the given value. */
export function eventFits(
  event: Event,
  wanted: Readonly<Record<string, string | number | boolean>>,
): boolean {
  for (const field of Object.keys(wanted)) if (Reflect.get(event, field) !== wanted[field]) return false;
  return true;
}

/**
 * The actions that a script amounts to.
 * @throws Error when a line cannot be played: scripts are part of the program, so that is a fault of the scenario.
 */
export function playScript<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  script: readonly ScriptLine<Action, World>[],
): readonly Action[] {
  const actions: Action[] = [];
  let world = system.create(config);
  const perform = (action: Action): readonly Event[] => {
    const refusal = system.refusal(world, action);
    assert(
      refusal === null,
      `script action ${JSON.stringify(action)} can happen at ${system.now(world)} ms; ${refusal ?? ""}`,
    );
    const step = system.step(world, action);
    world = step.world;
    actions.push(action);
    return step.events;
  };
  for (const line of script) {
    if ("act" in line) {
      perform(typeof line.act === "function" ? line.act(world) : line.act);
      continue;
    }
    let left = "untilEvent" in line ? (line.nth ?? 1) : 0;
    for (let steps = 0; ; steps += 1) {
      assert(steps < STEPS_MAX, `script line ${JSON.stringify(line)} comes to an end`);
      const next = system.next(world);
      if ("untilMs" in line) {
        const past = next === null || ("toMs" in next && Number(next.toMs) > line.untilMs);
        if (past) {
          if (system.now(world) < line.untilMs)
            perform({ kind: "advance", toMs: line.untilMs } as unknown as Action);
          break;
        }
        perform(next);
        continue;
      }
      assert(
        next !== null,
        `script line ${JSON.stringify(line)} is reached before nothing is left to happen`,
      );
      for (const event of perform(next)) if (eventFits(event, line.untilEvent)) left -= 1;
      if (left <= 0) break;
    }
  }
  return actions;
}

// Plays a script: the world goes on by itself, and at the script's lines something is done to it.
import { failed, ok, type Result } from "../base/result.ts";
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

/** A line of a script that cannot be played. */
export interface ScriptFailure {
  /** Position of the line. */
  readonly line: number;
  readonly reason: string;
}

/** The actions that a script amounts to, or the first line that cannot be played and why. */
export function playScript<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  script: readonly ScriptLine<Action, World>[],
): Result<readonly Action[], ScriptFailure> {
  const actions: Action[] = [];
  let world = system.create(config);
  const perform = (action: Action): readonly Event[] => {
    const step = system.step(world, action);
    world = step.world;
    actions.push(action);
    return step.events;
  };
  for (const [index, line] of script.entries()) {
    const stop = (reason: string) => failed({ line: index, reason });
    if ("act" in line) {
      const action = typeof line.act === "function" ? line.act(world) : line.act;
      const refusal = system.refusal(world, action);
      if (refusal !== null)
        return stop(`${JSON.stringify(action)} cannot happen at ${system.now(world)} ms. ${refusal}`);
      perform(action);
      continue;
    }
    let left = "untilEvent" in line ? (line.nth ?? 1) : 0;
    for (let steps = 0; ; steps += 1) {
      if (steps >= STEPS_MAX)
        return stop(`it has not come after ${STEPS_MAX} steps: ${JSON.stringify(line)}.`);
      const next = system.next(world);
      if ("untilMs" in line) {
        if (next === null || ("toMs" in next && Number(next.toMs) > line.untilMs)) {
          if (system.now(world) < line.untilMs)
            perform({ kind: "advance", toMs: line.untilMs } as unknown as Action);
          break;
        }
        perform(next);
        continue;
      }
      if (next === null) return stop("nothing is left to happen before it comes.");
      for (const event of perform(next)) if (eventFits(event, line.untilEvent)) left -= 1;
      if (left <= 0) break;
    }
  }
  return ok(actions);
}

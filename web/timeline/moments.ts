// From a run to what the picture needs of it. A world's bands and conditions are read once, whichever run it is part of: runs
// share their worlds, so a line that grew by one action costs one reading.
import type { BaseAction, System } from "../../shared/systems/system.ts";
import type { Run } from "../../shared/trace/run.ts";
import type { MomentFacts } from "./layout/marks.ts";

/** Any system, its own types forgotten. */
export type AnySystem = System<unknown, unknown, BaseAction>;
export type AnyRun = Run<unknown, BaseAction>;

type Readings = Pick<MomentFacts, "at" | "bands" | "conditions">;

const known = new WeakMap<object, Readings>();

function read(system: AnySystem, world: unknown): Readings {
  const key = world as object;
  let found = known.get(key);
  if (found === undefined) {
    found = { at: system.now(world), bands: system.bands(world), conditions: system.conditions(world) };
    known.set(key, found);
  }
  return found;
}

const moments = new WeakMap<AnyRun, readonly MomentFacts[]>();

export function momentsOf(system: AnySystem, run: AnyRun): readonly MomentFacts[] {
  let found = moments.get(run);
  if (found === undefined) {
    found = run.worlds.map((world, index) => {
      const { at, bands, conditions } = read(system, world);
      return { eventEnd: run.eventEnds[index] ?? 0, at, bands, conditions };
    });
    moments.set(run, found);
  }
  return found;
}

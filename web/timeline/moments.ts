// From a run to what the picture needs of it. A world's bands and conditions are read once, whichever run it is part of: runs
// share their worlds, so a line that grew by one action costs one reading.
import type { BaseAction, System } from "../../shared/systems/system.ts";
import type { Run } from "../../shared/trace/run.ts";
import type { MomentFacts } from "./layout/marks.ts";

/** Any system, its own types forgotten. */
export type AnySystem = System<unknown, unknown, BaseAction>;
export type AnyRun = Run<unknown, BaseAction>;

const known = new WeakMap<object, MomentFacts>();

function read(system: AnySystem, world: unknown, eventEnd: number, before: MomentFacts | null): MomentFacts {
  const key = world as object;
  let found = known.get(key);
  if (found === undefined) {
    const bands = system.bands(world);
    const conditions = system.conditions(world);
    found = {
      eventEnd,
      at: system.now(world),
      // What did not change is the same object, so that asking whether it changed costs nothing.
      bands: before !== null && sameBands(before.bands, bands) ? before.bands : bands,
      conditions:
        before !== null && sameConditions(before.conditions, conditions) ? before.conditions : conditions,
    };
    known.set(key, found);
  }
  return found;
}

function sameBands(left: MomentFacts["bands"], right: MomentFacts["bands"]): boolean {
  return (
    left.length === right.length &&
    left.every(({ epoch }, index) => {
      const other = right[index]?.epoch ?? null;
      return (
        epoch === other ||
        (epoch !== null && other !== null && epoch.ordinal === other.ordinal && epoch.label === other.label)
      );
    })
  );
}

function sameConditions(left: MomentFacts["conditions"], right: MomentFacts["conditions"]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ condition, says }, index) => condition === right[index]?.condition && says === right[index]?.says,
    )
  );
}

const moments = new WeakMap<AnyRun, readonly MomentFacts[]>();

/** One for each world of a run, in order. */
export function momentsOf(system: AnySystem, run: AnyRun): readonly MomentFacts[] {
  let found = moments.get(run);
  if (found === undefined) {
    let before: MomentFacts | null = null;
    found = run.worlds.map(
      (world, index) => (before = read(system, world, run.eventEnds[index] ?? 0, before)),
    );
    moments.set(run, found);
  }
  return found;
}

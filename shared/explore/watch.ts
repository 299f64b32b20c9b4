// The invariants of a search. Their memories travel with every state, so a set of memories is interned and named by a
// number, and time is taken out of them as it is taken out of the worlds.
import type { Invariant } from "../invariant/invariant.ts";
import type { Event } from "../systems/event.ts";

/** Memories of all invariants watched, in their order. */
type Memories = readonly unknown[];

export interface Watch {
  readonly invariants: readonly Invariant[];
  readonly sets: Memories[];
  /** By set: which `always` invariant is broken in it (its position), or -1. */
  readonly broken: number[];
  readonly ids: Map<string, number>;
  /** By position: whether a `sometimes` invariant was reached anywhere. */
  readonly reached: boolean[];
}

export function createWatch(invariants: readonly Invariant[]): Watch {
  return {
    invariants,
    sets: [],
    broken: [],
    ids: new Map(),
    reached: invariants.map(() => false),
  };
}

/** The set of memories at the start: the initial ones, or those that a line of events has left. */
export function startMemories(watch: Watch, before: readonly Event[], nowMs: number): number {
  const memories = watch.invariants.map((invariant) => {
    const memory = before.reduce<unknown>((held, event) => invariant.observe(held, event), invariant.initial);
    // Times are told from the search's own zero on.
    const rebased = invariant.later === undefined ? memory : invariant.later(memory, nowMs);
    return invariant.modality === "sometimes" && invariant.again !== undefined
      ? invariant.again(rebased)
      : rebased;
  });
  return intern(watch, memories);
}

function intern(watch: Watch, memories: Memories): number {
  let key = "";
  watch.invariants.forEach((invariant, index) => {
    invariant.encode(memories[index], (value) => {
      key += `${value}\u0001`;
    });
    key += "\u0002";
  });
  const known = watch.ids.get(key);
  if (known !== undefined) return known;
  const id = watch.sets.length;
  watch.ids.set(key, id);
  watch.sets.push(memories);
  watch.broken.push(
    watch.invariants.findIndex(
      (invariant, index) => invariant.modality === "always" && !invariant.holds(memories[index]),
    ),
  );
  return id;
}

/**
 * The set after these events, whose times are told as the set's own are. A `sometimes` invariant that is reached is
 * noted and then watched on as if it had not been, so that having been reached does not double the states.
 */
export function observe(watch: Watch, set: number, events: readonly Event[]): number {
  if (events.length === 0) return set;
  const memories = watch.sets[set] ?? [];
  let changed: unknown[] | null = null;
  for (let index = 0; index < memories.length; index += 1) {
    const invariant = watch.invariants[index];
    if (invariant === undefined) continue;
    let memory = memories[index];
    for (const event of events) {
      memory = invariant.observe(memory, event);
      if (invariant.modality === "sometimes" && invariant.holds(memory)) {
        watch.reached[index] = true;
        if (invariant.again === undefined) break;
        memory = invariant.again(memory);
      } else if (invariant.modality === "always" && !invariant.holds(memory)) break;
    }
    if (memory !== memories[index]) {
      changed ??= memories.slice();
      changed[index] = memory;
    }
  }
  return changed === null ? set : intern(watch, changed);
}

/** The set when its times are told from a zero that lies `byMs` later. */
export function laterSet(watch: Watch, set: number, byMs: number): number {
  if (byMs === 0) return set;
  const memories = watch.sets[set] ?? [];
  let changed: unknown[] | null = null;
  watch.invariants.forEach((invariant, index) => {
    if (invariant.later === undefined) return;
    const memory = invariant.later(memories[index], byMs);
    if (memory === memories[index]) return;
    changed ??= memories.slice();
    changed[index] = memory;
  });
  return changed === null ? set : intern(watch, changed);
}

// What led to an event and what came of it, along the causes that events name.
import type { Event } from "../../shared/systems/event.ts";

export type Tint = "self" | "past" | "future";

/** The tint of every event in the causal cone of `seq`; others are not in the map. */
export function causalCone(events: readonly Event[], seq: number): ReadonlyMap<number, Tint> {
  const cone = new Map<number, Tint>();
  if (events[seq] === undefined) return cone;
  cone.set(seq, "self");
  for (let cause = events[seq]?.cause ?? null; cause !== null; cause = events[cause]?.cause ?? null) {
    // A cause lies before its effect; anything else is no run of ours, and must not loop.
    if (cone.has(cause)) break;
    cone.set(cause, "past");
  }
  // Effects come after their causes, so one pass finds them all.
  for (let later = seq + 1; later < events.length; later += 1) {
    const cause = events[later]?.cause ?? null;
    if (cause === null) continue;
    const tint = cone.get(cause);
    if (tint === "self" || tint === "future") cone.set(later, "future");
  }
  return cone;
}

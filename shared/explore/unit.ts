// Digital time. Between two moments at which anything is due a world does not change, so time may pass straight to the
// next such moment, unless something may happen at any moment in between: a message within its delay bounds, a process
// that is let go, an act of an operator. Then time passes by one unit, so that every whole number of units is tried.
//
// Why whole units are enough: all comparisons of the machines are between sums of the configuration's durations, and all
// bounds include their ends. If a violation exists at any moments, rounding all moments of its run to whole units (all
// down, or all up, at one threshold) keeps every comparison true, so it exists at whole units as well (Henzinger, Manna,
// Pnueli: What good are digital clocks?, 1992). The unit must divide every duration. Where it does not, where clocks run
// at other rates, or where a bound excludes its end, the search still only reports real violations, but may miss one.
import type { Timing } from "../systems/search.ts";

export interface Unit {
  readonly ms: number;
  /** Durations that are no whole number of units: the search is then no proof. */
  readonly uneven: readonly Timing[];
}

export function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}

/** The largest unit that divides all durations; 1 where there are none. */
export const exactUnitMs = (timings: readonly Timing[]): number =>
  timings.reduce((unit, { ms }) => greatestCommonDivisor(unit, ms), 0) || 1;

/**
 * The unit to search with: what divides the configured durations, or the one asked for. Durations that are worked out from
 * others (a third of a deadline) often spoil a round unit; they are named as uneven rather than made the unit.
 */
export function unitFor(timings: readonly Timing[], asked: number | null): Unit {
  const ms = asked ?? exactUnitMs(timings.filter(({ derived }) => !derived));
  return { ms, uneven: timings.filter((timing) => timing.ms % ms !== 0) };
}

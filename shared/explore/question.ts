// What a search is asked, and whether it can be answered: everything that is wrong with a question is said before it starts.
import type { Problem } from "../base/result.ts";
import type { Invariant } from "../invariant/invariant.ts";
import type { Event } from "../systems/event.ts";
import type { BaseAction, System } from "../systems/system.ts";
import { combinations, COMBINATIONS_MAX } from "./budget.ts";
import type { Bounds } from "./core.ts";

export interface Question<World> {
  /** All invariants of the configuration: `leadershipInvariants` gives them. */
  readonly invariants: readonly Invariant[];
  /** Which of them (`always` ones) must not be broken. */
  readonly judge: readonly string[];
  /** How many faults and operator's acts of each kind a run may have; what is not named does not happen. */
  readonly faults: Readonly<Record<string, number>>;
  readonly bounds: Bounds;
  /**
   * At which moments something that may happen at any moment is tried: `due` only when something else is due as well,
   * `unit` at every whole number of units. Only the latter can prove anything.
   */
  readonly moments: "due" | "unit";
  /** The unit in ms; null for the largest that divides the configured durations. */
  readonly unitMs: number | null;
  /** Rates that a clock may change to, in permille, where `faults` has "clock". */
  readonly ratesPermille: readonly number[];
  /** Where the search starts; null for the configuration's own start. */
  readonly from: { readonly world: World; readonly events: readonly Event[] } | null;
  /** `whole` and `plain` search without reductions, for comparison: whole worlds, or parts told as they are. */
  readonly form: "reduced" | "plain" | "whole";
}

export const DEFAULT_BOUNDS: Bounds = {
  horizonMs: 60_000,
  depth: null,
  states: 2_000_000,
  memoryBytes: 1_500_000_000,
};

/** A question with everything at its default: no faults, a minute, every whole unit. */
export function question<World>(
  invariants: readonly Invariant[],
  judge: readonly string[],
  parts: Partial<Question<World>> = {},
): Question<World> {
  return {
    invariants,
    judge,
    faults: {},
    bounds: DEFAULT_BOUNDS,
    moments: "unit",
    unitMs: null,
    ratesPermille: [],
    from: null,
    form: "reduced",
    ...parts,
  };
}

/** More of one kind than any search could go through. */
const FAULTS_MAX = 20;
/** What one state takes at least, in bytes: the smallest vector with its bookkeeping and its place in the table. */
const STATE_BYTES = 40;

export function problemsOf<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  asked: Question<World>,
): readonly Problem[] {
  return [
    ...invariantProblems(asked),
    ...faultProblems(system, asked),
    ...boundProblems(asked.bounds),
    ...timeProblems(system, config, asked),
  ];
}

function invariantProblems({
  invariants,
  judge,
}: Pick<Question<unknown>, "invariants" | "judge">): readonly Problem[] {
  const always = invariants.filter(({ modality }) => modality === "always").map(({ id }) => id);
  if (judge.length === 0)
    return [
      {
        path: "invariant",
        expected: "at least one invariant to look for a violation of",
        got: "none",
        remedy: `Name one of ${always.join(", ")}.`,
      },
    ];
  return judge
    .filter((id) => !always.includes(id))
    .map((id) => ({
      path: "invariant",
      expected: `one of ${always.join(", ")}`,
      got: JSON.stringify(id),
      remedy: invariants.some((invariant) => invariant.id === id)
        ? "This one must happen sometimes; it cannot be broken. It is reported as reached or never reached."
        : "Correct its name.",
    }));
}

function faultProblems<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  { faults, ratesPermille }: Question<World>,
): readonly Problem[] {
  const problems: Problem[] = [];
  const known = system.search?.budgets.map(({ name }) => name) ?? null;
  for (const [name, count] of Object.entries(faults)) {
    if (known !== null && !known.includes(name))
      problems.push({
        path: `faults.${name}`,
        expected: `one of ${known.join(", ")}`,
        got: JSON.stringify(name),
        remedy: "Correct its name.",
      });
    else if (!Number.isInteger(count) || count < 0 || count > FAULTS_MAX)
      problems.push({
        path: `faults.${name}`,
        expected: `a whole number from 0 to ${FAULTS_MAX}`,
        got: String(count),
        remedy: "Two or three of a kind are usually enough to break what can be broken.",
      });
  }
  if (problems.length === 0 && combinations(faults) > COMBINATIONS_MAX)
    problems.push({
      path: "faults",
      expected: `fewer than ${COMBINATIONS_MAX} combinations of faults`,
      got: String(combinations(faults)),
      remedy: "Lower the counts, or search for fewer kinds at a time.",
    });
  if ((faults["clock"] ?? 0) > 0 && ratesPermille.length === 0)
    problems.push({
      path: "faults.clock",
      expected: "rates that a clock may change to",
      got: "none",
      remedy: "Name them, as in 950, 1000, 1050 permille (on the command line: --rates 950,1050).",
    });
  return problems;
}

function boundProblems({ horizonMs, depth, states, memoryBytes }: Bounds): readonly Problem[] {
  const problems: Problem[] = [];
  const whole = (path: string, value: number | null, least: number, most: number): void => {
    if (value !== null && (!Number.isInteger(value) || value < least || value > most))
      problems.push({
        path,
        expected: `a whole number from ${least} to ${most}`,
        got: String(value),
        remedy: "Correct it, or leave it out for the default.",
      });
  };
  whole("horizon", horizonMs, 1, 86_400_000);
  whole("depth", depth, 1, 1_000_000);
  whole("states", states, 1, 100_000_000);
  whole("memory", memoryBytes, 1_000_000, 64_000_000_000);
  if (problems.length === 0 && states * STATE_BYTES > memoryBytes)
    problems.push({
      path: "memory",
      expected: `at least ${STATE_BYTES} bytes for each of ${states} states, ${Math.ceil((states * STATE_BYTES) / 1e6)} MB`,
      got: `${Math.floor(memoryBytes / 1e6)} MB`,
      remedy: "Raise the memory, or lower the number of states.",
    });
  return problems;
}

function timeProblems<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  { bounds, unitMs, judge, from }: Question<World>,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (unitMs !== null && (!Number.isInteger(unitMs) || unitMs < 1))
    problems.push({
      path: "unit",
      expected: "a whole number of milliseconds, 1 or more",
      got: String(unitMs),
      remedy: "Leave it out for the largest unit that divides the configured durations.",
    });
  const { horizonMs } = bounds;
  if (horizonMs === null || from !== null || system.search === undefined) return problems;
  for (const id of judge) {
    const least = system.search.leastHorizonMs(config, id);
    if (horizonMs < least)
      problems.push({
        path: "horizon",
        expected: `at least ${least} ms, before which "${id}" cannot be broken whatever happens`,
        got: `${horizonMs} ms`,
        remedy: `Raise it to ${least} ms or more: a search that cannot reach the question would pass for nothing.`,
      });
  }
  return problems;
}

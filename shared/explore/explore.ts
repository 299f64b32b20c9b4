// Ask a system whether a configuration can break an invariant, and get the shortest way to break it, or the number of states
// that were searched without one. A search is a value that is moved on slice by slice, so that whoever drives it (a command
// line, a worker of the browser) can show progress and stop it at any time.
import { assert, present } from "../base/assert.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { judge } from "../invariant/invariant.ts";
import { newRecording, type Origin, type Recording } from "../trace/recording.ts";
import type { Event } from "../systems/event.ts";
import type { BaseAction, System } from "../systems/system.ts";
import { assembledSpace } from "./assembled.ts";
import {
  advanceCore,
  countsOf,
  createCore,
  neverReachedOf,
  stopCore,
  type Bounds,
  type Core,
  type Counts,
} from "./core.ts";
import { problemsOf, type Question } from "./question.ts";
import { unitFor, type Unit } from "./unit.ts";
import { createWatch, startMemories } from "./watch.ts";
import { wholeSpace, type SpacePlan } from "./whole.ts";

/** How a search treats time, for the user. */
export interface TimeReport {
  readonly moments: "due" | "unit";
  readonly unitMs: number;
  /** True where a search that finds nothing is a proof within its bounds as far as time goes. */
  readonly exact: boolean;
  /** Why it is not: one sentence each. */
  readonly inexact: readonly string[];
}

export interface Search<World = unknown> {
  readonly system: System<unknown, World, BaseAction>;
  readonly start: World;
  readonly question: Question<World>;
  readonly core: Core;
  readonly time: TimeReport;
  /** What the states leave out, one sentence each; empty for none. */
  readonly reductions: readonly string[];
}

export type Verdict =
  /** An invariant is broken; the actions are a shortest way there, counted in things that happen. */
  | {
      readonly kind: "violation";
      readonly invariant: string;
      readonly claim: string;
      /** From the start of the search. Consecutive waits are one. */
      readonly actions: readonly BaseAction[];
      /** How many things happen, waits not counted. */
      readonly length: number;
      /** When it is broken, in virtual ms. */
      readonly atMs: number;
      /** The faults that it takes. */
      readonly faults: Readonly<Record<string, number>>;
    }
  /** Everything within horizon and depth was looked at. `complete`: neither of them kept anything out, so it holds for ever. */
  | {
      readonly kind: "exhausted";
      readonly complete: boolean;
      readonly cut: { readonly horizon: number; readonly depth: number };
    }
  /** The search ended with states left to look at: nothing is known about them. */
  | { readonly kind: "stopped"; readonly by: "states" | "memory" | "user" };

export interface Report {
  readonly verdict: Verdict;
  readonly judged: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
  readonly bounds: Bounds;
  readonly counts: Counts;
  readonly time: TimeReport;
  readonly reductions: readonly string[];
  /** `sometimes` invariants that no searched run has reached: what they stand for was never tried. */
  readonly neverReached: readonly string[];
}

export function createSearch<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  asked: Question<World>,
): Result<Search<World>> {
  const problems = problemsOf(system, config, asked);
  if (problems.length > 0) return failed(problems);
  const world = asked.from?.world ?? system.create(config);
  const watched = asked.invariants.filter(
    ({ id, modality }) => modality === "sometimes" || asked.judge.includes(id),
  );
  const watch = createWatch(watched);
  const memories = startMemories(watch, asked.from?.events ?? [], system.now(world));
  const broken = watched[watch.broken[memories] ?? -1];
  if (broken !== undefined)
    return failed([
      {
        path: "from",
        expected: `a moment at which "${broken.id}" still holds`,
        got: "one at which it is broken already",
        remedy: "Start from an earlier moment, or judge another invariant.",
      },
    ]);
  const unit = unitFor(system.search?.timings(config) ?? [], asked.unitMs);
  const more = system.search?.choices(config, { ratesPermille: asked.ratesPermille }) ?? (() => []);
  const plan: SpacePlan<World, Action> = {
    world,
    memories,
    watch,
    faults: asked.faults,
    unitMs: asked.moments === "unit" ? unit.ms : null,
    more,
  };
  const assembly =
    asked.form === "whole"
      ? null
      : (system.search?.assembly(config, world, {
          form: asked.form,
          keepsOperations: watched.some(({ tellsOperationsApart }) => tellsOperationsApart === true),
          changesRates: (asked.faults["clock"] ?? 0) > 0,
          more,
        }) ?? null);
  const space = assembly === null ? wholeSpace(system, plan) : assembledSpace(system, assembly, plan);
  return ok({
    system: system as unknown as System<unknown, World, BaseAction>,
    start: world,
    question: asked,
    core: createCore(space, watch, asked.bounds),
    time: timeReport(asked.moments, unit, system.search?.inexact(config) ?? []),
    reductions: assembly?.reductions ?? [],
  });
}

function timeReport(
  moments: Question<unknown>["moments"],
  unit: Unit,
  reasons: readonly string[],
): TimeReport {
  const inexact = [
    ...(moments === "due"
      ? [
          "What may happen at any moment is tried only when something else is due as well; a violation that takes another moment is missed.",
        ]
      : unit.uneven.map(
          ({ name, ms }) =>
            `${name} is ${ms} ms, which is no whole number of units of ${unit.ms} ms: a violation that takes its exact end is missed.`,
        )),
    ...reasons,
  ];
  return { moments, unitMs: unit.ms, exact: inexact.length === 0, inexact };
}

/** Looks at about `records` more states. Returns false once the search has ended. */
export function advance(search: Pick<Search, "core">, records: number): boolean {
  advanceCore(search.core, records);
  return search.core.outcome === null;
}

/** Ends a search where it is. */
export function stop(search: Pick<Search, "core">): void {
  stopCore(search.core);
}

export const isOver = (search: Pick<Search, "core">): boolean => search.core.outcome !== null;

/** How far a search has come, at any time. */
export const progressOf = (search: Pick<Search, "core">): Counts => countsOf(search.core);

/** What a search that has ended found out. */
export function report<World>(search: Search<World>): Report {
  const { core, question: asked } = search;
  return {
    verdict: verdictOf(search),
    judged: asked.judge,
    faults: asked.faults,
    bounds: asked.bounds,
    counts: countsOf(core),
    time: search.time,
    reductions: search.reductions,
    neverReached: neverReachedOf(core),
  };
}

function verdictOf<World>(search: Search<World>): Verdict {
  const { core, system, question: asked } = search;
  const outcome = present(core.outcome, "a search that is reported on has ended");
  switch (outcome.kind) {
    case "exhausted": {
      const { cut } = outcome;
      return { kind: "exhausted", complete: cut.horizon === 0 && cut.depth === 0, cut };
    }
    case "stopped":
      return outcome;
    case "violation": {
      const actions = mergedWaits(system, outcome.actions);
      const broken = present(
        asked.invariants.find(({ id }) => id === outcome.invariant),
        "a broken invariant is known",
      );
      // The engine and the invariant itself have the last word on what the search has found.
      const { events } = replayed(search, actions);
      const judged = judge(broken, [...(asked.from?.events ?? []), ...events]);
      assert(judged.kind === "broken", `the counterexample breaks ${broken.id} when it is replayed`);
      return {
        kind: "violation",
        invariant: broken.id,
        claim: broken.claim,
        actions,
        length: outcome.length,
        atMs: judged.at,
        faults: outcome.spent,
      };
    }
  }
}

function replayed<World>(
  { system, start }: Search<World>,
  actions: readonly BaseAction[],
): { readonly events: readonly Event[] } {
  let world = start;
  const events: Event[] = [];
  for (const action of actions) {
    const refusal = system.refusal(world, action);
    assert(refusal === null, `an action of a counterexample can happen: ${refusal ?? ""}`);
    const step = system.step(world, action);
    world = step.world;
    events.push(...step.events);
  }
  return { events };
}

/** Consecutive waits as one. */
function mergedWaits(
  system: Pick<System<unknown, never, BaseAction>, "classify">,
  actions: readonly BaseAction[],
): readonly BaseAction[] {
  const waits = (action: BaseAction | undefined): boolean =>
    action !== undefined && system.classify(action).kind === "time";
  return actions.filter((action, index) => !(waits(action) && waits(actions[index + 1])));
}

/** A counterexample as a recording: what led to where the search started, and then the shortest way. */
export function counterexample(
  origin: Origin,
  before: readonly BaseAction[],
  verdict: Extract<Verdict, { kind: "violation" }>,
): Recording {
  return newRecording(origin, [...before, ...verdict.actions]);
}

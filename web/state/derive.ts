// Everything that follows from what the user chose: the run of a branch, verdicts, prompts, differences. Memoised; nothing
// in here is stored.
import type { Result, Problem } from "../../shared/base/result.ts";
import { judgeAll } from "../../shared/invariant/catalogue.ts";
import type { Verdict } from "../../shared/invariant/invariant.ts";
import { resolveOrigin, type Origin } from "../../shared/scenario/origin.ts";
import { eventFits } from "../../shared/scenario/play.ts";
import type { Prediction } from "../../shared/scenario/scenario.ts";
import type { Event } from "../../shared/systems/event.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import { lineOf, type Recording } from "../../shared/trace/recording.ts";
import { cutRun, extendRun, startRun, type ReplayFailure, type Run } from "../../shared/trace/run.ts";

export type LabRun = Run<unknown, BaseAction>;

/** A branch replayed as far as it goes. */
export interface Line {
  readonly run: LabRun;
  /** Where replay stopped; null when the whole line replays. */
  readonly failure: ReplayFailure | null;
}

const origins = new Map<string, Result<Origin, readonly Problem[]>>();

/** The system, configuration and script behind a recording's origin; cached by value. */
export function originOf(recording: Recording): Result<Origin, readonly Problem[]> {
  const key = JSON.stringify(recording.origin);
  let found = origins.get(key);
  if (found === undefined) {
    found = resolveOrigin(recording.origin);
    if (origins.size > 50) origins.clear();
    origins.set(key, found);
  }
  return found;
}

const lines = new Map<string, { readonly origin: Origin; readonly line: Line }>();

/** Replays a branch; when the line only grew since the last time, only the new actions are replayed. */
export function lineRun(origin: Origin, recording: Recording, branch: string): Line {
  const actions = lineOf(recording, branch);
  const cached = lines.get(branch);
  if (cached !== undefined && cached.origin === origin) {
    const { run, failure } = cached.line;
    const shared = sharedLength(run.actions, actions);
    if (shared === actions.length) {
      if (shared === run.actions.length && failure === null) return cached.line;
      // A line cut short replays as far as it did: what failed lay beyond.
      const line: Line = { run: cutRun(run, shared), failure: null };
      lines.set(branch, { origin, line });
      return line;
    }
    if (failure === null && shared === run.actions.length) {
      const line = extendRun(origin.system, run, actions.slice(shared));
      lines.set(branch, { origin, line });
      return line;
    }
  }
  const fresh = startRun<unknown, BaseAction>(origin.system.create(origin.config));
  const line = extendRun(origin.system, fresh, actions);
  lines.set(branch, { origin, line });
  return line;
}

/** How many actions two lines have in common from the start. */
export function sharedLength(left: readonly BaseAction[], right: readonly BaseAction[]): number {
  const most = Math.min(left.length, right.length);
  for (let index = 0; index < most; index += 1) {
    const a = left[index];
    const b = right[index];
    if (a !== b && JSON.stringify(a) !== JSON.stringify(b)) return index;
  }
  return most;
}

/** The events up to a cursor. */
export const eventsAt = (run: LabRun, cursor: number): readonly Event[] =>
  run.events.slice(0, run.eventEnds[cursor] ?? 0);

const judged = new WeakMap<LabRun, readonly Verdict[]>();

/** The whole line judged once; the same whatever the cursor. */
export function verdictsOf(origin: Origin, run: LabRun): readonly Verdict[] {
  let found = judged.get(run);
  if (found === undefined) judged.set(run, (found = judgeAll(origin.invariants, run.events)));
  return found;
}

/** The verdicts over the events up to a cursor: what the whole line comes to, cut at that moment. */
export function verdictsAt(origin: Origin, run: LabRun, cursor: number): readonly Verdict[] {
  const end = run.eventEnds[cursor] ?? 0;
  return verdictsOf(origin, run).map((verdict): Verdict => {
    const { invariant, modality, claim } = verdict;
    if (verdict.kind === "broken" && verdict.seq >= end) return { invariant, modality, claim, kind: "holds" };
    if (verdict.kind === "reached" && verdict.seq >= end)
      return { invariant, modality, claim, kind: "not-reached" };
    return verdict;
  });
}

/** The cursor after the action that brought event `seq`. */
export function cursorOf(run: LabRun, seq: number): number {
  let low = 0;
  let high = run.eventEnds.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((run.eventEnds[middle] ?? 0) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The next cursor at which something can be seen; time alone is no step. The end of the line at the most. */
export function stepForward(run: LabRun, cursor: number): number {
  const before = run.eventEnds[cursor] ?? 0;
  for (let next = cursor + 1; next < run.eventEnds.length; next += 1)
    if ((run.eventEnds[next] ?? 0) > before) return next;
  return run.eventEnds.length - 1;
}

/** The cursor before the last step that showed anything. */
export function stepBack(run: LabRun, cursor: number): number {
  const here = run.eventEnds[cursor] ?? 0;
  let at = cursor - 1;
  // Over the action that brought the newest event, and over time alone before it.
  while (at > 0 && (run.eventEnds[at] ?? 0) === here) at -= 1;
  const before = run.eventEnds[at] ?? 0;
  while (at > 0 && (run.eventEnds[at - 1] ?? 0) === before) at -= 1;
  return Math.max(0, at);
}

/** Events at which an `always` invariant first breaks, in order. */
export function violations(origin: Origin, run: LabRun): readonly number[] {
  return verdictsOf(origin, run)
    .flatMap((verdict) => (verdict.kind === "broken" ? [verdict.seq] : []))
    .toSorted((left, right) => left - right);
}

/** A prediction with the event that it is about. */
export interface Asked {
  readonly index: number;
  readonly prediction: Prediction;
  readonly seq: number;
}

const asked = new WeakMap<LabRun, readonly Asked[]>();

/** The scenario's questions on this line, with the event before which each is asked. */
export function questions(origin: Origin, run: LabRun): readonly Asked[] {
  let found = asked.get(run);
  if (found === undefined) asked.set(run, (found = findQuestions(origin, run)));
  return found;
}

function findQuestions(origin: Origin, run: LabRun): readonly Asked[] {
  const predictions = origin.scenario?.predictions ?? [];
  if (predictions.length === 0) return [];
  // An answer is known for the script alone: a line that has left it before the event asks nothing.
  const scripted = run.eventEnds[sharedLength(run.actions, origin.script)] ?? 0;
  return predictions.flatMap((prediction, index) => {
    let left = prediction.nth ?? 1;
    const event = run.events.find((candidate) => {
      if (eventFits(candidate, prediction.beforeEvent)) left -= 1;
      return left === 0;
    });
    return event === undefined || event.seq >= scripted ? [] : [{ index, prediction, seq: event.seq }];
  });
}

/** Where two branches first differ. */
export interface Difference {
  /** How many actions they share. */
  readonly cursor: number;
  readonly left: Event | null;
  readonly right: Event | null;
}

export function firstDifference(left: LabRun, right: LabRun): Difference {
  const cursor = sharedLength(left.actions, right.actions);
  const from = left.eventEnds[cursor] ?? 0;
  return { cursor, left: left.events[from] ?? null, right: right.events[from] ?? null };
}

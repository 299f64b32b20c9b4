// A recording: where a run starts and which actions were chosen. It replays to the same worlds everywhere.
// Going back is moving a cursor; acting from the past forks, and both branches stay.
import type { BaseAction, SystemId } from "../systems/system.ts";

/**
 * Which engine the actions were recorded with. Raised when a change of rules makes old recordings replay differently;
 * a recording of another engine is refused with both numbers, never replayed wrongly.
 */
export const ENGINE_VERSION = 1;
export const RECORDING_FORMAT = "epoch-lab-recording";

/** Where a run starts. */
export type Origin =
  | { readonly kind: "scenario"; readonly scenario: string }
  /** `config` is of the system's own shape, parsed by `System.parseConfig`. `title` is the user's name for it. */
  | { readonly kind: "config"; readonly system: SystemId; readonly title: string; readonly config: unknown };

/** The id of the branch that every recording has. */
export const MAIN_BRANCH = "main";

/** One line of actions. It shares the first `forkAt` actions with its parent's line and goes on with its own. */
export interface Branch<Action extends BaseAction = BaseAction> {
  /** Unique within the recording: lower-case letters, digits and dashes. */
  readonly id: string;
  readonly name: string;
  /** Null for the main branch only. */
  readonly parent: string | null;
  /** How many actions of the parent's whole line come before its own; 0 for the main branch. */
  readonly forkAt: number;
  readonly actions: readonly Action[];
}

export interface Recording<Action extends BaseAction = BaseAction> {
  readonly format: typeof RECORDING_FORMAT;
  readonly engine: number;
  readonly origin: Origin;
  /** The main branch first, then in order of creation. */
  readonly branches: readonly Branch<Action>[];
}

/** A place in a recording: after `cursor` actions of the branch's whole line. */
export interface Moment {
  readonly branch: string;
  readonly cursor: number;
}

export function newRecording<Action extends BaseAction>(
  origin: Origin,
  actions: readonly Action[],
): Recording<Action> {
  return {
    format: RECORDING_FORMAT,
    engine: ENGINE_VERSION,
    origin,
    branches: [{ id: MAIN_BRANCH, name: "as scripted", parent: null, forkAt: 0, actions }],
  };
}

export function findBranch<Action extends BaseAction>(
  recording: Recording<Action>,
  id: string,
): Branch<Action> | undefined {
  return recording.branches.find((branch) => branch.id === id);
}

/** All actions of a branch from the start of the run, its ancestors' included. */
export function lineOf<Action extends BaseAction>(
  recording: Recording<Action>,
  id: string,
): readonly Action[] {
  const branch = findBranch(recording, id);
  if (branch === undefined) return [];
  if (branch.parent === null) return branch.actions;
  return [...lineOf(recording, branch.parent).slice(0, branch.forkAt), ...branch.actions];
}

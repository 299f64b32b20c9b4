// Who performs what a branch does next, when that branch is not a line in memory alone: on a cluster run, a real API server
// does its part first. Such a line cannot be rewound, so acting from its past, or once it is over, goes on in memory.
import { isOfServer } from "../../shared/systems/leadership/onServer.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import { findBranch, type Recording } from "../../shared/trace/recording.ts";

export interface Driver {
  readonly branch: string;
  /** Performs actions at the end of the branch, in its own time. False: not now. */
  act(actions: readonly BaseAction[], label: string): boolean;
  /** Lets the next thing happen at the end of the branch. True: it is on its way. */
  goOn(): boolean;
  /** Begins anew, as the lab's reset does. */
  reset(): void;
}

let driver: Driver | null = null;

export const setDriver = (next: Driver | null): void => void (driver = next);
export const currentDriver = (): Driver | null => driver;
export const driverOf = (branch: string): Driver | null => (driver?.branch === branch ? driver : null);

/** Whether a branch is what happened on a real API server, so that nothing made up may be added to it. */
export const isRecord = (recording: Recording, branch: string): boolean =>
  driver?.branch === branch || isOfServer(findBranch(recording, branch)?.actions ?? []);

/** The name of a branch that forks from another: from a real run it says that it is not one. */
export const forkName = (recording: Recording, from: string, name: string): string =>
  isRecord(recording, from) ? `what if, in memory: ${name.replace(/^what if: /, "")}` : name;

/** A recording from before, with the driven branch as it is now: what a server did cannot be undone. */
export function keepDriven(before: Recording, now: Recording): Recording {
  const driven = driver === null ? undefined : findBranch(now, driver.branch);
  if (driven === undefined) return before;
  const isThere = findBranch(before, driven.id) !== undefined;
  return {
    ...before,
    branches: isThere
      ? before.branches.map((branch) => (branch.id === driven.id ? driven : branch))
      : [...before.branches, driven],
  };
}

/** An action as the user chose it, without what a server did in it. */
const asChosen = (action: BaseAction): string =>
  JSON.stringify({ ...action, served: undefined } satisfies BaseAction & { served: undefined });

/** How many actions two lines have in common from the start, whatever a server did in them. */
export function sharedPath(left: readonly BaseAction[], right: readonly BaseAction[]): number {
  const most = Math.min(left.length, right.length);
  for (let index = 0; index < most; index += 1) {
    const a = left[index];
    const b = right[index];
    if (a !== undefined && b !== undefined && a !== b && asChosen(a) !== asChosen(b)) return index;
  }
  return most;
}

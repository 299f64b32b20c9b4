// What can be done to a recording: one change at a time, checked, so that server and browser agree on every revision.
import { failed, ok, type Problem, type Result } from "../base/result.ts";
import type { BaseAction } from "../systems/system.ts";
import { findBranch, lineOf, MAIN_BRANCH, type Branch, type Recording } from "./recording.ts";

export type Change<Action extends BaseAction = BaseAction> =
  /** Goes on at the end of a branch; `at` is the length of its whole line before, so that a late append is noticed. */
  | {
      readonly kind: "append";
      readonly branch: string;
      readonly at: number;
      readonly actions: readonly Action[];
    }
  /** Acting from the past: a new branch, the old one stays. */
  | { readonly kind: "fork"; readonly branch: Branch<Action> }
  | { readonly kind: "rename"; readonly branch: string; readonly name: string }
  /** Deletes a branch; refused for the main one and for one that others fork from. */
  | { readonly kind: "delete"; readonly branch: string }
  /** Undo of an append: drops the end of a branch's own actions down to a whole line of `to`. */
  | { readonly kind: "shorten"; readonly branch: string; readonly to: number };

/** The form of a branch's id. */
export const BRANCH_ID = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Longest name of a branch, in characters. */
export const BRANCH_NAME_MAX = 80;

export function applyChange<Action extends BaseAction>(
  recording: Recording<Action>,
  change: Change<Action>,
): Result<Recording<Action>, Problem> {
  switch (change.kind) {
    case "append": {
      const branch = findBranch(recording, change.branch);
      if (branch === undefined) return failed(noSuchBranch(change.branch, recording));
      const length = lineOf(recording, branch.id).length;
      if (change.at !== length)
        return failed({
          path: "at",
          expected: `the branch's length, ${length}`,
          got: String(change.at),
          remedy: "Load the newest revision and append to its end, or fork from the moment you are at.",
        });
      return ok(withBranch(recording, { ...branch, actions: [...branch.actions, ...change.actions] }));
    }
    case "fork": {
      const { branch } = change;
      if (!BRANCH_ID.test(branch.id))
        return failed({
          path: "branch.id",
          expected: "1 to 40 lower-case letters, digits and dashes",
          got: JSON.stringify(branch.id),
          remedy: "Choose another id.",
        });
      if (findBranch(recording, branch.id) !== undefined)
        return failed({
          path: "branch.id",
          expected: "an id that is not taken",
          got: JSON.stringify(branch.id),
          remedy: "Choose another id.",
        });
      const named = checkName(branch.name);
      if (named !== null) return failed(named);
      const parent = branch.parent === null ? undefined : findBranch(recording, branch.parent);
      if (parent === undefined) return failed(noSuchBranch(String(branch.parent), recording));
      const length = lineOf(recording, parent.id).length;
      if (!Number.isInteger(branch.forkAt) || branch.forkAt < 0 || branch.forkAt > length)
        return failed({
          path: "branch.forkAt",
          expected: `a whole number from 0 to ${length}`,
          got: String(branch.forkAt),
          remedy: "Fork from a moment that the parent branch has.",
        });
      return ok({ ...recording, branches: [...recording.branches, branch] });
    }
    case "rename": {
      const branch = findBranch(recording, change.branch);
      if (branch === undefined) return failed(noSuchBranch(change.branch, recording));
      const named = checkName(change.name);
      if (named !== null) return failed(named);
      return ok(withBranch(recording, { ...branch, name: change.name.trim() }));
    }
    case "delete": {
      const branch = findBranch(recording, change.branch);
      if (branch === undefined) return failed(noSuchBranch(change.branch, recording));
      if (branch.id === MAIN_BRANCH)
        return failed({
          path: "branch",
          expected: "a branch other than the main one",
          got: MAIN_BRANCH,
          remedy: "Start a new session to be rid of the whole run.",
        });
      const child = recording.branches.find((other) => other.parent === branch.id);
      if (child !== undefined)
        return failed({
          path: "branch",
          expected: "a branch that no other forks from",
          got: `"${branch.name}", from which "${child.name}" forks`,
          remedy: `Delete "${child.name}" first.`,
        });
      return ok({
        ...recording,
        branches: recording.branches.filter((other) => other.id !== branch.id),
      });
    }
    case "shorten": {
      const branch = findBranch(recording, change.branch);
      if (branch === undefined) return failed(noSuchBranch(change.branch, recording));
      const length = lineOf(recording, branch.id).length;
      const needed = recording.branches.reduce(
        (most, other) => (other.parent === branch.id ? Math.max(most, other.forkAt) : most),
        branch.forkAt,
      );
      if (!Number.isInteger(change.to) || change.to < needed || change.to > length)
        return failed({
          path: "to",
          expected: `a whole number from ${needed} to ${length}`,
          got: String(change.to),
          remedy:
            "A branch can be shortened to its own start, and not below a moment that another forks from.",
        });
      return ok(
        withBranch(recording, {
          ...branch,
          actions: branch.actions.slice(0, change.to - branch.forkAt),
        }),
      );
    }
  }
}

function withBranch<Action extends BaseAction>(
  recording: Recording<Action>,
  branch: Branch<Action>,
): Recording<Action> {
  return {
    ...recording,
    branches: recording.branches.map((other) => (other.id === branch.id ? branch : other)),
  };
}

function noSuchBranch(id: string, recording: Recording): Problem {
  return {
    path: "branch",
    expected: `one of ${recording.branches.map((branch) => branch.id).join(", ")}`,
    got: JSON.stringify(id),
    remedy: "Load the newest revision.",
  };
}

function checkName(name: string): Problem | null {
  const length = name.trim().length;
  if (length >= 1 && length <= BRANCH_NAME_MAX) return null;
  return {
    path: "name",
    expected: `1 to ${BRANCH_NAME_MAX} characters`,
    got: `${length}`,
    remedy: "Choose a shorter or a longer name.",
  };
}

// Two versions of one recording: the changes that lead from one to the other, and how to keep a line that lost a race.
import type { BaseAction } from "../../shared/systems/system.ts";
import { applyChange, BRANCH_NAME_MAX, type Change } from "../../shared/trace/change.ts";
import {
  findBranch,
  lineOf,
  type Branch,
  type Moment,
  type Recording,
} from "../../shared/trace/recording.ts";
import { sharedLength } from "../state/derive.ts";
import { freeBranchId } from "../state/store.ts";

/** The changes that turn `from` into `to`, in an order in which each can be applied. */
export function changesBetween(from: Recording, to: Recording): readonly Change[] {
  const replaced = new Set<string>();
  for (const branch of from.branches) {
    const same = findBranch(to, branch.id);
    if (
      same === undefined ||
      same.parent !== branch.parent ||
      same.forkAt !== branch.forkAt ||
      (branch.parent !== null && replaced.has(branch.parent))
    )
      replaced.add(branch.id);
  }
  // Children come after their parents, so from the end they can be deleted one by one.
  const changes: Change[] = from.branches
    .filter(({ id }) => replaced.has(id))
    .toReversed()
    .map(({ id }) => ({ kind: "delete", branch: id }));
  for (const branch of to.branches) {
    const before = replaced.has(branch.id) ? undefined : findBranch(from, branch.id);
    if (before === undefined) changes.push({ kind: "fork", branch });
    else changes.push(...branchChanges(before, branch));
  }
  return changes;
}

function branchChanges(before: Branch, after: Branch): readonly Change[] {
  const shared = sharedLength(before.actions, after.actions);
  const at = before.forkAt + shared;
  return [
    ...(shared < before.actions.length
      ? [{ kind: "shorten", branch: after.id, to: at } satisfies Change]
      : []),
    ...(shared < after.actions.length
      ? [{ kind: "append", branch: after.id, at, actions: after.actions.slice(shared) } satisfies Change]
      : []),
    ...(before.name === after.name
      ? []
      : [{ kind: "rename", branch: after.id, name: after.name } satisfies Change]),
  ];
}

export interface Merged {
  readonly recording: Recording;
  readonly moment: Moment;
  /** Names of the branches under which lines were kept that lost the race. */
  readonly kept: readonly string[];
}

/**
 * Puts what was done here since `base` on top of what others have made of it meanwhile. Where both went on with the same
 * branch, theirs stays and ours becomes a branch of its own; nothing is lost.
 */
export function keepMine(base: Recording, mine: Recording, theirs: Recording, moment: Moment): Merged {
  let merged = theirs;
  const ids = new Map<string, string>();
  const kept: string[] = [];
  const tryChanges = (changes: readonly Change[]): boolean => {
    let next = merged;
    for (const change of changes) {
      const applied = applyChange(next, change);
      if (!applied.ok) return false;
      next = applied.value;
    }
    merged = next;
    return true;
  };
  for (const branch of mine.branches) {
    const old = findBranch(base, branch.id);
    const their = findBranch(theirs, branch.id);
    ids.set(branch.id, branch.id);
    if (old !== undefined && isSame(old, branch)) continue;
    const line = lineOf(mine, branch.id);
    if (their !== undefined && startsWith(lineOf(theirs, branch.id), line)) continue;
    if (old !== undefined && their !== undefined && isSame(old, their)) {
      if (tryChanges(branchChanges(old, branch))) continue;
    }
    const parent = branch.parent === null ? undefined : (ids.get(branch.parent) ?? branch.parent);
    const isNew = old === undefined && their === undefined && parent !== undefined;
    if (isNew && sharedLength(lineOf(merged, parent), line) >= branch.forkAt) {
      if (tryChanges([{ kind: "fork", branch: { ...branch, parent } }])) continue;
    }
    const id = freeBranchId(merged);
    const best = closest(merged, line);
    const name = `${branch.name} (yours)`.slice(0, BRANCH_NAME_MAX);
    const fork: Branch = { id, name, parent: best.id, forkAt: best.shared, actions: line.slice(best.shared) };
    if (tryChanges([{ kind: "fork", branch: fork }])) {
      ids.set(branch.id, id);
      kept.push(name);
    }
  }
  for (const branch of base.branches.toReversed()) {
    const their = findBranch(theirs, branch.id);
    if (findBranch(mine, branch.id) === undefined && their !== undefined && isSame(branch, their))
      tryChanges([{ kind: "delete", branch: branch.id }]);
  }
  return { recording: merged, moment: within(merged, moment, ids.get(moment.branch) ?? moment.branch), kept };
}

/** A moment that the recording has, as near to the wanted one as can be. */
export function within(recording: Recording, moment: Moment, branch = moment.branch): Moment {
  const found = findBranch(recording, branch) ?? recording.branches[0];
  const id = found?.id ?? branch;
  return { branch: id, cursor: Math.min(moment.cursor, lineOf(recording, id).length) };
}

const isSame = (left: Branch, right: Branch): boolean =>
  left === right ||
  (left.name === right.name &&
    left.parent === right.parent &&
    left.forkAt === right.forkAt &&
    left.actions.length === right.actions.length &&
    sharedLength(left.actions, right.actions) === left.actions.length);

const startsWith = (line: readonly BaseAction[], start: readonly BaseAction[]): boolean =>
  sharedLength(line, start) === start.length;

function closest(
  recording: Recording,
  line: readonly BaseAction[],
): { readonly id: string; readonly shared: number } {
  let best = { id: recording.branches[0]?.id ?? "main", shared: -1 };
  for (const { id } of recording.branches) {
    const shared = sharedLength(lineOf(recording, id), line);
    if (shared > best.shared) best = { id, shared };
  }
  return best;
}

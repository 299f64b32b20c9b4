// Whether actions can happen where a change puts them: the server replays them with the same engine as the browser. Worlds
// on the way are kept at intervals, so that going on at the end of a line costs only what is new.
import { unreachable } from "../../shared/base/assert.ts";
import type { Problem } from "../../shared/base/result.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import type { Change } from "../../shared/trace/change.ts";
import { findBranch, lineOf, type Recording } from "../../shared/trace/recording.ts";
import type { ResolveOrigin } from "./session.ts";

type Resolved = Extract<ReturnType<ResolveOrigin>, { readonly ok: true }>["value"];

/** A world of a line, after `length` actions. */
interface Checkpoint {
  readonly length: number;
  readonly world: unknown;
}

/** Distance of the worlds kept, in actions. */
const INTERVAL = 256;
/** Steps between two pauses in which the server answers others. */
const BREATH = 500;

export interface Judge {
  /** The first action of a whole recording that cannot happen, or null. */
  recording(recording: Recording): Promise<Problem | null>;
  /** The first action of a change that cannot happen, or null. `before`: the recording that it is made from. */
  change(before: Recording, change: Change): Promise<Problem | null>;
}

export function createJudge({ system, config }: Resolved): Judge {
  /** Worlds of each branch's line by length; whatever is not here is replayed. */
  const kept = new Map<string, Map<number, unknown>>();
  /** Where the last walk over a branch ended, which is where it is most likely to go on. */
  const tips = new Map<string, Checkpoint>();
  const start: Checkpoint = { length: 0, world: system.create(config) };

  const keep = (branch: string, { length, world }: Checkpoint): void => {
    const worlds = kept.get(branch) ?? new Map<number, unknown>();
    worlds.set(length, world);
    kept.set(branch, worlds);
  };

  /** Forgets what lies beyond a length of a branch's line. */
  const forget = (branch: string, length: number): void => {
    const worlds = kept.get(branch);
    for (const at of worlds?.keys() ?? []) if (at > length) worlds?.delete(at);
    if ((tips.get(branch)?.length ?? 0) > length) tips.delete(branch);
  };

  const nearest = (recording: Recording, id: string, length: number): Checkpoint => {
    const tip = tips.get(id);
    if (tip !== undefined && tip.length <= length) return tip;
    const worlds = kept.get(id);
    const at = Math.max(-1, ...[...(worlds?.keys() ?? [])].filter((other) => other <= length));
    if (at >= 0) return { length: at, world: worlds?.get(at) };
    const branch = findBranch(recording, id);
    if (branch === undefined || branch.parent === null) return start;
    return nearest(recording, branch.parent, Math.min(length, branch.forkAt));
  };

  /** Goes on from a world; gives where it ends, or what was refused. */
  const walk = async (
    branch: string,
    from: Checkpoint,
    actions: readonly BaseAction[],
  ): Promise<Checkpoint | Refusal> => {
    let { length, world } = from;
    for (const action of actions) {
      const reason = system.refusal(world, action);
      if (reason !== null) return { index: length, action, reason };
      world = system.step(world, action).world;
      length += 1;
      if (length % INTERVAL === 0) keep(branch, { length, world });
      if (length % BREATH === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { length, world };
  };

  const worldAt = async (recording: Recording, id: string, length: number): Promise<Checkpoint | Refusal> => {
    const from = nearest(recording, id, length);
    return walk(id, from, lineOf(recording, id).slice(from.length, length));
  };

  /** Adds actions at the end of a branch; when they are refused, nothing of them is remembered. */
  const extend = async (
    branch: string,
    from: Checkpoint | Refusal,
    actions: readonly BaseAction[],
  ): Promise<Refusal | null> => {
    if ("reason" in from) return from;
    forget(branch, from.length);
    const end = await walk(branch, from, actions);
    if ("reason" in end) {
      forget(branch, from.length);
      return end;
    }
    tips.set(branch, end);
    return null;
  };

  return {
    async recording(recording) {
      for (const [index, { id, parent, forkAt, actions }] of recording.branches.entries()) {
        const from = parent === null ? start : await worldAt(recording, parent, forkAt);
        const refusal = await extend(id, from, actions);
        if (refusal !== null) return refused(`branches[${index}].actions`, refusal, forkAt);
      }
      return null;
    },
    async change(before, change) {
      switch (change.kind) {
        case "append": {
          const from = await worldAt(before, change.branch, change.at);
          const refusal = await extend(change.branch, from, change.actions);
          return refusal === null ? null : refused("actions", refusal, change.at);
        }
        case "fork": {
          const { id, parent, forkAt, actions } = change.branch;
          const refusal = await extend(id, await worldAt(before, parent ?? "", forkAt), actions);
          return refusal === null ? null : refused("branch.actions", refusal, forkAt);
        }
        case "shorten":
          forget(change.branch, change.to);
          return null;
        case "delete":
          kept.delete(change.branch);
          tips.delete(change.branch);
          return null;
        case "rename":
          return null;
        default:
          return unreachable(change);
      }
    },
  };
}

interface Refusal {
  /** Position in the branch's whole line. */
  readonly index: number;
  readonly action: BaseAction;
  readonly reason: string;
}

function refused(path: string, { index, action, reason }: Refusal, ownStart: number): Problem {
  return {
    path: index >= ownStart ? `${path}[${index - ownStart}]` : path,
    expected: `an action that can happen after ${index} actions`,
    got: `${JSON.stringify(action).slice(0, 200)}, which cannot: ${reason.replace(/\.$/, "")}`,
    remedy: "Choose one that is offered at that moment, or fork from another.",
  };
}

// The oracle's world with our machine in it, as immutable states: nodes around one register, and a schedule that ends.
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import { createNode, dueNs, isBusy, type Node } from "./node.ts";
import { millisecondOf, nanosecondsOf } from "./rules.ts";
import type { Schedule } from "./schedule.ts";
import type { Happening } from "./transcript.ts";

export interface World {
  /** The Lease as it was stored in the course of this millisecond; the last is the current one. */
  readonly versions: readonly (Lease | null)[];
  readonly nodes: readonly Node[];
  /** `logged`: the line `end` is written. `cancelled`: every context is. */
  readonly end: "before" | "logged" | "cancelled";
}

/** One possible next thing. `says`: the line it writes, if any. */
export interface Move {
  readonly says: Happening | null;
  readonly next: () => World;
}

export const untilNs = (schedule: Schedule): number => Math.max(0, nanosecondsOf(schedule.until));

export function createWorld(schedule: Schedule): World {
  return { versions: [null], nodes: schedule.nodes.map(createNode), end: "before" };
}

/** Everything has returned: the oracle's clock stands still, and what was still on its way never happens. */
export function isOver(world: World): boolean {
  const lastNs = Math.max(0, ...world.nodes.map((node) => node.nowNs));
  return (
    world.end === "cancelled" &&
    world.nodes.every(
      (node) => node.returned && !isBusy(node) && node.sent.every((sent) => sent.dueNs > lastNs),
    )
  );
}

/** The first millisecond at which something must happen, or at the latest could; Infinity when nothing is left. */
export function nextMs(schedule: Schedule, world: World): number {
  const ends = world.end === "before" ? untilNs(schedule) : Infinity;
  return millisecondOf(
    Math.min(ends, ...world.nodes.map((node) => Math.min(dueNs(node), node.sleep?.toNs ?? Infinity))),
  );
}

/** Whether nothing more has to happen within this millisecond. */
export const isSettled = (schedule: Schedule, world: World, ms: number): boolean =>
  nextMs(schedule, world) > ms;

/** The world between two milliseconds: when in the last one a node acted does not matter any more. */
export function atRest(world: World): World {
  const nodes = world.nodes.map((node): Node => {
    const { open, nowNs } = node;
    const answer = open?.answer ?? null;
    if (open !== null && answer?.kind === "reading") {
      const versions = world.versions.slice(answer.since);
      const read = { kind: "read", dueNs: answer.dueNs, versions } as const;
      return { ...node, nowNs: 0, open: { ...open, answer: read } };
    }
    return nowNs === 0 ? node : { ...node, nowNs: 0 };
  });
  return { ...world, nodes, versions: world.versions.slice(-1) };
}

// The normal form of a leadership world: what is left of it when everything is taken out that no step depends on. Two
// worlds with the same normal form have the same futures, but for absolute time and for the numbers of messages, events,
// calls, operations and versions.
import { unreachable } from "../../../base/assert.ts";
import type { LeadershipConfig } from "../config.ts";
import type { LeadershipWorld } from "../world.ts";

/** How times are told. */
export type TimeForm =
  /** From a reference of each part's own: the reading of the clock does not matter. */
  | "relative"
  /** From whole seconds: client-go compares times of records in whole seconds. */
  | "second"
  /** As they are: something in the configuration names absolute times. */
  | "absolute";

export interface Form {
  readonly config: LeadershipConfig;
  /** False: only what numbers messages and events is left out. */
  readonly reduced: boolean;
  readonly time: TimeForm;
  /**
   * A node all of whose times lie further back than this stays as it is: every duration that a machine adds to a time before
   * comparing it with now is shorter. Infinity where that is not known.
   */
  readonly saturationMs: number;
  /** Whether the times in a Lease are names, see `lease.ts`: of acquisition, and of renewal. */
  readonly namesAcquisitions: boolean;
  readonly namesRenewals: boolean;
  /** Whether resourceVersions are told from the newest one. */
  readonly renamesVersions: boolean;
  /** Whether operations are told from the node's newest one. */
  readonly renamesOperations: boolean;
  /** Whether `process-counter` tokens make the number of wins matter. */
  readonly countsWins: boolean;
}

/** The newest resourceVersion of every normal form; versions older than this many writes are not told apart. */
export const NEWEST_VERSION = 1000;

/** What changes its number in all parts when a step has been made. */
export interface Renaming {
  /** How many resourceVersions the newest one has moved on. */
  readonly versions: number;
  readonly nodes: readonly NodeRenaming[];
}

export interface NodeRenaming {
  readonly node: number;
  readonly incarnation: number;
  /** Calls that still wait, by their old numbers: the first becomes 1. All others become 0. Null: unchanged. */
  readonly calls: readonly number[] | null;
  /** Taken off the number of every operation. Null: the process is gone, and nothing tells its operations apart any more. */
  readonly operations: number | null;
}

/** How a part is rewritten. */
export interface Rewrite {
  /** The moment that becomes 0. */
  readonly zeroMs: number;
  readonly renaming: Renaming | null;
}

export const renamingOf = (
  renaming: Renaming | null,
  node: number,
  incarnation: number,
): NodeRenaming | null =>
  renaming?.nodes.find((candidate) => candidate.node === node && candidate.incarnation === incarnation) ??
  null;

/** A reference near `ms` that a part of this form may be told from. */
export function zeroNear(form: Form, ms: number): number {
  switch (form.time) {
    case "relative":
      return ms;
    case "second":
      return Math.floor(ms / 1000) * 1000;
    case "absolute":
      return 0;
    default:
      return unreachable(form.time);
  }
}

export function formOf(
  config: LeadershipConfig,
  world: LeadershipWorld,
  wish: { readonly reduced: boolean; readonly keepsOperations: boolean },
): Form {
  const { reduced } = wish;
  const absolute =
    !reduced ||
    config.token === "wall-clock" ||
    config.work.kind === "route" ||
    config.nodes.some((node) => node.producer !== null);
  const clientGo = config.nodes.some((node) => node.profile === "client-go");
  // Without any delay a request could be answered in the instant that it was stamped in.
  const delayed = config.nodes.every(
    (node, index) =>
      (world.nodes[index]?.leaseDelayMs ?? (node.leaseDelay ?? config.network.leaseDelay).minMs) > 0,
  );
  return {
    config,
    reduced,
    time: absolute ? "absolute" : clientGo ? "second" : "relative",
    saturationMs: absolute || clientGo ? Infinity : longestMs(config),
    namesAcquisitions: reduced && delayed,
    namesRenewals: reduced && delayed && !clientGo,
    renamesVersions: reduced && config.token !== "resource-version",
    renamesOperations:
      reduced &&
      !wish.keepsOperations &&
      config.work.kind === "loop" &&
      config.nodes.every((node) => node.producer === null) &&
      config.sinks.every((sink) => !sink.dedupe && sink.enforcement !== "idempotency-key"),
    countsWins: !reduced || config.token === "process-counter",
  };
}

function longestMs(config: LeadershipConfig): number {
  return config.nodes.reduce(
    (longest, { timings, drainTimeoutMs }) =>
      Math.max(
        longest,
        timings.leaseDurationMs,
        timings.renewDeadlineMs,
        timings.retryPeriodMs,
        drainTimeoutMs,
      ),
    1000,
  );
}

/** What the normal form leaves out, for the user. */
export function reductionsOf(form: Form): readonly string[] {
  if (!form.reduced) return [];
  const said: string[] = [];
  switch (form.time) {
    case "relative":
      said.push("Times are told relative to each other: the same situation later is the same state.");
      break;
    case "second":
      said.push(
        "Times are told relative to the last whole second, because client-go compares whole seconds.",
      );
      break;
    case "absolute":
      said.push("Times are kept absolute, because the configuration names absolute times.");
      break;
  }
  if (form.saturationMs < Infinity)
    said.push(
      `A node that has stood still until all its times are more than ${form.saturationMs} ms past stays as it is: no machine waits longer.`,
    );
  said.push("The order in which things due at one instant were put off is left out: every order is tried.");
  said.push("Calls are renumbered: only which ones still wait matters.");
  if (form.renamesVersions)
    said.push("resourceVersions are told from the newest one: clients only compare them.");
  if (form.renamesOperations)
    said.push(
      "Operations are told from their node's newest one: nothing tells their idempotency keys apart.",
    );
  if (form.namesAcquisitions)
    said.push(
      form.namesRenewals
        ? "Times written into the Lease are kept as new or old: nobody computes with them."
        : "Times of acquisition in the Lease are kept as new or old: nobody computes with them.",
    );
  return said;
}

// What a client-go elector remembers, and where it stands.
import type { Lease } from "../../lease/lease.ts";
import type { ElectorConfig, ElectorOutput, Instant, StopReason } from "../contract.ts";
import type { ElectionRecord, Observation } from "./record.ts";

export interface Memory {
  readonly profile: "client-go";
  readonly config: ElectorConfig;
  /** observedRecord and observedTime; null before anything was read or written. */
  readonly observed: Observation | null;
  /** observedRawRecord: the record of the last GET only. A write does not touch it. */
  readonly raw: ElectionRecord | null;
  /** LeaseLock.lease: the object as last returned, with the resourceVersion that the next PUT names. */
  readonly cached: Lease | null;
  /** reportedLeader: the last holder given to OnNewLeader. */
  readonly reported: string;
  /** The number of the next call. */
  readonly nextCall: number;
  /** Which entry of `config.jitter` is drawn next. */
  readonly nextDraw: number;
}

/** One run of tryAcquireOrRenew, waiting for the answer of its one open call. */
export interface Attempt {
  readonly call: number;
  /** `now` of the whole attempt: taken at its start, used for validity and for the times it writes. */
  readonly startedAt: Instant;
  readonly step:
    | { readonly kind: "fast-update"; readonly record: ElectionRecord }
    | { readonly kind: "get" }
    | { readonly kind: "create"; readonly record: ElectionRecord }
    | { readonly kind: "update"; readonly record: ElectionRecord };
}

/** One PollUntilContextTimeout of the renew loop. */
export interface Window {
  /** The ticker's next tick that was not yet taken; in the past when one is buffered. */
  readonly nextTickMs: number;
  /** When the window's context ends. */
  readonly deadlineMs: number;
}

export type Place =
  /** Not started. `cancelled`: its context has ended before Run. */
  | { readonly kind: "new"; readonly cancelled: boolean }
  /** acquire: an attempt is open. It has no deadline of its own. */
  | { readonly kind: "acquiring"; readonly attempt: Attempt }
  /** acquire: sleeps until timer `retry`. */
  | { readonly kind: "waiting"; readonly retryMs: number }
  /** renew: between two windows, until timer `renew`; due at once after an acquisition. */
  | { readonly kind: "resting"; readonly renewMs: number }
  /** renew: an attempt is open within a window. */
  | { readonly kind: "renewing"; readonly window: Window; readonly attempt: Attempt }
  /** renew: within a window, until timer `tick`. */
  | { readonly kind: "polling"; readonly window: Window }
  /** release: its GET (`record` null) or its PUT is open, until timer `release`. */
  | {
      readonly kind: "releasing";
      readonly call: number;
      readonly record: ElectionRecord | null;
      readonly deadlineMs: number;
      readonly reason: StopReason;
      /** Whether `stop-work` was already said. */
      readonly workCancelled: boolean;
    }
  | { readonly kind: "ended" };

export type ClientGoElector = Memory & Place;
export type InPlace<Kind extends Place["kind"]> = Memory & Extract<Place, { kind: Kind }>;
export type Stepped = readonly [ClientGoElector, readonly ElectorOutput[]];

/** The memory alone, to be put in another place. */
export function memoryOf(elector: Memory): Memory {
  const { profile, config, observed, raw, cached, reported, nextCall, nextDraw } = elector;
  return { profile, config, observed, raw, cached, reported, nextCall, nextDraw };
}

export const isLeader = (memory: Memory): boolean =>
  memory.observed !== null && memory.observed.record.holder === memory.config.identity;

/** maybeReportTransition: OnNewLeader for a holder other than the last one reported. */
export function reportTransition(memory: Memory): readonly [Memory, readonly ElectorOutput[]] {
  const holder = memory.observed?.record.holder ?? "";
  if (holder === memory.reported) return [memory, []];
  return [{ ...memory, reported: holder }, [{ kind: "new-leader", identity: holder }]];
}

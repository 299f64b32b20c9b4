// The contract of every elector profile: what goes in, what comes out. An elector is a pure machine; it never waits,
// calls or reads a clock. Who drives it (the simulated world, or the server's driver) performs its outputs.
import type { Lease, LeaseOutcome, LeaseRequest } from "../lease/lease.ts";

/** A reading of one node's own two clocks, in whole milliseconds. */
export interface Instant {
  /** Monotonic: never steps, may run at a wrong rate. The only clock that may judge durations. */
  readonly monotonicMs: number;
  /** Wall clock since the Unix epoch: may be offset and may step. Only written into records. */
  readonly wallMs: number;
}

/** What came back for a call. `failed`: no answer is known, so a write may or may not have been committed. */
export type CallResult =
  | LeaseOutcome
  | { readonly kind: "failed"; readonly failure: "timeout" | "connection" };

export type ElectorInput =
  | { readonly kind: "start"; readonly at: Instant }
  | { readonly kind: "timer"; readonly timer: string; readonly at: Instant }
  | { readonly kind: "answer"; readonly call: number; readonly result: CallResult; readonly at: Instant }
  /** Asked to stop for good (SIGTERM, context cancelled). */
  | { readonly kind: "cancel"; readonly at: Instant }
  /** The guarded work that `stop-work` cancelled has really stopped. */
  | { readonly kind: "work-stopped"; readonly at: Instant }
  /** A sink refused a write as stale; `mark` is the newest token that it has seen, as a decimal. */
  | { readonly kind: "refused-as-stale"; readonly mark: string; readonly at: Instant };

/** Why leadership ended. */
export type StopReason =
  | "renew-deadline" // no renewal succeeded within the deadline
  | "held-by-other" // the Lease was read and names another holder
  | "lease-gone" // the Lease was read and does not exist
  | "cancelled"; // asked to stop

export type ElectorOutput =
  /** Send this request. `call` numbers rise within a process. */
  | { readonly kind: "call"; readonly call: number; readonly request: LeaseRequest }
  /** Stop waiting for a call (its context ended). What the server does with it happens all the same. */
  | { readonly kind: "give-up"; readonly call: number }
  /** Set or move the one timer of this name to a reading of the monotonic clock. */
  | { readonly kind: "set-timer"; readonly timer: string; readonly dueMs: number }
  | { readonly kind: "clear-timer"; readonly timer: string }
  /** Leadership begins. `lease`: the object as committed, from which a token is taken; null where no Lease exists (noop). */
  | { readonly kind: "started-leading"; readonly lease: Lease | null }
  /** Still leading: the Lease was renewed, or its term was raised (`termRaised`), and now reads like this. */
  | { readonly kind: "renewed"; readonly lease: Lease; readonly termRaised: boolean }
  /** Cancel the guarded work. Cooperative: answer with `work-stopped` once it has really stopped. */
  | { readonly kind: "stop-work"; readonly reason: StopReason }
  /** The drain timeout ran out: end the guarded work by force (kill its task or exit). Sent calls cannot be recalled. */
  | { readonly kind: "abort-work" }
  /** The elector no longer counts itself leader (client-go: OnStoppedLeading). */
  | { readonly kind: "stopped-leading"; readonly reason: StopReason }
  /** The observed holder changed (client-go: OnNewLeader). Empty when nobody holds it. */
  | { readonly kind: "new-leader"; readonly identity: string }
  /** A follower judged the record expired by its own clock. */
  | { readonly kind: "judged-expired"; readonly holder: string; readonly unchangedForMs: number }
  /** The Lease was given up by a conditional write. */
  | { readonly kind: "released" }
  /** The elector's run is over; it does nothing more. */
  | { readonly kind: "ended" };

export interface Timings {
  /** How long an observed, unchanged record counts as valid. Written to the Lease in whole seconds. Default 15000. */
  readonly leaseDurationMs: number;
  /** How long a leader goes on without a successful renewal. < leaseDurationMs. Default 10000. */
  readonly renewDeadlineMs: number;
  /** Pause between attempts. Default 2000. */
  readonly retryPeriodMs: number;
}

export type ElectorProfile = "epoch-lab" | "client-go" | "noop";

/** Everything an elector is told when its process starts. */
export interface ElectorConfig {
  readonly profile: ElectorProfile;
  /** Name of the Lease. */
  readonly lock: string;
  /** Written as holderIdentity. Should be unique per process start; the lab can show what happens when it is not. */
  readonly identity: string;
  /** Unique per process start whatever the identity is. */
  readonly processId: string;
  readonly timings: Timings;
  /** Give the Lease up when cancelled (client-go: ReleaseOnCancel). */
  readonly release: boolean;
  /**
   * Keep the fencing term in the Lease's annotation, +1 on every acquisition. `epoch-lab` always does; for `client-go`
   * this stands for a lock that wraps LeaseLock, and is off when the profile is compared with the real one.
   */
  readonly stampTerm: boolean;
  /** Draws for jitter, each in [0, 1), used in turn and then from the start again; empty means no jitter. */
  readonly jitter: readonly number[];
  /** `epoch-lab` only: how long cancelled guarded work may take to stop. Default 2000. */
  readonly drainTimeoutMs: number;
  /** `epoch-lab` only: the fastest a clock may run against another, as a ratio >= 1. Default 1.05. */
  readonly clockRateBound: number;
}

// What Epoch Lab's own master consumer holds.
import type { DelegateError } from "../contract.ts";

export interface Leading {
  readonly epoch: string;
  readonly acquisition: number;
}

/** Why a run ends. */
export type Cause =
  /** Leadership was lost. */
  | "lost"
  /** Still leading, under another epoch: the bridge must be spawned anew. */
  | "epoch"
  /** It ended by itself, without an error. */
  | "ended"
  /** It failed. */
  | "failed"
  /** The consumer ends. */
  | "leave";

export type LabPhase =
  | { readonly kind: "idle" }
  /** Does not lead, and nothing runs. */
  | { readonly kind: "standby" }
  /** Leads, and the delegate ended by itself: nothing more until the next acquisition. */
  | { readonly kind: "resting" }
  /** `for`: the leadership that the delegate is created for. */
  | { readonly kind: "creating"; readonly for: Leading }
  | { readonly kind: "running" }
  | { readonly kind: "backoff" }
  /**
   * `guarded`: waits for the pipeline too, because leadership is gone or given up, and is bounded by the drain timeout.
   * Otherwise this node still leads, and nothing that was accepted needs to be thrown away.
   */
  | { readonly kind: "draining"; readonly cause: Cause; readonly guarded: boolean }
  | { readonly kind: "leaving" }
  | { readonly kind: "finished" };

export interface LabLoop {
  readonly kind: "lab";
  readonly phase: LabPhase;
  readonly leading: Leading | null;
  /** Tries made of the present budget. */
  readonly attempts: number;
  /** `work-stopped` is still to be said. */
  readonly owesWorkStopped: boolean;
  /** Asked to end for good. */
  readonly stopping: boolean;
  readonly stopCalled: boolean;
  /** What the consumer ends with; null: nothing is wrong. */
  readonly failure: DelegateError | null;
}

export const IDLE_LAB: LabLoop = {
  kind: "lab",
  phase: { kind: "idle" },
  leading: null,
  attempts: 0,
  owesWorkStopped: false,
  stopping: false,
  stopCalled: false,
  failure: null,
};

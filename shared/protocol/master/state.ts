// What a master consumer holds, whichever variant thinks for it: the present run of the delegate, and the pipeline's channel.
import type { Bridge, Exchange } from "./bridge.ts";
import type { CamelLoop } from "./camel/loop.ts";
import type { DelegateError, EnvelopeFacts, MasterConfig, MasterOutput } from "./contract.ts";
import type { LabLoop } from "./epochLab/loop.ts";
import { reconnectDelayMs } from "./reconnect.ts";

/** What the task that runs the delegate is at: start, then work, then stop. */
export type Task =
  | { readonly kind: "starting" }
  /** `background`: its start has returned, and the work goes on in a task of its own. */
  | { readonly kind: "running"; readonly background: boolean }
  | { readonly kind: "stopping" }
  | { readonly kind: "finished"; readonly error: DelegateError | null };

/** One life of the delegate, with the bridge that was spawned for it. */
export interface Run {
  /** Counts the delegates that were created, from 1. */
  readonly number: number;
  readonly epoch: string;
  readonly acquisition: number;
  readonly task: Task;
  /** It has been asked to end. */
  readonly cancelled: boolean;
  /** Somebody can still send. While that is so, an empty bridge waits. */
  readonly senderOpen: boolean;
  /** Its sender has a clone that nobody will ever drop. */
  readonly senderLeaked: boolean;
  /** The error that background work ended with, while it is stopped. */
  readonly workError: DelegateError | null;
  /** Null once it is left: drained, aborted, or its pipeline gone. */
  readonly bridge: Bridge | null;
  /** The route is cancelled and the bridge has not left yet: how many envelopes it still takes. Null otherwise. */
  readonly passesLeft: number | null;
  /** When its start succeeded; null before. */
  readonly activeSinceMs: number | null;
}

/** An exchange with the books of the lab. */
export interface Queued {
  readonly exchange: Exchange;
  readonly facts: EnvelopeFacts;
}

/** The channel of the route's pipeline. It outlives the bridges that feed it. */
export interface Pipeline {
  readonly queue: readonly Queued[];
  /** The one exchange that is worked on. */
  readonly inHand: Queued | null;
  readonly closed: boolean;
}

export interface Master {
  readonly config: MasterConfig;
  readonly loop: CamelLoop | LabLoop;
  readonly run: Run | null;
  /** How many delegates have been created. */
  readonly runs: number;
  readonly pipeline: Pipeline;
  /** How many jitter draws have been used. */
  readonly draws: number;
}

/** A master that is being stepped: a copy of its own, its outputs so far, and the time. */
export interface Draft {
  readonly config: MasterConfig;
  run: Run | null;
  runs: number;
  pipeline: Pipeline;
  draws: number;
  readonly now: number;
  readonly out: MasterOutput[];
}

/** The wait before the next try, with the next draw where there are any. */
export function nextDelayMs(draft: Draft, n: number): number {
  const { jitter, reconnect } = draft.config;
  const draw = jitter.length === 0 ? null : (jitter[draft.draws % jitter.length] ?? null);
  if (draw !== null) draft.draws += 1;
  return reconnectDelayMs(reconnect, n, draw);
}

export function log(
  draft: Draft,
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, string | number>> = { lock: draft.config.lock },
): void {
  draft.out.push({ kind: "log", level, message, fields });
}

/** Counts an edge of leadership and sets the gauge. */
export function countTransition(draft: Draft, event: "acquired" | "lost"): void {
  const { lock, routeId } = draft.config;
  draft.out.push(
    {
      kind: "metric",
      name: "master_leadership_transitions_total",
      change: { add: 1 },
      labels: { lock, route_id: routeId, event },
    },
    {
      kind: "metric",
      name: "camel_master_is_leader",
      change: { set: event === "acquired" ? 1 : 0 },
      labels: { lock },
    },
  );
}

export function countLifecycle(
  draft: Draft,
  event: "started" | "stopped" | "create_error" | "start_error",
  reason: "none" | "transient" | "permanent",
): void {
  const { lock, routeId } = draft.config;
  draft.out.push({
    kind: "metric",
    name: "master_delegate_lifecycle_total",
    change: { add: 1 },
    labels: { lock, route_id: routeId, event, reason },
  });
}

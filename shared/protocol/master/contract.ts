// The contract of the master consumer: what it is told, and what it wants done. It is a pure machine: it never waits, calls or
// reads a clock. Whoever drives it creates, starts, cancels and stops the delegate that it names, and feeds back what came.
import type { Properties } from "./bridge.ts";
import type { ReconnectPolicy } from "./reconnect.ts";

/**
 * - `epoch-lab`: the default; every place where it differs from the crates is a row of `deviations.ts`.
 * - `camel-hardened`: as camel-master 0.64.0.
 * - `camel-first`: as camel-master 0.33.0.
 */
export type MasterVariant = "epoch-lab" | "camel-hardened" | "camel-first";

export const MASTER_VARIANTS: readonly MasterVariant[] = ["epoch-lab", "camel-hardened", "camel-first"];

export interface MasterConfig {
  readonly variant: MasterVariant;
  /** Name of the lock, as in the URI. */
  readonly lock: string;
  /** Label of the metrics. */
  readonly routeId: string;
  /**
   * Bound of a stop. `epoch-lab`: of the whole of it, work in the pipeline included. The crates: of the delegate's stop,
   * of the bridge's drain and of leaving the election, one after the other. Default 5000.
   */
  readonly drainTimeoutMs: number;
  readonly reconnect: ReconnectPolicy;
  /** `epoch-lab` only: a delegate that was active for this long gets a fresh budget when it fails. Default 10000. */
  readonly refillAfterMs: number;
  /** Default 128. */
  readonly bridgeCapacity: number;
  /** Default 256. */
  readonly pipelineCapacity: number;
  /** Draws for the retry jitter, each in [0, 1), used in turn and then from the start again; empty means no jitter. */
  readonly jitter: readonly number[];
  /**
   * The crates only: when a route stops, its bridge must choose between leaving and taking another envelope, and tosses a
   * coin. This many envelopes pass before it leaves. Default 0.
   */
  readonly passesAfterCancel: number;
}

/** A failure of the delegate. `io` and `transient` are worth another try; the others are not. */
export interface DelegateError {
  readonly kind: "io" | "transient" | "permanent" | "channel-closed";
  readonly message: string;
}

export const isTransient = (error: DelegateError): boolean =>
  error.kind === "io" || error.kind === "transient";

/** An error in the words of the crates. */
export function errorText(error: DelegateError): string {
  switch (error.kind) {
    case "io":
      return `IO error: ${error.message}`;
    case "transient":
      return `Processor error: [TRANSIENT] ${error.message}`;
    case "permanent":
      return `Processor error: ${error.message}`;
    case "channel-closed":
      return "Channel closed";
  }
}

/**
 * `tick`: the crates' look-around every 200 ms. `drain`: bound of the delegate's stop. `step-down`: bound of leaving the
 * election. `stop`: bound of a stop as a whole (0.64).
 */
export type MasterTimer = "tick" | "backoff" | "drain" | "step-down" | "stop";

export type LeadershipInput =
  /**
   * This node leads, under this epoch (a decimal, or empty where there is none). `acquisition` is carried along for the
   * lab's own books; nothing is decided by it.
   */
  | {
      readonly kind: "leadership";
      readonly change: "started";
      readonly epoch: string;
      readonly acquisition: number;
    }
  /** It does not lead any more: guarded work must stop. Answered with `work-stopped`. */
  | { readonly kind: "leadership"; readonly change: "stopped" }
  /** It still leads, under another epoch. */
  | { readonly kind: "leadership"; readonly change: "epoch"; readonly epoch: string }
  /** Nothing more will be heard of the election. */
  | { readonly kind: "leadership"; readonly change: "closed" };

/** What the delegate reports; `run` is the number under which it was created. */
export type DelegateInput =
  | {
      readonly kind: "created";
      /** Null: it was. */
      readonly error: DelegateError | null;
      /** What failed: making the endpoint, or making its consumer. */
      readonly step: "endpoint" | "consumer";
    }
  /** Its start has succeeded. */
  | { readonly kind: "started"; readonly run: number }
  | { readonly kind: "start-failed"; readonly run: number; readonly error: DelegateError }
  /** Its start returned and its work goes on in the background, in a task that it hands over or keeps to itself. */
  | { readonly kind: "start-returned"; readonly run: number; readonly handedOver: boolean }
  | {
      readonly kind: "emitted";
      readonly run: number;
      readonly envelope: number;
      readonly properties: Properties;
    }
  /** Somebody else holds its sender too, so that the bridge will never see the end. */
  | { readonly kind: "sender-leaked"; readonly run: number }
  /** Its work is over. */
  | { readonly kind: "ended"; readonly run: number; readonly error: DelegateError | null }
  /** Its stop has returned. */
  | { readonly kind: "stopped"; readonly run: number; readonly error: DelegateError | null };

export type MasterInput =
  /** The route starts: the election is joined. */
  | { readonly kind: "start" }
  | LeadershipInput
  | DelegateInput
  | { readonly kind: "timer"; readonly timer: MasterTimer }
  /** The pipeline is done with the exchange in its hand. */
  | { readonly kind: "processed"; readonly envelope: number }
  /** The pipeline takes no more. */
  | { readonly kind: "pipeline-closed" }
  /** The route is cancelled: the bridge is to be left at once. */
  | { readonly kind: "cancel-route" }
  /** The consumer is asked to stop. */
  | { readonly kind: "stop" }
  /** The elector's drain timeout ran out: end everything guarded by force. */
  | { readonly kind: "abort" }
  /** The election has been left. */
  | { readonly kind: "left" };

export type Phase = "standby" | "starting" | "active" | "draining" | "failed" | "finished";

/** On whose authority an envelope travels: its stamp, and the acquisition that the stamp was taken under. */
export interface EnvelopeFacts {
  readonly envelope: number;
  readonly run: number;
  readonly epoch: string;
  readonly acquisition: number;
}

export type DropReason =
  | "drain-timeout"
  | "route-cancelled"
  | "pipeline-closed"
  /** The elector's own drain timeout. */
  | "aborted";

export type MetricName =
  | "master_leadership_transitions_total"
  | "master_delegate_lifecycle_total"
  | "camel_master_is_leader";

export type MasterOutput =
  /** Create the delegate's endpoint and consumer; answer with `created`. */
  | { readonly kind: "create-delegate"; readonly run: number }
  | { readonly kind: "start-delegate"; readonly run: number }
  /** Ask it to end. Cooperative. */
  | { readonly kind: "cancel-delegate"; readonly run: number }
  /** Call its stop; answer with `stopped`. */
  | { readonly kind: "stop-delegate"; readonly run: number }
  /** End by force what it is at: its start, its work or its stop. No answer is awaited. */
  | {
      readonly kind: "abort-delegate";
      readonly run: number;
      readonly what: "start" | "delegate" | "stop";
    }
  /** Set or move the one timer of this name. */
  | { readonly kind: "set-timer"; readonly timer: MasterTimer; readonly dueMs: number }
  | { readonly kind: "clear-timer"; readonly timer: MasterTimer }
  /** The delegate's lifecycle moved on. */
  | {
      readonly kind: "phase";
      readonly phase: Phase;
      readonly epoch: string;
      readonly acquisition: number;
      readonly detail: string;
    }
  /** The bridge took an envelope; `queued`: how many it holds now. */
  | ({ readonly kind: "accepted"; readonly queued: number } & EnvelopeFacts)
  /** It went on to the pipeline's channel. */
  | ({ readonly kind: "forwarded" } & EnvelopeFacts)
  /** The pipeline takes it in hand: work on it; answer with `processed`. */
  | ({ readonly kind: "exchange"; readonly properties: Properties } & EnvelopeFacts)
  /** An envelope was never taken, and its sender is told. */
  | {
      readonly kind: "refused";
      readonly envelope: number;
      readonly run: number;
      readonly why: "closed" | "aborted";
    }
  /** Accepted envelopes were destroyed. */
  | {
      readonly kind: "dropped";
      readonly envelopes: readonly EnvelopeFacts[];
      readonly where: "bridge" | "pipeline";
      readonly why: DropReason;
    }
  /** End by force the work on the exchange in hand. What it has already sent cannot be recalled. */
  | ({ readonly kind: "abort-exchange" } & EnvelopeFacts)
  | {
      readonly kind: "metric";
      readonly name: MetricName;
      /** Counters are added to, gauges are set. */
      readonly change: { readonly add: number } | { readonly set: number };
      readonly labels: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly fields: Readonly<Record<string, string | number>>;
    }
  /** Nothing guarded runs any more: the elector may go on. Answers `leadership stopped` and `abort`. */
  | { readonly kind: "work-stopped" }
  /** Give up the candidacy; answer with `left`. */
  | { readonly kind: "leave-election" }
  /** The consumer's run is over; with an error, the route has failed. */
  | { readonly kind: "finished"; readonly error: DelegateError | null }
  /** Answers `stop`. */
  | { readonly kind: "stop-returned"; readonly error: DelegateError | null };

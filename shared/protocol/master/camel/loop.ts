// What the crates' loop holds, and the words it says.
import type { DelegateError, Phase } from "../contract.ts";
import type { RunRules } from "../run.ts";
import { log, type Draft } from "../state.ts";

/** From one look-around to the next. */
export const TICK_MS = 200;

/** What a drain was for: leadership is lost, there is a newer epoch, a tick found the delegate over, the consumer ends. */
export type AfterDrain = "standby" | "start" | "tick" | "leave";

type CamelPhase =
  | { readonly kind: "idle" }
  /** At its select: the only phase in which it hears anything but a stop. */
  | { readonly kind: "listening" }
  | { readonly kind: "creating" }
  /** Hears only a stop. */
  | { readonly kind: "backoff" }
  | {
      readonly kind: "draining";
      readonly stage: "delegate" | "bridge";
      readonly next: AfterDrain;
    }
  | { readonly kind: "leaving"; readonly error: DelegateError | null }
  | { readonly kind: "finished"; readonly error: DelegateError | null };

export interface CamelLoop {
  readonly kind: "camel";
  readonly phase: CamelPhase;
  /** The latest event of the election; null before the first. */
  readonly published: "started" | "stopped" | null;
  /** The published value has not been looked at yet. */
  readonly changed: boolean;
  /** The latest epoch; "0" before the first. */
  readonly epoch: string;
  readonly acquisition: number;
  /** What the loop itself believes: an edge behind what is published. */
  readonly isLeading: boolean;
  /** Tries counted against the budget: every delivery (0.64), every tick that tried (0.33). */
  readonly attempts: number;
  /** What the loop is about: an event of the election, or a tick. It decides what an error does. */
  readonly occasion: "event" | "tick";
  /** The last failure, where it was one of the delegate's start or work. Decides how an exhausted budget ends. 0.64 only. */
  readonly lastStartError: DelegateError | null;
  /** The next tick that has not fired. */
  readonly tickMs: number;
  /** When it last came back to its select. */
  readonly listeningSinceMs: number;
  /** The tick that a timer is set for; null where a tick would do nothing. */
  readonly tickSetMs: number | null;
  /** Nothing more will be heard of the election. What was published before is still looked at. */
  readonly closed: boolean;
  readonly stopping: boolean;
  /** The route's token is cancelled, and with it every token that is made from it. */
  readonly routeCancelled: boolean;
  readonly stopCalled: boolean;
}

export const IDLE_CAMEL: CamelLoop = {
  kind: "camel",
  phase: { kind: "idle" },
  published: null,
  changed: false,
  epoch: "0",
  acquisition: 0,
  isLeading: false,
  attempts: 0,
  occasion: "event",
  lastStartError: null,
  tickMs: 0,
  listeningSinceMs: 0,
  tickSetMs: null,
  closed: false,
  stopping: false,
  routeCancelled: false,
  stopCalled: false,
};

/** A draft with this variant's own part. */
export interface CamelDraft extends Draft {
  loop: CamelLoop;
}

export const isHardened = (d: CamelDraft): boolean => d.config.variant === "camel-hardened";

export const rulesOf = (d: CamelDraft): RunRules => ({
  background: (handedOver) => (isHardened(d) && handedOver ? "watch" : "stop"),
  abortBackgroundOnCancel: true,
});

export const set = (d: CamelDraft, change: Partial<CamelLoop>): void => {
  d.loop = { ...d.loop, ...change };
};

/** Said at every try, not once per acquisition. */
export function logAcquired(d: CamelDraft): void {
  log(d, "info", "master leadership acquired");
  if (!isHardened(d)) log(d, "info", "metrics emission placeholder: leadership acquired");
}

/** Tells of the delegate's lifecycle. */
export function say(d: CamelDraft, next: Phase, detail: string): void {
  const { epoch, acquisition } = d.run ?? d.loop;
  d.out.push({ kind: "phase", phase: next, epoch, acquisition, detail });
}

// What a scripted delegate will do. The keys are those of the Camel oracle's schedules.

/** Kinds of failure that a plan can ask for. */
export type PlannedError = "io" | "transient" | "permanent";

/** How one creation ends; `consumer-`: the endpoint is made, and its consumer fails. */
export type CreatePlan = "ok" | PlannedError | `consumer-${PlannedError}`;

export interface DelegatePlan {
  /**
   * `blocking`: start() lasts as long as the delegate works. `background`: it spawns a task, hands it over and returns.
   * `detached`: the same without handing it over. Default `blocking`.
   */
  readonly style: "blocking" | "background" | "detached";
  /** How long the start takes. Default 0. */
  readonly startMs: number;
  /** The start fails with this once it is due. Default null. */
  readonly startError: PlannedError | null;
  /** From the start's success to the first emission. Default 0. */
  readonly emitFirstMs: number;
  /** From one emission to the next. Default 0. */
  readonly emitEveryMs: number;
  /** How many emissions; null for no end. Default 0. */
  readonly emitCount: number | null;
  /** Envelopes of one emission. Default 1. */
  readonly burst: number;
  /** Ends by itself, without an error, after the last emission. Default false. */
  readonly endWhenDone: boolean;
  /** Wait for the reply to each envelope before going on. Default false. */
  readonly waitReply: boolean;
  /** Ends by itself, without an error, this long after the start's success; null: does not. Default null. */
  readonly endMs: number | null;
  /** Fails this long after the start's success; null: does not. Default null. */
  readonly failMs: number | null;
  readonly failKind: PlannedError;
  /** Never looks at its cancellation. Default false. */
  readonly ignoreCancel: boolean;
  /** From seeing the cancellation to the last flush. Default 0. */
  readonly lingerMs: number;
  /** Envelopes sent after lingering. Default 0. */
  readonly flush: number;
  /** Ends with this when it was cancelled. Default null. */
  readonly cancelError: PlannedError | null;
  /** How long stop() takes. Default 0. */
  readonly stopMs: number;
  /** stop() fails with this. Default null. */
  readonly stopError: PlannedError | null;
  /** Keeps a clone of its sender beyond its end. Default false. */
  readonly leakSender: boolean;
}

export const DEFAULT_PLAN: DelegatePlan = {
  style: "blocking",
  startMs: 0,
  startError: null,
  emitFirstMs: 0,
  emitEveryMs: 0,
  emitCount: 0,
  burst: 1,
  endWhenDone: false,
  waitReply: false,
  endMs: null,
  failMs: null,
  failKind: "io",
  ignoreCancel: false,
  lingerMs: 0,
  flush: 0,
  cancelError: null,
  stopMs: 0,
  stopError: null,
  leakSender: false,
};

export interface DelegateScript {
  /** The outcome of the n-th creation; the last repeats. Empty: all succeed. */
  readonly creates: readonly CreatePlan[];
  /** The plan of the n-th delegate that was created; the last repeats. Empty: {@link DEFAULT_PLAN}. */
  readonly plans: readonly DelegatePlan[];
}

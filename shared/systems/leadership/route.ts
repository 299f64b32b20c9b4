// What a route node does: a master consumer over a timer delegate, its bridge, and a pipeline that writes to the sinks.

export interface RouteConfig {
  /** `master:<lock>:<delegate-uri>`. The lock must be the system's own. Default `master:orders:timer:tick?period=1000`. */
  readonly uri: string;
  /** How long the pipeline works on one exchange before it writes. Default 100. */
  readonly processMs: number;
  /** Bound of a delegate stop (`drain_timeout_ms`). Default 5000. */
  readonly drainTimeoutMs: number;
  /** How long the delegate takes to end once it is cancelled. Default 0. */
  readonly lingerMs: number;
  /** How many envelopes the delegate emits at each tick. Default 1. */
  readonly burst: number;
}

export const DEFAULT_ROUTE: RouteConfig = {
  uri: "master:orders:timer:tick?period=1000",
  processMs: 100,
  drainTimeoutMs: 5000,
  lingerMs: 0,
  burst: 1,
};

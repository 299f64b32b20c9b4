// A node's own clocks: how global time becomes the node's monotonic and wall time, and back.

/** Virtual time 0 in Unix time: 2026-01-01T00:00:00Z. Only what is written into records shows it. */
export const WALL_START_MS = 1_767_225_600_000;

export interface Clock {
  /** Local milliseconds per true second. */
  readonly ratePermille: number;
  /** The monotonic clock read `localMs` at global time `atMs`; moved on whenever the rate changes. */
  readonly atMs: number;
  readonly localMs: number;
  /** Wall clock minus monotonic clock, without the common start. Steps change it. */
  readonly wallOffsetMs: number;
}

export function monotonicMs(clock: Clock, globalMs: number): number {
  return clock.localMs + Math.floor(((globalMs - clock.atMs) * clock.ratePermille) / 1000);
}

export function wallMs(clock: Clock, globalMs: number): number {
  return WALL_START_MS + clock.wallOffsetMs + monotonicMs(clock, globalMs);
}

/** The first global millisecond at which the monotonic clock reads `localMs` or more. */
export function globalMs(clock: Clock, localMs: number): number {
  return clock.atMs + Math.ceil(((localMs - clock.localMs) * 1000) / clock.ratePermille);
}

export function withRate(clock: Clock, ratePermille: number, globalNowMs: number): Clock {
  return {
    ...clock,
    ratePermille,
    atMs: globalNowMs,
    localMs: monotonicMs(clock, globalNowMs),
  };
}

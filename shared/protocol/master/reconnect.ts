// When a delegate that could not be created, or failed, is tried again: the wait grows, and the tries are counted.

/** `[components.master.reconnect]`. */
export interface ReconnectPolicy {
  /** Whether a failed delegate is tried again at all. Default true. */
  readonly enabled: boolean;
  /** Tries in one budget; 0 for no limit. Default 0 without a `reconnect` table, 10 in a table that does not say. */
  readonly maxAttempts: number;
  /** The first wait. Default 100. */
  readonly initialDelayMs: number;
  /** Each wait is this many times the one before. Default 2. */
  readonly multiplier: number;
  /** No wait is longer. Default 30000. */
  readonly maxDelayMs: number;
  /** Width of the jitter as a part of the wait: 0.2 draws from 0.9 to 1.1 of it. Default 0.2. */
  readonly jitterFactor: number;
  /** A further limit, which holds even where `maxAttempts` is 0; null for none. Default null. */
  readonly maxAttemptsAbsolute: number | null;
}

/** What a `reconnect` table means for keys that it does not have. */
export const RECONNECT_TABLE_DEFAULTS: ReconnectPolicy = {
  enabled: true,
  maxAttempts: 10,
  initialDelayMs: 100,
  multiplier: 2,
  maxDelayMs: 30_000,
  jitterFactor: 0.2,
  maxAttemptsAbsolute: null,
};

/** The policy where there is no `reconnect` table: no limit. */
export const DEFAULT_RECONNECT: ReconnectPolicy = { ...RECONNECT_TABLE_DEFAULTS, maxAttempts: 0 };

/**
 * The wait number `n`, counted from 0, in whole milliseconds, rounded down: `initial x multiplier^n`, at most `max`.
 * @param draw for the jitter, in [0, 1); null for none.
 */
export function reconnectDelayMs(policy: ReconnectPolicy, n: number, draw: number | null): number {
  const plain = Math.min(policy.initialDelayMs * policy.multiplier ** n, policy.maxDelayMs);
  if (draw === null || policy.jitterFactor === 0) return Math.floor(plain);
  return Math.floor(Math.min(plain * (1 + policy.jitterFactor * (draw - 0.5)), policy.maxDelayMs));
}

/** Whether another try is allowed after `attempts` of them. */
export function shouldRetry(policy: ReconnectPolicy, attempts: number): boolean {
  const { enabled, maxAttempts, maxAttemptsAbsolute } = policy;
  if (!enabled) return false;
  if (maxAttemptsAbsolute !== null && attempts >= maxAttemptsAbsolute) return false;
  return maxAttempts === 0 || attempts < maxAttempts;
}

/**
 * Puts the older key `delegate_retry_max_attempts` in place: it counts wherever the policy's own limit is 0, even where
 * 0 was written on purpose, and nowhere else.
 * @param legacy its value; null when it is absent, 0 or no count.
 */
export function withLegacyAttempts(policy: ReconnectPolicy, legacy: number | null): ReconnectPolicy {
  return legacy !== null && policy.maxAttempts === 0 ? { ...policy, maxAttempts: legacy } : policy;
}

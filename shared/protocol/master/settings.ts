// `[components.master]` as it is written in a file: as the crates read it, and as `epoch-lab` does.
import { ok, type Result } from "../../base/result.ts";
import { parseWith } from "../../base/schema.ts";
import * as z from "../../base/zod.ts";
import {
  DEFAULT_RECONNECT,
  RECONNECT_TABLE_DEFAULTS,
  withLegacyAttempts,
  type ReconnectPolicy,
} from "./reconnect.ts";

export interface MasterSettings {
  readonly drainTimeoutMs: number;
  readonly reconnect: ReconnectPolicy;
}

export const DEFAULT_DRAIN_TIMEOUT_MS = 5000;
/** Where a negative number was read as an unsigned one: for ever, for all that anybody will see. */
export const FOREVER_MS = 2 ** 52;
const U32_MAX = 2 ** 32 - 1;

const count = z.int().min(0).max(U32_MAX);
const wait = z.int().min(0).max(FOREVER_MS);

const reconnectTable = {
  enabled: z.boolean().optional(),
  max_attempts: count.optional(),
  initial_delay_ms: wait.optional(),
  multiplier: z.number().optional(),
  max_delay_ms: wait.optional(),
  jitter_factor: z.number().optional(),
  max_attempts_absolute: count.optional(),
};

type ReconnectTable = z.infer<ReturnType<typeof z.object<typeof reconnectTable>>>;

/**
 * Reads the table as the crates do: nothing is ever refused. Unknown keys are ignored; a value of the wrong type counts
 * as absent; a `reconnect` table with one wrong value is ignored as a whole; a negative drain timeout becomes endless.
 */
export function readMasterTable(table: Readonly<Record<string, unknown>>): MasterSettings {
  const drain = table["drain_timeout_ms"];
  const legacy = table["delegate_retry_max_attempts"];
  const reconnect = z.object(reconnectTable).safeParse(table["reconnect"]);
  return {
    drainTimeoutMs: !isInteger(drain) ? DEFAULT_DRAIN_TIMEOUT_MS : drain < 0 ? FOREVER_MS : drain,
    reconnect: withLegacyAttempts(
      reconnect.success ? policyOf(reconnect.data) : DEFAULT_RECONNECT,
      isInteger(legacy) && legacy > 0 && legacy <= U32_MAX ? legacy : null,
    ),
  };
}

const strictTable = z.strictObject({
  drain_timeout_ms: z
    .int()
    .min(1, "at least 1 ms: with 0 every delegate is aborted before it hears that it should stop")
    .max(86_400_000, "at most a day")
    .optional(),
  delegate_retry_max_attempts: count.optional(),
  reconnect: z
    .strictObject({
      ...reconnectTable,
      multiplier: z.number().min(1, "at least 1: waits must not shrink").max(1000).optional(),
      jitter_factor: z.number().min(0).max(1).optional(),
    })
    .optional(),
});

/**
 * Reads the table as `epoch-lab` does: unknown keys, wrong types and senseless values are refused with a reason, and a
 * limit that is written in `reconnect` wins over the older key even where it is 0.
 */
export function parseMasterTable(input: unknown): Result<MasterSettings> {
  const parsed = parseWith(strictTable, input);
  if (!parsed.ok) return parsed;
  const { drain_timeout_ms, delegate_retry_max_attempts, reconnect } = parsed.value;
  const legacy = (delegate_retry_max_attempts ?? 0) > 0 ? (delegate_retry_max_attempts ?? null) : null;
  const policy = reconnect === undefined ? DEFAULT_RECONNECT : policyOf(reconnect);
  return ok({
    drainTimeoutMs: drain_timeout_ms ?? DEFAULT_DRAIN_TIMEOUT_MS,
    reconnect:
      reconnect?.max_attempts === undefined && legacy !== null ? { ...policy, maxAttempts: legacy } : policy,
  });
}

function policyOf(table: ReconnectTable): ReconnectPolicy {
  return {
    enabled: table.enabled ?? RECONNECT_TABLE_DEFAULTS.enabled,
    maxAttempts: table.max_attempts ?? RECONNECT_TABLE_DEFAULTS.maxAttempts,
    initialDelayMs: table.initial_delay_ms ?? RECONNECT_TABLE_DEFAULTS.initialDelayMs,
    multiplier: table.multiplier ?? RECONNECT_TABLE_DEFAULTS.multiplier,
    maxDelayMs: table.max_delay_ms ?? RECONNECT_TABLE_DEFAULTS.maxDelayMs,
    jitterFactor: table.jitter_factor ?? RECONNECT_TABLE_DEFAULTS.jitterFactor,
    maxAttemptsAbsolute: table.max_attempts_absolute ?? null,
  };
}

const isInteger = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value);

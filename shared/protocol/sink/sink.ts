// The resource that the writes reach, with six ways to enforce, or fail to enforce, the order of epochs.
import { assert, unreachable } from "../../base/assert.ts";
import { compareTokens, isToken, laterToken } from "../token/token.ts";

/**
 * How a sink decides on a write.
 * - `none`: applies everything.
 * - `check-then-act`: compares with the mark on arrival, applies a moment later. Between the two another write may pass.
 * - `memory`: compares and applies at once, but keeps the mark in memory: a restart forgets it.
 * - `equality`: accepts the current token or one it has never seen (which then is current). A late token that it never saw passes.
 * - `idempotency-key`: applies each key once. Dedupes; knows nothing of epochs.
 * - `atomic`: compares, applies and keeps the mark in one transaction.
 */
export type Enforcement = "none" | "check-then-act" | "memory" | "equality" | "idempotency-key" | "atomic";

export const ENFORCEMENTS: readonly Enforcement[] = [
  "none",
  "check-then-act",
  "memory",
  "equality",
  "idempotency-key",
  "atomic",
];

/** Whether a sink looks at the token at all. */
export const isFenced = (enforcement: Enforcement): boolean =>
  enforcement !== "none" && enforcement !== "idempotency-key";

/** The part of a write that a sink looks at. `acquisition` is the truth kept by the lab; no sink can see it. */
export interface Write {
  readonly value: string;
  readonly key: string;
  readonly token: string;
  readonly acquisition: number;
  /** A claim raises the mark at the start of an epoch and has no other effect. */
  readonly claim: boolean;
}

export type WriteVerdict = "applied" | "stale" | "duplicate" | "no-token" | "not-current";

export interface AppliedWrite {
  readonly value: string;
  readonly token: string;
  readonly acquisition: number;
}

export interface Sink {
  readonly enforcement: Enforcement;
  /** Whether it also applies each idempotency key only once. Always so for `idempotency-key`. */
  readonly dedupes: boolean;
  /** Largest token applied (for `equality`: the current one); "0" before the first. */
  readonly mark: string;
  /** Tokens ever accepted; kept by `equality` only. */
  readonly seen: readonly string[];
  /** Idempotency keys applied; kept where it dedupes. */
  readonly keys: readonly string[];
  /** Newest acquisition whose write was applied; 0 before the first. Kept by the lab to tell a stale write; no sink uses it. */
  readonly newest: number;
  /** Everything applied, oldest first. */
  readonly applied: readonly AppliedWrite[];
}

export const NO_MARK = "0";

export function createSink(enforcement: Enforcement, dedupe = false): Sink {
  const dedupes = dedupe || enforcement === "idempotency-key";
  return { enforcement, dedupes, mark: NO_MARK, seen: [], keys: [], newest: 0, applied: [] };
}

/** What the sink would say to a write right now, without taking it. */
export function judgeWrite(sink: Sink, write: Pick<Write, "token" | "key">): WriteVerdict {
  const fenced = judgeToken(sink, write.token);
  // The fence is asked first: a stale repeat is stale.
  return fenced === "applied" && sink.dedupes && sink.keys.includes(write.key) ? "duplicate" : fenced;
}

function judgeToken(sink: Sink, token: string): WriteVerdict {
  switch (sink.enforcement) {
    case "none":
    case "idempotency-key":
      return "applied";
    case "equality":
      if (!isToken(token)) return "no-token";
      return token === sink.mark || !sink.seen.includes(token) ? "applied" : "not-current";
    case "check-then-act":
    case "memory":
    case "atomic":
      if (!isToken(token)) return "no-token";
      return compareTokens(token, sink.mark) < 0 ? "stale" : "applied";
    default:
      return unreachable(sink.enforcement);
  }
}

/** Applies a write that was judged `applied` (for `check-then-act`: some time ago). */
export function applyWrite(sink: Sink, write: Write): Sink {
  const { enforcement } = sink;
  const fenced = isFenced(enforcement) && isToken(write.token);
  const mark = !fenced
    ? sink.mark
    : enforcement === "equality"
      ? write.token
      : laterToken(sink.mark, write.token);
  assert(enforcement === "equality" || compareTokens(mark, sink.mark) >= 0, "a sink's mark only rises");
  return {
    enforcement,
    dedupes: sink.dedupes,
    mark,
    seen:
      enforcement === "equality" && !sink.seen.includes(write.token)
        ? [...sink.seen, write.token]
        : sink.seen,
    keys: sink.dedupes ? [...sink.keys, write.key] : sink.keys,
    newest: Math.max(sink.newest, write.acquisition),
    applied: write.claim
      ? sink.applied
      : [...sink.applied, { value: write.value, token: write.token, acquisition: write.acquisition }],
  };
}

/** Restarts the sink's process: what it kept in memory is gone, what it stored stays. */
export function restartSink(sink: Sink): Sink {
  switch (sink.enforcement) {
    case "memory":
      return { ...sink, mark: NO_MARK };
    case "none":
    case "check-then-act":
    case "equality":
    case "idempotency-key":
    case "atomic":
      return sink;
    default:
      return unreachable(sink.enforcement);
  }
}

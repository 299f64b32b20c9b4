// Fencing tokens: decimal integers of any size, and the six places that people take them from.
import { unreachable } from "../../base/assert.ts";
import { TERM_ANNOTATION, type Lease } from "../lease/lease.ts";

/**
 * Where the token of an acquisition comes from.
 * - `lease-annotation`: the counter in annotation `camel.io/leader-term`, +1 on every acquisition by compare-and-set. Default.
 * - `lease-transitions`: `spec.leaseTransitions`. Unchanged when the same name re-acquires; back to 0 when the Lease is deleted.
 * - `resource-version`: the Lease's resourceVersion as last seen. Changes at every renewal, so that a leader outdates itself.
 * - `process-counter`: how often this process has won. Knows nothing of other processes.
 * - `wall-clock`: the winner's wall clock in milliseconds. Orders clocks, not acquisitions.
 * - `constant`: always 1.
 */
export type TokenSource =
  | "lease-annotation"
  | "lease-transitions"
  | "resource-version"
  | "process-counter"
  | "wall-clock"
  | "constant";

export const TOKEN_SOURCES: readonly TokenSource[] = [
  "lease-annotation",
  "lease-transitions",
  "resource-version",
  "process-counter",
  "wall-clock",
  "constant",
];

/** What a process knows when it takes a token. */
export interface TokenEvidence {
  /** The Lease as committed by its acquisition or renewal; null where there is none (noop). */
  readonly lease: Lease | null;
  /** How often this process has won, this time included. */
  readonly wins: number;
  /** Its wall clock at the win, in ms. */
  readonly wallMs: number;
}

/** The token as a decimal, or "" where the source has none to give (an absent or malformed annotation). */
export function takeToken(source: TokenSource, evidence: TokenEvidence): string {
  const { lease } = evidence;
  switch (source) {
    case "lease-annotation":
      return lease === null ? "1" : (leaseTerm(lease) ?? "");
    case "lease-transitions":
      return lease === null ? "1" : String(lease.spec.leaseTransitions ?? 0);
    case "resource-version":
      return lease === null ? "1" : lease.resourceVersion;
    case "process-counter":
      return String(evidence.wins);
    case "wall-clock":
      return String(evidence.wallMs);
    case "constant":
      return "1";
    default:
      return unreachable(source);
  }
}

/** Whether a source's token follows the Lease at every renewal instead of staying what it was at the acquisition. */
export const followsRenewal = (source: TokenSource): boolean => source === "resource-version";

/** The term in a Lease's annotation, or null when it is missing or no positive decimal. */
export function leaseTerm(lease: { readonly annotations: Readonly<Record<string, string>> }): string | null {
  const text = lease.annotations[TERM_ANNOTATION];
  return text !== undefined && isToken(text) ? text : null;
}

/** A usable token: a decimal integer above zero, without sign, space or leading zero. */
export function isToken(text: string): boolean {
  const length = text.length;
  if (length === 0 || text.charCodeAt(0) === 48) return false;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Orders two decimals of any size as integers: "9" comes before "10". */
export function compareTokens(left: string, right: string): -1 | 0 | 1 {
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The larger of two decimals. */
export const laterToken = (left: string, right: string): string =>
  compareTokens(left, right) < 0 ? right : left;

/** One more, for decimals of any size. */
export function nextToken(token: string): string {
  return token.length < 16 ? String(Number(token) + 1) : String(BigInt(token) + 1n);
}

// The record that client-go keeps of a Lease, and what it writes: LeaseLock and LeaderElectionRecord in pure form.
import { nextToken, leaseTerm } from "../../token/token.ts";
import {
  TERM_ANNOTATION,
  type Lease,
  type LeaseBody,
  type LeaseSpec,
  type MicroTime,
  type StringMap,
} from "../../lease/lease.ts";
import type { ElectorConfig, Instant } from "../contract.ts";

/** client-go's LeaderElectionRecord: absent fields of a Lease read as zero values. */
export interface ElectionRecord {
  readonly holder: string;
  readonly leaseDurationSeconds: number;
  /** Null where the Lease has none. */
  readonly acquireTime: MicroTime | null;
  readonly renewTime: MicroTime | null;
  readonly transitions: number;
}

/** observedRecord and observedTime: what was last read or written, and when its answer was in. */
export interface Observation {
  readonly record: ElectionRecord;
  /** Monotonic, taken after the response. */
  readonly sinceMs: number;
}

/** client-go's LeaseSpecToLeaderElectionRecord. */
export function recordOf(spec: LeaseSpec): ElectionRecord {
  return {
    holder: spec.holderIdentity ?? "",
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? null,
    renewTime: spec.renewTime ?? null,
    transitions: spec.leaseTransitions ?? 0,
  };
}

/** client-go's LeaderElectionRecordToLeaseSpec: all five classic fields are always sent. */
function specOf(record: ElectionRecord): LeaseSpec {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.leaseDurationSeconds,
    ...(record.acquireTime === null ? {} : { acquireTime: record.acquireTime }),
    ...(record.renewTime === null ? {} : { renewTime: record.renewTime }),
    leaseTransitions: record.transitions,
  };
}

/** `metav1.Time` marshals to RFC 3339 in whole seconds. */
const wholeSecond = (time: MicroTime | null): number | null =>
  time === null ? null : Math.floor(time / 1_000_000);

/**
 * Whether two records have the same JSON, which is how client-go detects a change (`observedRawRecord`): times count in
 * whole seconds only, so two renewals within one second of the wall clock look alike.
 */
export function looksUnchanged(before: ElectionRecord, now: ElectionRecord): boolean {
  return (
    before.holder === now.holder &&
    before.leaseDurationSeconds === now.leaseDurationSeconds &&
    before.transitions === now.transitions &&
    wholeSecond(before.acquireTime) === wholeSecond(now.acquireTime) &&
    wholeSecond(before.renewTime) === wholeSecond(now.renewTime)
  );
}

/** Go's clocks count nanoseconds; comparing whole ones keeps fractions of a millisecond exact. */
export const nanoseconds = (ms: number): number => Math.round(ms * 1_000_000);

/** client-go's isLeaseValid: by the duration in the record, not the configured one; the last instant does not count. */
export function isValid(observed: Observation | null, nowMs: number): boolean {
  if (observed === null) return false;
  const untilNs = nanoseconds(observed.sinceMs) + observed.record.leaseDurationSeconds * 1_000_000_000;
  return untilNs > nanoseconds(nowMs);
}

/** What an attempt would write if it acquired: the lease duration is cut to whole seconds, also to 0. */
export function freshRecord(config: ElectorConfig, startedAt: Instant, transitions: number): ElectionRecord {
  const now = microTime(startedAt);
  return {
    holder: config.identity,
    leaseDurationSeconds: Math.floor(config.timings.leaseDurationMs / 1000),
    acquireTime: now,
    renewTime: now,
    transitions,
  };
}

/** What release writes: nobody holds it, for one second because the API server refuses 0; transitions stay. */
export function releasedRecord(at: Instant, transitions: number): ElectionRecord {
  const now = microTime(at);
  return { holder: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now, transitions };
}

const microTime = (at: Instant): MicroTime => Math.floor(at.wallMs * 1000);

/** LeaseLock.Create: a new object that knows nothing of an earlier one, but for the term of a stamping lock. */
export function createBody(config: ElectorConfig, cached: Lease | null, record: ElectionRecord): LeaseBody {
  return {
    name: config.lock,
    labels: {},
    annotations: config.stampTerm ? { [TERM_ANNOTATION]: nextTerm(cached) } : {},
    spec: specOf(record),
  };
}

/** LeaseLock.Update: the cached object with another spec, so that foreign annotations and labels survive. */
export function updateBody(
  config: ElectorConfig,
  cached: Lease,
  write: { readonly record: ElectionRecord; readonly acquires: boolean },
): LeaseBody {
  const annotations: StringMap =
    config.stampTerm && write.acquires
      ? { ...cached.annotations, [TERM_ANNOTATION]: nextTerm(cached) }
      : cached.annotations;
  return {
    name: config.lock,
    uid: cached.uid,
    resourceVersion: cached.resourceVersion,
    labels: cached.labels,
    annotations,
    spec: specOf(write.record),
  };
}

/** A stamping lock's next term: one more than the cached Lease has; a missing or malformed one counts as 0. */
const nextTerm = (cached: Lease | null): string =>
  nextToken(cached === null ? "0" : (leaseTerm(cached) ?? "0"));

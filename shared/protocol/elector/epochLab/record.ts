// The Lease as `epoch-lab` writes and reads it.
import { PROCESS_ANNOTATION, TERM_ANNOTATION, type Lease, type LeaseBody } from "../../lease/lease.ts";
import { laterToken, leaseTerm, nextToken } from "../../token/token.ts";
import type { ElectorConfig, Instant } from "../contract.ts";

/** The term that the next acquisition must carry: one above everything seen, also when the annotation was lost. */
export function nextTerm(lease: Lease | null, seenTerm: string): string {
  return nextToken(laterToken(lease === null ? "0" : (leaseTerm(lease) ?? "0"), seenTerm));
}

/** An acquisition: a new term, this process, both times set to now. */
export function acquisitionBody(
  config: ElectorConfig,
  lease: Lease | null,
  seenTerm: string,
  at: Instant,
): LeaseBody {
  const now = at.wallMs * 1000;
  return {
    name: config.lock,
    ...(lease === null ? {} : { uid: lease.uid, resourceVersion: lease.resourceVersion }),
    labels: lease === null ? {} : lease.labels,
    annotations: {
      ...(lease === null ? {} : lease.annotations),
      [TERM_ANNOTATION]: nextTerm(lease, seenTerm),
      [PROCESS_ANNOTATION]: config.processId,
    },
    spec: {
      holderIdentity: config.identity,
      leaseDurationSeconds: Math.floor(config.timings.leaseDurationMs / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: lease === null ? 0 : (lease.spec.leaseTransitions ?? 0) + 1,
    },
  };
}

/** A renewal, or with a higher `term` a raise. It writes the term again, so that a stripped annotation heals. */
export function renewalBody(config: ElectorConfig, lease: Lease, term: string, at: Instant): LeaseBody {
  return {
    name: config.lock,
    uid: lease.uid,
    resourceVersion: lease.resourceVersion,
    labels: lease.labels,
    annotations: {
      ...lease.annotations,
      [TERM_ANNOTATION]: term,
      [PROCESS_ANNOTATION]: config.processId,
    },
    spec: { ...lease.spec, renewTime: at.wallMs * 1000 },
  };
}

/**
 * A release: nobody holds it, the term stays. Duration 1 because the server refuses 0
 * (client-go's release does the same).
 */
export function releaseBody(config: ElectorConfig, lease: Lease, at: Instant): LeaseBody {
  const now = at.wallMs * 1000;
  const { [PROCESS_ANNOTATION]: _process, ...annotations } = lease.annotations;
  return {
    name: config.lock,
    uid: lease.uid,
    resourceVersion: lease.resourceVersion,
    labels: lease.labels,
    annotations,
    spec: {
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: lease.spec.leaseTransitions ?? 0,
    },
  };
}

/** Whether a Lease as read is still the acquisition that `mine` was. A twin of the same name has another process. */
export function isSameAcquisition(mine: Lease, read: Lease): boolean {
  const process = read.annotations[PROCESS_ANNOTATION];
  return (
    read.uid === mine.uid &&
    read.spec.holderIdentity === mine.spec.holderIdentity &&
    read.spec.acquireTime === mine.spec.acquireTime &&
    (process === undefined || process === mine.annotations[PROCESS_ANNOTATION])
  );
}

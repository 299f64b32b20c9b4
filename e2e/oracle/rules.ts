// The oracle's own world around the elector: its arithmetic of time, its choice of faults, its server.
import type { Lease, LeaseRequest, RefusalReason } from "../../shared/protocol/lease/lease.ts";
import type { CallResult } from "../../shared/protocol/elector/contract.ts";
import type { Fault } from "./schedule.ts";
import type { Happening } from "./transcript.ts";

export const NS_PER_MS = 1_000_000;

/** Go's `time.Duration(seconds * float64(time.Second))`: cut to whole nanoseconds, so 1.001 s is 1 000 999 999 ns. */
export const nanosecondsOf = (seconds: number): number => Math.trunc(seconds * 1e9);

/** Times are printed as whole milliseconds, cut. */
export const millisecondOf = (ns: number): number => Math.floor(ns / NS_PER_MS);

export const NO_FAULT: Fault = {
  node: "",
  from: 0,
  to: 0,
  verb: "",
  delay: 0,
  late: 0,
  lose: "",
  code: 0,
};

/** The last fault whose window holds the call's start, which is known in whole milliseconds. */
export function faultFor(faults: readonly Fault[], node: string, verb: string, startNs: number): Fault {
  const start = millisecondOf(startNs) / 1000;
  const applies = (fault: Fault): boolean =>
    fault.node === node &&
    start >= fault.from &&
    start < fault.to &&
    (fault.verb === "*" || fault.verb === verb);
  return faults.findLast(applies) ?? NO_FAULT;
}

/** Negative pauses are none. */
export const pauseNs = (seconds: number): number => (seconds > 0 ? nanosecondsOf(seconds) : 0);

export interface Served {
  /** The object after the call. */
  readonly lease: Lease | null;
  readonly code: number;
  readonly result: CallResult;
  /** Null when nothing was written. */
  readonly commit: Happening | null;
}

/** The oracle's server: compare-and-set on resourceVersion and nothing else; it validates no field. */
export function serve(fault: Fault, node: string, request: LeaseRequest, lease: Lease | null): Served {
  const refuse = (code: number): Served => ({ lease, code, result: refusal(code), commit: null });
  if (fault.code !== 0) return refuse(fault.code);
  switch (request.verb) {
    case "get":
      return lease === null
        ? refuse(404)
        : { lease, code: 200, result: { kind: "ok", code: 200, lease, changed: false }, commit: null };
    case "delete":
      return refuse(500);
    case "create":
      if (lease !== null) return refuse(409);
      break;
    case "update":
      if (lease === null || lease.resourceVersion !== request.body.resourceVersion) return refuse(409);
      break;
  }
  const rv = Number(lease?.resourceVersion ?? 0) + 1;
  const stored: Lease = { uid: "1", ...request.body, resourceVersion: String(rv) };
  const code = request.verb === "create" ? 201 : 200;
  return {
    lease: stored,
    code,
    result: { kind: "ok", code, lease: stored, changed: true },
    commit: {
      ev: "commit",
      node,
      verb: request.verb,
      rv,
      holder: stored.spec.holderIdentity ?? "",
      transitions: stored.spec.leaseTransitions ?? 0,
      duration: stored.spec.leaseDurationSeconds ?? 0,
    },
  };
}

const REASONS: ReadonlyMap<number, RefusalReason> = new Map([
  [400, "BadRequest"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [409, "Conflict"],
  [422, "Invalid"],
  [429, "TooManyRequests"],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
]);

const refusal = (code: number): CallResult => ({
  kind: "refused",
  code,
  reason: REASONS.get(code) ?? "InternalError",
  message: "as the schedule says",
});

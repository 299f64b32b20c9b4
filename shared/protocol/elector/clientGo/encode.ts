// A canonical key of a client-go elector: equal keys (beside an equal configuration) mean equal futures.
import type { Lease, MicroTime } from "../../lease/lease.ts";
import { leaseTerm } from "../../token/token.ts";
import { isValid, looksUnchanged, recordOf, type ElectionRecord, type Observation } from "./record.ts";
import type { Attempt, ClientGoElector, Memory, Window } from "./state.ts";

/** Writes one part of the key. */
export type WriteKey = (value: number | string) => void;

/**
 * Writes the elector's key, part by part. Times are differences from `nowMonotonicMs`, cut off where nothing depends on
 * them any more; call numbers and the configuration are left out. The difference between the node's wall clock and its
 * monotonic one is the caller's to write: the times in records are wall times, and two renewals look alike to client-go
 * within one whole second of them.
 *
 * `stored`: the Lease as the register holds it now (null: none). With it the key says how the elector's copies relate to
 * that Lease instead of spelling them out, so that it does not grow with resourceVersions and transitions.
 */
export function encodeClientGo(
  elector: ClientGoElector,
  write: WriteKey,
  nowMonotonicMs: number,
  stored?: Lease | null,
): void {
  write(elector.kind);
  if (elector.kind === "ended") return;
  const key: Key = { write, nowMs: nowMonotonicMs, stored };
  encodeMemory(key, elector);
  switch (elector.kind) {
    case "new":
      write(elector.cancelled ? 1 : 0);
      return;
    case "acquiring":
      return encodeAttempt(key, elector, elector.attempt);
    case "waiting":
      return write(elector.retryMs - nowMonotonicMs);
    case "resting":
      return write(elector.renewMs - nowMonotonicMs);
    case "renewing":
      encodeWindow(key, elector, elector.window);
      return encodeAttempt(key, elector, elector.attempt);
    case "polling":
      return encodeWindow(key, elector, elector.window);
    case "releasing":
      write(elector.deadlineMs - nowMonotonicMs);
      write(elector.record === null ? 0 : 1);
      write(`${elector.reason} ${elector.workCancelled ? 1 : 0}`);
      return;
  }
}

interface Key {
  readonly write: WriteKey;
  readonly nowMs: number;
  readonly stored: Lease | null | undefined;
}

function encodeMemory({ write, nowMs, stored }: Key, memory: Memory): void {
  const { observed, raw, cached, reported, nextDraw } = memory;
  write(reported);
  write(nextDraw);
  // Whole seconds of the wall clock matter, so where now lies within one does too.
  write(nowMs % 1000);
  if (observed === null) write("-");
  else {
    write(observed.record.holder);
    write(observed.record.leaseDurationSeconds);
    write(leftMs(observed, nowMs));
  }
  if (stored === undefined) {
    // Copied into the next fast write.
    if (observed !== null) {
      write(observed.record.transitions);
      writeTime(write, observed.record.acquireTime, nowMs);
    }
    writeRecord(write, raw, nowMs);
    write(cached === null ? "-" : cached.resourceVersion);
  } else {
    // A fast write succeeds only on the version that is stored, and then copies what is stored.
    write(cached === null ? "-" : cached.resourceVersion === stored?.resourceVersion ? "current" : "stale");
    if (raw === null) write("-");
    else {
      write(stored !== null && looksUnchanged(raw, recordOf(stored.spec)) ? "same" : "other");
      // An answer on its way may carry an older version: its relation to the raw record is in its times.
      writeTime(write, raw.renewTime, nowMs);
    }
  }
  if (memory.config.stampTerm) write(cached === null ? "0" : (leaseTerm(cached) ?? "0"));
}

/** For how long the observed record is still valid; nothing depends on how long ago it expired. */
const leftMs = ({ record, sinceMs }: Observation, nowMs: number): number =>
  Math.max(0, sinceMs + record.leaseDurationSeconds * 1000 - nowMs);

function encodeWindow({ write, nowMs }: Key, memory: Memory, { nextTickMs, deadlineMs }: Window): void {
  write(deadlineMs - nowMs);
  // Of several ticks that have passed only one is waiting, so the past tick nearest to now stands for all.
  const period = memory.config.timings.retryPeriodMs;
  const inMs = nextTickMs - nowMs;
  write(inMs > 0 ? inMs : inMs % period);
}

function encodeAttempt({ write, nowMs }: Key, memory: Memory, { step, startedAt }: Attempt): void {
  write(step.kind);
  // The start is written into records and is what validity is judged by.
  write(startedAt.monotonicMs - nowMs);
  write(startedAt.wallMs - nowMs);
  write(isValid(memory.observed, startedAt.monotonicMs) ? 1 : 0);
}

function writeRecord(write: WriteKey, record: ElectionRecord | null, nowMs: number): void {
  if (record === null) return write("-");
  write(record.holder);
  write(record.leaseDurationSeconds);
  write(record.transitions);
  writeTime(write, record.acquireTime, nowMs);
  writeTime(write, record.renewTime, nowMs);
}

const writeTime = (write: WriteKey, time: MicroTime | null, nowMs: number): void =>
  write(time === null ? "-" : time - nowMs * 1000);

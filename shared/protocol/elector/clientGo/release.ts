// How a client-go elector that has led comes to its end: ReleaseOnCancel, then OnStoppedLeading.
import type { CallResult, ElectorOutput, Instant, StopReason } from "../contract.ts";
import { present } from "../../../base/assert.ts";
import { recordOf, releasedRecord, updateBody } from "./record.ts";
import { isLeader, memoryOf, type InPlace, type Memory, type Stepped } from "./state.ts";

/** The renew loop is over: release where that is asked for, whatever the reason, and stop. */
export function finish(memory: Memory, reason: StopReason, at: Instant): Stepped {
  const workCancelled = reason === "cancelled";
  if (!memory.config.release) return stopLeading(memory, [], reason, workCancelled);
  // release has a context of its own, bounded by one renew deadline: a cancellation does not reach it.
  const deadlineMs = at.monotonicMs + memory.config.timings.renewDeadlineMs;
  const call = memory.nextCall;
  return [
    {
      ...memoryOf(memory),
      nextCall: call + 1,
      kind: "releasing",
      call,
      record: null,
      deadlineMs,
      reason,
      workCancelled,
    },
    [
      { kind: "call", call, request: { verb: "get", name: memory.config.lock } },
      { kind: "set-timer", timer: "release", dueMs: deadlineMs },
    ],
  ];
}

/**
 * The answer of release's GET or PUT. The GET only refreshes the resourceVersion: whether the Lease is one's own is
 * judged by the record observed BEFORE it, so a new holder's Lease may be wiped. No retry in v0.36.3.
 */
export function continueRelease(elector: InPlace<"releasing">, result: CallResult, at: Instant): Stepped {
  const { config, reason, workCancelled, record } = elector;
  const memory = memoryOf(elector);
  const clear: ElectorOutput = { kind: "clear-timer", timer: "release" };
  if (result.kind !== "ok") return stopLeading(memory, [clear], reason, workCancelled);
  const lease = present(result.lease, "a GET or PUT answers the Lease");
  if (record !== null) {
    const observed = { record, sinceMs: at.monotonicMs };
    const outputs: readonly ElectorOutput[] = [clear, { kind: "released" }];
    return stopLeading({ ...memory, observed, cached: lease }, outputs, reason, workCancelled);
  }
  const read: Memory = { ...memory, cached: lease };
  if (!isLeader(read)) return stopLeading(read, [clear], reason, workCancelled);
  const released = releasedRecord(at, recordOf(lease.spec).transitions);
  const call = memory.nextCall;
  const body = updateBody(config, lease, { record: released, acquires: false });
  return [
    { ...elector, cached: lease, nextCall: call + 1, call, record: released },
    [{ kind: "call", call, request: { verb: "update", name: config.lock, body } }],
  ];
}

/** The deadline of release itself. */
export function endRelease(elector: InPlace<"releasing">): Stepped {
  const given: ElectorOutput = { kind: "give-up", call: elector.call };
  return stopLeading(memoryOf(elector), [given], elector.reason, elector.workCancelled);
}

/** Cancelled while releasing: the work's context ends, the release goes on. */
export function cancelRelease(elector: InPlace<"releasing">): Stepped {
  if (elector.workCancelled) return [elector, []];
  return [{ ...elector, workCancelled: true }, [{ kind: "stop-work", reason: elector.reason }]];
}

/** Run returns: the work's context is cancelled if it was not, then OnStoppedLeading. Nobody waits for the work. */
function stopLeading(
  memory: Memory,
  before: readonly ElectorOutput[],
  reason: StopReason,
  workCancelled: boolean,
): Stepped {
  const cancelled: readonly ElectorOutput[] = workCancelled ? [] : [{ kind: "stop-work", reason }];
  return stop(memory, [...before, ...cancelled], reason);
}

export function stop(memory: Memory, before: readonly ElectorOutput[], reason: StopReason): Stepped {
  return [
    { ...memoryOf(memory), kind: "ended" },
    [...before, { kind: "stopped-leading", reason }, { kind: "ended" }],
  ];
}

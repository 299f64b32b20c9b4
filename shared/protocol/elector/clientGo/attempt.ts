// client-go's tryAcquireOrRenew, one request at a time. Its step numbers are those of the source.
import { present } from "../../../base/assert.ts";
import type { Lease, LeaseRequest } from "../../lease/lease.ts";
import type { CallResult, ElectorOutput, Instant } from "../contract.ts";
import {
  createBody,
  freshRecord,
  isValid,
  looksUnchanged,
  recordOf,
  updateBody,
  type ElectionRecord,
} from "./record.ts";
import { isLeader, memoryOf, type Attempt, type Memory } from "./state.ts";

/** Either the attempt goes on with another open call, or it has returned true (with the Lease as committed) or false. */
export type Tried =
  | {
      readonly kind: "open";
      readonly memory: Memory;
      readonly attempt: Attempt;
      readonly outputs: readonly ElectorOutput[];
    }
  | { readonly kind: "succeeded"; readonly memory: Memory; readonly lease: Lease }
  | { readonly kind: "failed"; readonly memory: Memory; readonly outputs: readonly ElectorOutput[] };

/** Step 1: a leader whose record is still valid by its own clock writes at once, on the cached resourceVersion. */
export function startAttempt(memory: Memory, at: Instant): Tried {
  const { observed, cached, config } = memory;
  // LeaseLock.Update without a cached Lease fails before any request: then the same attempt goes on with the GET.
  if (observed === null || cached === null || !isLeader(memory) || !isValid(observed, at.monotonicMs))
    return get(memory, at);
  const { acquireTime, transitions } = observed.record;
  const record = { ...freshRecord(config, at, transitions), acquireTime };
  const body = updateBody(config, cached, { record, acquires: false });
  return open(memory, at, { kind: "fast-update", record }, { verb: "update", name: config.lock, body });
}

/** The answer of the attempt's open call. */
export function continueAttempt(memory: Memory, attempt: Attempt, result: CallResult, at: Instant): Tried {
  const { step, startedAt } = attempt;
  switch (step.kind) {
    case "fast-update":
      // Any error, a conflict as well as a time-out, falls back to the slow path within the same attempt.
      return result.kind === "ok" ? written(memory, step.record, result.lease, at) : get(memory, startedAt);
    case "get":
      if (result.kind === "ok")
        return read(memory, startedAt, present(result.lease, "a GET answers a Lease"), at);
      return result.kind === "refused" && result.code === 404 ? create(memory, startedAt) : failed(memory);
    case "create":
      if (result.kind === "ok") return written(memory, step.record, result.lease, at);
      // LeaseLock.Create overwrites its cached Lease with the nil of a failed create.
      return failed({ ...memory, cached: null });
    case "update":
      return result.kind === "ok" ? written(memory, step.record, result.lease, at) : failed(memory);
  }
}

/**
 * The attempt's context has ended: its open call is given up. A fast update that fails so is still followed by the
 * slow path's GET, which an ended context gives up at once.
 */
export function endAttempt(memory: Memory, attempt: Attempt): readonly [Memory, readonly ElectorOutput[]] {
  const given: ElectorOutput = { kind: "give-up", call: attempt.call };
  switch (attempt.step.kind) {
    case "fast-update": {
      const call = memory.nextCall;
      return [
        { ...memory, nextCall: call + 1 },
        [
          given,
          { kind: "call", call, request: { verb: "get", name: memory.config.lock } },
          { kind: "give-up", call },
        ],
      ];
    }
    case "create":
      return [{ ...memory, cached: null }, [given]];
    case "get":
    case "update":
      return [memory, [given]];
  }
}

/** Step 2, first half. */
function get(memory: Memory, startedAt: Instant): Tried {
  return open(memory, startedAt, { kind: "get" }, { verb: "get", name: memory.config.lock });
}

/** Step 2, second half: no Lease, so create it; transitions start at 0 again. */
function create(memory: Memory, startedAt: Instant): Tried {
  const record = freshRecord(memory.config, startedAt, 0);
  const body = createBody(memory.config, memory.cached, record);
  return open(memory, startedAt, { kind: "create", record }, { verb: "create", body });
}

/** Steps 3 and 4: judge what was read, and write if it is free, expired or one's own. */
function read(memory: Memory, startedAt: Instant, lease: Lease, at: Instant): Tried {
  const { config } = memory;
  const record = recordOf(lease.spec);
  const unchanged = memory.raw !== null && looksUnchanged(memory.raw, record);
  const seen: Memory = unchanged
    ? { ...memory, cached: lease }
    : { ...memory, cached: lease, raw: record, observed: { record, sinceMs: at.monotonicMs } };
  const mine = isLeader(seen);
  // Validity is judged at the attempt's start, the observation counts from the answer: a record that has just changed is
  // valid even with a duration of 0 if the answer took any time.
  if (record.holder !== "" && !mine && isValid(seen.observed, startedAt.monotonicMs)) return failed(seen);

  const outputs: ElectorOutput[] = [];
  if (record.holder !== "" && !mine)
    outputs.push({
      kind: "judged-expired",
      holder: record.holder,
      unchangedForMs: Math.max(0, startedAt.monotonicMs - (seen.observed?.sinceMs ?? 0)),
    });
  const write: ElectionRecord = mine
    ? { ...freshRecord(config, startedAt, record.transitions), acquireTime: record.acquireTime }
    : freshRecord(config, startedAt, record.transitions + 1);
  const body = updateBody(config, lease, { record: write, acquires: !mine });
  const step = { kind: "update", record: write } as const;
  const next = open(seen, startedAt, step, { verb: "update", name: config.lock, body });
  return { ...next, outputs: [...outputs, ...next.outputs] };
}

function open(
  memory: Memory,
  startedAt: Instant,
  step: Attempt["step"],
  request: LeaseRequest,
): Extract<Tried, { kind: "open" }> {
  const call = memory.nextCall;
  return {
    kind: "open",
    memory: { ...memoryOf(memory), nextCall: call + 1 },
    attempt: { call, startedAt, step },
    outputs: [{ kind: "call", call, request }],
  };
}

function written(memory: Memory, record: ElectionRecord, lease: Lease | null, at: Instant): Tried {
  const committed = present(lease, "a write answers the Lease as committed");
  const observed = { record, sinceMs: at.monotonicMs };
  return { kind: "succeeded", memory: { ...memory, observed, cached: committed }, lease: committed };
}

const failed = (memory: Memory): Tried => ({ kind: "failed", memory, outputs: [] });

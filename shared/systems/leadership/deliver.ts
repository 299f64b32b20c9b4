// A message arrives: at the Lease API, at a sink, or back at a node.
import { unreachable } from "../../base/assert.ts";
import type { Lease, LeaseOutcome, RefusalReason } from "../../protocol/lease/lease.ts";
import { serveLease } from "../../protocol/lease/register.ts";
import { applyWrite, judgeWrite, type WriteVerdict } from "../../protocol/sink/sink.ts";
import { leaseTerm } from "../../protocol/token/token.ts";
import { changeSink, emit, newMessageId, nextOrder, post, takeMessage, type Draft } from "./draft.ts";
import { answerExchange, closeCall, feedElector, feedWork, instantOf, loseAtOnce } from "./drive.ts";
import type { WriteRefusal } from "./event.ts";
import { adopt, compareOutcomes, foreignDifference, outcomeOf, type Served } from "./served.ts";
import {
  isCut,
  LEASE_LANE,
  leaseDelay,
  leaseOf,
  nodeAt,
  sinkAt,
  sinkDelay,
  type Message,
  type Payload,
} from "./world.ts";

type PayloadOf<Kind extends Payload["kind"]> = Extract<Payload, { kind: Kind }>;

/** `served`: on a cluster run, what the real API server did with the request. */
export function deliver(draft: Draft, message: Message, served: Served | null): void {
  takeMessage(draft, message.id);
  draft.cause = message.cause;
  if (isCut(draft.world, message)) return loseAtOnce(draft, message, describe(message.payload));
  const { payload } = message;
  switch (payload.kind) {
    case "lease-request":
      return serve(draft, message, payload, served);
    case "lease-answer":
      return answer(draft, message, payload);
    case "write":
      return arriveAtSink(draft, message, payload);
    case "write-answer":
      return writeAnswered(draft, message, payload);
    default:
      return unreachable(payload);
  }
}

/** A message in a few words, for events about its fate. */
export function describe(payload: Payload): string {
  switch (payload.kind) {
    case "lease-request":
      return `the ${payload.purpose} request`;
    case "lease-answer":
      return `the answer to the ${payload.purpose} request`;
    case "write":
      return `the write of ${payload.facts.value}`;
    case "write-answer":
      return `the answer to the write of ${payload.facts.value}`;
    default:
      return unreachable(payload);
  }
}

const INJECTED: Readonly<Record<number, RefusalReason>> = {
  409: "Conflict",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  504: "Timeout",
};

function serve(
  draft: Draft,
  message: Message,
  payload: PayloadOf<"lease-request">,
  real: Served | null,
): void {
  const { world } = draft;
  const { doom, purpose } = payload;
  const node = nodeAt(world, payload.node);
  const before = leaseOf(world);
  const outcome = outcomeFor(draft, message, payload, real);
  if (outcome === null) return;
  const after = leaseOf(world);
  const changed = outcome.kind === "ok" && outcome.changed;
  const won = changed && isAcquisition(before, after);
  if (won)
    world.acquisition = {
      ordinal: world.acquisition.ordinal + 1,
      node: payload.node,
      incarnation: payload.incarnation,
    };
  const served = emit(draft, LEASE_LANE, {
    kind: "request-served",
    node: node.id,
    message: message.id,
    verb: payload.request.verb,
    purpose,
    code: outcome.code,
    reason: outcome.kind === "refused" ? outcome.reason : null,
    changed,
    lease: after,
    acquisition: won ? world.acquisition.ordinal : null,
    term: after === null ? null : leaseTerm(after),
    injected: doom.refuseCode !== null,
  });
  const route = { id: newMessageId(draft), from: LEASE_LANE, to: node.id, cause: served };
  if (doom.loseAnswer || isCut(world, route))
    return loseAtOnce(draft, route, `the answer to the ${purpose} request`);
  const delay = leaseDelay(world, payload.node);
  post(
    draft,
    route,
    { minMs: delay.minMs + doom.lateMs, maxMs: delay.maxMs + doom.lateMs },
    {
      kind: "lease-answer",
      node: payload.node,
      incarnation: payload.incarnation,
      call: payload.call,
      verb: payload.request.verb,
      purpose,
      result: outcome,
      acquisition: world.acquisition.ordinal,
    },
  );
}

/**
 * What the Lease API does with a request, and the store after it: an injected refusal, the register's own answer, or on a
 * cluster run the real server's, with the register in lockstep. Null: the real server gave no answer.
 */
function outcomeFor(
  draft: Draft,
  message: Message,
  payload: PayloadOf<"lease-request">,
  real: Served | null,
): LeaseOutcome | null {
  const { world } = draft;
  const { doom, request, purpose } = payload;
  if (doom.refuseCode !== null)
    return {
      kind: "refused",
      code: doom.refuseCode,
      reason: INJECTED[doom.refuseCode] ?? "InternalError",
      message: "injected by the lab",
    };
  const node = nodeAt(world, payload.node).id;
  if (real !== null && real.kind === "unanswered") {
    emit(draft, LEASE_LANE, {
      kind: "request-unanswered",
      node,
      message: message.id,
      purpose,
      failure: real.failure,
      detail: real.detail,
    });
    return null;
  }
  const [store, model] = serveLease(world.store, request);
  if (real === null) {
    world.store = store;
    return model;
  }
  const outcome = outcomeOf(real, leaseOf(world));
  for (const divergence of compareOutcomes(model, outcome))
    emit(draft, LEASE_LANE, {
      kind: "model-diverged",
      node,
      message: message.id,
      purpose,
      ...divergence,
    });
  const { lock } = world.config;
  if (outcome.kind === "ok")
    world.store = adopt({ ...store, leases: world.store.leases }, lock, outcome.lease);
  else if (outcome.code === 404) world.store = adopt(world.store, lock, null);
  return outcome;
}

/** Somebody else's write, as a watch saw it: the model goes on from it. */
export function foreignWrite(draft: Draft, lease: Lease | null, whose: "other" | "own"): void {
  const { world } = draft;
  const before = leaseOf(world);
  world.store = adopt(world.store, world.config.lock, lease);
  const winner = world.nodes.findIndex(({ identity }) => identity === lease?.spec.holderIdentity);
  const node = world.nodes[winner];
  // A request whose answer nobody heard began a leadership like any other.
  if (whose === "own" && node !== undefined && isAcquisition(before, lease))
    world.acquisition = {
      ordinal: world.acquisition.ordinal + 1,
      node: winner,
      incarnation: node.incarnation,
    };
  emit(draft, LEASE_LANE, {
    kind: "foreign-write",
    what: foreignDifference(before, lease),
    lease,
    whose,
  });
}

/** Whether a write began somebody's leadership: another holder than before, or the same one with a new acquireTime. */
function isAcquisition(before: Lease | null, after: Lease | null): boolean {
  const holder = after?.spec.holderIdentity ?? "";
  if (after === null || holder === "") return false;
  return (
    before === null ||
    before.spec.holderIdentity !== holder ||
    before.spec.acquireTime !== after.spec.acquireTime
  );
}

function answer(draft: Draft, message: Message, payload: PayloadOf<"lease-answer">): void {
  const { world } = draft;
  const node = nodeAt(world, payload.node);
  const waits =
    node.status === "running" &&
    node.incarnation === payload.incarnation &&
    node.calls.some((call) => call.call === payload.call);
  if (!waits) {
    emit(draft, node.id, { kind: "answer-ignored", node: node.id, message: message.id });
    return;
  }
  closeCall(draft, payload.node, payload.call, false);
  draft.cause = emit(draft, node.id, {
    kind: "answer-received",
    node: node.id,
    message: message.id,
    verb: payload.verb,
    purpose: payload.purpose,
    code: payload.result.kind === "failed" ? 0 : payload.result.code,
  });
  world.nodes = world.nodes.map((other, index) =>
    index === payload.node ? { ...other, knownAcquisition: payload.acquisition } : other,
  );
  feedElector(draft, payload.node, {
    kind: "answer",
    call: payload.call,
    result: payload.result,
    at: instantOf(node, world.now),
  });
}

function arriveAtSink(draft: Draft, message: Message, payload: PayloadOf<"write">): void {
  const { world } = draft;
  const { sink, checked, id } = sinkAt(world, payload.sink);
  const verdict = judgeWrite(sink, payload.write);
  if (verdict !== "applied") {
    draft.cause = emit(draft, id, {
      kind: "write-refused",
      ...payload.facts,
      message: message.id,
      reason: verdict as WriteRefusal,
      mark: sink.mark,
    });
    return answerWrite(draft, payload, verdict);
  }
  if (sink.enforcement !== "check-then-act") return apply(draft, message, payload);
  const settings = world.config.sinks[payload.sink];
  emit(draft, id, {
    kind: "write-checked",
    ...payload.facts,
    message: message.id,
    mark: sink.mark,
  });
  const timer = {
    name: `act:${message.id}`,
    dueMs: world.now + (settings?.act.minMs ?? 0),
    order: nextOrder(draft),
  };
  const latestMs = world.now + (settings?.act.maxMs ?? 0);
  changeSink(draft, payload.sink, { checked: [...checked, { message, timer, latestMs }] });
}

/** The second half of `check-then-act`: whatever happened since the check, the write is applied. */
export function act(draft: Draft, index: number, timer: string): void {
  const { checked } = sinkAt(draft.world, index);
  const found = checked.find((candidate) => candidate.timer.name === timer);
  if (found === undefined || found.message.payload.kind !== "write") return;
  changeSink(draft, index, { checked: checked.filter((candidate) => candidate !== found) });
  draft.cause = found.message.cause;
  apply(draft, found.message, found.message.payload);
}

function apply(draft: Draft, message: Message, payload: PayloadOf<"write">): void {
  const { sink, id } = sinkAt(draft.world, payload.sink);
  const next = applyWrite(sink, payload.write);
  changeSink(draft, payload.sink, { sink: next });
  draft.cause = emit(draft, id, {
    kind: "write-applied",
    ...payload.facts,
    message: message.id,
    mark: next.mark,
    newestBefore: sink.newest,
    previous: sink.applied.at(-1)?.value ?? null,
  });
  answerWrite(draft, payload, "applied");
}

function answerWrite(draft: Draft, payload: PayloadOf<"write">, verdict: WriteVerdict): void {
  const { world } = draft;
  const { id, sink } = sinkAt(world, payload.sink);
  const node = nodeAt(world, payload.node);
  const route = {
    id: newMessageId(draft),
    from: id,
    to: node.id,
    cause: draft.cause ?? world.seq,
  };
  if (payload.doom.loseAnswer || isCut(world, route))
    return loseAtOnce(draft, route, `the answer to the write of ${payload.facts.value}`);
  const delay = sinkDelay(world, payload.node);
  const late = payload.doom.lateMs;
  post(
    draft,
    route,
    { minMs: delay.minMs + late, maxMs: delay.maxMs + late },
    {
      kind: "write-answer",
      node: payload.node,
      incarnation: payload.incarnation,
      sink: payload.sink,
      operation: payload.operation,
      verdict,
      mark: sink.mark,
      facts: payload.facts,
    },
  );
}

function writeAnswered(draft: Draft, message: Message, payload: PayloadOf<"write-answer">): void {
  const { world } = draft;
  const node = nodeAt(world, payload.node);
  if (node.status !== "running" || node.incarnation !== payload.incarnation) {
    emit(draft, node.id, { kind: "answer-ignored", node: node.id, message: message.id });
    return;
  }
  draft.cause = emit(draft, node.id, {
    kind: "write-answered",
    node: node.id,
    message: message.id,
    sink: sinkAt(world, payload.sink).id,
    verdict: payload.verdict,
    value: payload.facts.value,
  });
  if (world.config.work.kind === "route")
    return answerExchange(draft, payload.node, {
      envelope: payload.operation,
      sink: payload.sink,
    });
  feedWork(draft, payload.node, {
    kind: "answer",
    operation: payload.operation,
    sink: payload.sink,
    verdict: payload.verdict,
    mark: payload.mark,
  });
}

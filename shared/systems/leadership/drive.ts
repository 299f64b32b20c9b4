// Drives the machines of one node: performs what elector and work ask for, and feeds back what follows at once.
import { present, unreachable } from "../../base/assert.ts";
import type { ElectorConfig, ElectorInput, ElectorOutput, Instant } from "../../protocol/elector/contract.ts";
import { createElector, stepElector, type Elector } from "../../protocol/elector/elector.ts";
import type { Lease, LeaseRequest } from "../../protocol/lease/lease.ts";
import type { Write } from "../../protocol/sink/sink.ts";
import { followsRenewal, takeToken } from "../../protocol/token/token.ts";
import {
  IDLE_WORK,
  stepWork,
  type Operation,
  type WorkInput,
  type WorkOutput,
} from "../../protocol/work/work.ts";
import { monotonicMs, wallMs } from "./clock.ts";
import type { LeadershipConfig } from "./config.ts";
import type { EnvelopeFacts } from "../../protocol/master/contract.ts";
import {
  createRoute,
  EXCHANGE_CALL,
  EXCHANGE_WORK,
  exchangeAnswered,
  exchangeDone,
  exchangeWorked,
  feedRoute,
  ROUTE_TIMERS,
  type RouteHooks,
} from "./route.ts";
import { changeNode, clearTimer, emit, inTurn, newMessageId, post, setTimer, type Draft } from "./draft.ts";
import type { RequestPurpose, WriteFacts } from "./event.ts";
import { isCut, leaseDelay, LEASE_LANE, NO_DOOM, nodeAt, sinkDelay, type NodeState } from "./world.ts";

/** Timer names: `e:` elector, `w:` work, `c:` a client's own time-out of a call, `producer` the ungated producer. */
const ELECTOR = "e:";
const WORK = "w:";
const CLIENT = "c:";
const PRODUCER = "producer";

export function instantOf(node: NodeState, now: number): Instant {
  return { monotonicMs: monotonicMs(node.clock, now), wallMs: wallMs(node.clock, now) };
}

/** What the elector of a node's process is told; the same for the whole life of the process. */
export function electorConfigOf(
  config: LeadershipConfig,
  index: number,
  process: { readonly incarnation: number; readonly identity: string },
): ElectorConfig {
  const settings = present(config.nodes[index], "a node index points at a node's settings");
  return {
    profile: settings.profile,
    lock: config.lock,
    identity: process.identity,
    processId: `${settings.id}-${process.incarnation}`,
    timings: settings.timings,
    release: settings.release,
    stampTerm: config.token === "lease-annotation",
    jitter: settings.jitter,
    drainTimeoutMs: settings.drainTimeoutMs,
    clockRateBound: settings.clockRateBound,
  };
}

/** Starts a node's process: a new incarnation, a new elector, nothing remembered. */
export function startProcess(draft: Draft, index: number, identity: string | null): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  const settings = world.config.nodes[index];
  if (settings === undefined) return;
  const { work } = world.config;
  const incarnation = node.incarnation + 1;
  const named = identity ?? settings.identity ?? `${node.id}-${incarnation}`;
  const config = electorConfigOf(world.config, index, { incarnation, identity: named });
  changeNode(draft, index, {
    status: "running",
    incarnation,
    identity: named,
    elector: createElector(config),
    ended: false,
    timers: [],
    calls: [],
    belief: null,
    wins: 0,
    knownAcquisition: 0,
    work: IDLE_WORK,
    consumer: work.kind === "route" ? createRoute(work, world.config.lock) : null,
    exchange: null,
  });
  draft.cause = emit(draft, node.id, {
    kind: "process-started",
    node: node.id,
    identity: named,
    incarnation,
  });
  const { producer } = settings;
  if (producer !== null) {
    const now = monotonicMs(nodeAt(world, index).clock, world.now);
    if (nodeAt(world, index).produced < producer.count)
      setTimer(draft, index, PRODUCER, Math.max(now, producer.firstMs));
  }
  feedRoute(draft, index, { kind: "start" }, hooksOf(draft, index));
  feedElector(draft, index, { kind: "start", at: instantOf(nodeAt(world, index), world.now) });
}

/** What a route asks of its node. */
function hooksOf(draft: Draft, index: number): RouteHooks {
  return {
    workStopped: () => workStopped(draft, index, nodeAt(draft.world, index).knownAcquisition),
    leaveElection: () =>
      feedElector(draft, index, {
        kind: "cancel",
        at: instantOf(nodeAt(draft.world, index), draft.world.now),
      }),
    write: (exchange) => writeExchange(draft, index, exchange),
  };
}

/** An exchange's write: its value tells node and envelope, its key and token are the envelope's own. */
function writeExchange(draft: Draft, index: number, exchange: EnvelopeFacts): void {
  const node = nodeAt(draft.world, index);
  const write: Write = {
    value: `${node.id}${exchange.envelope}`,
    key: `${node.id}-${node.incarnation}/${exchange.envelope}`,
    token: exchange.epoch,
    acquisition: exchange.acquisition,
    claim: false,
  };
  for (let sink = 0; sink < draft.world.sinks.length; sink += 1)
    sendWrite(draft, index, sink, write, exchange.envelope);
}

/** A sink's answer to a write of the exchange in hand. */
export function answerExchange(
  draft: Draft,
  index: number,
  answer: { readonly envelope: number; readonly sink: number },
): void {
  exchangeAnswered(draft, index, answer, hooksOf(draft, index));
}

/** The ungated producer writes: no question whether this node leads, and no token. */
function produce(draft: Draft, index: number): void {
  const { world } = draft;
  const producer = world.config.nodes[index]?.producer ?? null;
  if (producer === null) return;
  const { produced, clock } = nodeAt(world, index);
  changeNode(draft, index, { produced: produced + 1 });
  const value = `p${index + 1}${produced}`;
  const key = `${nodeAt(world, index).id}-producer/${produced}`;
  for (let sink = 0; sink < world.sinks.length; sink += 1)
    sendWrite(draft, index, sink, { value, key, token: "", acquisition: 0, claim: false }, -1);
  if (produced + 1 < producer.count)
    setTimer(draft, index, PRODUCER, monotonicMs(clock, world.now) + producer.periodMs);
}

export function fireNodeTimer(draft: Draft, index: number, name: string): void {
  clearTimer(draft, index, name);
  const node = nodeAt(draft.world, index);
  const at = instantOf(node, draft.world.now);
  if (name === "start") return startProcess(draft, index, null);
  if (name === PRODUCER) return produce(draft, index);
  if (name.startsWith(ELECTOR))
    return feedElector(draft, index, { kind: "timer", timer: name.slice(ELECTOR.length), at });
  if (name.startsWith(WORK)) {
    const timer = name === "w:call" ? "call" : "work";
    return feedWork(draft, index, { kind: "timer", timer });
  }
  if (name.startsWith(ROUTE_TIMERS)) {
    const timer = name.slice(ROUTE_TIMERS.length);
    return feedRoute(draft, index, { kind: "timer", timer }, hooksOf(draft, index));
  }
  if (name === EXCHANGE_WORK) return exchangeWorked(draft, index, hooksOf(draft, index));
  if (name === EXCHANGE_CALL) return exchangeDone(draft, index, hooksOf(draft, index));
  const call = Number(name.slice(CLIENT.length));
  closeCall(draft, index, call, true);
  feedElector(draft, index, {
    kind: "answer",
    call,
    result: { kind: "failed", failure: "timeout" },
    at,
  });
}

export function feedElector(draft: Draft, index: number, input: ElectorInput): void {
  inTurn(draft, () => runElector(draft, index, input));
}

function runElector(draft: Draft, index: number, input: ElectorInput): void {
  const { elector } = nodeAt(draft.world, index);
  if (elector === null) return;
  const [next, outputs] = stepElector(elector, input);
  changeNode(draft, index, { elector: next });
  for (const output of outputs) perform(draft, index, output);
}

export function feedWork(draft: Draft, index: number, input: WorkInput): void {
  inTurn(draft, () => runWork(draft, index, input));
}

function runWork(draft: Draft, index: number, input: WorkInput): void {
  const { world } = draft;
  const settings = world.config.work;
  if (settings.kind !== "loop") return;
  const node = nodeAt(world, index);
  const now = monotonicMs(node.clock, world.now);
  const [next, outputs] = stepWork(settings, world.sinks.length, node.work, input, now);
  changeNode(draft, index, { work: next });
  for (const output of outputs) performWork(draft, index, output);
}

function perform(draft: Draft, index: number, output: ElectorOutput): void {
  const node = nodeAt(draft.world, index);
  switch (output.kind) {
    case "call":
      return sendRequest(draft, index, output.call, output.request);
    case "give-up":
      return closeCall(draft, index, output.call, true);
    case "set-timer":
      return setTimer(draft, index, ELECTOR + output.timer, output.dueMs);
    case "clear-timer":
      return clearTimer(draft, index, ELECTOR + output.timer);
    case "started-leading":
      return startLeading(draft, index, output.lease);
    case "renewed":
      return renewed(draft, index, output.lease, output.termRaised);
    case "stop-work": {
      const acquisition = node.belief?.acquisition ?? 0;
      draft.cause = emit(draft, node.id, {
        kind: "work-cancelled",
        node: node.id,
        reason: output.reason,
        acquisition,
      });
      changeNode(draft, index, { belief: null });
      return cancelWork(draft, index, "cancel");
    }
    case "abort-work":
      draft.cause = emit(draft, node.id, {
        kind: "work-aborted",
        node: node.id,
        acquisition: node.work.kind === "idle" ? 0 : node.work.authority.acquisition,
      });
      return cancelWork(draft, index, "abort");
    case "stopped-leading":
      emit(draft, node.id, {
        kind: "stopped-leading",
        node: node.id,
        reason: output.reason,
        acquisition: node.belief?.acquisition ?? node.knownAcquisition,
      });
      changeNode(draft, index, { belief: null });
      return;
    case "new-leader":
      emit(draft, node.id, { kind: "new-leader", node: node.id, identity: output.identity });
      return;
    case "judged-expired":
      draft.cause = emit(draft, node.id, {
        kind: "judged-expired",
        node: node.id,
        holder: output.holder,
        unchangedForMs: output.unchangedForMs,
      });
      return;
    case "released":
      emit(draft, node.id, { kind: "released", node: node.id });
      return;
    case "ended":
      emit(draft, node.id, { kind: "elector-ended", node: node.id });
      changeNode(draft, index, { ended: true });
      return feedRoute(draft, index, { kind: "left" }, hooksOf(draft, index));
    default:
      return unreachable(output);
  }
}

// --- the Lease API ------------------------------------------------------------------------------------------------

/** Read off the request and the elector that makes it: no node can see the register itself. */
function purposeOf(elector: Elector | null, request: LeaseRequest): RequestPurpose {
  switch (request.verb) {
    case "get":
      return "read";
    case "create":
      return "create";
    case "delete":
      return "delete";
    case "update": {
      const { spec } = request.body;
      if ((spec.holderIdentity ?? "") === "") return "release";
      if (spec.acquireTime === spec.renewTime) return "acquire";
      const raised = elector?.profile === "epoch-lab" && elector.open?.what === "raise";
      return raised ? "raise-term" : "renew";
    }
    default:
      return unreachable(request);
  }
}

function sendRequest(draft: Draft, index: number, call: number, request: LeaseRequest): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  const purpose = purposeOf(node.elector, request);
  const message = newMessageId(draft);
  const cause = emit(draft, node.id, {
    kind: "request-sent",
    node: node.id,
    message,
    verb: request.verb,
    purpose,
  });
  changeNode(draft, index, { calls: [...node.calls, { call, verb: request.verb, purpose }] });
  const settings = world.config.nodes[index];
  if (settings !== undefined && settings.profile === "client-go" && settings.clientTimeoutMs > 0) {
    const dueMs = monotonicMs(node.clock, world.now) + settings.clientTimeoutMs;
    setTimer(draft, index, `${CLIENT}${call}`, dueMs);
  }
  const route = { id: message, from: node.id, to: LEASE_LANE, cause };
  if (isCut(world, route)) {
    loseAtOnce(draft, route, `the ${purpose} request`);
    return;
  }
  post(draft, route, leaseDelay(world, index), {
    kind: "lease-request",
    node: index,
    incarnation: node.incarnation,
    call,
    purpose,
    request,
    doom: NO_DOOM,
  });
}

/** A message that meets a cut link: it is gone, and nobody is told. */
export function loseAtOnce(
  draft: Draft,
  route: { readonly id: number; readonly from: string; readonly to: string; readonly cause: number },
  what: string,
): void {
  const before = draft.cause;
  draft.cause = route.cause;
  emit(draft, route.from, { kind: "message-lost", message: route.id, from: route.from, to: route.to, what });
  draft.cause = before;
}

/** Ends the waiting for a call, answered or given up. Returns nothing; a late answer finds no open call. */
export function closeCall(draft: Draft, index: number, call: number, givenUp: boolean): void {
  const node = nodeAt(draft.world, index);
  const open = node.calls.find((candidate) => candidate.call === call);
  if (open === undefined) return;
  changeNode(draft, index, { calls: node.calls.filter((candidate) => candidate !== open) });
  clearTimer(draft, index, `${CLIENT}${call}`);
  if (givenUp)
    emit(draft, node.id, {
      kind: "call-given-up",
      node: node.id,
      verb: open.verb,
      purpose: open.purpose,
    });
}

// --- leadership ---------------------------------------------------------------------------------------------------

function startLeading(draft: Draft, index: number, lease: Lease | null): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  const wins = node.wins + 1;
  const wall = wallMs(node.clock, world.now);
  const token = takeToken(world.config.token, { lease, wins, wallMs: wall });
  let acquisition = node.knownAcquisition;
  if (lease === null) {
    // Without a Lease nobody counts acquisitions but the lab.
    acquisition = world.acquisition.ordinal + 1;
    world.acquisition = { ordinal: acquisition, node: index, incarnation: node.incarnation };
  }
  changeNode(draft, index, {
    wins,
    knownAcquisition: acquisition,
    belief: { token, acquisition, sinceMs: world.now },
  });
  draft.cause = emit(draft, node.id, {
    kind: "started-leading",
    node: node.id,
    acquisition,
    token,
  });
  feedWork(draft, index, { kind: "lead", authority: { token, acquisition } });
  feedRoute(
    draft,
    index,
    { kind: "leadership", change: "started", epoch: token, acquisition },
    hooksOf(draft, index),
  );
}

function renewed(draft: Draft, index: number, lease: Lease, termRaised: boolean): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  if (node.belief === null) return;
  const takesNew = termRaised || followsRenewal(world.config.token);
  const token = takesNew
    ? takeToken(world.config.token, {
        lease,
        wins: node.wins,
        wallMs: wallMs(node.clock, world.now),
      })
    : node.belief.token;
  const belief = { ...node.belief, token };
  draft.cause = emit(draft, node.id, {
    kind: "renewed",
    node: node.id,
    acquisition: belief.acquisition,
    token,
    termRaised,
  });
  if (token === node.belief.token) return;
  changeNode(draft, index, { belief });
  feedWork(draft, index, {
    kind: "authority",
    authority: { token, acquisition: belief.acquisition },
  });
  feedRoute(draft, index, { kind: "leadership", change: "epoch", epoch: token }, hooksOf(draft, index));
}

function cancelWork(draft: Draft, index: number, how: "cancel" | "abort"): void {
  const { work } = draft.world.config;
  switch (work.kind) {
    case "loop":
      return feedWork(draft, index, { kind: how });
    case "route":
      return feedRoute(
        draft,
        index,
        how === "cancel" ? { kind: "leadership", change: "stopped" } : { kind: "abort" },
        hooksOf(draft, index),
      );
    case "none":
      return workStopped(draft, index, nodeAt(draft.world, index).knownAcquisition);
    default:
      return unreachable(work);
  }
}

function workStopped(draft: Draft, index: number, acquisition: number): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  if (acquisition > 0) emit(draft, node.id, { kind: "work-stopped", node: node.id, acquisition });
  feedElector(draft, index, { kind: "work-stopped", at: instantOf(node, world.now) });
}

// --- work ---------------------------------------------------------------------------------------------------------

function performWork(draft: Draft, index: number, output: WorkOutput): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  switch (output.kind) {
    case "set-timer":
      return setTimer(draft, index, WORK + output.timer, output.dueMs);
    case "clear-timer":
      return clearTimer(draft, index, WORK + output.timer);
    case "checked": {
      const { number, token, acquisition } = output.operation;
      draft.cause = emit(draft, node.id, {
        kind: "leadership-checked",
        node: node.id,
        operation: number,
        value: valueOf(index, output.operation),
        acquisition,
        token,
      });
      return;
    }
    case "send":
      for (const sink of output.sinks)
        sendWrite(draft, index, sink, writeOf(draft, index, output.operation), output.operation.number);
      return;
    case "stopped":
      return workStopped(draft, index, node.belief?.acquisition ?? node.knownAcquisition);
    case "refused-as-stale":
      return feedElector(draft, index, {
        kind: "refused-as-stale",
        mark: output.mark,
        at: instantOf(node, world.now),
      });
    default:
      return unreachable(output);
  }
}

/** What a node writes: 10, 11, … for the first node, 20, 21, … for the second, so that a value tells its writer. */
export function valueOf(index: number, operation: Operation): string {
  if (operation.claim) return "claim";
  const { number } = operation;
  return number < 10 ? `${index + 1}${number}` : `${index + 1}.${number}`;
}

function writeOf(draft: Draft, index: number, operation: Operation): Write {
  const node = nodeAt(draft.world, index);
  return {
    value: valueOf(index, operation),
    key: `${node.id}-${node.incarnation}/${operation.number}`,
    token: operation.token,
    acquisition: operation.acquisition,
    claim: operation.claim,
  };
}

/** Sends one write to one sink. `operation`: the work's number for it, so that the answer finds back; -1 for nobody. */
function sendWrite(draft: Draft, index: number, sink: number, write: Write, operation: number): void {
  const { world } = draft;
  const node = nodeAt(world, index);
  const target = world.sinks[sink];
  if (target === undefined) return;
  const id = newMessageId(draft);
  const { value, key, token, acquisition } = write;
  const facts: WriteFacts = {
    message: id,
    node: node.id,
    sink: target.id,
    value,
    key,
    token,
    acquisition,
  };
  const cause = emit(draft, node.id, { kind: "write-sent", ...facts });
  const route = { id, from: node.id, to: target.id, cause };
  if (isCut(world, route)) return loseAtOnce(draft, route, `the write of ${value}`);
  post(draft, route, sinkDelay(world, index), {
    kind: "write",
    node: index,
    incarnation: node.incarnation,
    sink,
    operation,
    write,
    facts,
    doom: NO_DOOM,
  });
}

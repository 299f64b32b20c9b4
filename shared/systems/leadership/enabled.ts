// What may happen now, and why another thing may not. The order is stable: it is part of what a search counts.
import { unreachable } from "../../base/assert.ts";
import { INJECTED_CODES, type LeadershipAction } from "./action.ts";
import {
  LEASE_LANE,
  leaseOf,
  linkName,
  nodeIndex,
  pending,
  sinkIndex,
  timerDueMs,
  type Due,
  type LeadershipWorld,
  type Message,
  type NodeState,
  type Pending,
} from "./world.ts";
import { TERM_ANNOTATION } from "../../protocol/lease/lease.ts";
import { describe } from "./deliver.ts";

/** Delays that the discrete fault actions use; a hand may choose any other. */
export const FAULT_DELAY_MS = 5000;

export function actionFor(world: LeadershipWorld, due: Due): LeadershipAction {
  switch (due.kind) {
    case "message":
      return { kind: "deliver", message: due.message.id };
    case "node-timer":
      return { kind: "fire", lane: world.nodes[due.node]?.id ?? "", timer: due.timer.name };
    case "sink-timer":
      return { kind: "fire", lane: world.sinks[due.sink]?.id ?? "", timer: due.timer.name };
    default:
      return unreachable(due);
  }
}

/** Everything ready, soonest first; what was put off first goes first at the same instant. */
export function agenda(world: LeadershipWorld): readonly Pending[] {
  return pending(world)
    .filter((item) => item.ready)
    .toSorted((left, right) => left.earliestMs - right.earliestMs || left.order - right.order);
}

/** What happens when nobody interferes. */
export function nextLeadership(world: LeadershipWorld): LeadershipAction | null {
  const [first] = agenda(world);
  if (first === undefined) return null;
  return first.earliestMs <= world.now
    ? actionFor(world, first.what)
    : { kind: "advance", toMs: first.earliestMs };
}

export function enabledLeadership(world: LeadershipWorld): readonly LeadershipAction[] {
  const items = agenda(world);
  const actions: LeadershipAction[] = [];
  let limitMs = Infinity;
  let nextMs = Infinity;
  for (const item of items) {
    if (item.earliestMs <= world.now) actions.push(actionFor(world, item.what));
    else nextMs = Math.min(nextMs, item.earliestMs);
    limitMs = Math.min(limitMs, item.latestMs);
  }
  // Time moves to the next instant at which anything becomes due or must have happened.
  const toMs = Math.min(nextMs, limitMs);
  if (toMs > world.now && toMs < Infinity) actions.push({ kind: "advance", toMs });
  for (const node of world.nodes) {
    if (node.status === "running" && !node.ended) actions.push({ kind: "cancel", node: node.id });
    if (node.status === "paused") actions.push({ kind: "resume", node: node.id });
    if (node.status === "crashed" || (node.ended && node.status === "running"))
      actions.push(
        { kind: "restart", node: node.id, identity: "new" },
        { kind: "restart", node: node.id, identity: "same" },
      );
  }
  for (const cut of world.cuts) {
    const [node, to] = cut.split(">");
    actions.push({ kind: "heal", node: node ?? "", to: to ?? "" });
  }
  for (const node of world.nodes) {
    if (node.status === "running") actions.push({ kind: "pause", node: node.id });
    if (node.status === "running" || node.status === "paused") actions.push({ kind: "crash", node: node.id });
    for (const to of [LEASE_LANE, ...world.sinks.map((sink) => sink.id)])
      if (!world.cuts.includes(linkName(node.id, to))) actions.push({ kind: "cut", node: node.id, to });
  }
  for (const message of world.messages) actions.push(...messageFaults(message));
  for (const { checked } of world.sinks)
    for (const { message } of checked)
      actions.push({ kind: "delay", message: message.id, byMs: FAULT_DELAY_MS });
  if (leaseOf(world) !== null) {
    actions.push({ kind: "delete-lease" });
    if (leaseOf(world)?.annotations[TERM_ANNOTATION] !== undefined)
      actions.push({ kind: "strip-annotation" });
  }
  for (const sink of world.sinks) actions.push({ kind: "restart-sink", sink: sink.id });
  return actions;
}

function messageFaults(message: Message): readonly LeadershipAction[] {
  const { id, payload } = message;
  const faults: LeadershipAction[] = [
    { kind: "lose", message: id },
    { kind: "delay", message: id, byMs: FAULT_DELAY_MS },
  ];
  if (payload.kind === "write") faults.push({ kind: "duplicate", message: id });
  if (payload.kind === "lease-request" && payload.doom.refuseCode === null)
    for (const code of INJECTED_CODES) faults.push({ kind: "refuse", message: id, code });
  if (
    (payload.kind === "lease-request" || payload.kind === "write") &&
    !payload.doom.loseAnswer &&
    payload.doom.lateMs === 0
  )
    faults.push(
      { kind: "lose-answer", message: id },
      { kind: "delay-answer", message: id, byMs: FAULT_DELAY_MS },
    );
  return faults;
}

const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;

/** Null when the action may happen now, else one sentence. */
export function refusalLeadership(world: LeadershipWorld, action: LeadershipAction): string | null {
  switch (action.kind) {
    case "advance": {
      if (action.toMs <= world.now) return `Time only moves on: it is ${seconds(world.now)} already.`;
      const first = pending(world)
        .filter((item) => item.ready)
        .reduce<Pending | null>(
          (soonest, item) => (soonest === null || item.latestMs < soonest.latestMs ? item : soonest),
          null,
        );
      return first !== null && first.latestMs < action.toMs
        ? `Something must happen at ${seconds(first.latestMs)} before time can pass on: ${whatIs(world, first.what)}.`
        : null;
    }
    case "deliver": {
      const message = world.messages.find((candidate) => candidate.id === action.message);
      if (message === undefined) return `Message ${action.message} is not under way.`;
      if (message.earliestMs > world.now)
        return `${capital(describe(message.payload))} arrives at ${seconds(message.earliestMs)} at the soonest.`;
      const { payload } = message;
      if (action.served !== undefined && payload.kind !== "lease-request")
        return "Only a request to the Lease API is served by an API server.";
      const toNode = payload.kind === "lease-answer" || payload.kind === "write-answer";
      return toNode && world.nodes[payload.node]?.status === "paused"
        ? `${message.to} is paused: ${describe(payload)} waits in its socket.`
        : null;
    }
    case "foreign-write":
      return null;
    case "fire":
      return refuseFire(world, action.lane, action.timer);
    case "cancel":
      return ofNode(world, action.node, (node) =>
        node.status !== "running"
          ? `${node.id} is ${statusWord(node)}.`
          : node.ended
            ? `${node.id} has already ended its part in the election.`
            : null,
      );
    case "pause":
      return ofNode(world, action.node, (node) =>
        node.status === "running" ? null : `${node.id} is ${statusWord(node)}.`,
      );
    case "resume":
      return ofNode(world, action.node, (node) =>
        node.status === "paused" ? null : `${node.id} is not paused.`,
      );
    case "crash":
      return ofNode(world, action.node, (node) =>
        node.status === "running" || node.status === "paused" ? null : `${node.id} is ${statusWord(node)}.`,
      );
    case "restart":
      return ofNode(world, action.node, (node) =>
        node.status === "crashed" || (node.status === "running" && node.ended)
          ? null
          : `${node.id} is ${statusWord(node)}; only a process that crashed or ended can be started again.`,
      );
    case "delay":
      return underWay(world, action.message) === null && !isChecked(world, action.message)
        ? `Message ${action.message} is not under way.`
        : null;
    case "lose":
      return underWay(world, action.message) === null ? `Message ${action.message} is not under way.` : null;
    case "duplicate": {
      const message = underWay(world, action.message);
      if (message === null) return `Message ${action.message} is not under way.`;
      return message.payload.kind === "write"
        ? null
        : "Only a write can be delivered twice: the Lease API is called over a connection that does not duplicate.";
    }
    case "refuse": {
      const message = underWay(world, action.message);
      if (message === null) return `Message ${action.message} is not under way.`;
      if (message.payload.kind !== "lease-request")
        return "Only a request to the Lease API can be refused by it.";
      return message.payload.doom.refuseCode === null
        ? null
        : `It will already be refused with ${message.payload.doom.refuseCode}.`;
    }
    case "lose-answer":
    case "delay-answer": {
      const message = underWay(world, action.message);
      if (message === null) return `Message ${action.message} is not under way.`;
      const { payload } = message;
      if (payload.kind !== "lease-request" && payload.kind !== "write")
        return "This is an answer already: lose or delay it directly.";
      return payload.doom.loseAnswer || payload.doom.lateMs > 0
        ? "Its answer has been tampered with already."
        : null;
    }
    case "cut":
    case "heal":
      return ofNode(world, action.node, () => {
        if (action.to !== LEASE_LANE && sinkIndex(world, action.to) < 0)
          return `There is no "${action.to}" to link with: use "lease" or the name of a sink.`;
        const isCut = world.cuts.includes(linkName(action.node, action.to));
        if (action.kind === "cut") return isCut ? "This link is cut already." : null;
        return isCut ? null : "This link is not cut.";
      });
    case "set-delay":
    case "set-rate":
    case "step-wall-clock":
      return ofNode(world, action.node, () => null);
    case "delete-lease":
    case "edit-holder":
      return leaseOf(world) === null ? "There is no Lease." : null;
    case "strip-annotation": {
      const lease = leaseOf(world);
      if (lease === null) return "There is no Lease.";
      return lease.annotations[TERM_ANNOTATION] === undefined
        ? `The Lease has no annotation ${TERM_ANNOTATION}.`
        : null;
    }
    case "restart-sink":
      return sinkIndex(world, action.sink) < 0
        ? `There is no sink "${action.sink}": use one of ${world.sinks.map((sink) => sink.id).join(", ")}.`
        : null;
    default:
      return unreachable(action);
  }
}

function refuseFire(world: LeadershipWorld, lane: string, name: string): string | null {
  const node = world.nodes[nodeIndex(world, lane)];
  const sink = world.sinks[sinkIndex(world, lane)];
  if (node === undefined && sink === undefined) return `There is no lane "${lane}".`;
  const timer =
    node?.timers.find((candidate) => candidate.name === name) ??
    sink?.checked.find((candidate) => candidate.timer.name === name)?.timer;
  if (timer === undefined) return `${lane} has no timer "${name}" set.`;
  if (node?.status === "paused") return `${lane} is paused: its timers wait until it resumes.`;
  const dueMs = node === undefined ? timer.dueMs : timerDueMs(node, timer);
  return dueMs > world.now ? `It is due at ${seconds(dueMs)}.` : null;
}

function ofNode(
  world: LeadershipWorld,
  id: string,
  judge: (node: NodeState) => string | null,
): string | null {
  const node = world.nodes[nodeIndex(world, id)];
  return node === undefined
    ? `There is no node "${id}": use one of ${world.nodes.map((other) => other.id).join(", ")}.`
    : judge(node);
}

const underWay = (world: LeadershipWorld, id: number): Message | null =>
  world.messages.find((message) => message.id === id) ?? null;

function statusWord(node: NodeState): string {
  switch (node.status) {
    case "waiting":
      return "not started yet";
    case "running":
      return "running";
    case "paused":
      return "paused";
    case "crashed":
      return "down";
    default:
      return unreachable(node.status);
  }
}

/** Whether a write lies between its check and its act. */
const isChecked = (world: LeadershipWorld, id: number): boolean =>
  world.sinks.some(({ checked }) => checked.some(({ message }) => message.id === id));

function whatIs(world: LeadershipWorld, due: Due): string {
  switch (due.kind) {
    case "message":
      return `${describe(due.message.payload)} arrives at ${due.message.to}`;
    case "node-timer":
      return `a timer of ${world.nodes[due.node]?.id ?? ""} fires`;
    case "sink-timer":
      return `${world.sinks[due.sink]?.id ?? ""} acts on a write that it checked`;
    default:
      return unreachable(due);
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// A step in the making: the next world, changed only here, and the events so far. Parts that do not change stay shared.
import {
  nodeAt,
  sinkAt,
  type LeadershipWorld,
  type Message,
  type NodeState,
  type Payload,
  type SinkState,
} from "./world.ts";
import { wallMs, WALL_START_MS } from "./clock.ts";
import type { Delay } from "./config.ts";
import type { LeadershipEvent } from "./event.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type FactsOf<Event> = Event extends LeadershipEvent
  ? Omit<Event, "seq" | "at" | "lane" | "localAt" | "cause">
  : never;

/** What a step wants to say; position, time and clock are filled in. */
export type Facts = FactsOf<LeadershipEvent>;

export interface Draft {
  readonly world: Writable<LeadershipWorld>;
  readonly events: LeadershipEvent[];
  /** The event that what follows goes back to; null at first. */
  cause: number | null;
  /** Inputs for machines that wait until the outputs of the present one are performed; null while none is at work. */
  waiting: (() => void)[] | null;
}

export function startDraft(world: LeadershipWorld): Draft {
  return { world: { ...world }, events: [], cause: null, waiting: null };
}

/**
 * Feeds a machine, and everything that follows from it. All outputs of one input are performed before the next input is fed:
 * fed from within, a late `set-timer` of the outer machine would undo what the inner one has cleared.
 */
export function inTurn(draft: Draft, feed: () => void): void {
  const { cause } = draft;
  const turn = (): void => {
    draft.cause = cause;
    feed();
  };
  if (draft.waiting !== null) {
    draft.waiting.push(turn);
    return;
  }
  const waiting: (() => void)[] = [turn];
  draft.waiting = waiting;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  draft.waiting = null;
}

/** Adds an event and returns its number. */
export function emit(draft: Draft, lane: string, facts: Facts): number {
  const { world } = draft;
  const seq = world.seq;
  world.seq += 1;
  const node = world.nodes.find((candidate) => candidate.id === lane);
  const event = {
    ...facts,
    seq,
    at: world.now,
    lane,
    localAt: node === undefined ? null : wallMs(node.clock, world.now) - WALL_START_MS,
    cause: draft.cause,
  };
  draft.events.push(event as LeadershipEvent);
  return seq;
}

export function changeNode(draft: Draft, index: number, change: Partial<NodeState>): NodeState {
  const next = { ...nodeAt(draft.world, index), ...change };
  draft.world.nodes = draft.world.nodes.map((node, at) => (at === index ? next : node));
  return next;
}

export function changeSink(draft: Draft, index: number, change: Partial<SinkState>): void {
  const next = { ...sinkAt(draft.world, index), ...change };
  draft.world.sinks = draft.world.sinks.map((sink, at) => (at === index ? next : sink));
}

export function nextOrder(draft: Draft): number {
  const order = draft.world.nextOrder;
  draft.world.nextOrder += 1;
  return order;
}

/** Sets or moves the one timer of this name; `dueMs` is in the node's monotonic time. */
export function setTimer(draft: Draft, index: number, name: string, dueMs: number): void {
  const { timers } = nodeAt(draft.world, index);
  const timer = { name, dueMs, order: nextOrder(draft) };
  changeNode(draft, index, { timers: [...timers.filter((other) => other.name !== name), timer] });
}

export function clearTimer(draft: Draft, index: number, name: string): void {
  const { timers } = nodeAt(draft.world, index);
  if (timers.some((timer) => timer.name === name))
    changeNode(draft, index, { timers: timers.filter((timer) => timer.name !== name) });
}

export function newMessageId(draft: Draft): number {
  const id = draft.world.nextMessage;
  draft.world.nextMessage += 1;
  return id;
}

/** Puts a message on the wire. `cause`: the event of its sending. */
export function post(
  draft: Draft,
  route: { readonly id: number; readonly from: string; readonly to: string; readonly cause: number },
  delay: Delay,
  payload: Payload,
): void {
  const message: Message = {
    ...route,
    order: nextOrder(draft),
    sentAt: draft.world.now,
    earliestMs: draft.world.now + delay.minMs,
    latestMs: draft.world.now + delay.maxMs,
    payload,
  };
  draft.world.messages = [...draft.world.messages, message];
}

export function changeMessage(draft: Draft, message: Message): void {
  draft.world.messages = draft.world.messages.map((other) => (other.id === message.id ? message : other));
}

export function takeMessage(draft: Draft, id: number): void {
  draft.world.messages = draft.world.messages.filter((message) => message.id !== id);
}

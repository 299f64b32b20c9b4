// Hands from outside: operators and faults. Each does one thing to the world and says so.
import { unreachable } from "../../base/assert.ts";
import { TERM_ANNOTATION, type LeaseBody } from "../../protocol/lease/lease.ts";
import { serveLease } from "../../protocol/lease/register.ts";
import { restartSink } from "../../protocol/sink/sink.ts";
import { IDLE_WORK } from "../../protocol/work/work.ts";
import type { LeadershipAction } from "./action.ts";
import { withRate } from "./clock.ts";
import { describe } from "./deliver.ts";
import {
  changeMessage,
  changeNode,
  changeSink,
  emit,
  newMessageId,
  nextOrder,
  takeMessage,
  type Draft,
} from "./draft.ts";
import { feedElector, instantOf, loseAtOnce, startProcess } from "./drive.ts";
import {
  LEASE_LANE,
  leaseOf,
  linkName,
  nodeAt,
  nodeIndex,
  sinkAt,
  sinkIndex,
  type Doom,
  type Message,
} from "./world.ts";

/** Everything but time, deliveries and timers. */
export type OutsideAction = Exclude<
  LeadershipAction,
  { kind: "advance" | "deliver" | "fire" | "foreign-write" }
>;

export function interfere(draft: Draft, action: OutsideAction): void {
  const { world } = draft;
  switch (action.kind) {
    case "cancel": {
      const index = nodeIndex(world, action.node);
      draft.cause = emit(draft, action.node, { kind: "asked-to-stop", node: action.node });
      return feedElector(draft, index, {
        kind: "cancel",
        at: instantOf(nodeAt(world, index), world.now),
      });
    }
    case "pause":
      changeNode(draft, nodeIndex(world, action.node), { status: "paused", pausedAtMs: world.now });
      emit(draft, action.node, { kind: "paused", node: action.node });
      return;
    case "resume": {
      const index = nodeIndex(world, action.node);
      const pausedForMs = world.now - nodeAt(world, index).pausedAtMs;
      changeNode(draft, index, { status: "running" });
      emit(draft, action.node, { kind: "resumed", node: action.node, pausedForMs });
      return;
    }
    case "crash":
      changeNode(draft, nodeIndex(world, action.node), {
        status: "crashed",
        elector: null,
        timers: [],
        calls: [],
        belief: null,
        work: IDLE_WORK,
        consumer: null,
        exchange: null,
      });
      emit(draft, action.node, { kind: "crashed", node: action.node });
      return;
    case "restart": {
      const index = nodeIndex(world, action.node);
      const before = nodeAt(world, index).identity;
      return startProcess(draft, index, action.identity === "same" && before !== "" ? before : null);
    }
    case "lose": {
      const message = messageOf(draft, action.message);
      takeMessage(draft, message.id);
      return loseAtOnce(draft, message, describe(message.payload));
    }
    case "delay": {
      if (stall(draft, action.message, action.byMs)) return;
      const message = messageOf(draft, action.message);
      changeMessage(draft, {
        ...message,
        earliestMs: Math.max(message.earliestMs, world.now) + action.byMs,
        latestMs: Math.max(message.latestMs, world.now) + action.byMs,
      });
      emit(draft, message.from, {
        kind: "message-delayed",
        message: message.id,
        byMs: action.byMs,
        what: describe(message.payload),
      });
      return;
    }
    case "refuse":
      return doom(draft, action.message, { refuseCode: action.code });
    case "lose-answer":
      return doom(draft, action.message, { loseAnswer: true });
    case "delay-answer":
      return doom(draft, action.message, { lateMs: action.byMs });
    case "duplicate": {
      const message = messageOf(draft, action.message);
      const copy = newMessageId(draft);
      const cause = emit(draft, message.from, {
        kind: "message-duplicated",
        message: message.id,
        copy,
        what: describe(message.payload),
        facts: message.payload.kind === "write" ? { ...message.payload.facts, message: copy } : null,
      });
      world.messages = [...world.messages, { ...message, id: copy, order: nextOrder(draft), cause }];
      return;
    }
    case "cut":
      world.cuts = [...world.cuts, linkName(action.node, action.to)].toSorted();
      emit(draft, action.node, { kind: "link-cut", node: action.node, to: action.to });
      return;
    case "heal": {
      const link = linkName(action.node, action.to);
      world.cuts = world.cuts.filter((cut) => cut !== link);
      emit(draft, action.node, { kind: "link-healed", node: action.node, to: action.to });
      return;
    }
    case "set-delay": {
      const key = action.to === "lease" ? "leaseDelayMs" : "sinkDelayMs";
      changeNode(draft, nodeIndex(world, action.node), { [key]: action.delayMs });
      emit(draft, action.node, {
        kind: "delay-set",
        node: action.node,
        to: action.to,
        delayMs: action.delayMs,
      });
      return;
    }
    case "set-rate": {
      const index = nodeIndex(world, action.node);
      const { clock } = nodeAt(world, index);
      changeNode(draft, index, { clock: withRate(clock, action.ratePermille, world.now) });
      emit(draft, action.node, {
        kind: "clock-rate-set",
        node: action.node,
        rate: action.ratePermille / 1000,
      });
      return;
    }
    case "step-wall-clock": {
      const index = nodeIndex(world, action.node);
      const { clock } = nodeAt(world, index);
      changeNode(draft, index, {
        clock: { ...clock, wallOffsetMs: clock.wallOffsetMs + action.byMs },
      });
      emit(draft, action.node, {
        kind: "wall-clock-stepped",
        node: action.node,
        byMs: action.byMs,
      });
      return;
    }
    case "delete-lease": {
      const [store] = serveLease(world.store, { verb: "delete", name: world.config.lock });
      world.store = store;
      emit(draft, LEASE_LANE, { kind: "lease-deleted", lease: null });
      return;
    }
    case "strip-annotation":
      return edit(draft, `annotation ${TERM_ANNOTATION} removed`, (body) => {
        const { [TERM_ANNOTATION]: _term, ...annotations } = body.annotations;
        return { ...body, annotations };
      });
    case "edit-holder":
      return edit(draft, `holderIdentity set to "${action.holder}"`, (body) => ({
        ...body,
        spec: { ...body.spec, holderIdentity: action.holder },
      }));
    case "restart-sink": {
      const index = sinkIndex(world, action.sink);
      const { sink } = sinkAt(world, index);
      const next = restartSink(sink);
      // What was checked and not yet applied dies with the process.
      changeSink(draft, index, { sink: next, checked: [] });
      emit(draft, action.sink, {
        kind: "sink-restarted",
        sink: action.sink,
        markBefore: sink.mark,
        markAfter: next.mark,
      });
      return;
    }
    default:
      return unreachable(action);
  }
}

/** Holds up a write between its check and its act. False when the message is no such write. */
function stall(draft: Draft, id: number, byMs: number): boolean {
  const { world } = draft;
  const index = world.sinks.findIndex(({ checked }) => checked.some(({ message }) => message.id === id));
  if (index < 0) return false;
  const { checked, id: lane } = sinkAt(world, index);
  changeSink(draft, index, {
    checked: checked.map((write) =>
      write.message.id === id
        ? {
            ...write,
            timer: { ...write.timer, dueMs: Math.max(write.timer.dueMs, world.now) + byMs },
            latestMs: Math.max(write.latestMs, world.now) + byMs,
          }
        : write,
    ),
  });
  const stalled = checked.find(({ message }) => message.id === id);
  emit(draft, lane, {
    kind: "message-delayed",
    message: id,
    byMs,
    what: stalled === undefined ? "a checked write" : `${lane}'s act on ${describe(stalled.message.payload)}`,
  });
  return true;
}

function messageOf(draft: Draft, id: number): Message {
  const message = draft.world.messages.find((candidate) => candidate.id === id);
  if (message === undefined) throw new Error(`message ${id} was checked to be under way`);
  return message;
}

function doom(draft: Draft, id: number, change: Partial<Doom>): void {
  const message = messageOf(draft, id);
  const { payload } = message;
  if (payload.kind !== "lease-request" && payload.kind !== "write") return;
  const next: Doom = { ...payload.doom, ...change };
  changeMessage(draft, { ...message, payload: { ...payload, doom: next } });
  emit(draft, message.from, {
    kind: "message-doomed",
    message: id,
    fate:
      change.refuseCode !== undefined
        ? "refused"
        : change.loseAnswer === true
          ? "answer-lost"
          : "answer-late",
    code: change.refuseCode ?? null,
    byMs: change.lateMs ?? null,
    what: describe(payload),
  });
}

/** Somebody edits the Lease by hand, as `kubectl edit` does: on its newest version. */
function edit(draft: Draft, what: string, change: (body: LeaseBody) => LeaseBody): void {
  const { world } = draft;
  const lease = leaseOf(world);
  if (lease === null) return;
  const [store] = serveLease(world.store, {
    verb: "update",
    name: lease.name,
    body: change(lease),
  });
  world.store = store;
  const after = leaseOf(world);
  if (after !== null) emit(draft, LEASE_LANE, { kind: "lease-edited", what, lease: after });
}

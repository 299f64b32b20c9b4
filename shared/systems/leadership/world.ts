// The world of the leadership system: plain data. Nothing in here moves by itself.
import { present } from "../../base/assert.ts";
import type { Elector } from "../../protocol/elector/elector.ts";
import type { CallResult } from "../../protocol/elector/contract.ts";
import type { Lease, LeaseRequest, LeaseVerb } from "../../protocol/lease/lease.ts";
import { emptyStore, type LeaseStore } from "../../protocol/lease/register.ts";
import type { Consumer } from "../../protocol/master/consumer.ts";
import type { EnvelopeFacts } from "../../protocol/master/contract.ts";
import { createSink, type Sink, type Write, type WriteVerdict } from "../../protocol/sink/sink.ts";
import type { Authority, Work } from "../../protocol/work/work.ts";
import { IDLE_WORK } from "../../protocol/work/work.ts";
import { globalMs, type Clock } from "./clock.ts";
import type { Delay, LeadershipConfig } from "./config.ts";
import type { RequestPurpose, WriteFacts } from "./event.ts";

/** The lane of the Lease. */
export const LEASE_LANE = "lease";

/** One timer of a node (local monotonic due time) or of a sink (global). `order` breaks ties: first set, first fired. */
export interface Timer {
  readonly name: string;
  readonly dueMs: number;
  readonly order: number;
}

/** A call to the Lease API that the node waits for. */
export interface OpenCall {
  readonly call: number;
  readonly verb: LeaseVerb;
  readonly purpose: RequestPurpose;
}

/** What the lab itself will do to a request or its answer: a fault that was injected on the way. */
export interface Doom {
  /** The server answers this code without looking at the request; null: it looks. */
  readonly refuseCode: number | null;
  /** The answer is lost after the server acted. */
  readonly loseAnswer: boolean;
  /** The answer takes this much longer. */
  readonly lateMs: number;
}

export const NO_DOOM: Doom = { refuseCode: null, loseAnswer: false, lateMs: 0 };

export type Payload =
  | {
      readonly kind: "lease-request";
      readonly node: number;
      readonly incarnation: number;
      readonly call: number;
      readonly purpose: RequestPurpose;
      readonly request: LeaseRequest;
      readonly doom: Doom;
    }
  | {
      readonly kind: "lease-answer";
      readonly node: number;
      readonly incarnation: number;
      readonly call: number;
      readonly verb: LeaseVerb;
      readonly purpose: RequestPurpose;
      readonly result: CallResult;
      /** The newest acquisition when the server answered. Kept by the lab; no node can see it. */
      readonly acquisition: number;
    }
  | {
      readonly kind: "write";
      readonly node: number;
      readonly incarnation: number;
      readonly sink: number;
      readonly operation: number;
      readonly write: Write;
      readonly facts: WriteFacts;
      readonly doom: Doom;
    }
  | {
      readonly kind: "write-answer";
      readonly node: number;
      readonly incarnation: number;
      readonly sink: number;
      readonly operation: number;
      readonly verdict: WriteVerdict;
      readonly mark: string;
      readonly facts: WriteFacts;
    };

/** A message on the wire. */
export interface Message {
  readonly id: number;
  readonly order: number;
  readonly from: string;
  readonly to: string;
  readonly sentAt: number;
  /** It may arrive from `earliestMs` to `latestMs`, both included. */
  readonly earliestMs: number;
  readonly latestMs: number;
  /** The event of its sending. */
  readonly cause: number;
  readonly payload: Payload;
}

export type NodeStatus =
  /** Its process has not started yet. */
  | "waiting"
  | "running"
  /** The process stands still (SIGSTOP, a long collection). Its clocks go on; messages wait in its sockets. */
  | "paused"
  | "crashed";

/** Leadership as the node itself believes it. */
export interface Belief extends Authority {
  readonly sinceMs: number;
}

/** An exchange in the pipeline's hand; `open`: sinks that have not answered its write yet. */
export interface ExchangeInHand {
  readonly facts: EnvelopeFacts;
  readonly open: readonly number[];
}

export interface NodeState {
  readonly id: string;
  readonly status: NodeStatus;
  /** Counts the starts of its process from 1; 0 before the first. */
  readonly incarnation: number;
  readonly identity: string;
  readonly pausedAtMs: number;
  readonly clock: Clock;
  /** Null until the process has started. */
  readonly elector: Elector | null;
  readonly ended: boolean;
  readonly timers: readonly Timer[];
  readonly calls: readonly OpenCall[];
  /** Null: does not believe that it leads. */
  readonly belief: Belief | null;
  /** How often this process has won. */
  readonly wins: number;
  /** The newest acquisition that an answer to this process knew of. */
  readonly knownAcquisition: number;
  readonly work: Work;
  /** Its master consumer, where the work is a route; null otherwise and before the process starts. */
  readonly consumer: Consumer | null;
  /** The exchange that its pipeline works on. */
  readonly exchange: ExchangeInHand | null;
  /** How many writes its ungated producer has made. */
  readonly produced: number;
  /** Delay overrides set during the run, each way. */
  readonly leaseDelayMs: number | null;
  readonly sinkDelayMs: number | null;
}

/** A write between its check and its act. The timer's due time is the earliest moment, in global time. */
export interface CheckedWrite {
  readonly message: Message;
  readonly timer: Timer;
  readonly latestMs: number;
}

export interface SinkState {
  readonly id: string;
  readonly sink: Sink;
  /** `check-then-act`: writes that were checked and not yet applied. */
  readonly checked: readonly CheckedWrite[];
}

/** Who holds the Lease in truth: the number of the acquisition, and the node and process that made it. */
export interface Acquisition {
  readonly ordinal: number;
  readonly node: number;
  readonly incarnation: number;
}

export interface LeadershipWorld {
  readonly config: LeadershipConfig;
  readonly now: number;
  /** Number of the next event. */
  readonly seq: number;
  /** Number of the next message. */
  readonly nextMessage: number;
  /** Number of the next thing that is put off: breaks ties between things due at once. */
  readonly nextOrder: number;
  readonly store: LeaseStore;
  /** The newest acquisition; ordinal 0 before the first. */
  readonly acquisition: Acquisition;
  readonly nodes: readonly NodeState[];
  readonly sinks: readonly SinkState[];
  readonly messages: readonly Message[];
  /** Cut links, as `a>lease` or `a>ledger`, sorted. Nothing passes in either direction. */
  readonly cuts: readonly string[];
}

export const leaseOf = (world: LeadershipWorld): Lease | null =>
  world.store.leases[world.config.lock] ?? null;

export function createLeadership(config: LeadershipConfig): LeadershipWorld {
  return {
    config,
    now: 0,
    seq: 0,
    nextMessage: 1,
    nextOrder: config.nodes.length,
    store: emptyStore,
    acquisition: { ordinal: 0, node: -1, incarnation: 0 },
    nodes: config.nodes.map((node, index) => {
      const clock: Clock = {
        ratePermille: node.clock.ratePermille,
        atMs: 0,
        localMs: 0,
        wallOffsetMs: node.clock.offsetMs,
      };
      return {
        id: node.id,
        status: "waiting",
        incarnation: 0,
        identity: node.identity ?? "",
        pausedAtMs: 0,
        clock,
        elector: null,
        ended: false,
        timers: [{ name: "start", dueMs: node.startMs, order: index }],
        calls: [],
        belief: null,
        wins: 0,
        knownAcquisition: 0,
        work: IDLE_WORK,
        consumer: null,
        exchange: null,
        produced: 0,
        leaseDelayMs: null,
        sinkDelayMs: null,
      };
    }),
    sinks: config.sinks.map((sink) => ({
      id: sink.id,
      sink: { ...createSink(sink.enforcement, sink.dedupe), mark: sink.mark },
      checked: [],
    })),
    messages: [],
    cuts: [],
  };
}

export const nodeAt = (world: LeadershipWorld, index: number): NodeState =>
  present(world.nodes[index], "a node index points at a node");
export const sinkAt = (world: LeadershipWorld, index: number): SinkState =>
  present(world.sinks[index], "a sink index points at a sink");
export const nodeIndex = (world: LeadershipWorld, id: string): number =>
  world.nodes.findIndex((node) => node.id === id);
export const sinkIndex = (world: LeadershipWorld, id: string): number =>
  world.sinks.findIndex((sink) => sink.id === id);

/** When a node's timer is due, globally. The start of a process is set in global time. */
export const timerDueMs = (node: NodeState, timer: Timer): number =>
  timer.name === "start" ? timer.dueMs : globalMs(node.clock, timer.dueMs);

export function leaseDelay(world: LeadershipWorld, index: number): Delay {
  const { leaseDelayMs } = nodeAt(world, index);
  if (leaseDelayMs !== null) return { minMs: leaseDelayMs, maxMs: leaseDelayMs };
  return world.config.nodes[index]?.leaseDelay ?? world.config.network.leaseDelay;
}

export function sinkDelay(world: LeadershipWorld, index: number): Delay {
  const { sinkDelayMs } = nodeAt(world, index);
  if (sinkDelayMs !== null) return { minMs: sinkDelayMs, maxMs: sinkDelayMs };
  return world.config.nodes[index]?.sinkDelay ?? world.config.network.sinkDelay;
}

/** The link between a node and the Lease API or a sink. */
export const linkName = (node: string, other: string): string => `${node}>${other}`;

export function isCut(world: LeadershipWorld, message: Pick<Message, "from" | "to">): boolean {
  if (world.cuts.length === 0) return false;
  return (
    world.cuts.includes(linkName(message.from, message.to)) ||
    world.cuts.includes(linkName(message.to, message.from))
  );
}

/** Something that is put off: a message under way or a timer. */
export type Due =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "node-timer"; readonly node: number; readonly timer: Timer }
  | { readonly kind: "sink-timer"; readonly sink: number; readonly timer: Timer };

export interface Pending {
  readonly what: Due;
  readonly order: number;
  /** May happen from here. */
  readonly earliestMs: number;
  /** Must have happened by here, unless whom it concerns stands still. */
  readonly latestMs: number;
  /** False while it concerns a paused process: it waits, and does not hold time up. */
  readonly ready: boolean;
}

/** Everything that is put off, in no particular order. */
export function pending(world: LeadershipWorld): readonly Pending[] {
  const found: Pending[] = [];
  for (const message of world.messages) {
    const { payload } = message;
    const toNode = payload.kind === "lease-answer" || payload.kind === "write-answer";
    found.push({
      what: { kind: "message", message },
      order: message.order,
      earliestMs: message.earliestMs,
      latestMs: message.latestMs,
      ready: !toNode || nodeAt(world, payload.node).status !== "paused",
    });
  }
  for (let index = 0; index < world.nodes.length; index += 1) {
    const node = nodeAt(world, index);
    for (const timer of node.timers) {
      const dueMs = timerDueMs(node, timer);
      found.push({
        what: { kind: "node-timer", node: index, timer },
        order: timer.order,
        earliestMs: dueMs,
        latestMs: dueMs,
        ready: node.status !== "paused",
      });
    }
  }
  for (let index = 0; index < world.sinks.length; index += 1) {
    for (const { timer, latestMs } of sinkAt(world, index).checked)
      found.push({
        what: { kind: "sink-timer", sink: index, timer },
        order: timer.order,
        earliestMs: timer.dueMs,
        latestMs,
        ready: true,
      });
  }
  return found;
}

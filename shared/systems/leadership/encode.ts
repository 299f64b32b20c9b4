// A canonical key of a leadership world: two worlds with equal keys have equal futures. Times are differences from now,
// message and event numbers are left out, and what is only kept to be shown (the ledger) is reduced to what decides.
import {
  TERM_ANNOTATION,
  PROCESS_ANNOTATION,
  type Lease,
  type LeaseBody,
} from "../../protocol/lease/lease.ts";
import { encodeConsumer } from "../../protocol/master/encode.ts";
import type { Elector } from "../../protocol/elector/elector.ts";
import type { Work } from "../../protocol/work/work.ts";
import type { KeySink } from "../system.ts";
import { monotonicMs, WALL_START_MS } from "./clock.ts";
import { leaseOf, type LeadershipWorld, type Message, type NodeState, type Timer } from "./world.ts";

export function encodeLeadership(world: LeadershipWorld, key: KeySink): void {
  encodeClockNeeds(world, key);
  encodeLease(leaseOf(world), world.now, key);
  key.number(world.store.revision);
  key.number(world.store.created);
  key.number(world.acquisition.ordinal);
  key.number(world.acquisition.node);
  key.number(world.acquisition.incarnation);
  // Things due at one instant happen in the order in which they were put off: the ranks are part of the state, the numbers not.
  const rank = ranksOf(world);
  for (const node of world.nodes) encodeNode(world, node, rank, key);
  for (const { sink, checked } of world.sinks) {
    key.text(sink.mark);
    key.number(sink.newest);
    key.text(sink.applied.at(-1)?.value ?? "");
    key.text(sink.seen.join(" "));
    key.text(sink.keys.join(" "));
    key.number(checked.length);
    for (const { message, timer, latestMs } of checked) {
      encodePayload(message, world.now, key);
      key.number(latestMs - world.now);
      key.number(timer.dueMs - world.now);
      key.number(rank(timer.order));
    }
  }
  key.number(world.messages.length);
  for (const message of world.messages) {
    key.number(Math.max(0, message.earliestMs - world.now));
    key.number(Math.max(0, message.latestMs - world.now));
    key.number(rank(message.order));
    encodePayload(message, world.now, key);
  }
  key.text(world.cuts.join(" "));
}

function ranksOf(world: LeadershipWorld): (order: number) => number {
  const orders = [
    ...world.messages.map((message) => message.order),
    ...world.nodes.flatMap((node) => node.timers.map((timer) => timer.order)),
    ...world.sinks.flatMap((sink) => sink.checked.map(({ timer }) => timer.order)),
  ].toSorted((left, right) => left - right);
  const ranks = new Map(orders.map((order, rank) => [order, rank]));
  return (order) => ranks.get(order) ?? -1;
}

/** What the future depends on of the time itself: nothing, where within its second it is, or all of it. */
function encodeClockNeeds({ config, now }: LeadershipWorld, key: KeySink): void {
  // A wall-clock token and a producer's first write are told in absolute time.
  if (config.token === "wall-clock" || config.nodes.some(({ producer }) => producer !== null))
    return key.number(now);
  // client-go compares the times in records in whole seconds.
  if (config.nodes.some(({ profile }) => profile === "client-go")) key.number(now % 1000);
}

/** A time in a Lease, told from now by a clock that runs true. */
const encodeStamp = (time: number | undefined | null, now: number, key: KeySink): void =>
  time === undefined || time === null ? key.text("-") : key.number(time - (WALL_START_MS + now) * 1000);

function encodeLease(lease: Lease | LeaseBody | null, now: number, key: KeySink): void {
  if (lease === null) return key.text("-");
  key.text(lease.uid ?? "");
  key.text(lease.resourceVersion ?? "");
  key.text(lease.annotations[TERM_ANNOTATION] ?? "");
  key.text(lease.annotations[PROCESS_ANNOTATION] ?? "");
  key.text(lease.spec.holderIdentity ?? "");
  key.number(lease.spec.leaseDurationSeconds ?? -1);
  key.number(lease.spec.leaseTransitions ?? -1);
  encodeStamp(lease.spec.acquireTime, now, key);
  encodeStamp(lease.spec.renewTime, now, key);
}

function encodeNode(
  world: LeadershipWorld,
  node: NodeState,
  rank: (order: number) => number,
  key: KeySink,
): void {
  const local = monotonicMs(node.clock, world.now);
  key.text(node.status);
  key.number(node.incarnation);
  key.text(node.identity);
  key.number(node.clock.ratePermille);
  // The part of a millisecond that the clock is in: it decides when the next timer fires.
  key.number(((world.now - node.clock.atMs) * node.clock.ratePermille) % 1000);
  key.number(local + node.clock.wallOffsetMs - world.now);
  key.number(node.ended ? 1 : 0);
  key.number(node.leaseDelayMs ?? -1);
  key.number(node.sinkDelayMs ?? -1);
  key.number(node.wins);
  key.number(node.produced);
  key.number(node.knownAcquisition);
  key.text(node.belief === null ? "" : `${node.belief.acquisition}/${node.belief.token}`);
  key.number(node.timers.length);
  for (const timer of sortedTimers(node)) {
    key.text(timer.name);
    key.number(timer.name === "start" ? timer.dueMs - world.now : timer.dueMs - local);
    key.number(rank(timer.order));
  }
  for (const call of node.calls) key.text(`${call.call}${call.purpose}`);
  encodeWork(node.work, local, key);
  if (node.consumer !== null)
    encodeConsumer(
      node.consumer,
      (value) => (typeof value === "number" ? key.number(value) : key.text(value)),
      local,
    );
  if (node.exchange !== null)
    key.text(
      `${node.exchange.facts.envelope} ${node.exchange.facts.epoch} ${node.exchange.facts.acquisition} ${node.exchange.open.join(" ")}`,
    );
  encodeElector(node.elector, { local, now: world.now }, key);
}

const sortedTimers = (node: NodeState): readonly Timer[] =>
  node.timers.toSorted((left, right) => (left.name < right.name ? -1 : 1));

function encodeWork(work: Work, local: number, key: KeySink): void {
  key.text(work.kind);
  key.number(work.begun);
  if (work.kind === "idle") return;
  key.text(work.authority.token);
  key.number(work.authority.acquisition);
  key.number(work.done);
  key.number(work.nextMs - local);
  key.number(work.stopAtMs === null ? -1 : work.stopAtMs - local);
  if (work.kind === "waiting") return;
  key.text(`${work.operation.number}/${work.operation.token}/${work.operation.acquisition}`);
  if (work.kind === "calling") key.text(work.open.join(" "));
}

/** Every number of an elector whose name ends in `Ms` is a monotonic time; its configuration never changes. */
function encodeElector(elector: Elector | null, at: Readings, key: KeySink): void {
  if (elector === null) return key.text("none");
  encodeData(elector, at, key);
}

/** What the node's monotonic clock reads, and the global one. */
interface Readings {
  readonly local: number;
  readonly now: number;
}

const STAMPS: readonly string[] = ["acquireTime", "renewTime"];

function encodeData(value: object, at: Readings, key: KeySink): void {
  for (const name of Object.keys(value).toSorted()) {
    if (name === "config") continue;
    const part: unknown = Reflect.get(value, name);
    key.text(name);
    if (part === null || part === undefined) key.text("-");
    else if (typeof part === "number" && STAMPS.includes(name)) encodeStamp(part, at.now, key);
    else if (typeof part === "number") key.number(name.endsWith("Ms") ? part - at.local : part);
    else if (typeof part === "object") encodeData(part, at, key);
    else key.text(typeof part === "string" ? part : JSON.stringify(part));
  }
}

function encodePayload({ payload }: Message, now: number, key: KeySink): void {
  key.text(payload.kind);
  key.number(payload.node);
  key.number(payload.incarnation);
  switch (payload.kind) {
    case "lease-request":
      key.number(payload.call);
      key.text(payload.purpose);
      key.text(payload.request.verb);
      key.text(`${payload.doom.refuseCode} ${payload.doom.loseAnswer} ${payload.doom.lateMs}`);
      if (payload.request.verb === "create" || payload.request.verb === "update")
        encodeLease(payload.request.body, now, key);
      return;
    case "lease-answer":
      key.number(payload.call);
      key.text(payload.purpose);
      key.number(payload.result.kind === "failed" ? 0 : payload.result.code);
      key.number(payload.acquisition);
      if (payload.result.kind === "ok") encodeLease(payload.result.lease, now, key);
      return;
    case "write":
      key.number(payload.sink);
      key.text(`${payload.write.value} ${payload.write.key} ${payload.write.token}`);
      key.number(payload.write.acquisition);
      key.text(`${payload.doom.loseAnswer} ${payload.doom.lateMs}`);
      return;
    case "write-answer":
      key.number(payload.sink);
      key.number(payload.operation);
      key.text(`${payload.verdict} ${payload.mark}`);
  }
}

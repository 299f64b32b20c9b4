// What a node of the leadership system is at, in plain words: its part in the election, its work, its bridge, its clock.
import { unreachable } from "../../../shared/base/assert.ts";
import type { ClientGoElector } from "../../../shared/protocol/elector/clientGo/clientGo.ts";
import type { StopReason } from "../../../shared/protocol/elector/contract.ts";
import type { Elector } from "../../../shared/protocol/elector/elector.ts";
import { globalMs, monotonicMs, wallMs, WALL_START_MS } from "../../../shared/systems/leadership/clock.ts";
import {
  LEASE_LANE,
  type LeadershipWorld,
  type NodeState,
} from "../../../shared/systems/leadership/world.ts";

export interface NodeWords {
  /** The election, as the node's own elector sees it. */
  readonly elector: string;
  readonly work: string;
  /** Null for a node without a bridge. */
  readonly bridge: string | null;
  /** Null while its clocks show true time. */
  readonly clock: string | null;
  /** Whom it cannot reach; null when all links are whole. */
  readonly links: string | null;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

export function nodeWords(world: LeadershipWorld, node: NodeState): NodeWords {
  return {
    elector: electorWords(world, node),
    work: workWords(world, node),
    bridge: bridgeWords(node),
    clock: clockWords(world, node),
    links: linkWords(world, node),
  };
}

function electorWords(world: LeadershipWorld, node: NodeState): string {
  const at = (localMs: number): string => seconds(globalMs(node.clock, localMs));
  switch (node.status) {
    case "waiting":
      return "Its process has not started yet.";
    case "crashed":
      return "Its process is down.";
    case "paused":
      return `Paused since ${seconds(node.pausedAtMs)}. ${node.elector === null ? "" : placeWords(world, node, node.elector, at)}`;
    case "running":
      return node.elector === null ? "Takes no part." : placeWords(world, node, node.elector, at);
    default:
      return unreachable(node.status);
  }
}

function placeWords(
  world: LeadershipWorld,
  node: NodeState,
  elector: Elector,
  at: (localMs: number) => string,
): string {
  if (elector.kind === "ended") return "Has left the election.";
  if (elector.kind === "new") return "Is about to enter the election.";
  switch (elector.profile) {
    case "noop":
      return elector.kind === "leading" ? "Leads, and asks nobody." : "Stops its work.";
    case "client-go":
      return clientGoWords(world, node, elector, at);
    case "epoch-lab":
      break;
    default:
      return unreachable(elector);
  }
  switch (elector.kind) {
    case "following": {
      if (elector.observed === null) return "Reads the Lease for the first time.";
      const { lease, sinceMs } = elector.observed;
      const holder = lease.spec.holderIdentity ?? "";
      if (holder === "") return "Saw that nobody holds the Lease.";
      const { leaseDurationMs } = elector.config.timings;
      const seenMs = monotonicMs(node.clock, world.now) - sinceMs;
      return `Has seen ${holder}'s Lease unchanged for ${seconds(seenMs)}; judges it expired at ${at(sinceMs + leaseDurationMs)}.`;
    }
    case "leading": {
      const { renewDeadlineMs } = elector.config.timings;
      const untilMs = elector.budgetFromMs + renewDeadlineMs;
      const isOver = monotonicMs(node.clock, world.now) >= untilMs;
      return isOver
        ? `Leads in its own view; had to stop at ${at(untilMs)} without a renewal.`
        : `Leads; stops at ${at(untilMs)} unless it renews.`;
    }
    case "stopping":
      return `Waits for its work to stop: ${because(elector.reason)}.`;
    case "releasing":
      return "Gives the Lease up.";
    default:
      return unreachable(elector);
  }
}

type InElection = Exclude<ClientGoElector, { readonly kind: "ended" | "new" }>;

function clientGoWords(
  world: LeadershipWorld,
  node: NodeState,
  elector: InElection,
  at: (localMs: number) => string,
): string {
  switch (elector.kind) {
    case "acquiring":
      return "Tries to acquire; an answer is open.";
    case "waiting":
      return `Follows; tries again at ${at(elector.retryMs)}.`;
    case "resting":
      return `Leads; begins to renew at ${at(elector.renewMs)}.`;
    case "renewing":
    case "polling": {
      const { deadlineMs } = elector.window;
      return monotonicMs(node.clock, world.now) >= deadlineMs
        ? `Leads in its own view; had to stop at ${at(deadlineMs)} without a renewal.`
        : `Leads and renews; stops at ${at(deadlineMs)} unless one succeeds.`;
    }
    case "releasing":
      return `Gives the Lease up: ${because(elector.reason)}.`;
    default:
      return unreachable(elector);
  }
}

function because(reason: StopReason): string {
  switch (reason) {
    case "renew-deadline":
      return "no renewal in time";
    case "held-by-other":
      return "another holds the Lease";
    case "lease-gone":
      return "the Lease is gone";
    case "cancelled":
      return "it was asked to stop";
    default:
      return unreachable(reason);
  }
}

function workWords(world: LeadershipWorld, node: NodeState): string {
  const { work, exchange } = node;
  const at = (localMs: number): string => seconds(globalMs(node.clock, localMs));
  const names = (open: readonly number[]): string =>
    open.map((index) => world.sinks[index]?.id ?? String(index)).join(" and ");
  if (exchange !== null)
    return exchange.open.length === 0
      ? `Works on envelope ${exchange.facts.envelope}, stamped epoch ${exchange.facts.epoch || "none"}.`
      : `Wrote envelope ${exchange.facts.envelope}; waits for ${names(exchange.open)}.`;
  switch (work.kind) {
    case "idle":
      return "No guarded work.";
    case "waiting":
      return work.stopAtMs === null
        ? `Next operation at ${at(work.nextMs)}, under epoch ${work.authority.token || "none"}.`
        : `Cleans up until ${at(work.stopAtMs)}.`;
    case "thinking":
      return `Checked that it leads; the write under epoch ${work.operation.token || "none"} is still to be sent.`;
    case "calling":
      return `Its write is out; waits for ${names(work.open)}.`;
    default:
      return unreachable(work);
  }
}

function bridgeWords({ consumer }: NodeState): string | null {
  if (consumer === null) return null;
  const { run, pipeline } = consumer.master;
  const waits = pipeline.queue.length;
  const stamps = [...new Set(pipeline.queue.map(({ facts }) => facts.epoch || "none"))].join(" and ");
  const queued =
    waits === 0
      ? ""
      : ` ${waits} ${waits === 1 ? "waits" : "wait"} in the pipeline, stamped epoch ${stamps}.`;
  if (run === null || run.bridge === null) return `No bridge.${queued}`;
  const { held, waiting, capacity, epoch } = run.bridge;
  const blocked = waiting.length === 0 ? "" : `, ${waiting.length} more wait for room`;
  return `Bridge of epoch ${epoch || "none"}: ${held.length} of ${capacity} held${blocked}.${queued}`;
}

function clockWords(world: LeadershipWorld, { clock }: NodeState): string | null {
  const parts: string[] = [];
  if (clock.ratePermille !== 1000) parts.push(`runs at ${clock.ratePermille / 1000} × true time`);
  const offMs = wallMs(clock, world.now) - WALL_START_MS - world.now;
  if (offMs !== 0) parts.push(`wall clock ${seconds(Math.abs(offMs))} ${offMs > 0 ? "ahead" : "behind"}`);
  return parts.length === 0 ? null : `Clock ${parts.join(", ")}.`;
}

function linkWords(world: LeadershipWorld, node: NodeState): string | null {
  const cut = world.cuts
    .filter((link) => link.startsWith(`${node.id}>`))
    .map((link) => link.slice(node.id.length + 1))
    .map((to) => (to === LEASE_LANE ? "the Lease API" : to));
  const slow = [
    ...(node.leaseDelayMs === null ? [] : [`${seconds(node.leaseDelayMs)} to the Lease API`]),
    ...(node.sinkDelayMs === null ? [] : [`${seconds(node.sinkDelayMs)} to the sinks`]),
  ];
  const words = [
    ...(cut.length === 0 ? [] : [`Cut off from ${cut.join(" and ")}.`]),
    ...(slow.length === 0 ? [] : [`Slowed down: ${slow.join(", ")} each way.`]),
  ];
  return words.length === 0 ? null : words.join(" ");
}

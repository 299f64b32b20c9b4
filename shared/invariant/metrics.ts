// Figures of a run beside its verdicts: the safety margin from the configuration, and the two times that users confuse.
import type { Event } from "../systems/event.ts";
import type { LeadershipConfig, NodeConfig } from "../systems/leadership/config.ts";

/** The margin of one node's timings, with its arithmetic in words. */
export interface SafetyMargin {
  readonly node: string;
  /** Positive: a rival cannot act before the old work has stopped, pauses apart. Null where the profile has no Lease. */
  readonly marginMs: number | null;
  readonly arithmetic: string;
}

export function safetyMargins(config: LeadershipConfig): readonly SafetyMargin[] {
  return config.nodes.map((node) => marginOf(node, config));
}

function marginOf(node: NodeConfig, config: LeadershipConfig): SafetyMargin {
  const { leaseDurationMs: lease, renewDeadlineMs: deadline, retryPeriodMs: retry } = node.timings;
  const s = (value: number): string => `${value / 1000} s`;
  if (node.profile === "noop")
    return { node: node.id, marginMs: null, arithmetic: "Every node leads; there is no Lease to time." };
  if (node.profile === "epoch-lab") {
    const rate = node.clockRateBound;
    const marginMs = Math.floor(lease - rate * (deadline + node.drainTimeoutMs));
    return {
      node: node.id,
      marginMs,
      arithmetic: `lease ${s(lease)} − clock rate ${rate} × (deadline ${s(deadline)} + drain ${s(node.drainTimeoutMs)}) = ${s(marginMs)}`,
    };
  }
  // client-go counts from the answer and opens its deadline only after the retry period (fact 3); it bounds no drain.
  const cleanup = config.work.kind === "loop" ? config.work.cleanupMs : 0;
  const answerMs = (node.leaseDelay ?? config.network.leaseDelay).maxMs;
  const marginMs = lease - (retry + deadline + answerMs + cleanup);
  return {
    node: node.id,
    marginMs,
    arithmetic: `lease ${s(lease)} − (retry ${s(retry)} + deadline ${s(deadline)} + answer ${s(answerMs)} + clean-up ${s(cleanup)}) = ${s(marginMs)}, if clocks run alike and no answer is later`,
  };
}

/** One leadership, from the loss or absence before it to its first useful write. */
export interface Takeover {
  readonly node: string;
  readonly acquisition: number;
  readonly leadsAtMs: number;
  /** From the moment the one before had really stopped being able to lead (crash, pause, cancel, or the run's start). */
  readonly toAcquireMs: number;
  /** From the same moment to the first write that a sink applied; null when none was yet. */
  readonly toUsefulWriteMs: number | null;
}

/** Time to acquire apart from time to first useful write, for every leadership of a run. */
export function takeovers(events: readonly Event[]): readonly Takeover[] {
  const found: Takeover[] = [];
  let vacantSinceMs = 0;
  let leader = "";
  for (const event of events) {
    switch (event.kind) {
      case "started-leading":
        found.push({
          node: event.node,
          acquisition: event.acquisition,
          leadsAtMs: event.at,
          toAcquireMs: event.at - vacantSinceMs,
          toUsefulWriteMs: null,
        });
        leader = event.node;
        break;
      case "paused":
      case "crashed":
      case "work-cancelled":
        if (event.node === leader) {
          vacantSinceMs = event.at;
          leader = "";
        }
        break;
      case "resumed":
        break;
      case "write-applied": {
        const index = found.findIndex(
          (takeover) => takeover.acquisition === event.acquisition && takeover.toUsefulWriteMs === null,
        );
        const takeover = found[index];
        if (takeover !== undefined && event.value !== "claim")
          found[index] = {
            ...takeover,
            toUsefulWriteMs: event.at - (takeover.leadsAtMs - takeover.toAcquireMs),
          };
        break;
      }
      default:
        break;
    }
  }
  return found;
}

/** Virtual time during which two or more nodes believed that they led, and the longest such stretch. */
export interface Overlap {
  readonly totalMs: number;
  readonly longestMs: number;
}

export function overlapOf(events: readonly Event[], endMs: number): Overlap {
  const nodes = new Set<string>();
  let sinceMs: number | null = null;
  let totalMs = 0;
  let longestMs = 0;
  const close = (at: number): void => {
    if (sinceMs === null) return;
    totalMs += at - sinceMs;
    longestMs = Math.max(longestMs, at - sinceMs);
    sinceMs = null;
  };
  for (const event of events) {
    if (event.kind === "started-leading") nodes.add(event.node);
    else if (event.kind === "work-cancelled" || event.kind === "stopped-leading" || event.kind === "crashed")
      nodes.delete(event.node);
    else continue;
    if (nodes.size > 1) sinceMs ??= event.at;
    else close(event.at);
  }
  close(endMs);
  return { totalMs, longestMs };
}

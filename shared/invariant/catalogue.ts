// Which invariants judge a run: the system's own, and those that its configuration brings.
import type { LeadershipConfig } from "../systems/leadership/config.ts";
import { enforcementTitle } from "../systems/leadership/lanes.ts";
import type { Event } from "../systems/event.ts";
import { judge, type Invariant, type Verdict } from "./invariant.ts";
import { LEADERSHIP_INVARIANTS, sinkOrder, staleBelief } from "./leadership.ts";

/** The invariants of a leadership run, the sinks' own first: they are what the user came for. */
export function leadershipInvariants(config: LeadershipConfig): readonly Invariant[] {
  return [
    ...config.sinks.map((sink) => sinkOrder(sink.id, enforcementTitle(sink.enforcement)) as Invariant),
    ...LEADERSHIP_INVARIANTS,
    staleBelief(staleBeliefBoundMs(config)) as Invariant,
  ];
}

/**
 * How long a leader may believe on after the Lease names another: 0 where every node is `epoch-lab` (its timings rule
 * it out), for `client-go` its retry period plus renew deadline (facts 1 and 3), for `noop` for ever.
 */
export function staleBeliefBoundMs(config: LeadershipConfig): number {
  return config.nodes.reduce((most, node) => {
    const own =
      node.profile === "epoch-lab"
        ? 0
        : node.profile === "client-go"
          ? node.timings.retryPeriodMs + node.timings.renewDeadlineMs
          : Number.MAX_SAFE_INTEGER;
    return Math.max(most, own);
  }, 0);
}

export function judgeAll(invariants: readonly Invariant[], events: readonly Event[]): readonly Verdict[] {
  return invariants.map((invariant) => judge(invariant, events));
}

// Safety margin and times of a leadership run, each with its arithmetic.
import { overlapOf, safetyMargins, takeovers } from "../../../shared/invariant/metrics.ts";
import type { Event } from "../../../shared/systems/event.ts";
import type { LeadershipConfig } from "../../../shared/systems/leadership/config.ts";
import type { Figure } from "../view.ts";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

export function leadershipFigures(
  config: unknown,
  events: readonly Event[],
  nowMs: number,
): readonly Figure[] {
  return [
    ...marginFigures(config as LeadershipConfig),
    ...takeoverFigures(events),
    overlapFigure(events, nowMs),
  ];
}

/** One figure for all nodes with the same arithmetic. */
function marginFigures(config: LeadershipConfig): readonly Figure[] {
  const nodesBy = new Map<string, { readonly nodes: string[]; readonly marginMs: number | null }>();
  for (const { node, marginMs, arithmetic } of safetyMargins(config)) {
    const same = nodesBy.get(arithmetic);
    if (same === undefined) nodesBy.set(arithmetic, { nodes: [node], marginMs });
    else same.nodes.push(node);
  }
  return [...nodesBy].map(([how, { nodes, marginMs }]) => ({
    label: nodesBy.size === 1 ? "Safety margin" : `Safety margin of ${nodes.join(", ")}`,
    value: marginMs === null ? "none" : seconds(marginMs),
    how: marginMs === null ? how : `${how}. Pauses are not in it: no timing bears them.`,
    tone: marginMs !== null && marginMs > 0 ? "good" : "bad",
  }));
}

function takeoverFigures(events: readonly Event[]): readonly Figure[] {
  const last = takeovers(events).at(-1);
  if (last === undefined)
    return [
      {
        label: "Time to acquire",
        value: "not yet",
        how: "From the moment that nobody can lead any more to the next who leads.",
        tone: "plain",
      },
    ];
  const { node, toAcquireMs, toUsefulWriteMs } = last;
  return [
    {
      label: "Time to acquire",
      value: seconds(toAcquireMs),
      how: `${node} led ${seconds(toAcquireMs)} after there was nobody who could.`,
      tone: "plain",
    },
    {
      label: "Time to first useful write",
      value: toUsefulWriteMs === null ? "not yet" : seconds(toUsefulWriteMs),
      how:
        toUsefulWriteMs === null
          ? `${node} leads, and none of its writes has been applied.`
          : `From the same moment until a sink applied ${node}'s first write.`,
      tone: "plain",
    },
  ];
}

function overlapFigure(events: readonly Event[], nowMs: number): Figure {
  const { totalMs, longestMs } = overlapOf(events, nowMs);
  return {
    label: "Two believed they led",
    value: totalMs === 0 ? "never" : seconds(totalMs),
    how:
      totalMs === 0
        ? "So far no two nodes believed it at the same time."
        : `In all; the longest stretch was ${seconds(longestMs)}.`,
    tone: totalMs === 0 ? "good" : "bad",
  };
}

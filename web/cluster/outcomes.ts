// What the Lease requests of a line came to, and where two lines first differ in it.
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import type { Event } from "../../shared/systems/event.ts";
import { contentOf, foreignDifference } from "../../shared/systems/leadership/served.ts";

/** What one request came to. */
export interface Outcome {
  /** The event that tells it. */
  readonly seq: number;
  readonly at: number;
  readonly node: string;
  readonly purpose: string;
  /** `200`, `409 Conflict`, or `no answer`. */
  readonly says: string;
  /** Whether the Lease was another one after it: whether its resourceVersion moved. */
  readonly changed: boolean;
  /** The Lease after it; null: absent. */
  readonly lease: Lease | null;
}

export interface Divergence {
  /** Which answer, from 1. */
  readonly number: number;
  /** The event of the later line; null when it never came to it. */
  readonly seq: number | null;
  readonly what: string;
}

/** What the Lease API itself made of requests; answers that the lab injected are not its own. */
export function outcomesOf(events: readonly Event[]): readonly Outcome[] {
  return events.flatMap((event): readonly Outcome[] => {
    if (event.kind === "request-unanswered") {
      const { seq, at, node, purpose } = event;
      return [{ seq, at, node, purpose, says: "no answer", changed: false, lease: null }];
    }
    if (event.kind !== "request-served" || event.injected) return [];
    const { seq, at, node, purpose, code, reason, changed, lease } = event;
    const says = reason === null ? String(code) : `${code} ${reason}`;
    return [{ seq, at, node, purpose, says, changed, lease }];
  });
}

/** The first outcome in which a line differs from a recorded one, among those that both have. */
export function firstDivergence(recorded: readonly Outcome[], now: readonly Outcome[]): Divergence | null {
  const most = Math.min(recorded.length, now.length);
  for (let index = 0; index < most; index += 1) {
    const before = recorded[index];
    const after = now[index];
    if (before === undefined || after === undefined) break;
    const what = differenceOf(before, after);
    if (what !== null) return { number: index + 1, seq: after.seq, what };
  }
  return null;
}

function differenceOf(before: Outcome, after: Outcome): string | null {
  const head = `${after.node}'s ${after.purpose} request`;
  if (before.node !== after.node || before.purpose !== after.purpose)
    return `recorded is ${before.node}'s ${before.purpose} request, and now it is ${head}`;
  if (before.says !== after.says)
    return `${head} came to ${after.says}, and in the recording to ${before.says}`;
  if (before.changed !== after.changed)
    return `${head} ${after.changed ? "moved" : "did not move"} the resourceVersion, and in the recording it ${before.changed ? "did" : "did not"}`;
  if (before.says === "no answer" || contentOf(before.lease) === contentOf(after.lease)) return null;
  const uid = before.lease?.uid ?? "";
  const now = after.lease === null ? null : { ...after.lease, uid };
  return `after ${head} the Lease is another one: ${foreignDifference(before.lease, now)} (recorded → now)`;
}

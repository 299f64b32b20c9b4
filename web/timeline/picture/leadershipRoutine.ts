// Which requests to the Lease were nothing new: a read that found what was known, a renewal that simply succeeded.
// Routine is a property of the whole exchange, known only once its end has been seen.
import type { Event } from "../../../shared/systems/event.ts";

const ROUTINE_PURPOSES: ReadonlySet<string> = new Set(["read", "renew"]);

/** 1 for every event of a routine exchange, by sequence number. */
export function routineExchanges(events: readonly Event[]): Uint8Array {
  // The request that each event goes back to, and whether anything about it was out of the ordinary.
  const root = new Int32Array(events.length).fill(-1);
  const special = new Uint8Array(events.length);
  const requestOfMessage = new Map<number, number>();
  let term: string | null = null;
  for (const event of events) {
    if (event.kind === "request-sent") {
      root[event.seq] = event.seq;
      requestOfMessage.set(event.message, event.seq);
      if (!ROUTINE_PURPOSES.has(event.purpose)) special[event.seq] = 1;
      continue;
    }
    const from =
      event.cause !== null
        ? (root[event.cause] ?? -1)
        : event.kind === "message-doomed" || event.kind === "message-delayed"
          ? (requestOfMessage.get(event.message) ?? -1)
          : -1;
    if (event.kind === "request-served") {
      const known = event.term === term;
      term = event.term;
      if (from >= 0 && (event.code >= 300 || event.injected || event.acquisition !== null || !known))
        special[from] = 1;
      if (from >= 0 && event.purpose === "read" && (event.lease?.spec.holderIdentity ?? "") === "")
        special[from] = 1;
    }
    if (from < 0) continue;
    root[event.seq] = from;
    const ordinary =
      event.kind === "request-served" ||
      event.kind === "answer-received" ||
      (event.kind === "renewed" && !event.termRaised);
    if (!ordinary) special[from] = 1;
  }
  const routine = new Uint8Array(events.length);
  for (const event of events) {
    const from = root[event.seq] ?? -1;
    if (from >= 0 && special[from] === 0) routine[event.seq] = 1;
  }
  return routine;
}

/** "b reads the Lease 7 times, a renews 3 times". */
export function summariseRequests(events: readonly Event[]): string {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== "request-sent") continue;
    const what = `${event.node} ${event.purpose === "renew" ? "renews" : "reads the Lease"}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  if (counts.size === 0) return "nothing happens";
  if (counts.size > 3) {
    let sum = 0;
    for (const count of counts.values()) sum += count;
    return `${sum} routine requests, nothing new`;
  }
  const clauses = Array.from(counts, ([what, count]) => (count === 1 ? what : `${what} ${count} times`));
  return clauses.join(", ");
}

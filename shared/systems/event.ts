// What did happen: the one vocabulary of the whole product. Scenarios, searches, imported traces and live clusters all
// produce these; invariants, narration and pictures all consume them. Each system adds its own union here.
import type { LeadershipEvent } from "./leadership/event.ts";

/** What every event carries, whatever its kind. */
export interface EventBase {
  /** Position in the run, from 0, without gaps. */
  readonly seq: number;
  /** Global virtual time in whole milliseconds. No process can read this clock. */
  readonly at: number;
  /** Where it happened: the id of a lane. */
  readonly lane: string;
  /** The lane's own wall clock in milliseconds since its start, where it has one. */
  readonly localAt: number | null;
  /** The event that led to this one (the sending of a message, the answer that was acted on), where there is one. */
  readonly cause: number | null;
}

export type Event = LeadershipEvent;
export type EventKind = Event["kind"];

// An invariant is a fold over events: the same one judges a scenario, every path of a search, an imported trace and a
// live cluster. Its memory must stay small, because a search carries it in every state.
import type { Event } from "../systems/event.ts";
import type { SystemId } from "../systems/system.ts";

/**
 * `always`: must never be broken. `sometimes`: must happen at least once, so that a pass is not vacuous.
 */
export type Modality = "always" | "sometimes";

export interface Invariant<Memory = unknown> {
  /** Stable name for files, URLs and the command line. */
  readonly id: string;
  readonly system: SystemId;
  readonly modality: Modality;
  /** The claim as a short sentence, in the user's words. */
  readonly claim: string;
  /** What it takes for a break to matter and where the rule comes from. */
  readonly about: string;
  readonly initial: Memory;
  observe(memory: Memory, event: Event): Memory;
  /** For `always`: false from the event that broke it. For `sometimes`: true from the event that reached it. */
  holds(memory: Memory): boolean;
  /** Whether the kinds of event that it needs can be seen at all; a live cluster may not show some of them. */
  needs: readonly Event["kind"][];
  /** Canonical parts of the memory for a search key. */
  encode(memory: Memory, write: (value: number | string) => void): void;
  /** Where the memory holds times: the same memory told from a zero that lies `byMs` later. */
  later?(memory: Memory, byMs: number): Memory;
  /** For `sometimes`: the memory to watch on with after it was reached, as if it had not been. */
  again?(memory: Memory): Memory;
  /** It tells operations apart by their idempotency keys: a search may not renumber them. Default false. */
  readonly tellsOperationsApart?: boolean;
}

export type Verdict = {
  readonly invariant: string;
  readonly modality: Modality;
  readonly claim: string;
} & (
  | { readonly kind: "holds" }
  /** `seq`: the first event that broke it. */
  | { readonly kind: "broken"; readonly seq: number; readonly at: number }
  | { readonly kind: "reached"; readonly seq: number; readonly at: number }
  | { readonly kind: "not-reached" }
  /** The source of these events cannot show what the invariant is about. */
  | { readonly kind: "unobserved"; readonly why: string }
);

/** Judges a whole line of events; the first breaking (or reaching) event is named. */
export function judge<Memory>(invariant: Invariant<Memory>, events: readonly Event[]): Verdict {
  const head = { invariant: invariant.id, modality: invariant.modality, claim: invariant.claim };
  let memory = invariant.initial;
  for (const event of events) {
    memory = invariant.observe(memory, event);
    const holds = invariant.holds(memory);
    if (invariant.modality === "always" && !holds)
      return { ...head, kind: "broken", seq: event.seq, at: event.at };
    if (invariant.modality === "sometimes" && holds)
      return { ...head, kind: "reached", seq: event.seq, at: event.at };
  }
  return { ...head, kind: invariant.modality === "always" ? "holds" : "not-reached" };
}

// What the user may choose at a moment, ready to be performed: the system's offers, each with the actions it takes.
import type { BaseAction, Offer, System } from "../../shared/systems/system.ts";

export interface Choice {
  readonly offer: Offer<BaseAction>;
  /** The actions to perform: time first, when the thing is due later. */
  readonly actions: readonly BaseAction[];
  /** Null when it can be chosen; else why not. */
  readonly impossible: string | null;
}

type AnySystem = System<unknown, unknown, BaseAction>;

/** Time passing to a moment, in the words of every system. */
const advance = (toMs: number): BaseAction => ({ kind: "advance", toMs }) as BaseAction;

/**
 * Everything but faults and time itself: what is due, soonest first, then what an operator can do.
 * A thing that is due later can be chosen when time may pass to it; else it says what must come before.
 */
export function choicesAt(system: AnySystem, world: unknown): readonly Choice[] {
  return system.offers(world).flatMap((offer): readonly Choice[] => {
    if (offer.class.kind === "fault" || offer.class.kind === "time") return [];
    if (offer.impossible !== null || offer.dueMs === null)
      return [{ offer, actions: [offer.action], impossible: offer.impossible }];
    const wait = advance(offer.dueMs);
    return [{ offer, actions: [wait, offer.action], impossible: system.refusal(world, wait) }];
  });
}

/** The choices that the keys 1 to 9 pick, in order. */
export const numbered = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter((choice) => choice.impossible === null).slice(0, 9);

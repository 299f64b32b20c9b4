// What an exhaustive search asks of a system beyond stepping it. A system may answer none of it and is searched all the
// same, as whole worlds; what it does answer makes the search faster and its result more precise.
import type { BaseAction } from "./system.ts";

/** A kind of fault or operator's act that a search may be allowed a number of times. */
export interface BudgetName {
  /** As {@link System.classify} names it. */
  readonly name: string;
  /** What one of them is, in plain words. */
  readonly title: string;
}

/** A duration that the machines of a configuration add to times or compare them with. */
export interface Timing {
  readonly name: string;
  readonly ms: number;
  /** True where the duration is worked out from others, and so may spoil a round unit. */
  readonly derived: boolean;
}

export interface SearchAids<Config, World, Action extends BaseAction> {
  readonly budgets: readonly BudgetName[];
  /** Every duration of the configuration, for the unit of digital time. */
  timings(config: Config): readonly Timing[];
  /** Why whole units cannot stand for every moment of dense time here: one sentence each, empty when they can. */
  inexact(config: Config): readonly string[];
  /** Below this horizon an invariant cannot be broken or reached, whatever happens: 0 where nothing is known. */
  leastHorizonMs(config: Config, invariant: string): number;
  /** Takes worlds apart for a search from `world` on; null where this configuration cannot be taken apart. */
  assembly(config: Config, world: World, wish: AssemblyWish<World, Action>): Assembly<World, Action> | null;
}

export interface AssemblyWish<World, Action extends BaseAction> {
  /** `reduced`: times relative to now, numbers renamed. `plain`: only what numbers messages and events is left out. */
  readonly form: "reduced" | "plain";
  /** Some invariant tells operations apart by their idempotency keys, so they may not be renumbered. */
  readonly keepsOperations: boolean;
  /** Clock rates may change during the search. */
  readonly changesRates: boolean;
  /** Actions that may happen beside the enabled ones. */
  more(world: World): readonly Action[];
}

/** A part of a world as plain data in normal form: equal parts have equal JSON. */
export type Part = object;

/** The slot number of messages and of whatever else comes and goes: a bag of parts beside the fixed slots. */
export const BAG = -1;

/** Everything about time that happens to a part at once: the base moves, and `now` is the reading after it. */
export interface Shift {
  readonly byMs: number;
  readonly nowMs: number;
}

/** What can be done to one part, and when time must stop for it. */
export interface Look<Action extends BaseAction> {
  readonly moves: readonly LocalMove<Action>[];
  /** The next moment at which more becomes possible for it; Infinity for none. */
  readonly dueMs: number;
  /** The last moment to which time may pass before something must have happened to it; Infinity for none. */
  readonly limitMs: number;
  /** Parts that wait for this one stand still with it. */
  readonly still: boolean;
  /** For a bag's part: the slot whose standing still it waits for; -1 for none. */
  readonly waitsFor: number;
  /** The moment at which one of its moves is made matters, so every moment must be tried: always, or while a budget is left. */
  readonly free: boolean | readonly string[];
}

export interface LocalMove<Action extends BaseAction> {
  readonly action: Action;
  /** The slots that the step reads or changes beside the part's own; the bag is changed only by what the step adds. */
  readonly touches: readonly number[];
}

/** A world taken apart: {@link Assembly.join} of it is a world with the same future. */
export interface Split {
  readonly nowMs: number;
  readonly slots: readonly Part[];
  readonly bag: readonly Part[];
}

/** What a step did, in normal form. */
export interface Settled {
  /** The parts of the touched slots, in the order asked for. */
  readonly slots: readonly Part[];
  /** What the step left in the bag, of what was put into it and what is new. */
  readonly bag: readonly Part[];
  /** Plain data: what has to be renamed in all other parts; null for nothing. */
  readonly renaming: object | null;
}

/**
 * How worlds of one configuration fall into parts of which a step touches few. A search then performs each distinct
 * local step once and looks it up from then on (the transition caching of LTSmin's PINS: Blom, van de Pol, Weber 2010).
 */
export interface Assembly<World, Action extends BaseAction> {
  /** Names of the slots. */
  readonly slots: readonly string[];
  /** Which reductions the normal form makes: one sentence each, for the user. */
  readonly reductions: readonly string[];
  split(world: World): Split;
  /** A world of these parts; a slot that is null is filled with something inert. */
  join(nowMs: number, slots: readonly (Part | null)[], bag: readonly Part[]): World;
  look(slot: number, part: Part, nowMs: number): Look<Action>;
  /** Splits only the touched slots and the bag of a world that a step has made. */
  settle(world: World, touched: readonly number[]): Settled;
  rename(slot: number, part: Part, renaming: object, nowMs: number): Part;
  later(slot: number, part: Part, shift: Shift): Part;
  /** The base's move and the new reading, when `forMs` pass from the reading `nowMs`. */
  shift(nowMs: number, forMs: number): Shift;
  /** Whether an action of a real world could be this local one: the same but for numbers that a normal form lacks. */
  resembles(local: Action, real: Action): boolean;
}

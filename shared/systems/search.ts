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
  /** Which invariants a search judges when it is not told: those that users come for. */
  usual(config: Config): readonly string[];
  /** Actions that may happen beside the enabled ones, because they have a number that somebody must choose. */
  choices(config: Config, chosen: Choices): (world: World) => readonly Action[];
  /** Takes worlds apart for a search from `world` on; null where this configuration cannot be taken apart. */
  assembly(config: Config, world: World, wish: AssemblyWish<World, Action>): Assembly<World, Action> | null;
}

/** Numbers to choose from. */
export interface Choices {
  /** Rates that a clock may change to. */
  readonly ratesPermille: readonly number[];
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

/**
 * A part in its place. Its times are told from a moment of its own, its reference, so that it stays the same while time
 * passes: only `atMs` falls.
 */
export interface Placed {
  readonly part: Part;
  /** The reference, told from now: below 0 when it is past. 0 where nothing in the part is a time. */
  readonly atMs: number;
}

/** A part of the bag: it may happen from `earliestMs` to `latestMs`, told from now and never below 0. */
export interface Loose extends Placed {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** What can be done to one part, now or later, whatever the rest of the world is. Times are told from its reference. */
export interface Look<Action extends BaseAction> {
  readonly moves: readonly LocalMove<Action>[];
  /** Everything of a slot's part that is put off: it may happen from the first moment on and must have by the second. */
  readonly pending: readonly (readonly [earliestMs: number, latestMs: number])[];
  /** Nothing in it is a time: its reference stays at 0. */
  readonly timeless: boolean;
  /** Below this reading of its reference nothing about it changes any more; -Infinity where something does. */
  readonly floorMs: number;
  /** Its reference falls to minus this and begins again from 0: a clock's part of a millisecond. 0: it does not. */
  readonly cycleMs: number;
  /** It stands still: what is put off in the parts that wait for it waits, and does not hold time up. */
  readonly still: boolean;
  /** The slot whose standing still it waits for; -1 for none. */
  readonly waitsFor: number;
  /** While one of these budgets is left, it matters at which moment a move of this part is made. */
  readonly momentous: readonly string[];
}

export interface LocalMove<Action extends BaseAction> {
  readonly action: Action;
  /**
   * Which item of {@link Look.pending} it is (for a part of the bag: any number stands for the part itself): it happens
   * when that may, and waits for what the part waits for. Null: at any time.
   */
  readonly due: number | null;
  /** For a part of the bag: whether the step looks at when it may happen. */
  readonly looksAtBounds: boolean;
}

/** A world taken apart: {@link Assembly.join} of it is a world with the same future. */
export interface Split {
  /** The reading of the clock that the parts need to be told, 0 where they need none. */
  readonly nowMs: number;
  readonly slots: readonly Placed[];
  readonly bag: readonly Loose[];
}

/** What a step did, in normal form. */
export interface Settled {
  /** The parts that it has asked about or written, with their slots. */
  readonly slots: readonly (readonly [slot: number, placed: Placed])[];
  /** What it left in the bag, of what was put into it and what is new. */
  readonly bag: readonly Loose[];
  /** Plain data: what has to be renamed in all other parts; null for nothing. */
  readonly renaming: object | null;
}

/**
 * How worlds of one configuration fall into parts of which a step touches few. A search performs each distinct local step
 * once, on a world that has only the parts that the step asks for, and looks it up from then on (the transition caching of
 * LTSmin's PINS: Blom, van de Pol, Weber 2010; here the engine itself tells what it reads).
 */
export interface Assembly<World, Action extends BaseAction> {
  /** Names of the slots. */
  readonly slots: readonly string[];
  /** By slot: whether its parts can name times; the reference of all others is 0. */
  readonly dated: readonly boolean[];
  /** Which reductions the normal form makes: one sentence each, for the user. */
  readonly reductions: readonly string[];
  /** Parts tell absolute times, and the reading of the clock is part of every state. */
  readonly absolute: boolean;
  /** A slot that every step is given; -1 for none. */
  readonly always: number;
  split(world: World): Split;
  /** A world of these parts. */
  join(nowMs: number, slots: readonly Placed[], bag: readonly Loose[]): World;
  /** The same, but `asked` hears of each slot whose part anything in the world is asked about, the first time it is. */
  watched(
    nowMs: number,
    slots: readonly Placed[],
    bag: readonly Loose[],
    asked: (slot: number) => void,
  ): World;
  look(slot: number, part: Part): Look<Action>;
  /** Splits what a step has asked about or written of a {@link watched} world. It may ask for more. */
  settle(before: World, after: World, asked: readonly number[]): Settled;
  rename(slot: number, part: Part, renaming: object): Part;
  /** The reading of the clock after `forMs` have passed. */
  reading(nowMs: number, forMs: number): number;
  /** Whether an action of a real world could be this local one: the same but for numbers that a normal form lacks. */
  resembles(local: Action, real: Action): boolean;
}

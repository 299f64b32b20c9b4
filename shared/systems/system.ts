// The interface that recorder, choosers, explorer, invariants and timeline are written against. A system is a world of
// plain data and functions over it; who chooses the next action (a script, a hand, dice, a search, reality) is not its business.
import type { Result } from "../base/result.ts";
import type { Event } from "./event.ts";
import type { SearchAids } from "./search.ts";

export type SystemId = "leadership";

/** An action as data: it is what recordings, permalinks and counterexamples are made of. */
export interface BaseAction {
  readonly kind: string;
}

/** A vertical line of the picture. */
export interface Lane {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly role: "process" | "register" | "sink";
  /** The bands drawn in this lane, left to right; empty for none. */
  readonly bands: readonly BandHead[];
}

export interface BandHead {
  readonly id: string;
  /** One letter, drawn above the band. */
  readonly letter: string;
  /** What a filled band means, as in "believes it leads". */
  readonly meaning: string;
}

/** What one band of one lane shows at a moment. */
export interface BandReading {
  readonly lane: string;
  readonly band: string;
  /** Which epoch fills it: its ordinal gives colour and pattern, `label` is the number shown. Null: empty. */
  readonly epoch: { readonly ordinal: number; readonly label: string } | null;
}

/** How a lane fares at a moment: hatched while paused, blank while down. */
export interface LaneCondition {
  readonly lane: string;
  readonly condition: "running" | "paused" | "down";
  /** A few words under the lane's title, as in "thinks it leads". */
  readonly says: string;
}

/** What kind of thing an action is, for menus, fault budgets and step granularity. */
export type ActionClass =
  /** Only moves time: no event. */
  | { readonly kind: "time" }
  /** Due by itself: a message arrives, a timer fires. */
  | { readonly kind: "natural" }
  /**
   * An operator's ordinary act, such as asking a process to stop. `budget` names what a search counts it against; without
   * one it only undoes something, and a search may always do it.
   */
  | { readonly kind: "operator"; readonly budget?: string }
  /** Something went wrong. `budget` names what a search counts it against. */
  | { readonly kind: "fault"; readonly budget: string };

/** An entry of the "what could happen next" list. */
export interface Offer<Action extends BaseAction> {
  /** Stable within a moment, for keys and tests. */
  readonly id: string;
  readonly action: Action;
  /** Plain words, as in "a renews the Lease". */
  readonly label: string;
  readonly class: ActionClass;
  /** Which lane it belongs to; empty for the world. */
  readonly lane: string;
  /** Null when it can happen now; else one sentence why not. */
  readonly impossible: string | null;
  /** For a natural action that is not due yet: when it will be (global ms). */
  readonly dueMs: number | null;
}

export interface Step<World> {
  readonly world: World;
  readonly events: readonly Event[];
}

/** Receives the parts of a canonical key in order. */
export interface KeySink {
  number(value: number): void;
  text(value: string): void;
}

export interface System<Config, World, Action extends BaseAction> {
  readonly id: SystemId;
  /** Parses a configuration from outside; problems say expected, got, remedy. */
  parseConfig(input: unknown): Result<Config>;
  /** Parses an action's shape. Whether it may happen now is {@link System.refusal}'s question. */
  parseAction(input: unknown): Result<Action>;
  create(config: Config): World;
  /** All actions that may happen next, in a stable order: natural ones first, then operator's, then faults. */
  enabled(world: World): readonly Action[];
  /** Null when the action may happen now, else the reason in one sentence. Parametric actions need not be in `enabled`. */
  refusal(world: World, action: Action): string | null;
  /** Precondition: `refusal` is null. */
  step(world: World, action: Action): Step<World>;
  /** What happens when nobody interferes: the next due thing, or time moving to it. Null when nothing is left to happen. */
  next(world: World): Action | null;
  now(world: World): number;
  classify(action: Action): ActionClass;
  /** The menu of a moment: what can happen, and what cannot with the reason. */
  offers(world: World): readonly Offer<Action>[];
  lanes(config: Config): readonly Lane[];
  bands(world: World): readonly BandReading[];
  conditions(world: World): readonly LaneCondition[];
  /** One plain sentence for an event; used by inspector, screen reader, goldens and exports. */
  narrate(event: Event): string;
  /** Canonical and time-relative: worlds with equal keys have equal futures (but for absolute time and sequence numbers). */
  encode(world: World, key: KeySink): void;
  /** What makes an exhaustive search of this system faster and more precise. */
  readonly search?: SearchAids<Config, World, Action>;
}

// A space of whole worlds: for any system. A state is the number of a world, the number of a set of memories, and what
// was spent. Nothing is reduced but what `System.encode` leaves out.
import { present } from "../base/assert.ts";
import type { Event } from "../systems/event.ts";
import type { BaseAction, KeySink, System } from "../systems/system.ts";
import { planBudgets, spend, spentByName, type Budgets } from "./budget.ts";
import { createSuccessors, nextSuccessor, WAIT, type PathStep, type Space } from "./space.ts";
import { laterSet, observe, type Watch } from "./watch.ts";

/** What both kinds of space are made from. */
export interface SpacePlan<World, Action extends BaseAction> {
  readonly world: World;
  readonly memories: number;
  readonly watch: Watch;
  readonly faults: Readonly<Record<string, number>>;
  /** Stop at every whole number of units, not only where something is due; null: only there. */
  readonly unitMs: number | null;
  /** Actions that may happen beside the enabled ones. */
  more(world: World): readonly Action[];
}

export type Chosen =
  | { readonly kind: "time" }
  | { readonly kind: "forbidden" }
  | { readonly kind: "free" }
  | { readonly kind: "budget"; readonly index: number };

/** What a search makes of an action. */
export function chosen<Action extends BaseAction>(
  system: Pick<System<never, never, Action>, "classify">,
  budgets: Budgets,
  action: Action,
): Chosen {
  const what = system.classify(action);
  if (what.kind === "time") return { kind: "time" };
  const name = what.kind === "natural" ? undefined : what.budget;
  if (name === undefined) return { kind: "free" };
  const index = budgets.names.indexOf(name);
  return index < 0 ? { kind: "forbidden" } : { kind: "budget", index };
}

const WORLD = 0;
const MEMORIES = 1;
const SPENT = 2;

export function wholeSpace<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  plan: SpacePlan<World, Action>,
): Space {
  const { watch } = plan;
  const budgets = planBudgets(plan.faults);
  const worlds: World[] = [];
  const ids = new Map<string, number>();
  let key = "";
  const sink: KeySink = {
    number: (value) => {
      key += `${value}|`;
    },
    text: (value) => {
      key += `${value}|`;
    },
  };
  let performed = 0;
  let keyBytes = 0;
  const intern = (world: World): number => {
    key = "";
    system.encode(world, sink);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = worlds.length;
    worlds.push(world);
    ids.set(key, id);
    keyBytes += key.length;
    return id;
  };
  const actionsAt = (world: World): readonly Action[] => {
    const more = plan.more(world);
    const enabled = system.enabled(world);
    return more.length === 0 ? enabled : [...enabled, ...more];
  };
  const successors = createSuccessors(3);
  const waited = new Int32Array(3);
  const waitAction = (world: World): Action | null => waitOf(system, world, plan.unitMs);

  return {
    words: 3,
    start: Int32Array.of(intern(plan.world), plan.memories, 0),
    successors,
    waited,
    act(vectors, offset) {
      successors.count = 0;
      const world = present(worlds[vectors[offset + WORLD] ?? -1], "a state names a world");
      const spent = vectors[offset + SPENT] ?? 0;
      const actions = actionsAt(world);
      for (let move = 0; move < actions.length; move += 1) {
        const action = actions[move] as Action;
        const choice = chosen(system, budgets, action);
        if (choice.kind === "time" || choice.kind === "forbidden") continue;
        const after = choice.kind === "free" ? spent : spend(budgets, spent, choice.index);
        if (after < 0) continue;
        const step = system.step(world, action);
        performed += 1;
        const memories = observe(watch, vectors[offset + MEMORIES] ?? 0, rebased(step.events));
        const place = nextSuccessor(successors, 3);
        successors.vectors[place + WORLD] = intern(step.world);
        successors.vectors[place + MEMORIES] = memories;
        successors.vectors[place + SPENT] = after;
        successors.moves[successors.count] = move;
        successors.broken[successors.count] = watch.broken[memories] ?? -1;
        successors.count += 1;
      }
    },
    wait(vectors, offset) {
      const world = present(worlds[vectors[offset + WORLD] ?? -1], "a state names a world");
      const action = waitAction(world);
      if (action === null) return 0;
      const after = system.step(world, action).world;
      performed += 1;
      const ms = system.now(after) - system.now(world);
      waited[WORLD] = intern(after);
      waited[MEMORIES] = laterSet(watch, vectors[offset + MEMORIES] ?? 0, ms);
      waited[SPENT] = vectors[offset + SPENT] ?? 0;
      return ms;
    },
    follow(path: readonly PathStep[]) {
      let { world } = plan;
      return path.map(({ move }) => {
        const action = present(
          move === WAIT ? waitAction(world) : actionsAt(world)[move],
          "a path can be walked again",
        );
        world = system.step(world, action).world;
        return action;
      });
    },
    spent: (vectors, offset) => spentByName(budgets, vectors[offset + SPENT] ?? 0),
    // A world shares most of what it is with the one before it; 600 bytes is what a leadership world adds on average.
    bytes: () => worlds.length * 600 + keyBytes * 2,
    performed: () => performed,
  };
}

/** Memories tell times from now on, so the events of a step happen at 0. */
export const rebased = (events: readonly Event[]): readonly Event[] =>
  events.every((event) => event.at === 0) ? events : events.map((event) => ({ ...event, at: 0 }));

/** The action by which time passes: to the next moment that the system names, or by one unit if that is sooner. */
export function waitOf<Config, World, Action extends BaseAction>(
  system: Pick<System<Config, World, Action>, "enabled" | "classify" | "now" | "refusal" | "step">,
  world: World,
  unitMs: number | null,
): Action | null {
  const next = system.enabled(world).find((action) => system.classify(action).kind === "time");
  if (next === undefined || unitMs === null) return next ?? null;
  const unit = { kind: "advance", toMs: system.now(world) + unitMs } as unknown as Action;
  const sooner = system.now(world) + unitMs < system.now(system.step(world, next).world);
  return sooner ? unit : next;
}

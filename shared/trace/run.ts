// A run: a line of actions replayed to worlds and events. All worlds are kept, which is cheap because they share their
// unchanged parts; so moving a cursor costs nothing.
import { failed, ok, type Result } from "../base/result.ts";
import type { Event } from "../systems/event.ts";
import type { BaseAction, System } from "../systems/system.ts";

export interface Run<World, Action extends BaseAction> {
  readonly actions: readonly Action[];
  /** `worlds[i]` is the world after i actions. */
  readonly worlds: readonly World[];
  readonly events: readonly Event[];
  /** `eventEnds[i]` is how many events had happened after i actions. */
  readonly eventEnds: readonly number[];
}

/** An action that cannot happen where the recording has it. */
export interface ReplayFailure {
  /** Position in the line of actions. */
  readonly index: number;
  readonly action: BaseAction;
  /** Why the engine refuses it there, in one sentence. */
  readonly reason: string;
}

export function startRun<World, Action extends BaseAction>(world: World): Run<World, Action> {
  return { actions: [], worlds: [world], events: [], eventEnds: [0] };
}

/** Goes on with actions; stops at the first that is refused, keeping what came before it. */
export function extendRun<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  run: Run<World, Action>,
  actions: readonly Action[],
): { readonly run: Run<World, Action>; readonly failure: ReplayFailure | null } {
  const worlds = run.worlds.slice();
  const events = run.events.slice();
  const eventEnds = run.eventEnds.slice();
  const done = run.actions.slice();
  let world = worlds[worlds.length - 1] as World;
  let failure: ReplayFailure | null = null;
  for (const action of actions) {
    const reason = system.refusal(world, action);
    if (reason !== null) {
      failure = { index: done.length, action, reason };
      break;
    }
    const step = system.step(world, action);
    world = step.world;
    for (const event of step.events) events.push(event);
    done.push(action);
    worlds.push(world);
    eventEnds.push(events.length);
  }
  return { run: { actions: done, worlds, events, eventEnds }, failure };
}

/** Replays a whole line from a configuration. */
export function replay<Config, World, Action extends BaseAction>(
  system: System<Config, World, Action>,
  config: Config,
  actions: readonly Action[],
): Result<Run<World, Action>, ReplayFailure> {
  const { run, failure } = extendRun(system, startRun<World, Action>(system.create(config)), actions);
  return failure === null ? ok(run) : failed(failure);
}

/** The first `length` actions of a run. */
export function cutRun<World, Action extends BaseAction>(
  run: Run<World, Action>,
  length: number,
): Run<World, Action> {
  return {
    actions: run.actions.slice(0, length),
    worlds: run.worlds.slice(0, length + 1),
    events: run.events.slice(0, run.eventEnds[length] ?? 0),
    eventEnds: run.eventEnds.slice(0, length + 1),
  };
}

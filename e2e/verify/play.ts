// Plays a line of actions on a real API server: every request that reaches the Lease API is performed there, and what came
// back is recorded in the action, as the lab does it.
import type { ClusterRun } from "../../server/cluster/run.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../shared/systems/leadership/config.ts";
import { leadership } from "../../shared/systems/leadership/system.ts";
import type { LeadershipWorld } from "../../shared/systems/leadership/world.ts";

export interface Played {
  /** The actions with what the server did in them; they replay offline. */
  readonly actions: readonly LeadershipAction[];
  /** Requests that were performed on the server. */
  readonly calls: number;
  /** The first action that could not happen there, and why. */
  readonly stopped: { readonly index: number; readonly reason: string } | null;
}

export async function playOnCluster(
  run: ClusterRun,
  config: LeadershipConfig,
  script: readonly LeadershipAction[],
): Promise<Played> {
  let world = leadership.create(config);
  const actions: LeadershipAction[] = [];
  let calls = 0;
  for (const [index, scripted] of script.entries()) {
    const reason = leadership.refusal(world, scripted);
    if (reason !== null) return { actions, calls, stopped: { index, reason } };
    const [action, called] = await performed(run, world, scripted);
    if (called) calls += 1;
    world = leadership.step(world, action).world;
    actions.push(action);
  }
  return { actions, calls, stopped: null };
}

/** The action as it is recorded on a cluster run, after the server has done its part. */
async function performed(
  run: ClusterRun,
  world: LeadershipWorld,
  action: LeadershipAction,
): Promise<readonly [LeadershipAction, boolean]> {
  switch (action.kind) {
    case "deliver": {
      const message = world.messages.find(({ id }) => id === action.message);
      const payload = message?.payload;
      // An injected refusal never reaches the server, nor does what meets a cut link.
      if (
        message === undefined ||
        payload?.kind !== "lease-request" ||
        payload.doom.refuseCode !== null ||
        world.cuts.includes(`${message.from}>${message.to}`)
      )
        return [action, false];
      return [{ ...action, served: (await run.serve(payload.request, 0)).served }, true];
    }
    case "delete-lease":
    case "strip-annotation":
    case "edit-holder":
      return [{ kind: "foreign-write", lease: (await run.edit(action, 0)).lease }, true];
    default:
      return [action, false];
  }
}

// Plays a line of actions on a real API server: every request that reaches the Lease API is performed there, and what came
// back is recorded in the action, as the lab does it.
import type { ClusterRun } from "../../server/cluster/run.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../shared/systems/leadership/config.ts";
import { serverPart } from "../../shared/systems/leadership/onServer.ts";
import { leadership } from "../../shared/systems/leadership/system.ts";

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
    const part = serverPart(world, scripted);
    let action: LeadershipAction = scripted;
    if (part?.kind === "request" && scripted.kind === "deliver") {
      calls += 1;
      action = { ...scripted, served: (await run.serve(part.request, 0)).served };
    } else if (part?.kind === "edit")
      action = { kind: "foreign-write", lease: (await run.edit(part.edit, 0)).lease };
    world = leadership.step(world, action).world;
    actions.push(action);
  }
  return { actions, calls, stopped: null };
}

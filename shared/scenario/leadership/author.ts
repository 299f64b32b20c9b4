// What a scenario file of the leadership system needs: its configuration with defaults filled in, and its type checked.
import { present } from "../../base/assert.ts";
import { sentence } from "../../base/result.ts";
import type { LeadershipAction } from "../../systems/leadership/action.ts";
import {
  parseLeadershipConfig,
  type LeadershipConfig,
  type LeadershipInput,
} from "../../systems/leadership/config.ts";
import type { LeadershipWorld, Message } from "../../systems/leadership/world.ts";
import type { Scenario } from "../scenario.ts";

export type LeadershipScenario = Scenario<LeadershipConfig, LeadershipAction, LeadershipWorld>;

/** Everything of a scenario but what is the same for all; `config` may leave out what has a default. */
export function leadershipScenario(
  parts: Omit<LeadershipScenario, "system" | "config"> & { readonly config: LeadershipInput },
): LeadershipScenario {
  const config = parseLeadershipConfig(parts.config);
  if (!config.ok) throw new Error(`${parts.id}: ${config.error.map(sentence).join(" ")}`);
  return { ...parts, system: "leadership", config: config.value };
}

/** The newest message under way that fits, for a script line such as `act: (world) => ({ kind: "lose", message: … })`. */
export function messageUnderWay(world: LeadershipWorld, fits: (message: Message) => boolean): number {
  return present(world.messages.findLast(fits), "the script's message is under way").id;
}

// The leadership system: election, guarded work and sinks behind the one interface that everything else is written against.
import type { System } from "../system.ts";
import { classifyLeadership, parseLeadershipAction, type LeadershipAction } from "./action.ts";
import { parseLeadershipConfig, type LeadershipConfig } from "./config.ts";
import { enabledLeadership, nextLeadership, refusalLeadership } from "./enabled.ts";
import { encodeLeadership } from "./encode.ts";
import { leadershipBands, leadershipConditions, leadershipLanes } from "./lanes.ts";
import { narrateLeadership } from "./narrate.ts";
import { leadershipOffers } from "./offers.ts";
import { leadershipSearch } from "./search.ts";
import { stepLeadership } from "./step.ts";
import { createLeadership, type LeadershipWorld } from "./world.ts";

export const leadership: System<LeadershipConfig, LeadershipWorld, LeadershipAction> = {
  id: "leadership",
  parseConfig: parseLeadershipConfig,
  parseAction: parseLeadershipAction,
  create: createLeadership,
  enabled: enabledLeadership,
  refusal: refusalLeadership,
  step: stepLeadership,
  next: nextLeadership,
  now: (world) => world.now,
  classify: classifyLeadership,
  offers: leadershipOffers,
  lanes: leadershipLanes,
  bands: leadershipBands,
  conditions: leadershipConditions,
  narrate: narrateLeadership,
  encode: encodeLeadership,
  search: leadershipSearch,
};

// The ordered list of scenarios: menu, tests and end-to-end tests iterate it. Adding one is adding its file and its line here.
import { apiOutage } from "./leadership/apiOutage.ts";
import type { LeadershipScenario } from "./leadership/author.ts";
import { beforeFirstWrite, claimWrite } from "./leadership/beforeFirstWrite.ts";
import { oldEnvelopes, routeHandover } from "./leadership/bridge.ts";
import { checkThenAct } from "./leadership/checkThenAct.ts";
import { fastClock, offsetClocks } from "./leadership/clocks.ts";
import { crashTakeover } from "./leadership/crashTakeover.ts";
import { drainTooLong, releaseAfterDrain } from "./leadership/drainTooLong.ts";
import { forgetfulSink } from "./leadership/forgetfulSink.ts";
import { healthyElection } from "./leadership/healthyElection.ts";
import { pausedLeader } from "./leadership/pausedLeader.ts";
import { pausedLeaderFenced } from "./leadership/pausedLeaderFenced.ts";
import { noopPlatform, oneIdentity } from "./leadership/identities.ts";
import { idempotencyAgainstFence } from "./leadership/idempotency.ts";
import { leaseDeleted } from "./leadership/leaseDeleted.ts";
import { producerPassThrough } from "./leadership/passThrough.ts";
import { releaseWhileWorking } from "./leadership/stopping.ts";
import {
  processCounterToken,
  resourceVersionToken,
  transitionsAfterDeletion,
  transitionsAfterRestart,
  wallClockToken,
} from "./leadership/wrongTokens.ts";
import { renewalAnswerLost } from "./leadership/renewalAnswerLost.ts";
import { slowWrite } from "./leadership/slowWrite.ts";
import type { Scenario } from "./scenario.ts";

const leadershipScenarios: readonly LeadershipScenario[] = [
  pausedLeader,
  pausedLeaderFenced,
  healthyElection,
  crashTakeover,
  slowWrite,
  beforeFirstWrite,
  claimWrite,
  checkThenAct,
  forgetfulSink,
  idempotencyAgainstFence,
  renewalAnswerLost,
  apiOutage,
  leaseDeleted,
  releaseWhileWorking,
  releaseAfterDrain,
  drainTooLong,
  offsetClocks,
  fastClock,
  processCounterToken,
  wallClockToken,
  resourceVersionToken,
  transitionsAfterRestart,
  transitionsAfterDeletion,
  oneIdentity,
  noopPlatform,
  routeHandover,
  oldEnvelopes,
  producerPassThrough,
];

export const scenarios: readonly Scenario[] = leadershipScenarios as readonly Scenario[];

export const findScenario = (id: string): Scenario | undefined =>
  scenarios.find((scenario) => scenario.id === id);

/** The one that a newcomer lands on. */
export const FIRST_SCENARIO = "paused-leader";

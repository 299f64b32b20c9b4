// The ordered list of scenarios: menu, tests and end-to-end tests iterate it. Adding one is adding its file and its line here.
import type { Scenario } from "./scenario.ts";
import { pausedLeader } from "./leadership/pausedLeader.ts";

export const scenarios: readonly Scenario[] = [pausedLeader] as readonly unknown[] as readonly Scenario[];

export const findScenario = (id: string): Scenario | undefined =>
  scenarios.find((scenario) => scenario.id === id);

/** The one that a newcomer lands on. */
export const FIRST_SCENARIO = "paused-leader";

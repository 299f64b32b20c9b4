// Every leadership scenario of the catalogue on a real API server: verdicts as claimed, model and server in agreement.
import type { ClusterRuns } from "../../server/cluster/runs.ts";
import { judgeAll } from "../../shared/invariant/catalogue.ts";
import { scenarios } from "../../shared/scenario/catalogue.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../shared/systems/leadership/config.ts";
import { replay } from "../../shared/trace/run.ts";
import { playOnCluster } from "./play.ts";

export interface Verified {
  readonly scenario: string;
  readonly calls: number;
  readonly ms: number;
  /** Sentences about what was not as claimed; empty when all was. */
  readonly problems: readonly string[];
}

export async function verifyScenario(runs: ClusterRuns, id: string): Promise<Verified> {
  const origin = resolveOrigin({ kind: "scenario", scenario: id });
  if (!origin.ok) return { scenario: id, calls: 0, ms: 0, problems: ["There is no such scenario."] };
  const config = origin.value.config as LeadershipConfig;
  const script = origin.value.script as readonly LeadershipAction[];
  const start = performance.now();
  const run = await runs.open(config.lock);
  try {
    const { actions, calls, stopped } = await playOnCluster(run, config, script);
    const problems: string[] = [];
    if (stopped !== null)
      problems.push(`Action ${stopped.index} cannot happen on the server's run. ${stopped.reason}`);
    const again = replay(origin.value.system, config, actions);
    if (!again.ok) problems.push(`The recording does not replay offline. ${again.error.reason}`);
    else {
      const { events } = again.value;
      for (const event of events)
        if (event.kind === "model-diverged") problems.push(origin.value.system.narrate(event));
      const verdicts = judgeAll(origin.value.invariants, events);
      for (const [invariant, wanted] of Object.entries(origin.value.scenario?.verdicts ?? {})) {
        const got = verdicts.find((verdict) => verdict.invariant === invariant)?.kind;
        if (got !== wanted) problems.push(`${invariant}: expected "${wanted}", got "${got ?? "nothing"}".`);
      }
    }
    return { scenario: id, calls, ms: Math.round(performance.now() - start), problems };
  } finally {
    await run.close();
  }
}

export const verifiable = (): readonly string[] =>
  scenarios.filter(({ system }) => system === "leadership").map(({ id }) => id);

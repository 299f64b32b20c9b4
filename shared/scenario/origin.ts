// From where a recording starts to what can be run: the system, its configuration and the script's actions.
import { assert } from "../base/assert.ts";
import { failed, ok, type Problem, type Result } from "../base/result.ts";
import type { Invariant } from "../invariant/invariant.ts";
import { leadershipInvariants } from "../invariant/catalogue.ts";
import type { BaseAction, System } from "../systems/system.ts";
import { leadership } from "../systems/leadership/system.ts";
import { playScript } from "./play.ts";
import { findScenario, scenarios } from "./catalogue.ts";
import type { Scenario } from "./scenario.ts";

/** A system with one of its configurations, as those parts of the product hold it that work with any system. */
export interface Origin {
  // The parts agree with one another; which system they are of is not known here.
  readonly system: System<unknown, unknown, BaseAction>;
  readonly config: unknown;
  readonly title: string;
  readonly scenario: Scenario | null;
  /** The script's actions; empty for a configuration of the user's own. */
  readonly script: readonly BaseAction[];
  readonly invariants: readonly Invariant[];
}

type OriginFacts =
  | { readonly kind: "scenario"; readonly scenario: string }
  | {
      readonly kind: "config";
      readonly system: string;
      readonly title: string;
      readonly config: unknown;
    };

const scripts = new Map<string, readonly BaseAction[]>();

/** Resolves the origin of a recording; problems say expected, got, remedy. */
export function resolveOrigin(facts: OriginFacts): Result<Origin> {
  if (facts.kind === "scenario") {
    const scenario = findScenario(facts.scenario);
    if (scenario === undefined) return failed([unknownScenario(facts.scenario)]);
    const config = scenario.config as never;
    let script = scripts.get(scenario.id);
    if (script === undefined) {
      const played = playScript(leadership, config, scenario.script as never);
      // Scripts are part of the program and tested: a line that cannot be played is a fault of it, not of the user.
      assert(
        played.ok,
        `scenario ${scenario.id} can be played; ${played.ok ? "" : `line ${played.error.line}: ${played.error.reason}`}`,
      );
      script = played.value;
      scripts.set(scenario.id, script);
    }
    return ok({
      system: leadership as never,
      config,
      title: scenario.title,
      scenario,
      script,
      invariants: leadershipInvariants(config),
    });
  }
  if (facts.system !== "leadership")
    return failed([
      {
        path: "origin.system",
        expected: '"leadership"',
        got: JSON.stringify(facts.system),
        remedy: "Open it with a version of Epoch Lab that has this system.",
      },
    ]);
  const config = leadership.parseConfig(facts.config);
  if (!config.ok)
    return failed(
      config.error.map((problem) => ({
        ...problem,
        path: problem.path === "" ? "config" : `config.${problem.path}`,
      })),
    );
  return ok({
    system: leadership as never,
    config: config.value,
    title: facts.title,
    scenario: null,
    script: [],
    invariants: leadershipInvariants(config.value),
  });
}

export function unknownScenario(id: string): Problem {
  return {
    path: "scenario",
    expected: `one of ${scenarios.map((scenario) => scenario.id).join(", ")}`,
    got: JSON.stringify(id),
    remedy: "Choose one of the catalogue.",
  };
}

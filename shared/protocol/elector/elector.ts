// Any elector: the profiles behind one type and one step.
import { unreachable } from "../../base/assert.ts";
import type { Problem } from "../../base/result.ts";
import { createClientGo, stepClientGo, type ClientGoElector } from "./clientGo/clientGo.ts";
import { validateClientGo } from "./clientGo/validate.ts";
import type { ElectorConfig, ElectorInput, ElectorOutput, ElectorProfile } from "./contract.ts";
import { createEpochLab, stepEpochLab, type EpochLabElector } from "./epochLab/epochLab.ts";
import { validateEpochLab } from "./epochLab/validate.ts";
import { createNoop, stepNoop, type NoopElector } from "./noop/noop.ts";

export type Elector = EpochLabElector | ClientGoElector | NoopElector;

export const ELECTOR_PROFILES: readonly ElectorProfile[] = ["epoch-lab", "client-go", "noop"];

export function createElector(config: ElectorConfig): Elector {
  switch (config.profile) {
    case "epoch-lab":
      return createEpochLab(config);
    case "client-go":
      return createClientGo(config);
    case "noop":
      return createNoop(config);
    default:
      return unreachable(config.profile);
  }
}

export function stepElector(
  elector: Elector,
  input: ElectorInput,
): readonly [Elector, readonly ElectorOutput[]] {
  switch (elector.profile) {
    case "epoch-lab":
      return stepEpochLab(elector, input);
    case "client-go":
      return stepClientGo(elector, input);
    case "noop":
      return stepNoop(elector, input);
    default:
      return unreachable(elector);
  }
}

/** Why a profile refuses its configuration; empty when it accepts it. */
export function validateElector(config: ElectorConfig): readonly Problem[] {
  switch (config.profile) {
    case "epoch-lab":
      return validateEpochLab(config);
    case "client-go":
      return validateClientGo(config);
    case "noop":
      return [];
    default:
      return unreachable(config.profile);
  }
}

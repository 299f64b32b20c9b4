// The `noop` profile: every node leads from the start and no Lease is asked. The epoch is constantly 1.
import { unreachable } from "../../../base/assert.ts";
import type { ElectorConfig, ElectorInput, ElectorOutput } from "../contract.ts";

export interface NoopElector {
  readonly profile: "noop";
  readonly kind: "new" | "leading" | "stopping" | "ended";
}

export const createNoop = (_config: ElectorConfig): NoopElector => ({ profile: "noop", kind: "new" });

export function stepNoop(
  elector: NoopElector,
  input: ElectorInput,
): readonly [NoopElector, readonly ElectorOutput[]] {
  switch (input.kind) {
    case "start":
      return [{ profile: "noop", kind: "leading" }, [{ kind: "started-leading", lease: null }]];
    case "cancel":
      return elector.kind === "leading"
        ? [{ profile: "noop", kind: "stopping" }, [{ kind: "stop-work", reason: "cancelled" }]]
        : [{ profile: "noop", kind: "ended" }, [{ kind: "ended" }]];
    case "work-stopped":
      return elector.kind === "stopping"
        ? [
            { profile: "noop", kind: "ended" },
            [{ kind: "stopped-leading", reason: "cancelled" }, { kind: "ended" }],
          ]
        : [elector, []];
    case "timer":
    case "answer":
    case "refused-as-stale":
      return [elector, []];
    default:
      return unreachable(input);
  }
}

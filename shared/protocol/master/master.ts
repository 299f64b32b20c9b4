// The master consumer: a delegate that runs only while a lock is held, behind an epoch bridge.
import { unreachable } from "../../base/assert.ts";
import { BRIDGE_CAPACITY, PIPELINE_CAPACITY } from "./bridge.ts";
import { stepCamel } from "./camel/camel.ts";
import { IDLE_CAMEL } from "./camel/loop.ts";
import type { MasterConfig, MasterInput, MasterOutput } from "./contract.ts";
import { stepLab } from "./epochLab/epochLab.ts";
import { IDLE_LAB } from "./epochLab/loop.ts";
import { DEFAULT_RECONNECT } from "./reconnect.ts";
import { DEFAULT_DRAIN_TIMEOUT_MS } from "./settings.ts";
import type { Draft, Master } from "./state.ts";

export const DEFAULT_MASTER: MasterConfig = {
  variant: "epoch-lab",
  lock: "orders",
  routeId: "r1",
  drainTimeoutMs: DEFAULT_DRAIN_TIMEOUT_MS,
  reconnect: DEFAULT_RECONNECT,
  refillAfterMs: 10_000,
  bridgeCapacity: BRIDGE_CAPACITY,
  pipelineCapacity: PIPELINE_CAPACITY,
  jitter: [],
  passesAfterCancel: 0,
};

/** A consumer whose route has not started: the first input is `start`. */
export function createMaster(config: MasterConfig): Master {
  return {
    config,
    loop: config.variant === "epoch-lab" ? IDLE_LAB : IDLE_CAMEL,
    run: null,
    runs: 0,
    pipeline: { queue: [], inHand: null, closed: false },
    draws: 0,
  };
}

/** One input; `nowMs` is the node's monotonic clock. */
export function stepMaster(
  master: Master,
  input: MasterInput,
  nowMs: number,
): readonly [Master, readonly MasterOutput[]] {
  const { config, loop, run, runs, pipeline, draws } = master;
  const draft: Draft = { config, run, runs, pipeline, draws, now: nowMs, out: [] };
  switch (loop.kind) {
    case "camel": {
      const own = Object.assign(draft, { loop });
      stepCamel(own, input);
      return [stepped(own), own.out];
    }
    case "lab": {
      const own = Object.assign(draft, { loop });
      stepLab(own, input);
      return [stepped(own), own.out];
    }
    default:
      return unreachable(loop);
  }
}

const stepped = (draft: Draft & Pick<Master, "loop">): Master => ({
  config: draft.config,
  loop: draft.loop,
  run: draft.run,
  runs: draft.runs,
  pipeline: draft.pipeline,
  draws: draft.draws,
});

/** Whether anything guarded runs: a delegate, a bridge with something in it, an exchange in the pipeline. */
export const isGuarding = ({ run, pipeline }: Master): boolean =>
  run !== null || pipeline.inHand !== null || pipeline.queue.length > 0;

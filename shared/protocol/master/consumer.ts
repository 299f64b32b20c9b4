// A master consumer together with its scripted delegate: what a node of a simulated world embeds. Whoever embeds it
// forwards timers and leadership, works on the exchanges that come out, and says when each is processed.
import type {
  DelegateInput,
  LeadershipInput,
  MasterConfig,
  MasterInput,
  MasterOutput,
  MasterTimer,
} from "./contract.ts";
import {
  commandDelegates,
  createDelegate,
  createDelegates,
  pollDelegates,
  type DelegateCommand,
  type DelegateNote,
  type Delegates,
  type DelegateTimer,
} from "./delegate.ts";
import type { DelegateScript } from "./plan.ts";
import { createMaster, stepMaster } from "./master.ts";
import type { Master } from "./state.ts";

export interface Consumer {
  readonly master: Master;
  readonly delegates: Delegates;
}

export type ConsumerTimer = MasterTimer | DelegateTimer;

export type ConsumerInput =
  | Exclude<MasterInput, DelegateInput | LeadershipInput | { kind: "timer" }>
  | LeadershipInput
  | { readonly kind: "timer"; readonly timer: string };

type Internal = "create-delegate" | "start-delegate" | "cancel-delegate" | "stop-delegate" | "abort-delegate";

export type ConsumerOutput =
  | Exclude<MasterOutput, { kind: Internal | "set-timer" | "clear-timer" }>
  | DelegateNote
  | { readonly kind: "set-timer"; readonly timer: ConsumerTimer; readonly dueMs: number }
  | { readonly kind: "clear-timer"; readonly timer: ConsumerTimer };

export const createConsumer = (config: MasterConfig, script: DelegateScript): Consumer => ({
  master: createMaster(config),
  delegates: createDelegates(script),
});

/**
 * One input, and all that follows from it at the same moment. Tasks are polled as an executor would: the master goes on as
 * far as it can, then every delegate does, and so on until nobody can.
 */
export function stepConsumer(
  consumer: Consumer,
  input: ConsumerInput,
  nowMs: number,
): readonly [Consumer, readonly ConsumerOutput[]] {
  return stepConsumerAll(consumer, [input], nowMs);
}

/** As {@link stepConsumer}, with inputs that all arrive before the delegates have a turn. */
export function stepConsumerAll(
  consumer: Consumer,
  inputs: readonly ConsumerInput[],
  nowMs: number,
): readonly [Consumer, readonly ConsumerOutput[]] {
  let { master, delegates } = consumer;
  const out: ConsumerOutput[] = [];
  const inbox: MasterInput[] = [];

  const command = (what: DelegateCommand): void => {
    const [next, notes] = commandDelegates(delegates, what, nowMs);
    delegates = next;
    for (const note of notes) passOn(note);
  };
  const passOn = (output: ReturnType<typeof pollDelegates>[1][number]): void => {
    switch (output.kind) {
      case "note":
      case "set-timer":
      case "clear-timer":
        out.push(output);
        return;
      default:
        inbox.push(output);
    }
  };
  const perform = (output: MasterOutput): void => {
    switch (output.kind) {
      case "create-delegate": {
        const [next, outputs] = createDelegate(delegates);
        delegates = next;
        for (const one of outputs) passOn(one);
        return;
      }
      case "start-delegate":
        return command({ kind: "start", run: output.run });
      case "cancel-delegate":
        return command({ kind: "cancel", run: output.run });
      case "stop-delegate":
        return command({ kind: "stop", run: output.run });
      case "abort-delegate":
        return command({ kind: "abort", run: output.run, what: output.what });
      case "accepted":
        out.push(output);
        return command({ kind: "accepted", run: output.run, envelope: output.envelope });
      case "refused":
        out.push(output);
        return command({ kind: "refused", run: output.run, envelope: output.envelope });
      case "dropped":
        out.push(output);
        for (const { run, envelope } of output.envelopes) command({ kind: "refused", run, envelope });
        return;
      default:
        out.push(output);
    }
  };

  for (const input of inputs) {
    if (input.kind === "processed") {
      const { inHand } = master.pipeline;
      if (inHand?.facts.envelope === input.envelope)
        command({ kind: "replied", run: inHand.facts.run, envelope: input.envelope });
      inbox.push(input);
    } else if (input.kind !== "timer") inbox.push(input);
    else if (isMasterTimer(input.timer)) inbox.push({ kind: "timer", timer: input.timer });
  }

  for (;;) {
    for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) {
      const [stepped, outputs] = stepMaster(master, next, nowMs);
      master = stepped;
      for (const output of outputs) perform(output);
    }
    const [polled, outputs] = pollDelegates(delegates, nowMs);
    delegates = polled;
    for (const output of outputs) passOn(output);
    if (inbox.length === 0) return [{ master, delegates }, out];
  }
}

const MASTER_TIMERS: readonly string[] = [
  "tick",
  "backoff",
  "drain",
  "step-down",
  "stop",
] satisfies readonly MasterTimer[];

const isMasterTimer = (timer: string): timer is MasterTimer => MASTER_TIMERS.includes(timer);

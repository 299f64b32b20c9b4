// Plays a consumer by itself, on a clock of its own, over a pipeline that works on one exchange after the other. For tests, and
// to see what a consumer does without a world around it.
import {
  createConsumer,
  stepConsumer,
  type Consumer,
  type ConsumerInput,
  type ConsumerOutput,
} from "./consumer.ts";
import type { MasterConfig } from "./contract.ts";
import type { DelegateScript } from "./plan.ts";

export interface Play {
  readonly nowMs: number;
  readonly consumer: Consumer;
  /** By name: when it fires. */
  readonly timers: Readonly<Record<string, number>>;
  /** The exchange that the pipeline works on. */
  readonly working: { readonly envelope: number; readonly untilMs: number } | null;
  /** How long the pipeline works on an exchange. */
  readonly processMs: number;
}

/** An output and when it came. */
export interface Played {
  readonly t: number;
  readonly output: ConsumerOutput;
}

export const startPlay = (config: MasterConfig, script: DelegateScript, processMs: number): Play => ({
  nowMs: 0,
  consumer: createConsumer(config, script),
  timers: {},
  working: null,
  processMs,
});

/** What is due next by itself; null when nothing is. */
export function nextDueMs(play: Play): number | null {
  const due = [...Object.values(play.timers), ...(play.working === null ? [] : [play.working.untilMs])];
  return due.length === 0 ? null : Math.min(...due);
}

/** Lets everything happen that is due before `untilMs`, and moves the clock there. */
export function advancePlay(play: Play, untilMs: number): readonly [Play, readonly Played[]] {
  const played: Played[] = [];
  let next = play;
  for (let due = nextDueMs(next); due !== null && due < untilMs; due = nextDueMs(next)) {
    const nowMs = Math.max(due, next.nowMs);
    const [after, outputs] = fireDue({ ...next, nowMs }, due);
    next = after;
    played.push(...outputs);
  }
  return [{ ...next, nowMs: Math.max(untilMs, next.nowMs) }, played];
}

function fireDue(play: Play, due: number): readonly [Play, readonly Played[]] {
  if (play.working?.untilMs === due) {
    const { envelope } = play.working;
    return feedPlay({ ...play, working: null }, { kind: "processed", envelope });
  }
  const timer = Object.keys(play.timers).find((name) => play.timers[name] === due) ?? "";
  return feedPlay({ ...play, timers: without(play.timers, timer) }, { kind: "timer", timer });
}

/** Gives the consumer an input now, and takes what comes of it. */
export function feedPlay(play: Play, input: ConsumerInput): readonly [Play, readonly Played[]] {
  const { nowMs, processMs } = play;
  const played: Played[] = [];
  const inbox: ConsumerInput[] = [input];
  let { consumer, timers, working } = play;
  for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) {
    const [stepped, outputs] = stepConsumer(consumer, next, nowMs);
    consumer = stepped;
    for (const output of outputs) {
      played.push({ t: nowMs, output });
      if (output.kind === "set-timer") timers = { ...timers, [output.timer]: output.dueMs };
      else if (output.kind === "clear-timer") timers = without(timers, output.timer);
      else if (output.kind === "exchange") {
        if (processMs === 0) inbox.push({ kind: "processed", envelope: output.envelope });
        else working = { envelope: output.envelope, untilMs: nowMs + processMs };
      } else if (output.kind === "abort-exchange") working = null;
      else if (output.kind === "leave-election") inbox.push({ kind: "left" });
    }
  }
  return [{ nowMs, consumer, timers, working, processMs }, played];
}

function without(timers: Readonly<Record<string, number>>, name: string): Readonly<Record<string, number>> {
  const { [name]: _, ...others } = timers;
  return others;
}

/** Plays inputs at their times, up to `endMs`. */
export function playConsumer(
  play: Play,
  inputs: readonly { readonly t: number; readonly input: ConsumerInput }[],
  endMs: number,
): readonly [Play, readonly Played[]] {
  const played: Played[] = [];
  let next = play;
  const take = ([after, outputs]: readonly [Play, readonly Played[]]): void => {
    next = after;
    played.push(...outputs);
  };
  for (const { t, input } of inputs) {
    take(advancePlay(next, t));
    take(feedPlay(next, input));
  }
  take(advancePlay(next, endMs));
  return [next, played];
}

// Canonical keys for the search: two consumers with equal keys have equal futures, whatever the time is and however many
// envelopes, delegates and tries came before. Times are differences from now; what nothing compares any more is left out.
// The timers that were set are not in here: they belong to whoever keeps them.
import { unreachable } from "../../base/assert.ts";
import type { Properties } from "./bridge.ts";
import { TICK_MS, type CamelLoop } from "./camel/loop.ts";
import type { Consumer } from "./consumer.ts";
import type { DelegateError } from "./contract.ts";
import type { Delegates } from "./delegate.ts";
import type { LabLoop } from "./epochLab/loop.ts";
import type { ReconnectPolicy } from "./reconnect.ts";
import type { Master, Queued, Run } from "./state.ts";

type Write = (value: number | string) => void;

/** Instead of an absent value. Differences of times are below it, counts above. */
const NONE = -1e15;
/** Instead of the time of a call that was made and has not begun. */
const CALLED = -2e15;

export function encodeConsumer(consumer: Consumer, write: Write, now: number): void {
  encodeMaster(consumer.master, write, now);
  encodeDelegates(consumer.delegates, write, now);
}

/** `config` does not change during a run and is left out. */
export function encodeMaster(master: Master, write: Write, now: number): void {
  const { config, loop, run, runs, pipeline, draws } = master;
  write(config.jitter.length === 0 ? 0 : draws % config.jitter.length);
  if (loop.kind === "lab") encodeLab(loop, config.reconnect, write);
  else encodeCamel(loop, config.reconnect, write, now);
  if (run === null) write(NONE);
  else encodeRun(run, runs, write, now, config.refillAfterMs);
  write(pipeline.closed ? 1 : 0);
  write(pipeline.inHand === null ? 0 : 1);
  if (pipeline.inHand !== null) encodeQueued(pipeline.inHand, runs, write);
  write(pipeline.queue.length);
  for (const queued of pipeline.queue) encodeQueued(queued, runs, write);
}

function encodeRun(run: Run, runs: number, write: Write, now: number, refillAfterMs: number): void {
  write(runs - run.number);
  write(run.epoch);
  write(run.acquisition);
  write(run.task.kind);
  if (run.task.kind === "running") write(run.task.background ? 1 : 0);
  if (run.task.kind === "finished") encodeError(run.task.error, write);
  write((run.cancelled ? 1 : 0) + (run.senderOpen ? 2 : 0) + (run.senderLeaked ? 4 : 0));
  encodeError(run.workError, write);
  write(run.passesLeft ?? NONE);
  write(run.activeSinceMs === null ? NONE : Math.min(now - run.activeSinceMs, refillAfterMs));
  if (run.bridge === null) {
    write(NONE);
    return;
  }
  write(run.bridge.held.length);
  for (const { properties } of run.bridge.held) encodeProperties(properties, write);
  write(run.bridge.waiting.length);
  for (const { properties } of run.bridge.waiting) encodeProperties(properties, write);
}

function encodeQueued({ facts, exchange }: Queued, runs: number, write: Write): void {
  write(runs - facts.run);
  write(facts.epoch);
  write(facts.acquisition);
  encodeProperties(exchange.properties, write);
}

function encodeProperties(properties: Properties, write: Write): void {
  const keys = Object.keys(properties).toSorted();
  write(keys.length);
  for (const key of keys) {
    write(key);
    write(properties[key] ?? "");
  }
}

function encodeLab(loop: LabLoop, reconnect: ReconnectPolicy, write: Write): void {
  const { phase, leading } = loop;
  write(phase.kind);
  switch (phase.kind) {
    case "creating":
      write(phase.for.epoch);
      write(phase.for.acquisition);
      break;
    case "draining":
      write(phase.cause);
      write(phase.guarded ? 1 : 0);
      break;
    case "idle":
    case "standby":
    case "resting":
    case "running":
    case "backoff":
    case "leaving":
    case "finished":
      break;
    default:
      unreachable(phase);
  }
  write(leading?.epoch ?? NONE);
  write(leading?.acquisition ?? NONE);
  write(countedTries(reconnect, loop.attempts));
  write((loop.owesWorkStopped ? 1 : 0) + (loop.stopping ? 2 : 0) + (loop.stopCalled ? 4 : 0));
  encodeError(loop.failure, write);
}

function encodeCamel(loop: CamelLoop, reconnect: ReconnectPolicy, write: Write, now: number): void {
  const { phase } = loop;
  write(phase.kind);
  if (phase.kind === "draining") {
    write(phase.stage);
    write(phase.next);
  }
  if (phase.kind === "leaving" || phase.kind === "finished") encodeError(phase.error, write);
  write(loop.published ?? "");
  write(loop.epoch);
  write(loop.acquisition);
  write(countedTries(reconnect, loop.attempts));
  encodeError(loop.lastStartError, write);
  write(
    (loop.changed ? 1 : 0) +
      (loop.isLeading ? 2 : 0) +
      (loop.stopping ? 4 : 0) +
      (loop.stopCalled ? 8 : 0) +
      (loop.occasion === "tick" ? 16 : 0) +
      (loop.closed ? 32 : 0) +
      (loop.routeCancelled ? 64 : 0),
  );
  // Idle ticks are passed over, so that only their beat matters; missed ones will all fire.
  const untilTick = loop.tickMs - now;
  const beats = phase.kind === "listening" && loop.tickSetMs === null && untilTick <= 0;
  const over = phase.kind === "idle" || phase.kind === "finished";
  write(over ? NONE : beats ? (untilTick % TICK_MS) + TICK_MS : untilTick);
}

/** Tries beyond those that change a wait or a verdict are all alike. */
function countedTries(reconnect: ReconnectPolicy, attempts: number): number {
  const { initialDelayMs, maxDelayMs, multiplier, maxAttempts, maxAttemptsAbsolute } = reconnect;
  const growth = multiplier > 1 && initialDelayMs > 0 && maxDelayMs > initialDelayMs;
  const longest = growth ? Math.ceil(Math.log(maxDelayMs / initialDelayMs) / Math.log(multiplier)) : 0;
  return Math.min(attempts, Math.max(longest + 3, maxAttempts + 1, (maxAttemptsAbsolute ?? 0) + 1));
}

function encodeError(error: DelegateError | null, write: Write): void {
  write(error?.kind ?? "");
  if (error !== null) write(error.message);
}

export function encodeDelegates(delegates: Delegates, write: Write, now: number): void {
  const { script, creates, created, lives } = delegates;
  // Beyond the script's end the last entry repeats.
  write(Math.min(creates, Math.max(0, script.creates.length - 1)));
  write(Math.min(created, Math.max(0, script.plans.length - 1)));
  write(lives.length);
  for (const life of lives) {
    write(created - life.run);
    write(Math.min(life.run - 1, script.plans.length - 1));
    write((life.cancelled ? 1 : 0) + (life.over ? 2 : 0) + (life.sending === null ? 0 : 4));
    write(life.start === null ? NONE : life.start.dueMs === null ? CALLED : life.start.dueMs - now);
    write(life.stop === null ? NONE : life.stop.dueMs === null ? CALLED : life.stop.dueMs - now);
    const { work, plan } = life;
    write(work?.kind ?? "");
    if (work === null) continue;
    switch (work.kind) {
      case "spawned":
        break;
      case "emitting":
        write(work.left ?? NONE);
        write(work.left === 0 ? NONE : work.nextMs - now);
        write(work.burstLeft);
        write(plan.failMs === null && plan.endMs === null ? NONE : work.beginMs - now);
        break;
      case "lingering":
        write(work.untilMs - now);
        break;
      case "flushing":
        write(work.left);
        break;
      default:
        unreachable(work);
    }
  }
}

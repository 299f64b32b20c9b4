// The master consumer of Epoch Lab. Every place where it differs from the crates is a row of `deviations.ts`.
// It hears of leadership at every moment, also while it waits; it says `work-stopped` only once delegate, bridge and pipeline have
// nothing guarded left; and whatever it destroys it counts.
import { unreachable } from "../../../base/assert.ts";
import { errorText, isTransient, type DelegateError, type MasterInput, type Phase } from "../contract.ts";
import { shouldRetry } from "../reconnect.ts";
import {
  abortBridge,
  abortExchange,
  abortPipelineQueue,
  abortRun,
  beginRun,
  cancelRun,
  closePipeline,
  finishExchange,
  isPipelineIdle,
  settle,
  takeReport,
  type RunRules,
} from "../run.ts";
import { countLifecycle, countTransition, log, nextDelayMs, type Draft } from "../state.ts";
import type { Cause, LabLoop, LabPhase, Leading } from "./loop.ts";

interface LabDraft extends Draft {
  loop: LabLoop;
}

/** Work in the background is the delegate's, handed over or not: as long as it can send, it runs. */
const RULES: RunRules = { background: () => "watch", abortBackgroundOnCancel: false };

const set = (d: LabDraft, change: Partial<LabLoop>): void => {
  d.loop = { ...d.loop, ...change };
};

export function stepLab(d: LabDraft, input: MasterInput): void {
  take(d, input);
  settle(d);
  notice(d);
  goOnDraining(d);
}

function take(d: LabDraft, input: MasterInput): void {
  switch (input.kind) {
    case "start":
      if (d.loop.phase.kind !== "idle") return;
      set(d, { phase: { kind: "standby" } });
      say(d, "standby", "the election is joined");
      return;
    case "leadership":
      switch (input.change) {
        case "started":
          return started(d, { epoch: input.epoch, acquisition: input.acquisition });
        case "epoch":
          if (d.loop.leading !== null)
            started(d, { epoch: input.epoch, acquisition: d.loop.leading.acquisition });
          return;
        case "stopped":
          return stopped(d);
        case "closed":
          giveUp(d, { kind: "permanent", message: "nothing more will be heard of the election" });
          return stopped(d);
        default:
          return unreachable(input);
      }
    case "timer":
      fire(d, input.timer);
      return;
    case "created":
      if (d.loop.phase.kind === "creating") created(d, d.loop.phase.for, input.error, input.step);
      return;
    case "started":
    case "start-failed":
    case "start-returned":
    case "sender-leaked":
    case "emitted":
    case "ended":
    case "stopped":
      takeReport(d, RULES, input);
      if (input.kind === "started" && d.run?.number === input.run) {
        countLifecycle(d, "started", "none");
        if (d.loop.phase.kind === "running") say(d, "active", "the delegate works");
      }
      return;
    case "processed":
      finishExchange(d, input.envelope);
      return;
    case "pipeline-closed":
      closePipeline(d);
      return;
    case "cancel-route":
      abortBridge(d, "route-cancelled");
      end(d);
      return;
    case "stop":
      if (d.loop.phase.kind === "idle" || d.loop.phase.kind === "finished") {
        d.out.push({ kind: "stop-returned", error: d.loop.failure });
        return;
      }
      set(d, { stopCalled: true });
      end(d);
      return;
    case "abort":
      set(d, { owesWorkStopped: true });
      stopped(d);
      force(d, "aborted");
      return;
    case "left":
      if (d.loop.phase.kind === "leaving") finish(d);
      return;
    default:
      unreachable(input);
  }
}

// --- leadership -----------------------------------------------------------------------------------------------------

function started(d: LabDraft, leading: Leading): void {
  const before = d.loop.leading;
  if (before !== null && before.epoch === leading.epoch && before.acquisition === leading.acquisition) return;
  if (before === null) {
    countTransition(d, "acquired");
    log(d, "info", "master leadership acquired");
  }
  // Another acquisition, or another epoch of this one: either way a fresh budget.
  set(d, { leading, attempts: 0 });
  switch (d.loop.phase.kind) {
    case "standby":
    case "resting":
    case "backoff":
      create(d, leading);
      return;
    case "running":
      drain(d, "epoch", false);
      return;
    case "idle":
    case "creating":
    case "draining":
    case "leaving":
    case "finished":
      return;
    default:
      unreachable(d.loop.phase);
  }
}

function stopped(d: LabDraft): void {
  set(d, { owesWorkStopped: true });
  if (d.loop.leading !== null) {
    set(d, { leading: null });
    countTransition(d, "lost");
    log(d, "info", "master leadership lost");
  }
  const { phase } = d.loop;
  switch (phase.kind) {
    case "idle":
    case "standby":
    case "leaving":
    case "finished":
      answerWorkStopped(d);
      return;
    case "creating":
      // The answer is awaited, and then nothing is started.
      if (isPipelineIdle(d)) answerWorkStopped(d);
      return;
    case "resting":
    case "running":
    case "backoff":
    case "draining":
      drain(d, "lost", true);
      return;
    default:
      unreachable(phase);
  }
}

function answerWorkStopped(d: LabDraft): void {
  if (!d.loop.owesWorkStopped) return;
  set(d, { owesWorkStopped: false });
  d.out.push({ kind: "work-stopped" });
}

// --- creating, and trying again ---------------------------------------------------------------------------------------

function create(d: LabDraft, leading: Leading): void {
  if (d.loop.phase.kind === "backoff") d.out.push({ kind: "clear-timer", timer: "backoff" });
  set(d, { phase: { kind: "creating", for: leading }, attempts: d.loop.attempts + 1 });
  say(d, "starting", `try ${d.loop.attempts}${limitText(d)}`);
  d.out.push({ kind: "create-delegate", run: d.runs + 1 });
}

function limitText(d: LabDraft): string {
  const { maxAttempts, enabled } = d.config.reconnect;
  return !enabled ? " of 1" : maxAttempts === 0 ? "" : ` of ${maxAttempts}`;
}

function created(
  d: LabDraft,
  leading: Leading,
  error: DelegateError | null,
  step: "endpoint" | "consumer",
): void {
  const now = d.loop.leading;
  const same = now !== null && now.epoch === leading.epoch && now.acquisition === leading.acquisition;
  if (error !== null) {
    countLifecycle(d, "create_error", isTransient(error) ? "transient" : "permanent");
    log(d, "warn", `the delegate's ${step} could not be created`, {
      error: errorText(error),
      lock: d.config.lock,
    });
  }
  // Leadership is looked at again after every wait: what was created for another term is never started.
  const { stopping } = d.loop;
  if (stopping) drain(d, "leave", true);
  else if (!same) drain(d, "lost", now === null);
  else if (error === null) {
    set(d, { phase: { kind: "running" } });
    beginRun(d, leading.epoch, leading.acquisition);
  } else retry(d, error);
}

/** After a failure: waits, or gives up. */
function retry(d: LabDraft, error: DelegateError): void {
  const { attempts } = d.loop;
  const { reconnect } = d.config;
  if (!isTransient(error) || !shouldRetry(reconnect, attempts)) {
    log(d, "error", isTransient(error) ? "the retry budget is used up" : "the delegate failed for good", {
      attempts,
      error: errorText(error),
      lock: d.config.lock,
    });
    giveUp(d, error);
    return;
  }
  const delayMs = nextDelayMs(d, Math.max(0, attempts - 1));
  set(d, { phase: { kind: "backoff" } });
  d.out.push({ kind: "set-timer", timer: "backoff", dueMs: d.now + delayMs });
  say(d, "starting", `waits ${delayMs} ms after ${errorText(error)}`);
}

function fire(d: LabDraft, timer: string): void {
  const { phase, leading } = d.loop;
  if (timer === "backoff" && phase.kind === "backoff" && leading !== null) create(d, leading);
  else if (timer === "drain" && phase.kind === "draining") drainTimedOut(d, phase.guarded);
  else if (timer === "step-down" && phase.kind === "leaving") finish(d);
}

// --- the run ends -------------------------------------------------------------------------------------------------------

/** Sees at once that the delegate's task is over. */
function notice(d: LabDraft): void {
  const { run } = d;
  if (d.loop.phase.kind !== "running" || run === null || run.task.kind !== "finished") return;
  const { error } = run.task;
  if (error === null) {
    drain(d, "ended", false);
    return;
  }
  countLifecycle(d, "start_error", isTransient(error) ? "transient" : "permanent");
  log(d, "warn", "the delegate failed", { error: errorText(error), lock: d.config.lock });
  const { activeSinceMs } = run;
  if (activeSinceMs !== null && d.now - activeSinceMs >= d.config.refillAfterMs) set(d, { attempts: 0 });
  drain(d, "failed", false);
}

function drain(d: LabDraft, cause: Cause, guarded: boolean): void {
  const { phase } = d.loop;
  const before = phase.kind === "draining" ? phase : null;
  if (phase.kind === "backoff") d.out.push({ kind: "clear-timer", timer: "backoff" });
  set(d, { phase: { kind: "draining", cause, guarded: guarded || (before?.guarded ?? false) } });
  if (cause === "lost" || cause === "epoch" || cause === "leave") cancelRun(d, RULES);
  // A stop that is already bounded keeps its bound.
  const bounded = (at: Pick<Extract<LabPhase, { kind: "draining" }>, "cause" | "guarded">) =>
    at.guarded || at.cause === "epoch";
  if (bounded({ cause, guarded }) && (before === null || !bounded(before)))
    d.out.push({ kind: "set-timer", timer: "drain", dueMs: d.now + d.config.drainTimeoutMs });
  if (before === null && d.run !== null) say(d, "draining", CAUSES[cause]);
  settle(d);
  goOnDraining(d);
}

const CAUSES: Readonly<Record<Cause, string>> = {
  lost: "leadership was lost",
  epoch: "the epoch changed",
  ended: "the delegate ended by itself",
  failed: "the delegate failed",
  leave: "the consumer ends",
};

function drainTimedOut(d: LabDraft, guarded: boolean): void {
  log(d, "warn", "the drain timeout ran out", { lock: d.config.lock });
  if (guarded) force(d, "drain-timeout");
  else {
    abortRun(d, "end");
    closeSender(d);
  }
}

/** Ends everything guarded by force. */
function force(d: LabDraft, why: "drain-timeout" | "aborted"): void {
  abortRun(d, "end");
  closeSender(d);
  abortBridge(d, why);
  abortPipelineQueue(d, why);
  abortExchange(d);
}

/** Nobody is listened to any more who can still send. */
function closeSender(d: LabDraft): void {
  if (d.run !== null) d.run = { ...d.run, senderOpen: false, senderLeaked: false };
}

function goOnDraining(d: LabDraft): void {
  const { phase } = d.loop;
  if (phase.kind !== "draining") return;
  if (d.run !== null && (d.run.task.kind !== "finished" || d.run.bridge !== null)) return;
  if (phase.guarded && !isPipelineIdle(d)) return;
  const { run } = d;
  d.run = null;
  d.out.push({ kind: "clear-timer", timer: "drain" });
  if (run !== null && run.activeSinceMs !== null) countLifecycle(d, "stopped", "none");
  const error = run !== null && run.task.kind === "finished" ? run.task.error : null;
  if (phase.cause !== "failed" && error !== null)
    log(d, "warn", "the delegate failed while it was stopped", {
      error: errorText(error),
      lock: d.config.lock,
    });
  answerWorkStopped(d);
  const { leading } = d.loop;
  const same =
    run !== null &&
    leading !== null &&
    leading.epoch === run.epoch &&
    leading.acquisition === run.acquisition;
  if (same && phase.cause === "failed" && error !== null && !d.loop.stopping) retry(d, error);
  else if (same && phase.cause === "ended" && !d.loop.stopping) {
    set(d, { phase: { kind: "resting" } });
    say(d, "standby", "the delegate ended by itself; it is started again with the next acquisition");
  } else goOn(d);
}

/** Nothing runs: what now? */
function goOn(d: LabDraft): void {
  const { stopping, leading } = d.loop;
  if (stopping) {
    leave(d);
    return;
  }
  if (leading !== null) {
    create(d, leading);
    return;
  }
  set(d, { phase: { kind: "standby" } });
  say(d, "standby", "leadership was lost");
}

// --- the end --------------------------------------------------------------------------------------------------------------

/** Ends the consumer with an error: the route fails, and another node may lead. */
function giveUp(d: LabDraft, failure: DelegateError): void {
  if (d.loop.failure === null) set(d, { failure });
  end(d);
}

function end(d: LabDraft): void {
  set(d, { stopping: true });
  switch (d.loop.phase.kind) {
    case "idle":
      finish(d);
      return;
    case "creating":
      // The answer is awaited, and then nothing is started.
      if (d.loop.failure !== null) drain(d, "leave", true);
      return;
    case "standby":
    case "resting":
    case "running":
    case "backoff":
    case "draining":
      drain(d, "leave", true);
      return;
    case "leaving":
    case "finished":
      return;
    default:
      unreachable(d.loop.phase);
  }
}

function leave(d: LabDraft): void {
  set(d, { phase: { kind: "leaving" } });
  d.out.push(
    { kind: "leave-election" },
    { kind: "set-timer", timer: "step-down", dueMs: d.now + d.config.drainTimeoutMs },
  );
}

function finish(d: LabDraft): void {
  const { failure, stopCalled } = d.loop;
  set(d, { phase: { kind: "finished" } });
  d.out.push({ kind: "clear-timer", timer: "step-down" });
  say(d, failure === null ? "finished" : "failed", failure === null ? "" : errorText(failure));
  d.out.push({ kind: "finished", error: failure });
  if (stopCalled) d.out.push({ kind: "stop-returned", error: failure });
}

function say(d: LabDraft, phase: Phase, detail: string): void {
  const { epoch, acquisition } = d.run ?? d.loop.leading ?? { epoch: "", acquisition: 0 };
  d.out.push({ kind: "phase", phase, epoch, acquisition, detail });
}

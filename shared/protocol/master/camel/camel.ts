// The master consumer of camel-master, in two generations: 0.33.0 (`camel-first`) and 0.64.0 (`camel-hardened`).
// One loop selects over: asked to stop, leadership changed, a tick every 200 ms. While it waits inside a branch (a backoff, a
// drain) it hears nothing else: of leadership it then learns the latest value only, and the ticks it missed fire at once.
// The surprising places are kept as they are; `deviations.ts` lists them.
import { unreachable } from "../../../base/assert.ts";
import { errorText, isTransient, type DelegateError, type MasterInput } from "../contract.ts";
import { shouldRetry } from "../reconnect.ts";
import {
  abortBridge,
  abortRun,
  beginRun,
  cancelRun,
  closePipeline,
  finishExchange,
  settle,
  takeReport,
} from "../run.ts";
import { countLifecycle, countTransition, log, nextDelayMs } from "../state.ts";
import { dropOrphan, finish, leave, leaveAtOnce } from "./leaving.ts";
import {
  type AfterDrain,
  isHardened,
  logAcquired,
  rulesOf,
  say,
  set,
  TICK_MS,
  type CamelDraft,
} from "./loop.ts";
import { setTick, skipIdleTicks } from "./ticks.ts";

export function stepCamel(d: CamelDraft, input: MasterInput): void {
  skipIdleTicks(d);
  take(d, input);
  settle(d);
  goOnDraining(d);
  // The first look at leadership comes before the first tick.
  if (input.kind !== "start") fireTicks(d);
  dropOrphan(d);
  setTick(d);
}

function take(d: CamelDraft, input: MasterInput): void {
  switch (input.kind) {
    case "start":
      if (d.loop.phase.kind !== "idle") return;
      set(d, { phase: { kind: "listening" }, listeningSinceMs: d.now, tickMs: d.now });
      say(d, "standby", "the election is joined");
      return;
    case "leadership":
      publish(d, input);
      return;
    case "timer":
      fire(d, input.timer);
      return;
    case "created":
      if (d.loop.phase.kind === "creating") created(d, input.error, input.step);
      return;
    case "started":
    case "start-failed":
    case "start-returned":
    case "sender-leaked":
    case "emitted":
    case "ended":
    case "stopped":
      takeReport(d, rulesOf(d), input);
      if (input.kind === "started" && d.run?.number === input.run) say(d, "active", "the delegate works");
      return;
    case "processed":
      finishExchange(d, input.envelope);
      return;
    case "pipeline-closed":
      closePipeline(d);
      return;
    case "cancel-route":
      cancelRoute(d);
      return;
    case "stop":
      stop(d);
      return;
    case "abort":
      abort(d);
      return;
    case "left":
      if (d.loop.phase.kind === "leaving") finish(d, d.loop.phase.error);
      return;
    default:
      unreachable(input);
  }
}

// --- what is heard ------------------------------------------------------------------------------------------------

function publish(d: CamelDraft, input: Extract<MasterInput, { kind: "leadership" }>): void {
  switch (input.change) {
    case "started":
      // A missing epoch is published as 0, and stamped as "0".
      set(d, {
        published: "started",
        epoch: input.epoch || "0",
        acquisition: input.acquisition,
        changed: true,
      });
      break;
    case "stopped":
      set(d, { published: "stopped", changed: true });
      break;
    case "epoch":
      set(d, { epoch: input.epoch || "0" });
      return;
    case "closed":
      set(d, { closed: true });
      break;
    default:
      return unreachable(input);
  }
  const { kind } = d.loop.phase;
  if (kind === "listening") listen(d);
  else if (input.change === "stopped" && (kind === "idle" || kind === "leaving" || kind === "finished"))
    d.out.push({ kind: "work-stopped" });
}

/** Back at the select. */
function listen(d: CamelDraft): void {
  set(d, { phase: { kind: "listening" }, listeningSinceMs: d.now });
  if (d.loop.stopping) {
    drain(d, "leave");
    return;
  }
  if (!d.loop.changed) {
    if (d.loop.closed) drain(d, "leave");
    return;
  }
  set(d, { changed: false, occasion: "event" });
  if (d.loop.published === "started") startedLeading(d);
  else stoppedLeading(d);
}

function startedLeading(d: CamelDraft): void {
  if (!d.loop.isLeading) {
    set(d, { isLeading: true, attempts: 0, lastStartError: null });
    if (isHardened(d)) countTransition(d, "acquired");
  }
  reconcile(d);
}

/** Brings the delegate into the state that leadership asks for. */
function reconcile(d: CamelDraft): void {
  if (!isHardened(d)) {
    logAcquired(d);
    if (d.run === null) create(d);
    else drain(d, "start");
    return;
  }
  if (d.run === null) {
    tryOnce(d);
    return;
  }
  if (d.run.epoch === d.loop.epoch) {
    log(d, "debug", "dropping duplicate StartedLeading delivery at the published epoch", {
      current_epoch: Number(d.loop.epoch),
      lock: d.config.lock,
    });
    listen(d);
    return;
  }
  drain(d, "start");
}

function stoppedLeading(d: CamelDraft): void {
  if (d.loop.isLeading) {
    if (isHardened(d)) countTransition(d, "lost");
    set(d, { isLeading: false });
  }
  log(d, "info", "master leadership lost");
  if (!isHardened(d)) log(d, "info", "metrics emission placeholder: leadership lost");
  if (d.run !== null) {
    drain(d, "standby");
    return;
  }
  d.out.push({ kind: "work-stopped" });
  listen(d);
}

// --- creating, and trying again -------------------------------------------------------------------------------------

/** 0.64: a delivery counts whether the budget lets it create or not. */
function tryOnce(d: CamelDraft): void {
  const { attempts } = d.loop;
  set(d, { attempts: attempts + 1 });
  if (!shouldRetry(d.config.reconnect, attempts)) {
    listen(d);
    return;
  }
  logAcquired(d);
  create(d);
}

function create(d: CamelDraft): void {
  set(d, { phase: { kind: "creating" } });
  say(d, "starting", "");
  d.out.push({ kind: "create-delegate", run: d.runs + 1 });
}

function created(d: CamelDraft, error: DelegateError | null, step: "endpoint" | "consumer"): void {
  if (error === null) {
    beginRun(d, d.loop.epoch, d.loop.acquisition);
    if (isHardened(d)) countLifecycle(d, "started", "none");
    if (d.loop.routeCancelled) cancelTokens(d);
    listen(d);
    return;
  }
  const transient = isTransient(error);
  if (isHardened(d)) countLifecycle(d, "create_error", transient ? "transient" : "permanent");
  if (!transient) {
    failReconcile(d, error);
    return;
  }
  log(d, "warn", `transient delegate ${step} error (will retry)`, {
    error: errorText(error),
    lock: d.config.lock,
  });
  set(d, { lastStartError: null });
  listen(d);
}

function fire(d: CamelDraft, timer: string): void {
  const { phase: at } = d.loop;
  switch (timer) {
    case "tick":
      // Fires with whatever else happens now: see fireTicks.
      return;
    case "backoff":
      // Leadership may have been lost meanwhile; nobody looks.
      if (at.kind === "backoff") tryAgain(d);
      return;
    case "drain":
      if (at.kind === "draining") drainTimedOut(d, at.stage);
      return;
    case "step-down":
      if (at.kind === "leaving") finish(d, at.error);
      return;
    case "stop":
      if (at.kind !== "finished") stopTimedOut(d);
      return;
  }
}

function tick(d: CamelDraft): void {
  set(d, { occasion: "tick" });
  const { run, loop } = d;
  if (isHardened(d) && run !== null && run.epoch !== loop.epoch) {
    log(d, "debug", "retry tick detected stale delegate stamp, redispatching StartedLeading", {
      lock: d.config.lock,
      published: Number(loop.epoch),
      stamp: Number(run.epoch),
    });
    reconcile(d);
    return;
  }
  if (run !== null && run.task.kind === "finished") drain(d, "tick");
  else tickWithout(d);
}

/** The rest of a tick: leading without a delegate, it is tried again or given up. */
function tickWithout(d: CamelDraft): void {
  const { isLeading, attempts, lastStartError } = d.loop;
  if (!isLeading || d.run !== null) {
    listen(d);
    return;
  }
  if (!shouldRetry(d.config.reconnect, attempts)) {
    const or = isHardened(d) ? " or reconnect disabled" : "";
    log(d, "warn", `delegate start exceeded max attempts${or}, stopping consumer`, {
      attempts,
      lock: d.config.lock,
    });
    leave(d, lastStartError);
    return;
  }
  const waits = attempts - (isHardened(d) ? 2 : 1);
  const delayMs = waits < 0 ? 0 : nextDelayMs(d, waits);
  if (delayMs <= TICK_MS) {
    tryAgain(d);
    return;
  }
  if (d.loop.stopping) {
    listen(d);
    return;
  }
  set(d, { phase: { kind: "backoff" } });
  d.out.push({ kind: "set-timer", timer: "backoff", dueMs: d.now + delayMs - TICK_MS });
  say(d, "starting", `waits ${delayMs - TICK_MS} ms before it is tried again`);
}

function tryAgain(d: CamelDraft): void {
  if (isHardened(d)) {
    tryOnce(d);
    return;
  }
  set(d, { attempts: d.loop.attempts + 1 });
  logAcquired(d);
  create(d);
}

// --- stopping the delegate --------------------------------------------------------------------------------------------

/** Stops the delegate: first it, then its bridge, each with a drain timeout of its own. */
function drain(d: CamelDraft, next: AfterDrain): void {
  set(d, { phase: { kind: "draining", stage: "delegate", next } });
  if (d.run === null) {
    drained(d, next, null);
    return;
  }
  if (next !== "tick") say(d, "draining", "");
  const { drainTimeoutMs } = d.config;
  const atOnce = drainTimeoutMs === 0 && d.run.task.kind !== "finished";
  cancelRun(d, atOnce ? { ...rulesOf(d), abortBackgroundOnCancel: false } : rulesOf(d));
  if (atOnce) {
    // Its task is aborted before it has had a turn to see its cancellation.
    drainTimedOut(d, "delegate");
    return;
  }
  d.out.push({ kind: "set-timer", timer: "drain", dueMs: d.now + drainTimeoutMs });
  settle(d);
  goOnDraining(d);
}

function drainTimedOut(d: CamelDraft, stage: "delegate" | "bridge"): void {
  if (stage === "delegate") {
    log(d, "warn", "master delegate shutdown timed out, aborting", {});
    abortRun(d, "leave");
  } else {
    log(d, "warn", "epoch bridge drain timed out, aborting", {});
    abortBridge(d, "drain-timeout");
  }
  settle(d);
  goOnDraining(d);
}

function goOnDraining(d: CamelDraft): void {
  const at = d.loop.phase;
  if (at.kind !== "draining" || d.run === null || d.run.task.kind !== "finished") return;
  if (d.run.bridge !== null) {
    if (at.stage === "bridge") return;
    set(d, { phase: { ...at, stage: "bridge" } });
    d.out.push({ kind: "set-timer", timer: "drain", dueMs: d.now + d.config.drainTimeoutMs });
    return;
  }
  const { error } = d.run.task;
  d.run = null;
  d.out.push({ kind: "clear-timer", timer: "drain" });
  if (isHardened(d)) countLifecycle(d, "stopped", "none");
  drained(d, at.next, error);
}

function drained(d: CamelDraft, next: AfterDrain, error: DelegateError | null): void {
  switch (next) {
    case "standby":
      d.out.push({ kind: "work-stopped" });
      if (error !== null) {
        failReconcile(d, error);
        return;
      }
      say(d, "standby", "leadership was lost");
      listen(d);
      return;
    case "start":
      if (error !== null) {
        failReconcile(d, error);
        return;
      }
      if (isHardened(d)) {
        // The old delegate is gone, and its epoch's budget with it.
        set(d, { attempts: 0, lastStartError: null });
        tryOnce(d);
      } else create(d);
      return;
    case "tick":
      delegateOver(d, error);
      return;
    case "leave":
      leave(d, error);
      return;
    default:
      unreachable(next);
  }
}

/**
 * An error out of creating or stopping. On an event it ends the candidacy, whatever its class; on a tick of 0.64 only a
 * permanent one does.
 */
function failReconcile(d: CamelDraft, error: DelegateError): void {
  const fields = { error: errorText(error), lock: d.config.lock };
  if (d.loop.occasion === "event") log(d, "error", `master delegate error: ${errorText(error)}`);
  else if (isHardened(d) && isTransient(error)) {
    log(d, "error", "master delegate reconcile transient error, will retry", fields);
    listen(d);
    return;
  } else log(d, "error", "master delegate permanent error, terminating", fields);
  leaveAtOnce(d, error);
}

/** The delegate ended by itself, and a tick found it. */
function delegateOver(d: CamelDraft, error: DelegateError | null): void {
  if (error === null) {
    set(d, { lastStartError: null });
    tickWithout(d);
    return;
  }
  const transient = isHardened(d) && isTransient(error);
  if (isHardened(d)) countLifecycle(d, "start_error", transient ? "transient" : "permanent");
  if (!transient) {
    log(d, "error", `master delegate task failed: ${errorText(error)}`);
    if (isHardened(d)) leave(d, error);
    else leaveAtOnce(d, error);
    return;
  }
  log(d, "warn", "master delegate task failed transiently, will retry", {
    error: errorText(error),
    lock: d.config.lock,
  });
  set(d, { lastStartError: error });
  tickWithout(d);
}

// --- the end ------------------------------------------------------------------------------------------------------------

function cancelRoute(d: CamelDraft): void {
  if (d.loop.phase.kind === "finished") return;
  set(d, { routeCancelled: true });
  cancelTokens(d);
  if (isHardened(d)) {
    set(d, { stopping: true });
    // With a limit of nothing the stop that follows is faster than the loop.
    if (d.config.drainTimeoutMs > 0) wakeToStop(d);
    return;
  }
  // 0.33: the loop is aborted where it stands. Leaving the election does not wait for delegate and bridge.
  if (d.loop.phase.kind !== "leaving") d.out.push({ kind: "leave-election" });
  finish(d, null);
}

/**
 * The delegate's token and the bridge's are children of the route's: both see it at once. A bridge that waits for the
 * pipeline sees nothing until that lets it go.
 */
function cancelTokens(d: CamelDraft): void {
  if (d.run !== null && d.run.bridge !== null) d.run = { ...d.run, passesLeft: d.config.passesAfterCancel };
  cancelRun(d, rulesOf(d));
}

function stop(d: CamelDraft): void {
  const at = d.loop.phase;
  if (at.kind === "finished" || at.kind === "idle") {
    d.out.push({
      kind: "stop-returned",
      error: at.kind === "finished" && isHardened(d) ? at.error : null,
    });
    return;
  }
  if (isHardened(d)) {
    set(d, { stopping: true, stopCalled: true });
    if (d.config.drainTimeoutMs === 0) {
      stopTimedOut(d);
      return;
    }
    d.out.push({ kind: "set-timer", timer: "stop", dueMs: d.now + 3 * d.config.drainTimeoutMs });
  } else {
    set(d, { stopping: true });
    d.out.push({ kind: "stop-returned", error: null });
  }
  wakeToStop(d);
}

/** Delegate, bridge and step-down have each had a drain timeout: the loop is aborted where it stands. */
function stopTimedOut(d: CamelDraft): void {
  log(d, "warn", "master leadership loop shutdown timed out, aborting");
  if (d.loop.phase.kind !== "leaving") d.out.push({ kind: "leave-election" });
  finish(d, null);
}

function wakeToStop(d: CamelDraft): void {
  const { kind } = d.loop.phase;
  if (kind === "backoff") d.out.push({ kind: "clear-timer", timer: "backoff" });
  if (kind === "listening" || kind === "backoff") listen(d);
}

/** The elector will wait no longer. The crates know no such call: it stands for the end of their process. */
function abort(d: CamelDraft): void {
  abortRun(d, "leave");
  abortBridge(d, "aborted");
  settle(d);
  goOnDraining(d);
  if (!d.out.some((output) => output.kind === "work-stopped")) d.out.push({ kind: "work-stopped" });
}

/** At its select the loop takes the ticks that are due, those that it missed among them, before any other task runs. */
function fireTicks(d: CamelDraft): void {
  while (d.loop.phase.kind === "listening" && d.loop.tickMs <= d.now) {
    set(d, { tickMs: d.loop.tickMs + TICK_MS });
    tick(d);
  }
}

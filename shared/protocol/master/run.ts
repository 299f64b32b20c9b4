// One run of the delegate and its bridge: what every variant does alike. Who decides when is `camel/camel.ts` or `epochLab/epochLab.ts`.
import { assert, present, unreachable } from "../../base/assert.ts";
import { createBridge, forward, offer, type Envelope } from "./bridge.ts";
import type { DelegateInput, DropReason, EnvelopeFacts } from "./contract.ts";
import type { Draft, Queued, Run } from "./state.ts";

/** The delegate was created: spawns its bridge, stamped with the epoch of this moment, and starts it. */
export function beginRun(draft: Draft, epoch: string, acquisition: number): void {
  draft.runs += 1;
  draft.run = {
    number: draft.runs,
    epoch,
    acquisition,
    task: { kind: "starting" },
    cancelled: false,
    senderOpen: true,
    senderLeaked: false,
    workError: null,
    bridge: createBridge(draft.config.bridgeCapacity, epoch),
    passesLeft: null,
    activeSinceMs: null,
  };
  draft.out.push({ kind: "start-delegate", run: draft.runs });
}

/** How a variant treats what it cannot see through: a start that returns while work goes on in the background. */
export interface RunRules {
  /** `watch`: the background work counts as the delegate's. `stop`: a start that has returned is over and is stopped. */
  readonly background: (handedOver: boolean) => "watch" | "stop";
  /** Background work that was handed over is aborted at the very moment of cancellation, and then stopped. */
  readonly abortBackgroundOnCancel: boolean;
}

/** Takes a delegate's report. Reports about an earlier run change nothing but the fate of their own envelopes. */
export function takeReport(
  draft: Draft,
  rules: RunRules,
  input: Exclude<DelegateInput, { kind: "created" }>,
): void {
  const { run } = draft;
  if (run === null || run.number !== input.run) {
    if (input.kind === "emitted")
      draft.out.push({ kind: "refused", envelope: input.envelope, run: input.run, why: "closed" });
    return;
  }
  switch (input.kind) {
    case "started":
      draft.run = { ...run, task: { kind: "running", background: false }, activeSinceMs: draft.now };
      return;
    case "start-failed":
      draft.run = { ...run, task: { kind: "finished", error: input.error }, senderOpen: false };
      return;
    case "start-returned":
      if (rules.background(input.handedOver) === "stop") {
        stopTask(draft);
        return;
      }
      draft.run = { ...run, task: { kind: "running", background: true } };
      if (run.cancelled && rules.abortBackgroundOnCancel) abortBackground(draft);
      return;
    case "emitted":
      take(draft, { id: input.envelope, properties: input.properties });
      return;
    case "sender-leaked":
      draft.run = { ...run, senderLeaked: true };
      return;
    case "ended":
      draft.run = { ...run, senderOpen: false };
      // Work that nobody watches ends without its error being seen.
      if (run.task.kind !== "running") return;
      draft.run = { ...draft.run, workError: input.error };
      // A start() that returned an error is not followed by a stop(); background work is, whatever it ended with.
      if (input.error === null || run.task.background) stopTask(draft);
      else draft.run = { ...draft.run, task: { kind: "finished", error: input.error } };
      return;
    case "stopped":
      draft.run = { ...run, task: { kind: "finished", error: input.error ?? run.workError } };
      return;
    default:
      unreachable(input);
  }
}

function stopTask(draft: Draft): void {
  const run = present(draft.run, "only a run can be stopped");
  draft.run = { ...run, task: { kind: "stopping" } };
  draft.out.push({ kind: "stop-delegate", run: run.number });
}

/** Asks the delegate to end, once. */
export function cancelRun(draft: Draft, rules: RunRules): void {
  const { run } = draft;
  if (run === null || run.cancelled) return;
  draft.run = { ...run, cancelled: true };
  if (run.task.kind === "running" && run.task.background && rules.abortBackgroundOnCancel)
    abortBackground(draft);
  else draft.out.push({ kind: "cancel-delegate", run: run.number });
}

function abortBackground(draft: Draft): void {
  const run = present(draft.run, "only a run can be aborted");
  draft.out.push({ kind: "abort-delegate", run: run.number, what: "delegate" });
  draft.run = { ...run, senderOpen: false };
  refuseWaiting(draft, "aborted");
  stopTask(draft);
}

/**
 * Ends by force what the delegate's task is at. Work that the task does not see goes on.
 * @param background whether work in a task of its own is ended too, or only left alone.
 */
export function abortRun(draft: Draft, background: "end" | "leave"): void {
  const { run } = draft;
  if (run === null || run.task.kind === "finished") return;
  const { task } = run;
  const what = task.kind === "starting" ? "start" : task.kind === "running" ? "delegate" : "stop";
  const goesOn = what === "stop" || (task.kind === "running" && task.background && background === "leave");
  if (!goesOn || what === "stop") draft.out.push({ kind: "abort-delegate", run: run.number, what });
  draft.run = {
    ...run,
    task: { kind: "finished", error: null },
    senderOpen: goesOn && run.senderOpen,
  };
  if (!goesOn) refuseWaiting(draft, "aborted");
}

/** Destroys the bridge with all that it holds; says so, and how much. */
export function abortBridge(draft: Draft, why: DropReason): void {
  const { run } = draft;
  if (run === null || run.bridge === null) return;
  refuseWaiting(draft, "closed");
  drop(
    draft,
    "bridge",
    run.bridge.held.map((envelope) => factsOf(run, envelope.id)),
    why,
  );
  draft.run = { ...present(draft.run, "the run outlives its bridge"), bridge: null, passesLeft: null };
}

/** Destroys the exchanges that wait for the pipeline. */
export function abortPipelineQueue(draft: Draft, why: DropReason): void {
  drop(
    draft,
    "pipeline",
    draft.pipeline.queue.map((queued) => queued.facts),
    why,
  );
  draft.pipeline = { ...draft.pipeline, queue: [] };
}

/** Ends the work on the exchange in hand by force. */
export function abortExchange(draft: Draft): void {
  const { inHand } = draft.pipeline;
  if (inHand === null) return;
  draft.out.push({ kind: "abort-exchange", ...inHand.facts });
  draft.pipeline = { ...draft.pipeline, inHand: null };
}

/** The pipeline takes no more: what waits for it is lost, and a bridge that has something for it cannot go on. */
export function closePipeline(draft: Draft): void {
  if (draft.pipeline.closed) return;
  abortPipelineQueue(draft, "pipeline-closed");
  draft.pipeline = { ...draft.pipeline, closed: true };
}

export function finishExchange(draft: Draft, envelope: number): void {
  if (draft.pipeline.inHand?.facts.envelope !== envelope) return;
  draft.pipeline = { ...draft.pipeline, inHand: null };
}

/** Whether the pipeline has nothing of this node's any more. */
export const isPipelineIdle = (draft: Draft): boolean =>
  draft.pipeline.inHand === null && draft.pipeline.queue.length === 0;

/** Moves envelopes on until nothing can move: into the pipeline's hand, its channel, the bridge. */
export function settle(draft: Draft): void {
  for (let moved = true; moved;) {
    moved = takeInHand(draft);
    moved = moveBridge(draft) || moved;
  }
  const { run } = draft;
  if (
    run?.bridge !== null &&
    run?.bridge !== undefined &&
    !run.senderOpen &&
    !run.senderLeaked &&
    isBridgeEmpty(run)
  )
    draft.run = { ...run, bridge: null, passesLeft: null };
}

const isBridgeEmpty = (run: Run): boolean =>
  run.bridge === null || (run.bridge.held.length === 0 && run.bridge.waiting.length === 0);

function takeInHand(draft: Draft): boolean {
  const { queue, inHand, closed } = draft.pipeline;
  const next = queue[0];
  if (inHand !== null || closed || next === undefined) return false;
  draft.pipeline = { queue: queue.slice(1), inHand: next, closed };
  draft.out.push({ kind: "exchange", properties: next.exchange.properties, ...next.facts });
  return true;
}

function moveBridge(draft: Draft): boolean {
  const { run, pipeline } = draft;
  if (run === null || run.bridge === null) return false;
  if (run.passesLeft !== null && isBridgeEmpty(run)) {
    draft.run = { ...run, bridge: null, passesLeft: null };
    return false;
  }
  if (isBridgeEmpty(run)) return false;
  if (pipeline.closed) {
    abortBridge(draft, "pipeline-closed");
    return false;
  }
  const room = draft.config.pipelineCapacity - pipeline.queue.length;
  if (room <= 0) return false;
  if (run.passesLeft === 0) {
    // Its hand is empty now, and it sees the cancellation before the next envelope.
    forwardSome(draft, run, 1, false);
    abortBridge(draft, "route-cancelled");
    return true;
  }
  if (run.passesLeft !== null) {
    draft.run = { ...run, passesLeft: run.passesLeft - 1 };
    forwardSome(draft, draft.run, 1, true);
    return true;
  }
  forwardSome(draft, run, room, true);
  return true;
}

function forwardSome(draft: Draft, run: Run, room: number, admit: boolean): void {
  const bridge = present(run.bridge, "a bridge that forwards exists");
  const moved = forward(bridge, room);
  for (const envelope of bridge.waiting.slice(0, admit ? moved.admitted : 0))
    draft.out.push({ kind: "accepted", queued: moved.bridge.held.length, ...factsOf(run, envelope.id) });
  const queued = moved.exchanges.map((exchange): Queued => ({ exchange, facts: factsOf(run, exchange.id) }));
  for (const { facts } of queued) draft.out.push({ kind: "forwarded", ...facts });
  draft.run = {
    ...run,
    bridge: admit ? moved.bridge : { ...bridge, held: bridge.held.slice(moved.exchanges.length) },
  };
  draft.pipeline = { ...draft.pipeline, queue: [...draft.pipeline.queue, ...queued] };
}

function take(draft: Draft, envelope: Envelope): void {
  const run = present(draft.run, "a report is about the present run");
  const { bridge } = run;
  if (bridge === null) {
    draft.out.push({ kind: "refused", envelope: envelope.id, run: run.number, why: "closed" });
    return;
  }
  const next = offer(bridge, [envelope]);
  draft.run = { ...run, bridge: next };
  if (next.held.length > bridge.held.length)
    draft.out.push({ kind: "accepted", queued: next.held.length, ...factsOf(run, envelope.id) });
}

function refuseWaiting(draft: Draft, why: "closed" | "aborted"): void {
  const { run } = draft;
  if (run === null || run.bridge === null || run.bridge.waiting.length === 0) return;
  for (const envelope of run.bridge.waiting)
    draft.out.push({ kind: "refused", envelope: envelope.id, run: run.number, why });
  draft.run = { ...run, bridge: { ...run.bridge, waiting: [] } };
}

function drop(
  draft: Draft,
  where: "bridge" | "pipeline",
  envelopes: readonly EnvelopeFacts[],
  why: DropReason,
): void {
  if (envelopes.length > 0) draft.out.push({ kind: "dropped", envelopes, where, why });
}

function factsOf(run: Run, envelope: number): EnvelopeFacts {
  assert(run.number > 0, "an envelope travels under a run that was begun");
  return { envelope, run: run.number, epoch: run.epoch, acquisition: run.acquisition };
}

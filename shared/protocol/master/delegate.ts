// A scripted delegate: creations that succeed or fail, and lives that start, emit, linger, end and stop as a plan says. It
// stands where a real component would.
import { unreachable } from "../../base/assert.ts";
import { NO_PROPERTIES, type Properties } from "./bridge.ts";
import type { DelegateError, DelegateInput } from "./contract.ts";
import {
  DEFAULT_PLAN,
  type CreatePlan,
  type DelegatePlan,
  type DelegateScript,
  type PlannedError,
} from "./plan.ts";

/** A send that has not come back. */
interface Sending {
  readonly envelope: number;
  readonly sinceMs: number;
}

type Work =
  /** In a task of its own that has not run yet. */
  | { readonly kind: "spawned" }
  /** Emits by its plan. `left`: emissions to come, null for no end; `burstLeft`: envelopes of the present one to come. */
  | {
      readonly kind: "emitting";
      readonly beginMs: number;
      readonly nextMs: number;
      readonly left: number | null;
      readonly burstLeft: number;
    }
  | { readonly kind: "lingering"; readonly untilMs: number }
  | { readonly kind: "flushing"; readonly left: number };

/** One delegate. `start`, `work` and `stop` are its three calls; each is null while it is not going on. */
interface Life {
  readonly run: number;
  readonly plan: DelegatePlan;
  /** `dueMs` null: called, and not begun yet. */
  readonly start: { readonly dueMs: number | null } | null;
  readonly work: Work | null;
  readonly sending: Sending | null;
  readonly cancelled: boolean;
  readonly stop: { readonly dueMs: number | null } | null;
  /** Nothing more will be called. It is forgotten once nothing goes on either. */
  readonly over: boolean;
}

export interface Delegates {
  readonly script: DelegateScript;
  /** How many creations were asked for. */
  readonly creates: number;
  /** How many delegates were created. */
  readonly created: number;
  /** How many envelopes were sent, ever. */
  readonly envelopes: number;
  readonly lives: readonly Life[];
  /** When the timer fires; null: not set. */
  readonly timerMs: number | null;
}

export const createDelegates = (script: DelegateScript): Delegates => ({
  script,
  creates: 0,
  created: 0,
  envelopes: 0,
  lives: [],
  timerMs: null,
});

/** What the master wants, and what became of envelopes. Nothing moves until {@link pollDelegates}, but for a creation. */
export type DelegateCommand =
  | { readonly kind: "start" | "cancel" | "stop"; readonly run: number }
  | { readonly kind: "abort"; readonly run: number; readonly what: "start" | "delegate" | "stop" }
  /** The bridge took it. */
  | { readonly kind: "accepted"; readonly run: number; readonly envelope: number }
  /** It was not taken, or was lost before its reply. */
  | { readonly kind: "refused"; readonly run: number; readonly envelope: number }
  /** The pipeline is done with it. */
  | { readonly kind: "replied"; readonly run: number; readonly envelope: number };

/** What happens inside a delegate: for narration, and for comparing with the oracle. */
export type DelegateNote =
  | { readonly kind: "note"; readonly what: "create"; readonly n: number; readonly plan: CreatePlan }
  | {
      readonly kind: "note";
      readonly what:
        | "start-attempt"
        | "started"
        | "start-returned"
        | "cancel-seen"
        | "stop-called"
        | "stopped"
        | "stop-error";
      readonly run: number;
    }
  | {
      readonly kind: "note";
      readonly what: "start-error";
      readonly run: number;
      readonly error: PlannedError;
    }
  | {
      readonly kind: "note";
      readonly what: "work-ended";
      readonly run: number;
      readonly error: DelegateError | null;
    }
  | {
      readonly kind: "note";
      readonly what: "aborted";
      readonly run: number;
      readonly call: "start" | "delegate" | "stop";
    }
  | {
      readonly kind: "note";
      readonly what: "sends-for-reply";
      readonly run: number;
      readonly envelope: number;
    }
  | {
      readonly kind: "note";
      readonly what: "sent" | "reply";
      readonly run: number;
      readonly envelope: number;
      /** How long the call took. */
      readonly blockedMs: number;
      readonly afterCancel: boolean;
    }
  | { readonly kind: "note"; readonly what: "send-error"; readonly run: number; readonly envelope: number };

export type DelegateTimer = "delegate";

/** One timer for all of them. When it fires, {@link pollDelegates} is due. */
export type DelegateOutput =
  | DelegateInput
  | DelegateNote
  | { readonly kind: "set-timer"; readonly timer: DelegateTimer; readonly dueMs: number }
  | { readonly kind: "clear-timer"; readonly timer: DelegateTimer };

export type DelegatesStep = readonly [Delegates, readonly DelegateOutput[]];

/** Makes the next delegate. At once, as components are. */
export function createDelegate(delegates: Delegates): DelegatesStep {
  const { script, creates, created, lives } = delegates;
  const plan = script.creates[Math.min(creates, script.creates.length - 1)] ?? "ok";
  const counted = { ...delegates, creates: creates + 1 };
  const note: DelegateNote = { kind: "note", what: "create", n: creates + 1, plan };
  const error = createError(plan);
  if (error !== null) {
    const step = plan.startsWith("consumer-") ? "consumer" : "endpoint";
    return [counted, [note, { kind: "created", error, step }]];
  }
  const life: Life = {
    run: created + 1,
    plan: script.plans[Math.min(created, script.plans.length - 1)] ?? DEFAULT_PLAN,
    start: null,
    work: null,
    sending: null,
    cancelled: false,
    stop: null,
    over: false,
  };
  return [
    { ...counted, created: created + 1, lives: [...lives, life] },
    [note, { kind: "created", error: null, step: "consumer" }],
  ];
}

function createError(plan: CreatePlan): DelegateError | null {
  switch (plan) {
    case "ok":
      return null;
    case "io":
    case "transient":
    case "permanent":
      return { kind: plan, message: "scripted endpoint failure" };
    case "consumer-io":
      return { kind: "io", message: "scripted consumer failure" };
    case "consumer-transient":
      return { kind: "transient", message: "scripted consumer failure" };
    case "consumer-permanent":
      return { kind: "permanent", message: "scripted consumer failure" };
    default:
      return unreachable(plan);
  }
}

/** Takes a command; what follows from it comes with the next {@link pollDelegates}. */
export function commandDelegates(
  delegates: Delegates,
  command: DelegateCommand,
  nowMs: number,
): DelegatesStep {
  const life = delegates.lives.find((one) => one.run === command.run);
  if (life === undefined) return [delegates, []];
  const out: DelegateOutput[] = [];
  const next = commanded(life, command, nowMs, out);
  return [withLife(delegates, next), out];
}

function commanded(life: Life, command: DelegateCommand, now: number, out: DelegateOutput[]): Life {
  switch (command.kind) {
    case "start":
      return { ...life, start: { dueMs: null } };
    case "cancel":
      return { ...life, cancelled: true };
    case "stop":
      return { ...life, stop: { dueMs: null } };
    case "abort":
      // What never ran leaves no trace.
      if (life.work?.kind !== "spawned" || command.what !== "delegate")
        out.push({ kind: "note", what: "aborted", run: life.run, call: command.what });
      if (command.what === "stop") return { ...life, stop: null, over: true };
      return { ...life, start: null, work: null, sending: null, over: true };
    case "accepted":
      if (life.sending?.envelope !== command.envelope || life.plan.waitReply) return life;
      out.push(sendNote("sent", life, life.sending, now));
      return { ...life, sending: null };
    case "replied":
      if (life.sending?.envelope !== command.envelope || !life.plan.waitReply) return life;
      out.push(sendNote("reply", life, life.sending, now));
      return { ...life, sending: null };
    case "refused":
      if (life.sending?.envelope !== command.envelope) return life;
      out.push({ kind: "note", what: "send-error", run: life.run, envelope: command.envelope });
      // A flush goes on after a failed send; work ends with it.
      return life.work?.kind === "emitting"
        ? endWork({ ...life, sending: null }, { kind: "channel-closed", message: "" }, out)
        : { ...life, sending: null };
    default:
      return unreachable(command);
  }
}

function sendNote(what: "sent" | "reply", life: Life, sending: Sending, now: number): DelegateNote {
  return {
    kind: "note",
    what,
    run: life.run,
    envelope: sending.envelope,
    blockedMs: now - sending.sinceMs,
    afterCancel: life.work?.kind === "flushing",
  };
}

/** Lets every delegate go on as far as it can without waiting, and sets the timer for when the next one can. */
export function pollDelegates(delegates: Delegates, nowMs: number): DelegatesStep {
  const out: DelegateOutput[] = [];
  let { envelopes } = delegates;
  const lives: Life[] = [];
  let dueMs: number | null = null;
  for (const life of delegates.lives) {
    const [polled, sent] = pollLife(life, nowMs, envelopes, out);
    envelopes = sent;
    if (polled.over && polled.start === null && polled.work === null && polled.stop === null) continue;
    lives.push(polled);
    const due = dueOf(polled);
    if (due !== null && (dueMs === null || due < dueMs)) dueMs = due;
  }
  if (dueMs !== delegates.timerMs)
    out.push(
      dueMs === null
        ? { kind: "clear-timer", timer: "delegate" }
        : { kind: "set-timer", timer: "delegate", dueMs },
    );
  return [{ ...delegates, envelopes, lives, timerMs: dueMs }, out];
}

function pollLife(
  life: Life,
  now: number,
  envelopes: number,
  out: DelegateOutput[],
): readonly [Life, number] {
  let next = pollStart(life, now, out);
  // A task that was spawned just now runs when everybody else has had a turn.
  if (life.work === null && next.work?.kind === "spawned") return [pollStop(next, now, out), envelopes];
  let sent = envelopes;
  while (next.work !== null && next.sending === null) {
    const before = next;
    next = pollWork(next, next.work, now, sent, out);
    if (next.sending !== null && next.sending !== before.sending) sent += 1;
    if (next === before) break;
  }
  return [pollStop(next, now, out), sent];
}

function pollStart(life: Life, now: number, out: DelegateOutput[]): Life {
  const { start, plan, run } = life;
  if (start === null) return life;
  if (start.dueMs === null) {
    out.push({ kind: "note", what: "start-attempt", run });
    return pollStart({ ...life, start: { dueMs: now + plan.startMs } }, now, out);
  }
  if (start.dueMs > now) return life;
  if (plan.startError !== null) {
    const error: DelegateError = { kind: plan.startError, message: "scripted start failure" };
    out.push(
      { kind: "note", what: "start-error", run, error: plan.startError },
      { kind: "start-failed", run, error },
    );
    return { ...life, start: null, over: true };
  }
  out.push({ kind: "note", what: "started", run }, { kind: "started", run });
  if (plan.leakSender) out.push({ kind: "sender-leaked", run });
  if (plan.style === "blocking") return { ...life, start: null, work: beginWork(plan, now) };
  out.push(
    { kind: "note", what: "start-returned", run },
    { kind: "start-returned", run, handedOver: plan.style === "background" },
  );
  return { ...life, start: null, work: { kind: "spawned" } };
}

const beginWork = (plan: DelegatePlan, now: number): Work => ({
  kind: "emitting",
  beginMs: now,
  nextMs: now + plan.emitFirstMs,
  left: plan.emitCount,
  burstLeft: 0,
});

/** One step of the work; the same life when it must wait. */
function pollWork(life: Life, work: Work, now: number, envelopes: number, out: DelegateOutput[]): Life {
  const { plan, run } = life;
  switch (work.kind) {
    case "spawned":
      return { ...life, work: beginWork(plan, now) };
    case "emitting": {
      if (life.cancelled && !plan.ignoreCancel) {
        out.push({ kind: "note", what: "cancel-seen", run });
        return { ...life, work: { kind: "lingering", untilMs: now + plan.lingerMs } };
      }
      if (plan.failMs !== null && work.beginMs + plan.failMs <= now)
        return endWork(life, { kind: plan.failKind, message: "scripted failure while running" }, out);
      if (plan.endMs !== null && work.beginMs + plan.endMs <= now) return endWork(life, null, out);
      if (work.burstLeft > 0)
        return send({ ...life, work: { ...work, burstLeft: work.burstLeft - 1 } }, now, envelopes, out);
      if (work.left === 0) return plan.endWhenDone ? endWork(life, null, out) : life;
      if (work.nextMs > now) return life;
      return {
        ...life,
        work: {
          ...work,
          left: work.left === null ? null : work.left - 1,
          nextMs: work.nextMs + plan.emitEveryMs,
          burstLeft: plan.burst,
        },
      };
    }
    case "lingering":
      return work.untilMs > now ? life : { ...life, work: { kind: "flushing", left: plan.flush } };
    case "flushing":
      if (work.left > 0)
        return send({ ...life, work: { kind: "flushing", left: work.left - 1 } }, now, envelopes, out);
      return endWork(
        life,
        plan.cancelError === null
          ? null
          : { kind: plan.cancelError, message: "scripted error while stopping" },
        out,
      );
    default:
      return unreachable(work);
  }
}

function send(life: Life, now: number, envelopes: number, out: DelegateOutput[]): Life {
  const envelope = envelopes + 1;
  const properties: Properties = NO_PROPERTIES;
  if (life.plan.waitReply) out.push({ kind: "note", what: "sends-for-reply", run: life.run, envelope });
  out.push({ kind: "emitted", run: life.run, envelope, properties });
  return { ...life, sending: { envelope, sinceMs: now } };
}

function endWork(life: Life, error: DelegateError | null, out: DelegateOutput[]): Life {
  out.push(
    { kind: "note", what: "work-ended", run: life.run, error },
    { kind: "ended", run: life.run, error },
  );
  // A start() that failed is not followed by a stop().
  return { ...life, work: null, over: life.over || (error !== null && life.plan.style === "blocking") };
}

function pollStop(life: Life, now: number, out: DelegateOutput[]): Life {
  const { stop, plan, run } = life;
  if (stop === null) return life;
  if (stop.dueMs === null) {
    out.push({ kind: "note", what: "stop-called", run });
    return pollStop({ ...life, stop: { dueMs: now + plan.stopMs } }, now, out);
  }
  if (stop.dueMs > now) return life;
  const error: DelegateError | null =
    plan.stopError === null ? null : { kind: plan.stopError, message: "scripted stop failure" };
  out.push(
    { kind: "note", what: error === null ? "stopped" : "stop-error", run },
    { kind: "stopped", run, error },
  );
  return { ...life, stop: null, over: true };
}

/** When a life can go on by itself; null: not by time. */
function dueOf(life: Life): number | null {
  const due: number[] = [];
  if (life.start?.dueMs !== null && life.start?.dueMs !== undefined) due.push(life.start.dueMs);
  if (life.stop?.dueMs !== null && life.stop?.dueMs !== undefined) due.push(life.stop.dueMs);
  const { work, plan } = life;
  if (work !== null && life.sending === null) {
    if (work.kind === "lingering") due.push(work.untilMs);
    if (work.kind === "emitting") {
      if (work.left !== 0) due.push(work.nextMs);
      if (plan.failMs !== null) due.push(work.beginMs + plan.failMs);
      if (plan.endMs !== null) due.push(work.beginMs + plan.endMs);
    }
  }
  return due.length === 0 ? null : Math.min(...due);
}

function withLife(delegates: Delegates, life: Life): Delegates {
  return { ...delegates, lives: delegates.lives.map((one) => (one.run === life.run ? life : one)) };
}

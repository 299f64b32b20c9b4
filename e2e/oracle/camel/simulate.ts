// Plays a schedule through the engine's master consumer and writes down what happens in the oracle's own vocabulary. Beside the
// consumer it plays what the oracle's program plays: the election service, the pipeline, and the route controller's rules.
import {
  createConsumer,
  stepConsumerAll,
  type Consumer,
  type ConsumerInput,
  type ConsumerOutput,
} from "../../../shared/protocol/master/consumer.ts";
import {
  errorText,
  type DelegateError,
  type MasterVariant,
} from "../../../shared/protocol/master/contract.ts";
import { EPOCH_PROPERTY } from "../../../shared/protocol/master/bridge.ts";
import { DEFAULT_MASTER } from "../../../shared/protocol/master/master.ts";
import { parseMasterUri, type UriProblem } from "../../../shared/protocol/master/uri.ts";
import { plansOf, settingsOf, type LeadershipOp, type Schedule } from "./schedule.ts";

/** One line of a transcript. */
export interface Line {
  readonly t: number;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** How coins fall that the crates' scheduler tosses. */
export interface Tosses {
  /** Envelopes that the bridge still takes after the route is cancelled. */
  readonly bridgePasses: number;
  /** Exchanges that the pipeline still takes after it is cancelled. */
  readonly pipelinePasses: number;
}

/** From one look of the controller at a busy pipeline to the next. */
const POLL_MS = 5;

interface Due {
  readonly key: string;
  readonly t: number;
  /**
   * What is due at one moment runs in this order, then in the order in which it was set: the controller, timers, and then
   * the election, because the consumer hears of it only when its own task runs next.
   */
  readonly rank: number;
  readonly run: () => void;
}

export function simulate(schedule: Schedule, variant: MasterVariant, tosses: Tosses): readonly Line[] {
  const uri = parseMasterUri(schedule.uri, { components: ["fake"], strict: false });
  if (!uri.ok) return [{ t: 0, event: "endpoint_error", error: crateWords(schedule.uri, uri.error) }];
  return new Play(schedule, variant, uri.value.lock, tosses).lines();
}

function crateWords(uri: string, problem: UriProblem): string {
  switch (problem.code) {
    case "no-scheme-separator":
      return `Invalid URI: missing scheme separator ':' in '${uri.split(":").at(-1) ?? ""}'`;
    case "unknown-component":
      return `Component not found: ${problem.got.replaceAll('"', "")}`;
    case "not-master":
      return `Invalid URI: ${uri}: expected master:<lockname>:<delegate-uri>`;
    case "bad-scheme":
    case "bad-query":
    case "nested-master":
    case "bad-lock":
      return `Invalid URI: ${uri}`;
  }
}

class Play {
  readonly #schedule: Schedule;
  readonly #variant: MasterVariant;
  readonly #lock: string;
  readonly #lines: Line[] = [];
  #now = 0;
  #due: Due[] = [];
  #consumer: Consumer;
  readonly #inbox: (readonly ConsumerInput[])[] = [];

  // The election service.
  readonly #noop: boolean;
  #leader = false;
  #epoch = 0;
  #leaving = false;

  // The pipeline.
  #working = false;
  #cancelled = false;
  #pipelineOver = false;
  #pipelinePasses: number;

  // The route controller.
  #driver: "watching" | "stopping" | "over" = "watching";
  #joinDeadlineMs: number | null = null;
  #lastCreateMs: number | null = null;

  constructor(schedule: Schedule, variant: MasterVariant, lock: string, tosses: Tosses) {
    this.#schedule = schedule;
    this.#variant = variant;
    this.#lock = lock;
    this.#noop = schedule.leadership.service === "noop";
    this.#pipelinePasses = tosses.pipelinePasses;
    this.#consumer = createConsumer(
      {
        ...DEFAULT_MASTER,
        ...settingsOf(schedule),
        variant,
        lock,
        pipelineCapacity: schedule.pipeline.capacity,
        passesAfterCancel: tosses.bridgePasses,
      },
      { creates: schedule.creates, plans: plansOf(schedule) },
    );
  }

  lines(): readonly Line[] {
    this.#start();
    const { end } = this.#schedule;
    for (;;) {
      const next = this.#due.toSorted((a, b) => a.t - b.t || a.rank - b.rank)[0];
      if (next === undefined || next.t >= end) break;
      this.#due = this.#due.filter((due) => due !== next);
      this.#now = next.t;
      next.run();
    }
    this.#now = end;
    this.#write("end", { pipeline_alive: this.#pipelineAlive() });
    return this.#lines;
  }

  #start(): void {
    this.#write("master_start");
    if (!this.#noop) this.#write("election_join", { handle: 1, lock: this.#lock });
    const { ops, unseen_snapshot } = this.#schedule.leadership;
    const past = ops.filter((op) => op.t <= 0);
    const last = past.findLast((op) => op.op === "started" || op.op === "stopped");
    for (const op of past) if (op.epoch !== undefined) this.#epoch = op.epoch;
    if (last !== undefined) this.#publish(last);
    this.#write("master_started");
    this.#feed({ kind: "start" });
    if (this.#noop) this.#feed({ kind: "leadership", change: "started", epoch: "1", acquisition: 1 });
    // Published between subscription and first look, it is seen twice.
    if (last !== undefined)
      this.#feed(...(unseen_snapshot ? [this.#input(last), this.#input(last)] : [this.#input(last)]));
    const future = ops.filter((op) => op.t > 0);
    for (const t of new Set(future.map((op) => op.t)))
      this.#at(`ops-${t}`, t, 3, () => this.#publishAll(future.filter((op) => op.t === t)));
    for (const [index, action] of this.#schedule.actions.entries())
      this.#at(`action-${index}`, action.t, 0, () => this.#act(action.do));
  }

  // --- the election service ---------------------------------------------------------------------------------------

  /**
   * The crates' event channel holds the latest value only: of what is published at one instant the consumer sees the last.
   * To ours every change is told.
   */
  #publishAll(ops: readonly LeadershipOp[]): void {
    if (this.#leaving) return;
    for (const op of ops) this.#publish(op);
    for (const op of ops) if (op.op === "epoch") this.#feed(this.#input(op));
    const events = ops.filter((op) => op.op !== "epoch");
    for (const op of this.#variant === "epoch-lab" ? events : events.slice(-1)) this.#feed(this.#input(op));
  }

  #publish(op: LeadershipOp): void {
    if (op.op === "close") {
      this.#write("leadership", { op: "close", handle: 1 });
      return;
    }
    if (op.epoch !== undefined) this.#epoch = op.epoch;
    if (op.op !== "epoch") this.#leader = op.op === "started";
    this.#write("leadership", { op: op.op, epoch: this.#epoch, handle: 1 });
  }

  #input(op: LeadershipOp): ConsumerInput {
    const epoch = this.#epoch === 0 ? "" : String(this.#epoch);
    switch (op.op) {
      case "started":
        return { kind: "leadership", change: "started", epoch, acquisition: this.#epoch };
      case "stopped":
        return { kind: "leadership", change: "stopped" };
      case "epoch":
        return { kind: "leadership", change: "epoch", epoch };
      case "close":
        return { kind: "leadership", change: "closed" };
    }
  }

  #leave(): void {
    this.#leaving = true;
    if (this.#noop) {
      this.#feed({ kind: "left" });
      return;
    }
    this.#write("election_leave", { epoch: this.#epoch, handle: 1, was_leader: this.#leader });
    const left = () => {
      this.#leader = false;
      this.#write("election_left", { handle: 1 });
      this.#feed({ kind: "left" });
    };
    const { step_down_ms } = this.#schedule.leadership;
    if (step_down_ms === 0) left();
    else this.#at("step-down-over", this.#now + step_down_ms, 2, left);
  }

  // --- the pipeline -------------------------------------------------------------------------------------------------

  #take(envelope: number, run: number, epoch: string | undefined): void {
    this.#write("received", { id: envelope, delegate: run, epoch: epoch ?? null });
    const { per_exchange_ms } = this.#schedule.pipeline;
    if (per_exchange_ms === 0) {
      this.#feed({ kind: "processed", envelope });
      return;
    }
    this.#working = true;
    this.#at("pipeline", this.#now + per_exchange_ms, 2, () => {
      this.#working = false;
      this.#write("processed", { id: envelope });
      if (this.#cancelled && (this.#pipelinePasses === 0 || this.#queued() === 0)) this.#endPipeline();
      else if (this.#cancelled) this.#pipelinePasses -= 1;
      this.#feed({ kind: "processed", envelope });
    });
  }

  #queued(): number {
    return this.#consumer.master.pipeline.queue.length;
  }

  #endPipeline(): void {
    this.#pipelineOver = true;
    this.#feed({ kind: "pipeline-closed" });
  }

  /** The pipeline's task also ends when nobody can send to it any more. */
  #pipelineAlive(): boolean {
    if (this.#pipelineOver) return false;
    const { run, loop } = this.#consumer.master;
    // A loop that outlives its consumer holds a sender too.
    const looping = loop.kind === "camel" && loop.phase.kind !== "finished";
    return this.#driver !== "over" || looping || (run !== null && run.bridge !== null) || this.#working;
  }

  // --- the route controller -----------------------------------------------------------------------------------------

  #act(what: Schedule["actions"][number]["do"]): void {
    if (what === "cancel") {
      this.#write("action", { do: what });
      const wasOver = this.#driver === "over";
      this.#joinDeadlineMs = this.#now + this.#schedule.shutdown_timeout_ms;
      this.#at("join", this.#joinDeadlineMs, 0, () => this.#joinTimedOut());
      this.#feed({ kind: "cancel-route" });
      if (this.#driver === "watching") {
        this.#write("background_abort");
        this.#callStop();
      }
      if (wasOver) this.#joined();
    } else if (what === "stop") {
      this.#write("action", { do: what });
      if (this.#driver === "watching") this.#callStop();
    }
  }

  #callStop(): void {
    this.#driver = "stopping";
    this.#write("master_stop_called");
    this.#feed({ kind: "stop" });
  }

  #finished(error: DelegateError | null): void {
    if (this.#driver !== "watching" || this.#joinDeadlineMs !== null) return;
    const wrapped = this.#variant === "camel-hardened" ? "Processor error: " : "";
    this.#write("master_finished", {
      result: error === null ? "ok" : `error: ${wrapped}${errorText(error)}`,
    });
    this.#callStop();
  }

  #stopReturned(error: DelegateError | null): void {
    if (this.#driver !== "stopping") return;
    this.#driver = "over";
    this.#write("master_stopped", { result: error === null ? "ok" : `error: ${errorText(error)}` });
    if (this.#joinDeadlineMs !== null) this.#joined();
  }

  #joinTimedOut(): void {
    if (this.#driver === "over") return;
    this.#driver = "over";
    this.#write("join_timeout");
    this.#joined();
  }

  /** Waits until no exchange is in hand, looking now and then, and cancels the pipeline. */
  #joined(): void {
    const look = () => {
      if (this.#working && this.#now < (this.#joinDeadlineMs ?? 0)) {
        this.#at("look", this.#now + POLL_MS, 0, look);
        return;
      }
      this.#cancelled = true;
      this.#write("pipeline_cancelled");
      if (!this.#working) this.#endPipeline();
    };
    this.#cancelDue("join");
    look();
  }

  // --- the consumer -------------------------------------------------------------------------------------------------

  /** All outputs of a step are performed before the next input is taken. */
  #feed(...inputs: readonly ConsumerInput[]): void {
    this.#inbox.push(inputs);
    if (this.#inbox.length > 1) return;
    for (let next = this.#inbox[0]; next !== undefined; next = this.#inbox[0]) {
      const [consumer, outputs] = stepConsumerAll(this.#consumer, next, this.#now);
      this.#consumer = consumer;
      for (const output of outputs) this.#perform(output);
      this.#inbox.shift();
    }
  }

  #perform(output: ConsumerOutput): void {
    switch (output.kind) {
      case "set-timer": {
        const { timer } = output;
        this.#at(timer, Math.max(output.dueMs, this.#now), 2, () => this.#feed({ kind: "timer", timer }));
        return;
      }
      case "clear-timer":
        this.#cancelDue(output.timer);
        return;
      case "exchange":
        this.#take(output.envelope, output.run, output.properties[EPOCH_PROPERTY]);
        return;
      case "refused":
        this.#write("dropped", { id: output.envelope, delegate: output.run });
        return;
      case "dropped":
        for (const { envelope, run } of output.envelopes)
          this.#write("dropped", { id: envelope, delegate: run });
        return;
      case "metric":
        this.#write("metric", { name: output.name, ...output.change, labels: output.labels });
        return;
      case "log":
        // Said by stop(), where somebody still waits for it.
        if (this.#driver === "over" && output.message === "delegate error during graceful shutdown") return;
        this.#write("log", {
          from: "camel_master",
          level: output.level,
          msg: output.message,
          fields: output.fields,
        });
        return;
      case "leave-election":
        this.#leave();
        return;
      case "finished":
        this.#finished(output.error);
        return;
      case "stop-returned":
        this.#stopReturned(output.error);
        return;
      case "note":
        this.#note(output);
        return;
      case "work-stopped":
        // The crates tell nobody; only ours has something to show here.
        if (this.#variant === "epoch-lab") this.#write("work_stopped");
        return;
      case "abort-exchange":
        this.#working = false;
        this.#cancelDue("pipeline");
        this.#write("aborted", { what: "exchange in pipeline", delegate: output.run });
        return;
      case "phase":
      case "accepted":
      case "forwarded":
        return;
    }
  }

  #note(note: Extract<ConsumerOutput, { kind: "note" }>): void {
    switch (note.what) {
      case "create":
        this.#write("create", {
          n: note.n,
          plan: note.plan,
          ...(this.#lastCreateMs === null ? {} : { since_previous_ms: this.#now - this.#lastCreateMs }),
        });
        this.#lastCreateMs = this.#now;
        return;
      case "start-attempt":
      case "started":
      case "start-returned":
      case "cancel-seen":
      case "stop-called":
      case "stopped":
      case "stop-error":
        this.#write(note.what.replaceAll("-", "_"), { delegate: note.run });
        return;
      case "start-error":
        this.#write("start_error", { delegate: note.run, kind: note.error });
        return;
      case "work-ended":
        this.#write("life_end", {
          delegate: note.run,
          result: note.error === null ? "ok" : errorText(note.error),
        });
        return;
      case "aborted":
        this.#write("aborted", { delegate: note.run, what: note.call });
        return;
      case "sends-for-reply":
        this.#write("send", { delegate: note.run, id: note.envelope, reply: true });
        return;
      case "sent":
      case "reply":
        this.#write(note.what, {
          delegate: note.run,
          id: note.envelope,
          ...(note.blockedMs > 0 ? { blocked_ms: note.blockedMs } : {}),
          ...(note.afterCancel ? { after_cancel: true } : {}),
        });
        return;
      case "send-error":
        this.#write("send_error", { delegate: note.run, id: note.envelope, error: "Channel closed" });
        return;
    }
  }

  // --- time and lines -----------------------------------------------------------------------------------------------

  #at(key: string, t: number, rank: number, run: () => void): void {
    this.#cancelDue(key);
    this.#due.push({ key, t, rank, run });
  }

  #cancelDue(key: string): void {
    this.#due = this.#due.filter((due) => due.key !== key);
  }

  #write(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#lines.push({ t: this.#now, event, ...fields });
  }
}

// What may come next: the moves of each node's elector, its servers, its callbacks and whoever cancels it.
//
// In the Go program each of these is a goroutine of its own. Here each thing that such a goroutine does between two waits is
// one move. Which of several possible moves comes first is not decided here: match.ts finds the order that the transcript
// shows.
import { assert } from "../../shared/base/assert.ts";
import type { ElectorConfig, ElectorInput } from "../../shared/protocol/elector/contract.ts";
import { createClientGo, stepClientGo } from "../../shared/protocol/elector/clientGo/clientGo.ts";
import { refusalByClientGo } from "../../shared/protocol/elector/clientGo/validate.ts";
import type { Lease } from "../../shared/protocol/lease/lease.ts";
import {
  dueNs,
  feed,
  instantOf,
  isBusy,
  RUN,
  withoutSilentErrands,
  type Answer,
  type Errand,
  type Node,
  type Sent,
} from "./node.ts";
import { faultFor, millisecondOf, nanosecondsOf, NO_FAULT, NS_PER_MS, pauseNs, serve } from "./rules.ts";
import type { NodePlan, Schedule } from "./schedule.ts";
import type { Happening } from "./transcript.ts";
import { untilNs, type Move, type World } from "./world.ts";

/** Everything that may come next within this millisecond. */
export function movesOf(schedule: Schedule, world: World, ms: number): readonly Move[] {
  const moves: Move[] = [];
  for (const [index, node] of world.nodes.entries()) {
    const plan = schedule.nodes[index];
    assert(plan !== undefined, "every node has its plan");
    const nodeMoves = new NodeMoves(schedule, world, index, node, plan, ms);
    // A server that cannot write changes nothing that another could see: it acts before anything else.
    const silent = nodeMoves.silentAct();
    if (silent !== null) return [silent];
    moves.push(...nodeMoves.all());
  }
  return [...moves, ...endMoves(schedule, world, ms)];
}

function endMoves(schedule: Schedule, world: World, ms: number): readonly Move[] {
  const endNs = untilNs(schedule);
  if (millisecondOf(endNs) !== ms || world.end === "cancelled") return [];
  if (world.end === "before") {
    const earlier = world.nodes.some((node) => dueNs(node) < endNs);
    return earlier ? [] : [{ says: { ev: "end" }, next: () => ({ ...world, end: "logged" }) }];
  }
  const nodes = world.nodes.map((node): Node => ({
    ...node,
    contextEndNs: node.elector === null || node.returned ? null : endNs,
    contextEnded: node.contextEnded || node.elector === null,
    cancelNs: node.cancelNs === endNs ? endNs : null,
    cancelMayFail: node.cancelNs === endNs,
  }));
  return [{ says: null, next: () => ({ ...world, nodes, end: "cancelled" }) }];
}

/** The moves of one node. */
class NodeMoves {
  readonly #schedule: Schedule;
  readonly #world: World;
  readonly #index: number;
  readonly #node: Node;
  readonly #plan: NodePlan;
  readonly #ms: number;

  constructor(schedule: Schedule, world: World, index: number, node: Node, plan: NodePlan, ms: number) {
    this.#schedule = schedule;
    this.#world = world;
    this.#index = index;
    this.#node = node;
    this.#plan = plan;
    this.#ms = ms;
  }

  /** The act of a server that writes nothing, whenever it is made. */
  silentAct(): Move | null {
    const sent = this.#node.sent.find(
      (candidate) => this.#may(candidate.dueNs) && !this.#couldWrite(candidate),
    );
    return sent === undefined ? null : this.#serve(sent);
  }

  all(): readonly Move[] {
    const node = this.#node;
    const moves: Move[] = [...this.#errand(node), ...this.#callbacks()];
    for (const sent of node.sent) if (this.#may(sent.dueNs)) moves.push(this.#serve(sent));
    if (node.cancelNs !== null && this.#may(node.cancelNs)) moves.push(this.#cancel(node.cancelNs));
    if (node.errands.length > 0) return moves;

    if (node.startNs !== null && this.#may(node.startNs)) moves.push(...this.#start(node.startNs));
    if (node.contextEndNs !== null && this.#may(node.contextEndNs))
      moves.push(...this.#endContext(node.contextEndNs), ...this.#lastRead(node.contextEndNs));
    const answer = node.open?.answer ?? null;
    if (answer !== null && this.#may(answer.dueNs)) moves.push(...this.#answers(answer));
    for (const [timer, at] of Object.entries(node.timers))
      if (this.#may(at))
        moves.push(...this.#timer(timer, at), ...(timer === "deadline" ? this.#lastRead(at) : []));
    for (const at of this.#sleepEnds()) if (this.#may(at)) moves.push(...this.#timer("retry", at));
    return moves;
  }

  /** Whether what is due then may happen now: within this millisecond, and nothing of this node is due before it. */
  #may(at: number): boolean {
    return (
      millisecondOf(at) <= this.#ms &&
      at <= Math.max(dueNs(this.#node), this.#node.nowNs) &&
      // What comes after the end of the schedule waits for it.
      (at <= untilNs(this.#schedule) || this.#world.end === "cancelled")
    );
  }

  #change(node: Node, lease?: Lease | null): World {
    const { versions, nodes } = this.#world;
    return {
      ...this.#world,
      versions: lease === undefined ? versions : [...versions, lease],
      nodes: nodes.with(this.#index, node),
    };
  }

  /** A step that writes no line itself, together with the first line that follows from it. */
  #silently(node: Node): readonly Move[] {
    // A callback that it has started may write its line before.
    const spoken = node.callbacks.length > this.#node.callbacks.length ? [] : this.#errand(node);
    return spoken.length > 0 ? spoken : [{ says: null, next: () => this.#change(node) }];
  }

  #errand(node: Node): readonly Move[] {
    const [errand, ...errands] = node.errands;
    if (errand === undefined) return [];
    if (errand.kind === "request") return [this.#request(node, errand, errands)];
    assert(errand.kind === "line", "silent errands are done at once");
    const open = errand.closesCall ? null : node.open;
    return [
      {
        says: errand.happening,
        next: () => this.#change(withoutSilentErrands({ ...node, errands, open })),
      },
    ];
  }

  #request(node: Node, errand: Extract<Errand, { kind: "request" }>, errands: readonly Errand[]): Move {
    const { call, request } = errand;
    const { id } = this.#plan;
    const fault = faultFor(this.#schedule.faults, id, request.verb, node.nowNs);
    const posted: Sent = { call, request, fault, dueNs: node.nowNs + pauseNs(fault.delay) };
    const next: Node = {
      ...node,
      errands,
      open: { call, verb: request.verb, answer: null },
      sent: fault.lose === "request" ? node.sent : [...node.sent, posted],
    };
    return {
      says: { ev: "request", node: id, verb: request.verb },
      next: () => this.#change(withoutSilentErrands(next)),
    };
  }

  #callbacks(): readonly Move[] {
    return this.#node.callbacks.map((happening, index) => ({
      says: happening,
      next: () => this.#change({ ...this.#node, callbacks: this.#node.callbacks.toSpliced(index, 1) }),
    }));
  }

  // --- the server -------------------------------------------------------------------------------------------------

  #stored(): Lease | null {
    return this.#world.versions.at(-1) ?? null;
  }

  #couldWrite({ fault, request }: Sent): boolean {
    return serve(fault, this.#plan.id, request, this.#stored()).commit !== null;
  }

  #serve(sent: Sent): Move {
    const { fault, request, call } = sent;
    const { open } = this.#node;
    const served = serve(fault, this.#plan.id, request, this.#stored());
    const nowNs = Math.max(this.#node.nowNs, sent.dueNs);
    const answerNs = nowNs + pauseNs(fault.late);
    // What a GET reads is decided when its answer shows it: any version from now to the end of this millisecond.
    const answer: Answer =
      request.verb === "get" && fault.code === 0
        ? { kind: "reading", dueNs: answerNs, since: this.#world.versions.length - 1 }
        : { kind: "known", dueNs: answerNs, code: served.code, result: served.result };
    const heard = open !== null && open.call === call && fault.lose !== "answer";
    const node: Node = {
      ...this.#node,
      nowNs,
      sent: this.#node.sent.filter((other) => other !== sent),
      open: heard ? { ...open, answer } : open,
    };
    return {
      says: served.commit,
      next: () => (served.commit === null ? this.#change(node) : this.#change(node, served.lease)),
    };
  }

  #answers(answer: Answer): readonly Move[] {
    if (answer.kind === "known") return [this.#answer(answer)];
    const versions = answer.kind === "read" ? answer.versions : this.#world.versions.slice(answer.since);
    const { id } = this.#plan;
    return versions.map((lease) => {
      const { code, result } = serve(NO_FAULT, id, { verb: "get", name: "l" }, lease);
      return this.#answer({ kind: "known", dueNs: answer.dueNs, code, result });
    });
  }

  #answer(answer: Extract<Answer, { kind: "known" }>): Move {
    const { open } = this.#node;
    assert(open !== null, "an answer belongs to an open call");
    const nowNs = Math.max(this.#node.nowNs, answer.dueNs);
    const { id } = this.#plan;
    const { call } = open;
    const input: ElectorInput = { kind: "answer", call, result: answer.result, at: instantOf(nowNs) };
    return {
      says: { ev: "answer", node: id, verb: open.verb, code: answer.code },
      next: () => this.#change(feed({ ...this.#node, nowNs, open: null }, id, input)),
    };
  }

  // --- start and end ----------------------------------------------------------------------------------------------

  #cancel(at: number): Move {
    const nowNs = Math.max(this.#node.nowNs, at);
    const running = this.#node.elector !== null && !this.#node.returned;
    const node: Node = {
      ...this.#node,
      nowNs,
      cancelNs: null,
      contextEndNs: running ? nowNs : null,
    };
    return { says: { ev: "cancel", node: this.#plan.id }, next: () => this.#change(node) };
  }

  #start(at: number): readonly Move[] {
    const { id, releaseAt, start } = this.#plan;
    // The goroutine that cancels waits for its time or the schedule's end, whichever it sees first.
    const waitNs = nanosecondsOf(releaseAt - start);
    const ended = this.#world.end === "cancelled";
    const started: Node = {
      ...this.#node,
      nowNs: at,
      startNs: null,
      cancelNs: releaseAt > 0 && (!ended || waitNs <= 0) ? Math.max(at, at + waitNs) : null,
      cancelMayFail: ended,
    };
    const config = configOf(this.#plan);
    const refusal = refusalByClientGo(config);
    if (refusal !== null) {
      const happening: Happening = { ev: "config-error", node: id, error: refusal.upstream };
      const errands: readonly Errand[] = [{ kind: "line", happening, closesCall: false }, { kind: "return" }];
      return this.#silently({ ...started, errands });
    }
    const created = createClientGo(config);
    const [elector] = this.#node.contextEnded
      ? stepClientGo(created, { kind: "cancel", at: instantOf(at) })
      : [created];
    return this.#silently({ ...started, elector, timers: { [RUN]: at } });
  }

  #endContext(at: number): readonly Move[] {
    const nowNs = Math.max(this.#node.nowNs, at);
    const node = { ...this.#node, nowNs, contextEndNs: null, contextEnded: true };
    return this.#silently(feed(node, this.#plan.id, { kind: "cancel", at: instantOf(nowNs) }));
  }

  /**
   * A context that ends during the fast update leaves one GET to be made. It is normally given up at once; but where its
   * answer takes no time, Go's select may find both ready and take the answer. Here the update fails while the end of the
   * context stays due, so that what else is due at this instant may come before it.
   */
  #lastRead(at: number): readonly Move[] {
    const { elector, open, errands } = this.#node;
    const { id } = this.#plan;
    const attempting = elector?.kind === "acquiring" || elector?.kind === "renewing" ? elector : null;
    if (open === null || attempting === null || attempting.attempt.step.kind !== "fast-update") return [];
    const fault = faultFor(this.#schedule.faults, id, "get", at);
    if (pauseNs(fault.delay) + pauseNs(fault.late) > 0 || fault.lose !== "") return [];
    const happening: Happening = { ev: "gave-up", node: id, verb: open.verb };
    const nowNs = Math.max(this.#node.nowNs, at);
    const node: Node = {
      ...this.#node,
      nowNs,
      errands: [...errands, { kind: "line", happening, closesCall: true }],
    };
    const input: ElectorInput = {
      kind: "answer",
      call: open.call,
      result: { kind: "failed", failure: "timeout" },
      at: instantOf(nowNs),
    };
    return this.#silently(feed(node, id, input));
  }

  // --- timers -----------------------------------------------------------------------------------------------------

  #timer(timer: string, at: number): readonly Move[] {
    const nowNs = Math.max(this.#node.nowNs, at);
    const { [timer]: _fired, ...timers } = this.#node.timers;
    const node: Node =
      timer === "retry" ? { ...this.#node, nowNs, sleep: null } : { ...this.#node, nowNs, timers };
    const input: ElectorInput =
      timer === RUN
        ? { kind: "start", at: instantOf(nowNs) }
        : { kind: "timer", timer, at: instantOf(nowNs) };
    return this.#silently(feed(node, this.#plan.id, input));
  }

  /**
   * Moments within this millisecond at which the drawn sleep may end. The transcript shows the millisecond alone; what
   * depends on the rest is whether the observed record is still valid and what else this node does in it, so one moment
   * before and one after each of those is enough.
   */
  #sleepEnds(): readonly number[] {
    const { sleep, elector } = this.#node;
    if (sleep === null || isBusy(this.#node)) return [];
    const fromNs = Math.max(sleep.fromNs, this.#ms * NS_PER_MS, this.#node.nowNs);
    const toNs = Math.min(sleep.toNs, this.#ms * NS_PER_MS + NS_PER_MS - 1);
    if (fromNs > toNs) return [];
    const observed = elector?.observed ?? null;
    const validUntilNs =
      observed === null
        ? fromNs
        : Math.round(observed.sinceMs * NS_PER_MS) + observed.record.leaseDurationSeconds * 1e9;
    const marks = [validUntilNs, dueNs(this.#node)].filter((mark) => mark > fromNs && mark < toNs);
    const edges = [fromNs, ...marks.toSorted((left, right) => left - right), toNs];
    const middles = edges.slice(1).map((edge, index) => Math.floor(((edges[index] ?? fromNs) + edge) / 2));
    return [...new Set(middles)];
  }
}

function configOf({ id, lease, deadline, retry, release }: NodePlan): ElectorConfig {
  return {
    profile: "client-go",
    lock: "l",
    identity: id,
    processId: id,
    timings: {
      leaseDurationMs: nanosecondsOf(lease) / NS_PER_MS,
      renewDeadlineMs: nanosecondsOf(deadline) / NS_PER_MS,
      retryPeriodMs: nanosecondsOf(retry) / NS_PER_MS,
    },
    release,
    stampTerm: false,
    jitter: [],
    drainTimeoutMs: 0,
    clockRateBound: 1,
  };
}

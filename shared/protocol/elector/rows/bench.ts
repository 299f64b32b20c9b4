// A bench for electors of any profile: nodes around the Lease register, a plot of what goes wrong, and what came of it.
// It drives them through the contract alone, one thing after another in a fixed order, by whole milliseconds.
import { assert, present, unreachable } from "../../../base/assert.ts";
import type { Lease, LeaseBody, LeaseRequest, LeaseSpec } from "../../lease/lease.ts";
import { emptyStore, findLease, serveLease, type LeaseStore } from "../../lease/register.ts";
import { leaseTerm } from "../../token/token.ts";
import type { CallResult, ElectorConfig, ElectorInput, ElectorOutput, StopReason } from "../contract.ts";
import { createElector, stepElector, type Elector } from "../elector.ts";

/** A process and its timings: 15 s, 10 s and 2 s unless told otherwise. */
export interface Player extends Partial<
  Pick<ElectorConfig, "identity" | "release" | "stampTerm" | "jitter" | "drainTimeoutMs">
> {
  /** Unique: a restart is another player with the same identity. */
  readonly id: string;
  readonly startMs: number;
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  /** How long its cancelled work takes to stop. Default 0. */
  readonly cleanupMs?: number;
}

/** What happens to the calls of one player that are sent in [fromMs, toMs). The last one that applies counts. */
export interface Trouble {
  readonly player: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Only these calls; all by default. `renewal`: an update that names a holder. `release`: one that names none. */
  readonly calls?: "get" | "create" | "renewal" | "release";
  /** Until the server acts. Default 0. */
  readonly delayMs?: number;
  /** From the act to the answer. Default 0. */
  readonly lateMs?: number;
  readonly lose?: "request" | "answer";
  /** Refused with this code; nothing is written. */
  readonly code?: number;
  /** How many calls it applies to, at most. Default all. */
  readonly times?: number;
}

export type Intervention =
  | { readonly kind: "cancel" | "crash" | "pause" | "resume"; readonly atMs: number; readonly player: string }
  | { readonly kind: "delete-lease"; readonly atMs: number }
  /** An operator's edit, or another client's write; creates the Lease where there is none. */
  | { readonly kind: "edit-lease"; readonly atMs: number; readonly spec: LeaseSpec };

export interface Plot {
  readonly players: readonly Player[];
  readonly troubles?: readonly Trouble[];
  readonly interventions?: readonly Intervention[];
  readonly untilMs: number;
}

/** One thing that came of it. */
export type Happened = { readonly atMs: number; readonly player: string } & (
  | { readonly kind: "call"; readonly request: LeaseRequest }
  | { readonly kind: "given-up" }
  | { readonly kind: "answered"; readonly result: CallResult }
  /** `before`: the Lease that this write replaced. */
  | { readonly kind: "committed"; readonly lease: Lease; readonly before: Lease | null }
  | { readonly kind: "started"; readonly transitions: number; readonly term: string | null }
  | { readonly kind: "renewed" }
  | { readonly kind: "work-cancelled"; readonly reason: StopReason }
  | { readonly kind: "work-stopped" }
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "new-leader"; readonly identity: string }
  | { readonly kind: "released" | "ended" | "crashed" }
);

type Kind = Happened["kind"];
export type HappenedOf<K extends Kind> = Extract<Happened, { kind: K }>;

export interface Run {
  readonly happened: readonly Happened[];
  /** The Lease at the end. */
  readonly lease: Lease | null;
}

export const LOCK = "lock";

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly player: string | null;
  /** A timer is found by its name, and moved or removed by it. */
  readonly timer: string | null;
  readonly act: () => void;
}

interface Process {
  elector: Elector;
  readonly player: Player;
  alive: boolean;
  paused: boolean;
  /** Inputs that came while it was paused. */
  readonly kept: (() => void)[];
  readonly open: Set<number>;
}

export function play(profile: "client-go" | "epoch-lab", plot: Plot): Run {
  const happened: Happened[] = [];
  const processes = new Map<string, Process>();
  let store: LeaseStore = emptyStore;
  let now = 0;
  let orders = 0;
  let agenda: readonly Due[] = [];
  let actsOfInstant = 0;
  const suffered = new Map<Trouble, number>();

  function plan(due: Omit<Due, "order">): void {
    orders += 1;
    agenda = [...agenda, { ...due, order: orders }];
  }

  function later(atMs: number, act: () => void): void {
    plan({ atMs, player: null, timer: null, act });
  }

  const lease = (): Lease | null => findLease(store, LOCK);
  const at = () => ({ monotonicMs: now, wallMs: now });

  function feed(process: Process, input: () => ElectorInput): void {
    if (!process.alive) return;
    if (process.paused) {
      process.kept.push(() => feed(process, input));
      return;
    }
    const [elector, outputs] = stepElector(process.elector, input());
    process.elector = elector;
    for (const output of outputs) perform(process, output);
  }

  function perform(process: Process, output: ElectorOutput): void {
    const { player } = process;
    const note = { atMs: now, player: player.id };
    switch (output.kind) {
      case "call":
        return call(process, output.call, output.request);
      case "give-up":
        process.open.delete(output.call);
        happened.push({ ...note, kind: "given-up" });
        return;
      case "set-timer":
        clearTimer(process, output.timer);
        return plan({
          atMs: Math.max(now, output.dueMs),
          player: player.id,
          timer: output.timer,
          act: () => feed(process, () => ({ kind: "timer", timer: output.timer, at: at() })),
        });
      case "clear-timer":
        return clearTimer(process, output.timer);
      case "started-leading": {
        const committed = present(output.lease, "these profiles lead by a Lease");
        const transitions = committed.spec.leaseTransitions ?? 0;
        happened.push({ ...note, kind: "started", transitions, term: leaseTerm(committed) });
        return;
      }
      case "renewed":
        happened.push({ ...note, kind: "renewed" });
        return;
      case "stop-work":
        happened.push({ ...note, kind: "work-cancelled", reason: output.reason });
        return later(now + (player.cleanupMs ?? 0), () => {
          if (!process.alive) return;
          happened.push({ atMs: now, player: player.id, kind: "work-stopped" });
          feed(process, () => ({ kind: "work-stopped", at: at() }));
        });
      case "abort-work":
        return;
      case "stopped-leading":
        happened.push({ ...note, kind: "stopped", reason: output.reason });
        return;
      case "new-leader":
        happened.push({ ...note, kind: "new-leader", identity: output.identity });
        return;
      case "judged-expired":
        return;
      case "released":
        happened.push({ ...note, kind: "released" });
        return;
      case "ended":
        happened.push({ ...note, kind: "ended" });
        return;
      default:
        return unreachable(output);
    }
  }

  function clearTimer(process: Process, timer: string): void {
    agenda = agenda.filter((due) => due.player !== process.player.id || due.timer !== timer);
  }

  function call(process: Process, number: number, request: LeaseRequest): void {
    const { id } = process.player;
    happened.push({ atMs: now, player: id, kind: "call", request });
    process.open.add(number);
    const trouble = troubleOf(id, request);
    if (trouble.lose === "request") return;
    later(now + (trouble.delayMs ?? 0), () => {
      const result = trouble.code === undefined ? serve(id, request) : refusal(trouble.code);
      if (trouble.lose === "answer") return;
      later(now + (trouble.lateMs ?? 0), () =>
        feed(process, () => {
          if (process.open.delete(number)) happened.push({ atMs: now, player: id, kind: "answered", result });
          return { kind: "answer", call: number, result, at: at() };
        }),
      );
    });
  }

  function troubleOf(player: string, request: LeaseRequest): Partial<Trouble> {
    const kind = kindOf(request);
    const found = (plot.troubles ?? []).findLast(
      (trouble) =>
        trouble.player === player &&
        now >= trouble.fromMs &&
        now < trouble.toMs &&
        (trouble.calls === undefined || trouble.calls === kind) &&
        (suffered.get(trouble) ?? 0) < (trouble.times ?? Infinity),
    );
    if (found !== undefined) suffered.set(found, (suffered.get(found) ?? 0) + 1);
    return found ?? {};
  }

  function serve(player: string, request: LeaseRequest): CallResult {
    const before = lease();
    const [next, outcome] = serveLease(store, request);
    store = next;
    if (outcome.kind === "ok" && outcome.changed && outcome.lease !== null)
      happened.push({ atMs: now, player, kind: "committed", lease: outcome.lease, before });
    return outcome;
  }

  function intervene(intervention: Intervention): void {
    switch (intervention.kind) {
      case "delete-lease":
        serve("", { verb: "delete", name: LOCK });
        return;
      case "edit-lease": {
        const current = lease();
        const body: LeaseBody =
          current === null
            ? { name: LOCK, annotations: {}, labels: {}, spec: intervention.spec }
            : { ...current, spec: { ...current.spec, ...intervention.spec } };
        serve("", current === null ? { verb: "create", body } : { verb: "update", name: LOCK, body });
        return;
      }
      case "cancel":
      case "crash":
      case "pause":
      case "resume":
        return disturb(
          intervention.kind,
          present(processes.get(intervention.player), "the player has started"),
        );
      default:
        return unreachable(intervention);
    }
  }

  function disturb(kind: "cancel" | "crash" | "pause" | "resume", process: Process): void {
    switch (kind) {
      case "cancel":
        return feed(process, () => ({ kind: "cancel", at: at() }));
      case "crash":
        process.alive = false;
        happened.push({ atMs: now, player: process.player.id, kind: "crashed" });
        return;
      case "pause":
        process.paused = true;
        return;
      case "resume":
        process.paused = false;
        for (const act of process.kept.splice(0)) act();
        return;
      default:
        return unreachable(kind);
    }
  }

  for (const player of plot.players)
    later(player.startMs, () => {
      const elector = createElector(configOf(profile, player));
      const process: Process = {
        elector,
        player,
        alive: true,
        paused: false,
        kept: [],
        open: new Set(),
      };
      processes.set(player.id, process);
      feed(process, () => ({ kind: "start", at: at() }));
    });
  for (const intervention of plot.interventions ?? [])
    later(intervention.atMs, () => intervene(intervention));

  for (let due = firstOf(agenda); due !== null && due.atMs <= plot.untilMs; due = firstOf(agenda)) {
    const { atMs, order, act } = due;
    agenda = agenda.filter((other) => other.order !== order);
    actsOfInstant = atMs === now ? actsOfInstant + 1 : 0;
    assert(actsOfInstant < 1000, `the players come to rest at ${atMs} ms`);
    now = atMs;
    act();
  }
  return { happened, lease: lease() };
}

function firstOf(agenda: readonly Due[]): Due | null {
  return agenda.reduce<Due | null>(
    (first, due) =>
      first === null || due.atMs < first.atMs || (due.atMs === first.atMs && due.order < first.order)
        ? due
        : first,
    null,
  );
}

export function configOf(profile: "client-go" | "epoch-lab", player: Player): ElectorConfig {
  return {
    profile,
    lock: LOCK,
    identity: player.identity ?? player.id,
    processId: player.id,
    timings: {
      leaseDurationMs: player.leaseDurationMs ?? 15_000,
      renewDeadlineMs: player.renewDeadlineMs ?? 10_000,
      retryPeriodMs: player.retryPeriodMs ?? 2_000,
    },
    release: player.release ?? false,
    stampTerm: player.stampTerm ?? false,
    jitter: player.jitter ?? [],
    drainTimeoutMs: player.drainTimeoutMs ?? 2_000,
    clockRateBound: 1.05,
  };
}

function kindOf(request: LeaseRequest): string {
  if (request.verb !== "update") return request.verb;
  return (request.body.spec.holderIdentity ?? "") === "" ? "release" : "renewal";
}

const refusal = (code: number): CallResult => ({
  kind: "refused",
  code,
  reason: code === 409 ? "Conflict" : code === 404 ? "NotFound" : "InternalError",
  message: "as the plot says",
});

// Electors in normal form: all times are readings of the node's monotonic clock and move with it; the configuration,
// which never changes while a process lives, is left out.
import { unreachable } from "../../../base/assert.ts";
import type { Elector } from "../../../protocol/elector/elector.ts";
import type { Lease } from "../../../protocol/lease/lease.ts";
import type { Form, NodeRenaming, Rewrite } from "./form.ts";
import { keptAcquisition, keptRenewal, leasePart } from "./lease.ts";

type EpochLab = Extract<Elector, { profile: "epoch-lab" }>;
type ClientGo = Extract<Elector, { profile: "client-go" }>;
type Record = NonNullable<ClientGo["raw"]>;

/** An elector without its configuration. */
export type ElectorPart = object;

/** How the node's elector is rewritten. */
export interface LocalRewrite {
  readonly rewrite: Rewrite;
  readonly renaming: NodeRenaming | null;
  /** The reading of the monotonic clock that becomes 0. */
  readonly zeroMs: number;
}

/** The number of a call after renumbering: 0 for one that nobody waits for any more. */
export function callPart(renaming: NodeRenaming | null, call: number): number {
  return renaming === null || renaming.calls === null ? call : renaming.calls.indexOf(call) + 1;
}

export function electorPart(form: Form, elector: Elector, local: LocalRewrite): ElectorPart {
  switch (elector.profile) {
    case "epoch-lab":
      return epochLabPart(form, elector, local);
    case "client-go":
      return clientGoPart(form, elector, local);
    case "noop":
      return { profile: "noop", kind: elector.kind };
    default:
      return unreachable(elector);
  }
}

/** A moment of its monotonic clock that an elector remembers; null where it remembers none. */
export function momentOfElector(elector: Elector): number | null {
  switch (elector.profile) {
    case "epoch-lab":
      if (elector.kind === "ended") return null;
      if (elector.open !== null) return elector.open.startedMs;
      if (elector.kind === "leading") return elector.budgetFromMs;
      return elector.kind === "following" ? (elector.observed?.sinceMs ?? null) : null;
    case "client-go":
      if (elector.kind === "ended") return null;
      return "attempt" in elector
        ? elector.attempt.startedAt.monotonicMs
        : (elector.observed?.sinceMs ?? null);
    case "noop":
      return null;
    default:
      return unreachable(elector);
  }
}

const age = (local: LocalRewrite, ms: number): number => ms - local.zeroMs;

function epochLabPart(form: Form, elector: EpochLab, local: LocalRewrite): ElectorPart {
  const { renaming } = local;
  const lease = (value: Lease): Lease => leasePart(form, value, local.rewrite);
  if (elector.kind === "ended" && form.reduced)
    return { profile: "epoch-lab", kind: "ended", calls: 0, seenTerm: "0", reported: "", open: null };
  const { open } = elector;
  const common = {
    profile: elector.profile,
    kind: elector.kind,
    calls: renaming === null || renaming.calls === null ? elector.calls : renaming.calls.length,
    seenTerm: elector.seenTerm,
    reported: elector.reported,
    open:
      open === null
        ? null
        : { call: callPart(renaming, open.call), startedMs: age(local, open.startedMs), what: open.what },
  };
  switch (elector.kind) {
    case "new":
    case "ended":
      return common;
    case "following": {
      const { observed, leaving } = elector;
      return {
        ...common,
        observed:
          observed === null ? null : { lease: lease(observed.lease), sinceMs: age(local, observed.sinceMs) },
        leaving,
      };
    }
    case "leading":
      return {
        ...common,
        lease: lease(elector.lease),
        term: elector.term,
        budgetFromMs: age(local, elector.budgetFromMs),
        raiseTo: elector.raiseTo,
        leaving: elector.leaving,
      };
    case "stopping":
      return {
        ...common,
        lease: lease(elector.lease),
        term: elector.term,
        reason: elector.reason,
        leaving: elector.leaving,
      };
    case "releasing":
      return {
        ...common,
        lease: lease(elector.lease),
        term: elector.term,
        leaving: elector.leaving,
        again: elector.again,
      };
    default:
      return unreachable(elector);
  }
}

function clientGoPart(form: Form, elector: ClientGo, local: LocalRewrite): ElectorPart {
  const { renaming, rewrite, zeroMs } = local;
  const record = (value: Record): Record => ({
    holder: value.holder,
    leaseDurationSeconds: value.leaseDurationSeconds,
    acquireTime: value.acquireTime === null ? null : keptAcquisition(form, value.acquireTime, rewrite.zeroMs),
    renewTime: value.renewTime === null ? null : keptRenewal(form, value.renewTime, rewrite.zeroMs),
    transitions: value.transitions,
  });
  const { observed, raw, cached } = elector;
  const memory = {
    profile: elector.profile,
    observed:
      observed === null ? null : { record: record(observed.record), sinceMs: observed.sinceMs - zeroMs },
    raw: raw === null ? null : record(raw),
    cached: cached === null ? null : leasePart(form, cached, rewrite),
    reported: elector.reported,
    nextCall: renaming === null || renaming.calls === null ? elector.nextCall : renaming.calls.length + 1,
    nextDraw: elector.nextDraw,
    kind: elector.kind,
  };
  const attempt = ({ call, startedAt, step }: Extract<ClientGo, { kind: "acquiring" }>["attempt"]) => ({
    call: callPart(renaming, call),
    startedAt: {
      monotonicMs: startedAt.monotonicMs - zeroMs,
      wallMs: startedAt.wallMs - rewrite.zeroMs,
    },
    step: "record" in step ? { kind: step.kind, record: record(step.record) } : { kind: step.kind },
  });
  const window = ({ nextTickMs, deadlineMs }: Extract<ClientGo, { kind: "polling" }>["window"]) => ({
    nextTickMs: nextTickMs - zeroMs,
    deadlineMs: deadlineMs - zeroMs,
  });
  switch (elector.kind) {
    case "new":
      return { ...memory, cancelled: elector.cancelled };
    case "ended":
      return form.reduced
        ? {
            ...memory,
            observed: null,
            raw: null,
            cached: null,
            reported: "",
            nextCall: 1,
            nextDraw: 0,
          }
        : memory;
    case "acquiring":
      return { ...memory, attempt: attempt(elector.attempt) };
    case "waiting":
      return { ...memory, retryMs: elector.retryMs - zeroMs };
    case "resting":
      return { ...memory, renewMs: elector.renewMs - zeroMs };
    case "renewing":
      return { ...memory, window: window(elector.window), attempt: attempt(elector.attempt) };
    case "polling":
      return { ...memory, window: window(elector.window) };
    case "releasing":
      return {
        ...memory,
        call: callPart(renaming, elector.call),
        record: elector.record === null ? null : record(elector.record),
        deadlineMs: elector.deadlineMs - zeroMs,
        reason: elector.reason,
        workCancelled: elector.workCancelled,
      };
    default:
      return unreachable(elector);
  }
}

// The `epoch-lab` profile: an elector without the known weaknesses.
//
// The intuition: a leader may trust its Lease only from the moment it ASKED for the renewal, because the server may have
// committed at once and the answer may be old; a rival may distrust it only from the moment it SAW it unchanged. Both
// count on their own monotonic clock. If the leader's budget plus the time its work takes to stop is shorter than the
// rival's patience, they cannot overlap, whatever the network does. Only a pause can break that, and against pauses there
// is the fence at the sink, to which every acquisition gives a higher term.
import { unreachable } from "../../../base/assert.ts";
import { PROCESS_ANNOTATION, type Lease, type LeaseBody } from "../../lease/lease.ts";
import { compareTokens, laterToken, leaseTerm, nextToken } from "../../token/token.ts";
import type {
  CallResult,
  ElectorConfig,
  ElectorInput,
  ElectorOutput,
  Instant,
  StopReason,
} from "../contract.ts";
import { acquisitionBody, isSameAcquisition, releaseBody, renewalBody } from "./record.ts";

/** The one request that may be open. */
interface OpenCall {
  readonly call: number;
  /** When it was sent; a success counts from here. */
  readonly startedMs: number;
  readonly what: "read" | "acquire" | "renew" | "raise" | "release";
}

/** What a follower last read, and since when its own clock has seen it unchanged. */
interface Observed {
  readonly lease: Lease;
  readonly sinceMs: number;
}

interface Common {
  readonly profile: "epoch-lab";
  readonly config: ElectorConfig;
  /** Calls made so far. */
  readonly calls: number;
  /** The highest term this process has ever seen; "0" at first. Survives a deleted Lease and a stripped annotation. */
  readonly seenTerm: string;
  /** The holder last reported by `new-leader`. */
  readonly reported: string;
  readonly open: OpenCall | null;
}

interface Holding {
  /** The Lease as it was last known to be ours. */
  readonly lease: Lease;
  /** The term of this leadership. */
  readonly term: string;
}

export type EpochLabElector =
  | (Common & { readonly kind: "new" })
  | (Common & {
      readonly kind: "following";
      readonly observed: Observed | null;
      /** Asked to stop while an acquisition is open: its answer is awaited so that it can be undone. */
      readonly leaving: boolean;
    })
  | (Common &
      Holding & {
        readonly kind: "leading";
        /** Start of the request of the last successful renewal. Leads until budgetFromMs + renewDeadlineMs at most. */
        readonly budgetFromMs: number;
        /** A term to raise to, because a sink has seen a higher one. */
        readonly raiseTo: string | null;
        /** A conflict was followed by a read that showed the Lease still ours. A second conflict then waits its turn. */
        readonly reread: boolean;
        /** `draining`: asked to stop, work is being stopped and the Lease still renewed. `drained`: the work has stopped. */
        readonly leaving: "no" | "draining" | "drained";
      })
  /** Not leading any more; waits for the guarded work to stop before anything else. */
  | (Common & Holding & { readonly kind: "stopping"; readonly reason: StopReason; readonly leaving: boolean })
  | (Common & Holding & { readonly kind: "releasing"; readonly leaving: boolean; readonly again: boolean })
  | (Common & { readonly kind: "ended" });

type Leading = Extract<EpochLabElector, { kind: "leading" }>;
type Following = Extract<EpochLabElector, { kind: "following" }>;
type Stepped = readonly [EpochLabElector, readonly ElectorOutput[]];

const clear = (...timers: readonly string[]): ElectorOutput[] =>
  timers.map((timer) => ({ kind: "clear-timer", timer }));

export function createEpochLab(config: ElectorConfig): EpochLabElector {
  return { profile: "epoch-lab", kind: "new", config, calls: 0, seenTerm: "0", reported: "", open: null };
}

/** The longest that one attempt may take: a third of the deadline, so that one hung request does not cost the leadership. */
export const attemptTimeoutMs = (config: ElectorConfig): number =>
  Math.max(1, Math.floor(config.timings.renewDeadlineMs / 3));

export function stepEpochLab(elector: EpochLabElector, input: ElectorInput): Stepped {
  switch (input.kind) {
    case "start":
      return elector.kind === "new"
        ? attempt({ ...elector, kind: "following", observed: null, leaving: false }, input.at)
        : [elector, []];
    case "timer":
      return timer(elector, input.timer, input.at);
    case "answer":
      return elector.open?.call === input.call
        ? answer(elector, elector.open, input.result, input.at)
        : [elector, []];
    case "cancel":
      return cancel(elector, input.at);
    case "work-stopped":
      return workStopped(elector, input.at);
    case "refused-as-stale":
      return refusedAsStale(elector, input.mark, input.at);
    default:
      return unreachable(input);
  }
}

// --- calls ------------------------------------------------------------------------------------------------------

/** Opens the one call, bounded by the attempt timer and, for a leader, by what is left of its budget. */
function open<State extends EpochLabElector>(
  elector: State,
  what: OpenCall["what"],
  body: LeaseBody | null,
  at: Instant,
): readonly [State, readonly ElectorOutput[]] {
  const call = elector.calls + 1;
  const { lock } = elector.config;
  const request =
    body === null
      ? ({ verb: "get", name: lock } as const)
      : body.uid === undefined
        ? ({ verb: "create", body } as const)
        : ({ verb: "update", name: lock, body } as const);
  return [
    { ...elector, calls: call, open: { call, startedMs: at.monotonicMs, what } },
    [
      { kind: "call", call, request },
      {
        kind: "set-timer",
        timer: "attempt",
        dueMs: at.monotonicMs + attemptTimeoutMs(elector.config),
      },
    ],
  ];
}

function answer(elector: EpochLabElector, call: OpenCall, result: CallResult, at: Instant): Stepped {
  const closed: EpochLabElector = { ...elector, open: null };
  const [next, outputs] = route(closed, call, result, at);
  // The attempt timer belongs to the call that was open; a call that was opened by this answer has set it anew.
  return next.open === null ? [next, [...clear("attempt"), ...outputs]] : [next, outputs];
}

function route(elector: EpochLabElector, call: OpenCall, result: CallResult, at: Instant): Stepped {
  switch (elector.kind) {
    case "following":
      return call.what === "read" ? followRead(elector, result, at) : acquired(elector, call, result, at);
    case "leading":
      return call.what === "read" ? leaderRead(elector, result, at) : renewed(elector, call, result, at);
    case "releasing":
      return call.what === "read" ? releaseRead(elector, result, at) : released(elector, result, at);
    case "new":
    case "stopping":
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

function timer(elector: EpochLabElector, name: string, at: Instant): Stepped {
  switch (elector.kind) {
    case "following":
      if (name === "poll" && elector.open === null) return attempt(elector, at);
      if (name === "attempt" && elector.open !== null) {
        const given: ElectorOutput = { kind: "give-up", call: elector.open.call };
        const free: Following = { ...elector, open: null };
        return free.leaving ? end(free, [given]) : poll(free, at, [given]);
      }
      return [elector, []];
    case "leading":
      if (isSpent(elector, at)) return stepDown(elector, "renew-deadline", at);
      if (name === "renew" && elector.open === null) return renew(elector, at);
      if (name === "drain" && elector.leaving === "draining") return [elector, [{ kind: "abort-work" }]];
      if (name === "attempt" && elector.open !== null) {
        // The write may have been committed all the same: read before concluding anything.
        const given: ElectorOutput = { kind: "give-up", call: elector.open.call };
        const [next, outputs] = afterCall({ ...elector, open: null }, at, true);
        return [next, [given, ...outputs]];
      }
      return [elector, []];
    case "stopping":
      return name === "drain" ? [elector, [{ kind: "abort-work" }]] : [elector, []];
    case "releasing":
      return name === "attempt" && elector.open !== null
        ? afterRelease({ ...elector, open: null }, at, [{ kind: "give-up", call: elector.open.call }])
        : [elector, []];
    case "new":
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

// --- following --------------------------------------------------------------------------------------------------

/** One attempt: read, or take at once what its own observation has judged free. */
function attempt(elector: Following, at: Instant): Stepped {
  const { observed } = elector;
  if (observed !== null && isExpired(elector, observed, at)) {
    const [next, outputs] = acquire(elector, observed.lease, at);
    const expired: ElectorOutput = {
      kind: "judged-expired",
      holder: observed.lease.spec.holderIdentity ?? "",
      unchangedForMs: at.monotonicMs - observed.sinceMs,
    };
    return [next, [expired, ...outputs]];
  }
  return open(elector, "read", null, at);
}

function isExpired(elector: Following, { lease, sinceMs }: Observed, at: Instant): boolean {
  return at.monotonicMs >= sinceMs + patienceMs(elector.config, lease);
}

/** How long a record counts as valid: its own duration; a record without one gets ours rather than none. */
function patienceMs(config: ElectorConfig, lease: Lease): number {
  const seconds = lease.spec.leaseDurationSeconds;
  return seconds === undefined ? config.timings.leaseDurationMs : seconds * 1000;
}

function acquire(elector: Following, lease: Lease | null, at: Instant): Stepped {
  return open(elector, "acquire", acquisitionBody(elector.config, lease, elector.seenTerm, at), at);
}

function followRead(elector: Following, result: CallResult, at: Instant): Stepped {
  if (elector.leaving) return end(elector, []);
  if (result.kind === "refused" && result.code === 404) {
    const [next, outputs] = acquire({ ...elector, observed: null, reported: "" }, null, at);
    return [next, [...reportHolder(elector, ""), ...outputs]];
  }
  if (result.kind !== "ok" || result.lease === null) return poll(elector, at, []);
  return consider(elector, result.lease, at);
}

/** Looks at a Lease as read: free, expired, or to be watched on. */
function consider(elector: Following, lease: Lease, at: Instant): Stepped {
  const holder = lease.spec.holderIdentity ?? "";
  const before = elector.observed;
  const unchanged =
    before !== null &&
    before.lease.uid === lease.uid &&
    before.lease.resourceVersion === lease.resourceVersion;
  const observed: Observed = unchanged ? before : { lease, sinceMs: at.monotonicMs };
  const seen: Following = {
    ...elector,
    observed,
    seenTerm: laterToken(elector.seenTerm, leaseTerm(lease) ?? "0"),
    reported: holder,
  };
  const news = reportHolder(elector, holder);
  // Free: nobody holds it, or this very process does and is not leading, so that nobody's work is guarded by it.
  // Another client may have taken it and kept the annotation, as client-go does with what it does not know.
  const ours =
    holder === elector.config.identity && lease.annotations[PROCESS_ANNOTATION] === elector.config.processId;
  if (holder === "" || ours) {
    const [next, outputs] = acquire(seen, lease, at);
    return [next, [...news, ...outputs]];
  }
  if (isExpired(seen, observed, at)) {
    const [next, outputs] = attempt(seen, at);
    return [next, [...news, ...outputs]];
  }
  return poll(seen, at, news);
}

function reportHolder(elector: Following, holder: string): readonly ElectorOutput[] {
  return holder === elector.reported ? [] : [{ kind: "new-leader", identity: holder }];
}

/** Waits for the next attempt: a retry period, or less when the observed record expires before. */
function poll(elector: Following, at: Instant, outputs: readonly ElectorOutput[]): Stepped {
  const { observed, config } = elector;
  const retryMs = at.monotonicMs + config.timings.retryPeriodMs;
  const expiryMs = observed === null ? retryMs : observed.sinceMs + patienceMs(config, observed.lease);
  const dueMs = expiryMs > at.monotonicMs ? Math.min(retryMs, expiryMs) : retryMs;
  return [elector, [...outputs, ...clear("attempt"), { kind: "set-timer", timer: "poll", dueMs }]];
}

function acquired(elector: Following, call: OpenCall, result: CallResult, at: Instant): Stepped {
  if (result.kind !== "ok" || result.lease === null) {
    if (elector.leaving) return end(elector, []);
    // After a conflict somebody else may hold it: observed anew. Otherwise the next try is the same compare-and-set, which
    // cannot succeed if this one was committed after all.
    const conflict = result.kind === "refused" && (result.code === 409 || result.code === 404);
    return poll(conflict ? { ...elector, observed: null } : elector, at, []);
  }
  const { lease } = result;
  const term = leaseTerm(lease) ?? "1";
  const seen = { ...elector, seenTerm: laterToken(elector.seenTerm, term) };
  const holding = { lease, term };
  if (elector.leaving) return release({ ...common(seen), ...holding, leaving: true }, at, []);
  const { timings, identity } = elector.config;
  if (at.monotonicMs >= call.startedMs + timings.renewDeadlineMs) {
    // A win that came too late to act on. The Lease names this process, so the next attempt takes it again, with a new term.
    return consider({ ...seen, observed: null }, lease, at);
  }
  const leading: Leading = {
    ...common(seen),
    ...holding,
    kind: "leading",
    reported: identity,
    budgetFromMs: call.startedMs,
    raiseTo: null,
    reread: false,
    leaving: "no",
  };
  return [
    leading,
    [
      ...reportHolder(elector, identity),
      { kind: "started-leading", lease },
      ...clear("poll"),
      ...renewalTimers(leading, at),
    ],
  ];
}

// --- leading ----------------------------------------------------------------------------------------------------

const deadlineMs = (elector: Leading): number =>
  elector.budgetFromMs + elector.config.timings.renewDeadlineMs;

const isSpent = (elector: Leading, at: Instant): boolean => at.monotonicMs >= deadlineMs(elector);

function renewalTimers(elector: Leading, at: Instant): ElectorOutput[] {
  const nextMs = elector.budgetFromMs + elector.config.timings.retryPeriodMs;
  return [
    { kind: "set-timer", timer: "renew", dueMs: Math.max(at.monotonicMs, nextMs) },
    { kind: "set-timer", timer: "deadline", dueMs: deadlineMs(elector) },
  ];
}

/** Renews, or raises the term where that is wanted: both are one PUT on what is known of the Lease. */
function renew(elector: Leading, at: Instant): Stepped {
  const { config, lease, term, raiseTo } = elector;
  return open(
    elector,
    raiseTo === null ? "renew" : "raise",
    renewalBody(config, lease, raiseTo ?? term, at),
    at,
  );
}

function renewed(elector: Leading, call: OpenCall, result: CallResult, at: Instant): Stepped {
  if (result.kind === "ok" && result.lease !== null) {
    const { lease } = result;
    const term = leaseTerm(lease) ?? elector.term;
    const termRaised = compareTokens(term, elector.term) > 0;
    const next: Leading = {
      ...elector,
      lease,
      term,
      seenTerm: laterToken(elector.seenTerm, term),
      budgetFromMs: call.startedMs,
      reread: false,
      raiseTo: elector.raiseTo !== null && compareTokens(elector.raiseTo, term) > 0 ? elector.raiseTo : null,
    };
    if (isSpent(next, at)) return stepDown(next, "renew-deadline", at);
    const [after, outputs] = afterCall(next, at, false);
    return [after, [{ kind: "renewed", lease, termRaised }, ...renewalTimers(next, at), ...outputs]];
  }
  if (isSpent(elector, at)) return stepDown(elector, "renew-deadline", at);
  const conflict = result.kind === "refused" && (result.code === 409 || result.code === 404);
  return conflict && !elector.reread
    ? afterCall(elector, at, true)
    : retryLater({ ...elector, reread: false }, at);
}

/** What comes after a call of a leader: a read where the outcome is in doubt, a waiting raise, or the end of a drain. */
function afterCall(elector: Leading, at: Instant, doubt: boolean): Stepped {
  if (elector.leaving === "drained") return leave(elector, at);
  if (doubt) return open(elector, "read", null, at);
  return elector.raiseTo === null ? [elector, []] : renew(elector, at);
}

function retryLater(elector: Leading, at: Instant): Stepped {
  if (elector.leaving === "drained") return leave(elector, at);
  const dueMs = at.monotonicMs + elector.config.timings.retryPeriodMs;
  return [elector, [{ kind: "set-timer", timer: "renew", dueMs }]];
}

function leaderRead(elector: Leading, result: CallResult, at: Instant): Stepped {
  if (isSpent(elector, at)) return stepDown(elector, "renew-deadline", at);
  if (result.kind === "refused" && result.code === 404) return stepDown(elector, "lease-gone", at);
  if (result.kind !== "ok" || result.lease === null) return retryLater(elector, at);
  const { lease } = result;
  if (!isSameAcquisition(elector.lease, lease)) {
    const [next, outputs] = stepDown(
      { ...elector, seenTerm: laterToken(elector.seenTerm, leaseTerm(lease) ?? "0") },
      "held-by-other",
      at,
    );
    const holder = lease.spec.holderIdentity ?? "";
    return [
      { ...next, reported: holder },
      [
        ...(holder === elector.reported ? [] : [{ kind: "new-leader", identity: holder } as const]),
        ...outputs,
      ],
    ];
  }
  const mine: Leading = { ...elector, lease, reread: true };
  return mine.leaving === "drained" ? leave(mine, at) : renew(mine, at);
}

function refusedAsStale(elector: EpochLabElector, mark: string, at: Instant): Stepped {
  if (elector.kind !== "leading" || elector.leaving !== "no") return [elector, []];
  if (compareTokens(mark, elector.term) <= 0) return [elector, []];
  if (elector.raiseTo !== null && compareTokens(elector.raiseTo, mark) > 0) return [elector, []];
  const wanted: Leading = {
    ...elector,
    raiseTo: nextToken(mark),
    seenTerm: laterToken(elector.seenTerm, mark),
  };
  return wanted.open === null && !isSpent(wanted, at) ? renew(wanted, at) : [wanted, []];
}

// --- stopping and releasing ---------------------------------------------------------------------------------------

function common(elector: EpochLabElector): Common {
  const { config, calls, seenTerm, reported, open: call } = elector;
  return { profile: "epoch-lab", config, calls, seenTerm, reported, open: call };
}

function stepDown(elector: Leading, reason: StopReason, at: Instant): Stepped {
  const { lease, term, leaving } = elector;
  const given: ElectorOutput[] = elector.open === null ? [] : [{ kind: "give-up", call: elector.open.call }];
  const stopping: EpochLabElector = {
    ...common(elector),
    open: null,
    kind: "stopping",
    lease,
    term,
    reason,
    leaving: leaving !== "no",
  };
  const outputs = [...given, ...clear("renew", "deadline", "attempt")];
  if (leaving === "drained") return workStopped(stopping, at, outputs);
  if (leaving === "draining") return [stopping, outputs];
  return [
    stopping,
    [
      ...outputs,
      { kind: "stop-work", reason },
      { kind: "set-timer", timer: "drain", dueMs: at.monotonicMs + elector.config.drainTimeoutMs },
    ],
  ];
}

function workStopped(elector: EpochLabElector, at: Instant, before: readonly ElectorOutput[] = []): Stepped {
  switch (elector.kind) {
    case "leading": {
      if (elector.leaving !== "draining") return [elector, []];
      const drained: Leading = { ...elector, leaving: "drained" };
      // An open renewal is waited for: what it did to the resourceVersion must be known before the release.
      return drained.open === null ? leave(drained, at) : [drained, clear("drain")];
    }
    case "stopping": {
      const outputs: ElectorOutput[] = [
        ...before,
        ...clear("drain"),
        { kind: "stopped-leading", reason: elector.reason },
      ];
      // Another holder's Lease is not touched. After a deadline the Lease may still be ours: giving it up spares the wait.
      const mayBeOurs = elector.reason === "renew-deadline" && elector.config.release;
      if (mayBeOurs) return release({ ...elector }, at, outputs);
      return elector.leaving ? end(elector, outputs) : follow(elector, at, outputs);
    }
    case "new":
    case "following":
    case "releasing":
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

/** The work of a leader that was asked to stop has stopped: give the Lease up, or just end. */
function leave(elector: Leading, at: Instant): Stepped {
  const { lease, term } = elector;
  const outputs: ElectorOutput[] = [
    ...clear("renew", "deadline", "attempt", "drain"),
    { kind: "stopped-leading", reason: "cancelled" },
  ];
  if (!elector.config.release) return end(elector, outputs);
  return release({ ...common(elector), lease, term, leaving: true }, at, outputs);
}

function release(
  elector: Common & Holding & { readonly leaving: boolean },
  at: Instant,
  outputs: readonly ElectorOutput[],
): Stepped {
  const { lease, term, leaving } = elector;
  const releasing: EpochLabElector = {
    ...common({ ...elector, kind: "ended" }),
    kind: "releasing",
    lease,
    term,
    leaving,
    again: true,
  };
  const [next, calls] = open(releasing, "release", releaseBody(elector.config, lease, at), at);
  return [next, [...outputs, ...calls]];
}

function released(
  elector: Extract<EpochLabElector, { kind: "releasing" }>,
  result: CallResult,
  at: Instant,
): Stepped {
  if (result.kind === "ok") return afterRelease(elector, at, [{ kind: "released" }]);
  // A conflict may be our own late renewal: read once, and release only what is still this acquisition.
  if (result.kind === "refused" && result.code === 409 && elector.again)
    return open({ ...elector, again: false }, "read", null, at);
  return afterRelease(elector, at, []);
}

function releaseRead(
  elector: Extract<EpochLabElector, { kind: "releasing" }>,
  result: CallResult,
  at: Instant,
): Stepped {
  if (result.kind !== "ok" || result.lease === null || !isSameAcquisition(elector.lease, result.lease))
    return afterRelease(elector, at, []);
  const mine = { ...elector, lease: result.lease };
  return open(mine, "release", releaseBody(elector.config, result.lease, at), at);
}

function afterRelease(
  elector: Extract<EpochLabElector, { kind: "releasing" }>,
  at: Instant,
  outputs: readonly ElectorOutput[],
): Stepped {
  const done = [...outputs, ...clear("attempt")];
  return elector.leaving ? end(elector, done) : follow(elector, at, done);
}

/** Back to following, without memory of what was observed: the next read starts a new observation. */
function follow(elector: EpochLabElector, at: Instant, outputs: readonly ElectorOutput[]): Stepped {
  const following: Following = {
    ...common(elector),
    open: null,
    kind: "following",
    observed: null,
    leaving: false,
  };
  return poll(following, at, outputs);
}

function cancel(elector: EpochLabElector, at: Instant): Stepped {
  switch (elector.kind) {
    case "new":
      return end(elector, []);
    case "following": {
      if (elector.open !== null && elector.open.what === "acquire")
        return [{ ...elector, leaving: true }, clear("poll")];
      const given: ElectorOutput[] =
        elector.open === null ? [] : [{ kind: "give-up", call: elector.open.call }];
      return end(elector, [...given, ...clear("poll", "attempt")]);
    }
    case "leading":
      return elector.leaving !== "no"
        ? [elector, []]
        : [
            { ...elector, leaving: "draining", raiseTo: null },
            [
              { kind: "stop-work", reason: "cancelled" },
              {
                kind: "set-timer",
                timer: "drain",
                dueMs: at.monotonicMs + elector.config.drainTimeoutMs,
              },
            ],
          ];
    case "stopping":
    case "releasing":
      return [{ ...elector, leaving: true }, []];
    case "ended":
      return [elector, []];
    default:
      return unreachable(elector);
  }
}

function end(elector: EpochLabElector, outputs: readonly ElectorOutput[]): Stepped {
  return [{ ...common(elector), open: null, kind: "ended" }, [...outputs, { kind: "ended" }]];
}

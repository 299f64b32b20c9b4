// Where `epoch-lab` does otherwise than the published crates, and why. Each row cites the line of a transcript in which the
// crate does it (`e2e/oracle/camel/transcripts`); a test finds that line, plays the same schedule through `epoch-lab`, and
// checks what it does instead.
import type { MasterVariant } from "./contract.ts";

/** A line of a transcript: of this generation, for this schedule, with at least these fields. */
export interface Citation {
  readonly variant: Exclude<MasterVariant, "epoch-lab">;
  readonly schedule: string;
  readonly t: number;
  readonly line: Readonly<Record<string, unknown>>;
}

export interface Deviation {
  /** Stable name. */
  readonly id: string;
  /** What the crate does. */
  readonly crate: string;
  readonly cites: readonly Citation[];
  readonly ours: string;
  readonly why: string;
}

const both = (schedule: string, t: number, line: Citation["line"]): readonly Citation[] => [
  { variant: "camel-first", schedule, t, line },
  { variant: "camel-hardened", schedule, t, line },
];

const first = (schedule: string, t: number, line: Citation["line"]): readonly Citation[] => [
  { variant: "camel-first", schedule, t, line },
];

const hardened = (schedule: string, t: number, line: Citation["line"]): readonly Citation[] => [
  { variant: "camel-hardened", schedule, t, line },
];

export const DEVIATIONS: readonly Deviation[] = [
  // --- leadership -----------------------------------------------------------------------------------------------------
  {
    id: "loss-during-backoff",
    crate:
      "The wait before the next try hears only a stop. Leadership that is lost meanwhile is not seen: at its end the delegate is created and started by a node that does not lead.",
    cites: both("lost-in-backoff", 6400, { event: "create", n: 8, plan: "ok" }),
    ours: "Hears the loss at once, and looks at leadership again after every wait before it starts anything.",
    why: "Guarded work must not begin under a leadership that is over.",
  },
  {
    id: "coalesced-loss",
    crate:
      "Of the events of one instant only the last is seen. Lost and won again under the same epoch, the delegate goes on as if nothing had been.",
    cites: hardened("win-lose-win-same-epoch", 737, {
      event: "log",
      msg: "dropping duplicate StartedLeading delivery at the published epoch",
    }),
    ours: "Every change is an input of its own: the delegate is drained and a new one is created.",
    why: "Between the two another node may have led.",
  },
  {
    id: "silent-epoch",
    crate:
      "An epoch that rises without an event is found by the next tick, up to 200 ms later; in the first generation never, so that a running bridge stamps an old epoch.",
    cites: [
      ...hardened("term-bump-silent", 1200, { event: "create", n: 2 }),
      ...first("term-bump-silent", 1840, { event: "received", epoch: "7" }),
    ],
    ours: "A new epoch is an input and takes effect at once: the delegate is drained and its bridge spawned anew.",
    why: "Every envelope stamped after the change would be refused by a fenced sink.",
  },
  {
    id: "snapshot-twice",
    crate:
      "Leadership published between subscription and first look is seen twice: the delegate is created, drained and created again.",
    cites: first("initial-leader-unseen", 0, { event: "create", n: 2 }),
    ours: "The same leadership told twice changes nothing.",
    why: "A restart for nothing costs the first envelopes.",
  },
  {
    id: "missing-epoch",
    crate: 'Without an epoch, envelopes are stamped "0", which looks like a token.',
    cites: both("epoch-missing", 510, { event: "received", id: 1, epoch: "0" }),
    ours: "Without an epoch there is no stamp, and one that somebody else set is removed.",
    why: "A sink must be able to tell that there is no token.",
  },
  // --- creating, and trying again ---------------------------------------------------------------------------------------
  {
    id: "backoff-by-ticks",
    crate:
      "Tries happen at ticks of 200 ms, and the wait is 200 ms shorter than the policy says: delays of 100, 200, 400, 800 ms become 90, 200, 200, 400, 600.",
    cites: both("create-fails-long", 2000, { event: "create", n: 6, since_previous_ms: 600 }),
    ours: "The next try comes the policy's delay after the failure.",
    why: "A timing that is configured should be the timing that happens.",
  },
  {
    id: "one-try-too-many",
    crate: "The first try is not counted: a limit of 3 gives 4 tries.",
    cites: first("budget-create", 1000, { event: "create", n: 4 }),
    ours: "A limit of 3 gives 3 tries.",
    why: "A limit that is configured should be the limit that holds.",
  },
  {
    id: "budget-never-refilled",
    crate:
      "The budget never goes back while leadership lasts: three failures 20 s apart use up a limit of 3.",
    cites: hardened("failures-far-apart", 61_000, { event: "election_leave" }),
    ours: "A delegate that worked for refillAfterMs (10 s) gets a full budget when it fails.",
    why: "A broker that drops a connection once a day is no reason to give up on the third day.",
  },
  {
    id: "raised-term-keeps-budget",
    crate: "A term that rises while the delegate cannot be created goes on with the tries that are left.",
    cites: hardened("term-raised-inactive", 1600, { event: "election_leave" }),
    ours: "A new epoch has a budget of its own, and its first try comes at once.",
    why: "It is another leadership; what failed under the last one says little about it.",
  },
  {
    id: "exhausted-silently",
    crate:
      "A budget used up by failed creations ends the consumer without an error: the route says Started for ever, its node has left the election, and supervision sees nothing.",
    cites: both("budget-create", 0, {}).map((cite) => ({
      ...cite,
      t: cite.variant === "camel-first" ? 1200 : 1000,
      line: { event: "master_finished", result: "ok" },
    })),
    ours: "Ends with the last error, so that the route fails visibly, and leaves the election.",
    why: "A node that does nothing any more must say so.",
  },
  {
    id: "clean-end-counts",
    crate:
      "A delegate that ends by itself is started again and again, every start counts as a failed try, and in the end the consumer gives up.",
    cites: hardened("budget-self-end", 1800, { event: "election_leave" }),
    ours: "A clean end is no failure: the work is done until the next acquisition.",
    why: "A timer with repeatCount=5 should fire five times, not for ever.",
  },
  {
    id: "disabled-creates-nothing",
    crate:
      "With reconnect disabled not even the first delegate is created: the node wins, does nothing, and leaves.",
    cites: hardened("reconnect-disabled", 600, {
      event: "log",
      msg: "delegate start exceeded max attempts or reconnect disabled, stopping consumer",
    }),
    ours: "Reconnect disabled means one try.",
    why: "Not to try again is not the same as not to try.",
  },
  {
    id: "start-error-is-final",
    crate: "An error of start() ends the consumer, an Io error too.",
    cites: first("start-fails-3", 600, { event: "master_finished" }),
    ours: "Transient errors of start() and of the running delegate are tried again under the same budget.",
    why: "A broker that is down for a second should not end a candidacy.",
  },
  {
    id: "detached-churn",
    crate:
      "A start() that leaves its work in the background without handing over a task is stopped at once and started again at every tick.",
    cites: both("detached-delegate", 600, { event: "create", n: 2 }),
    ours: "As long as a delegate can send, it runs.",
    why: "Most consumers that listen in the background are of this kind.",
  },
  // --- stopping ------------------------------------------------------------------------------------------------------------
  {
    id: "two-drain-timeouts",
    crate:
      "Delegate and bridge each get a drain timeout of their own; then the bridge is destroyed with all that it had accepted, and nobody counts it.",
    cites: both("drain-queue-full", 3237, { event: "dropped", id: 386 }),
    ours: "One drain timeout bounds the whole stop; what is destroyed is reported with its count.",
    why: "A bound must be a bound, and accepted work must not vanish unseen.",
  },
  {
    id: "background-aborted",
    crate: "Background work that was handed over is aborted at the instant of the loss, without a drain.",
    cites: hardened("background-delegate", 1737, { event: "aborted", what: "delegate" }),
    ours: "It is asked to end, and has the drain timeout for it, as any other.",
    why: "The drain timeout exists to let work end in order.",
  },
  {
    id: "error-while-stopping",
    crate:
      "An error while the delegate is being stopped ends the node's candidacy for ever, whatever its class.",
    cites: both("error-while-stopping", 1037, { event: "election_leave" }),
    ours: "It is logged; the node goes back to standby and can lead again.",
    why: "The delegate is gone either way, which is all that the stop was for.",
  },
  {
    id: "drain-timeout-zero",
    crate:
      "With drain_timeout_ms = 0 a delegate is aborted before it sees its cancellation, even one that would have ended at once.",
    cites: both("toml-drain-zero", 1037, { event: "aborted", what: "delegate" }),
    ours: "The setting is refused; a consumer that has it all the same lets a delegate end that can end at once.",
    why: "Nobody who writes 0 means: never let it end in order.",
  },
  {
    id: "left-while-working",
    crate:
      "On a route stop the election is left although exchanges with this epoch go on in the pipeline: for seconds, while another node may lead.",
    cites: [
      ...hardened("shutdown-with-queue", 1070, { event: "election_leave" }),
      ...hardened("shutdown-with-queue", 6030, { event: "received", epoch: "7" }),
      ...first("shutdown-with-queue", 1037, { event: "election_leave" }),
    ],
    ours: "Leaves only when delegate, bridge and pipeline have nothing left, or the drain timeout has ended it.",
    why: "A Lease given up while guarded work runs protects nothing.",
  },
  {
    id: "stuck-delegate-outlives",
    crate: "A route stop leaves the election at once and never ends a delegate that does not react.",
    cites: first("shutdown-stuck-delegate", 1037, { event: "master_stopped", result: "ok" }),
    ours: "Aborts it when the drain timeout runs out, and leaves after that.",
    why: "Its work is as guarded after the stop as before.",
  },
  {
    id: "bridge-leaves-late",
    crate:
      "A bridge that waits for the pipeline does not notice that its route was cancelled; when it gets on, it tosses a coin between leaving and taking another envelope.",
    cites: hardened("shutdown-bridge-only", 1110, { event: "dropped", id: 18 }),
    ours: "The bridge is left at the moment of cancellation.",
    why: "What happens at a stop should not depend on a coin.",
  },
  // --- words and numbers ------------------------------------------------------------------------------------------------------
  {
    id: "acquired-at-every-try",
    crate: '"master leadership acquired" is logged at every try.',
    cites: both("create-fails-3", 600, { event: "log", msg: "master leadership acquired" }),
    ours: "It is logged once per acquisition.",
    why: "Who counts acquisitions by this line counts retries.",
  },
  {
    id: "started-before-start",
    crate:
      "master_delegate_lifecycle_total{event=started} counts a delegate before its start() is called, also one that never starts.",
    cites: hardened("start-fails-permanent", 510, {
      event: "metric",
      name: "master_delegate_lifecycle_total",
      labels: { event: "started", lock: "orders", reason: "none", route_id: "r1" },
    }),
    ours: "Counts it when its start has succeeded.",
    why: "A count of starts should count starts.",
  },
  {
    id: "error-wrapped-twice",
    crate: "The error that reaches the route is wrapped once more.",
    cites: hardened("create-permanent", 510, {
      event: "master_finished",
      result: "error: Processor error: Processor error: scripted endpoint failure",
    }),
    ours: "The error reaches the route as it was.",
    why: "A wrapped error has lost its class.",
  },
  {
    id: "explicit-zero-loses",
    crate:
      "reconnect.max_attempts = 0, written on purpose, loses against the older delegate_retry_max_attempts.",
    cites: hardened("toml-legacy-against-explicit-0", 1000, { event: "master_finished", result: "ok" }),
    ours: "What is written in the newer table wins.",
    why: "Its documentation says so.",
  },
  {
    id: "wrong-type-ignored",
    crate: "A setting of the wrong type is ignored without a word, and the default holds.",
    cites: both("toml-drain-text", 6037, {
      event: "log",
      msg: "master delegate shutdown timed out, aborting",
    }),
    ours: "It is refused with path, expectation and remedy.",
    why: "A setting that does nothing is worse than an error.",
  },
];

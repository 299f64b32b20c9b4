// What the builder says about each choice, and what it starts from when one is made.
import type { ElectorProfile } from "../../../shared/protocol/elector/contract.ts";
import type { Enforcement } from "../../../shared/protocol/sink/sink.ts";
import type { TokenSource } from "../../../shared/protocol/token/token.ts";
import { DEFAULT_WORK } from "../../../shared/protocol/work/work.ts";
import type { NodeConfig, WorkSettings } from "../../../shared/systems/leadership/config.ts";
import { DEFAULT_ROUTE } from "../../../shared/systems/leadership/route.ts";

export const TOKEN_LABELS: Readonly<Record<TokenSource, string>> = {
  "lease-annotation": "counter in the Lease’s annotation",
  "lease-transitions": "leaseTransitions",
  "resource-version": "resourceVersion",
  "process-counter": "counter of the process",
  "wall-clock": "wall clock",
  constant: "always 1",
};

export const TOKEN_HINTS: Readonly<Record<TokenSource, string>> = {
  "lease-annotation":
    "camel.io/leader-term, one more on every acquisition, by compare-and-set. The one that works.",
  "lease-transitions": "Unchanged when the same name acquires again; back to 0 when the Lease is deleted.",
  "resource-version": "Changes at every renewal, so a leader outdates itself.",
  "process-counter": "How often this process has won; it knows nothing of others.",
  "wall-clock": "Orders clocks, not acquisitions.",
  constant: "No order at all.",
};

export const PROFILE_HINTS: Readonly<Record<ElectorProfile, string>> = {
  "epoch-lab": "Counts from the request, bounds every attempt, releases after the work has stopped.",
  "client-go": "As the Go library does it, known weaknesses included.",
  noop: "Leads at once and asks nobody.",
};

export const ENFORCEMENT_HINTS: Readonly<Record<Enforcement, string>> = {
  none: "Applies everything.",
  "check-then-act": "Compares on arrival, applies a moment later; another write may pass in between.",
  memory: "Compares and applies at once; a restart forgets the mark.",
  equality: "Takes its current token, or one it has never seen.",
  "idempotency-key": "Applies each key once; knows nothing of epochs.",
  atomic: "Compares, applies and keeps the mark in one transaction.",
};

export const WORK_LABELS: Readonly<Record<WorkSettings["kind"], string>> = {
  loop: "a loop of writes",
  route: "a route behind master:, with a bridge",
  none: "nothing",
};

export const NEW_NODE: NodeConfig = {
  id: "a",
  profile: "epoch-lab",
  identity: null,
  startMs: 0,
  timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 },
  release: true,
  jitter: [],
  drainTimeoutMs: 2000,
  clockRateBound: 1.05,
  clock: { offsetMs: 0, ratePermille: 1000 },
  clientTimeoutMs: 5000,
  leaseDelay: null,
  producer: null,
  sinkDelay: null,
};

export const NEW_WORK = (lock: string): Readonly<Record<WorkSettings["kind"], WorkSettings>> => ({
  loop: { kind: "loop", ...DEFAULT_WORK },
  route: { kind: "route", ...DEFAULT_ROUTE, uri: `master:${lock}:timer:tick?period=1000` },
  none: { kind: "none" },
});

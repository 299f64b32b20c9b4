// The rules of client-go's acquire, renew and release that a reader may want to check, beside what `epoch-lab` does.
import type { Plot } from "./bench.ts";
import { all, times, verbs } from "./measures.ts";
import type { Row } from "./row.ts";

const a = { id: "a", startMs: 0 };
const b = { id: "b", startMs: 1000 };
const alone: Plot = { players: [a], untilMs: 9000 };

export const RULES: readonly Row[] = [
  {
    why: "an absent Lease is created by the attempt that found none, and renewed in the same instant",
    plot: alone,
    measure: (run) => verbs(run, "a", 0, 1000),
    clientGo: "get create update",
    epochLab: "get create",
  },
  {
    why: "a renewal is one request: it writes on the cached resourceVersion without reading",
    plot: alone,
    measure: (run) => verbs(run, "a", 1000, 7000),
    clientGo: "update update update",
    epochLab: "update update update",
  },
  {
    why: "a failed fast write is followed by the slow path within the same attempt",
    plot: {
      ...alone,
      troubles: [{ player: "a", fromMs: 3000, toMs: 4001, calls: "renewal", code: 409, times: 1 }],
    },
    measure: (run) => verbs(run, "a", 4000, 6000),
    clientGo: "update get update",
    epochLab: "update get update",
  },
  {
    why: "an attempt whose slow path fails too is repeated at the window's next tick",
    plot: {
      ...alone,
      troubles: [{ player: "a", fromMs: 3000, toMs: 5000, code: 500 }],
    },
    measure: (run) => times(run, "call", "a").filter((atMs) => atMs > 2000 && atMs < 9000),
    clientGo: [4000, 4000, 6000, 8000],
    epochLab: [4000, 6000, 8000],
  },
  {
    why: "of the ticks that pass during an attempt one is made up for at its end, and only one",
    plot: {
      ...alone,
      troubles: [
        { player: "a", fromMs: 3000, toMs: 9000, code: 500 },
        { player: "a", fromMs: 3000, toMs: 5000, calls: "get", code: 500, lateMs: 4500 },
      ],
      untilMs: 10_500,
    },
    measure: (run) => times(run, "call", "a").filter((atMs) => atMs > 2000),
    clientGo: [4000, 4000, 8500, 8500, 10_000],
    epochLab: [4000, 6000, 8000, 10_000],
  },
  {
    why: "a hung renewal is cut by the renew deadline, and one more read is given up at once",
    plot: {
      players: [a],
      troubles: [{ player: "a", fromMs: 3000, toMs: 99_000, lose: "request" }],
      untilMs: 30_000,
    },
    measure: (run) => ({
      calls: verbs(run, "a", 3000, 30_000),
      givenUp: times(run, "given-up", "a"),
      ended: times(run, "ended", "a"),
    }),
    clientGo: { calls: "update get", givenUp: [14_000, 14_000], ended: [14_000] },
    // A third of the deadline an attempt, reads in between, and after the end it follows again.
    epochLab: {
      calls: "update get get get get get get",
      givenUp: [7333, 10_666, 12_000, 17_333, 22_666, 27_999],
      ended: [],
    },
  },
  {
    why: "a waiting node stretches its sleep by up to 1.2 retry periods",
    plot: {
      players: [a, { ...b, jitter: [0, 0.5, 0.999] }],
      untilMs: 12_000,
    },
    measure: (run) => times(run, "call", "b"),
    clientGo: [1000, 3000, 6200, 10_597],
    epochLab: [1000, 3000, 5000, 7000, 9000, 11_000],
  },
  {
    why: "a follower takes over at its first attempt after the observed record's own duration",
    plot: {
      players: [a, { ...b, leaseDurationMs: 60_000, renewDeadlineMs: 30_000 }],
      interventions: [{ kind: "crash", atMs: 4500, player: "a" }],
      untilMs: 40_000,
    },
    measure: (run) => times(run, "started", "b"),
    clientGo: [21_000],
    epochLab: [20_000],
  },
  {
    why: "a write that was committed though its answer was lost is read back as its own: no new acquisition",
    plot: {
      players: [a],
      troubles: [{ player: "a", fromMs: 3000, toMs: 5000, calls: "renewal", lose: "answer" }],
      untilMs: 12_500,
    },
    measure: (run) => ({
      transitions: run.lease?.spec.leaseTransitions,
      started: all(run, "started", "a").length,
      stopped: all(run, "stopped", "a").length,
    }),
    clientGo: { transitions: 0, started: 1, stopped: 0 },
    epochLab: { transitions: 0, started: 1, stopped: 0 },
  },
  {
    why: "a leader whose Lease was deleted creates it again and tells nobody",
    plot: { ...alone, interventions: [{ kind: "delete-lease", atMs: 5000 }] },
    measure: (run) => ({
      calls: verbs(run, "a", 6000, 7000),
      started: all(run, "started", "a").length,
    }),
    clientGo: { calls: "update get create", started: 1 },
    // It steps down, and leads again under a higher term from its next attempt on.
    epochLab: { calls: "update get", started: 2 },
  },
  {
    why: "a cancelled standby is told that it stopped leading, though it never led",
    plot: {
      players: [a, b],
      interventions: [{ kind: "cancel", atMs: 4000, player: "b" }],
      untilMs: 9000,
    },
    measure: (run) => ({ stopped: times(run, "stopped", "b"), ended: times(run, "ended", "b") }),
    clientGo: { stopped: [4000], ended: [4000] },
    epochLab: { stopped: [], ended: [4000] },
  },
  {
    why: "without release a cancelled leader leaves the Lease to expire",
    plot: {
      players: [a],
      interventions: [{ kind: "cancel", atMs: 5000, player: "a" }],
      untilMs: 9000,
    },
    measure: (run) => ({ calls: verbs(run, "a", 5000, 9000), holder: run.lease?.spec.holderIdentity }),
    clientGo: { calls: "", holder: "a" },
    epochLab: { calls: "", holder: "a" },
  },
  {
    why: "a release reads first, and then writes an empty holder for one second that keeps the transitions",
    plot: {
      players: [{ ...a, release: true }],
      interventions: [
        { kind: "edit-lease", atMs: 0, spec: { leaseTransitions: 4 } },
        { kind: "cancel", atMs: 5000, player: "a" },
      ],
      untilMs: 9000,
    },
    measure: (run) => ({ calls: verbs(run, "a", 5000, 9000), spec: run.lease?.spec }),
    clientGo: {
      calls: "get update",
      spec: {
        holderIdentity: "",
        leaseDurationSeconds: 1,
        acquireTime: 5_000_000,
        renewTime: 5_000_000,
        leaseTransitions: 5,
      },
    },
    epochLab: {
      calls: "update",
      spec: {
        holderIdentity: "",
        leaseDurationSeconds: 1,
        acquireTime: 5_000_000,
        renewTime: 5_000_000,
        leaseTransitions: 5,
      },
    },
  },
  {
    why: "a release that meets a conflict is not tried again",
    plot: {
      players: [{ ...a, release: true }],
      troubles: [{ player: "a", fromMs: 5000, toMs: 5001, calls: "release", code: 409, times: 1 }],
      interventions: [{ kind: "cancel", atMs: 5000, player: "a" }],
      untilMs: 9000,
    },
    measure: (run) => ({
      calls: verbs(run, "a", 5000, 9000),
      ended: times(run, "ended", "a"),
    }),
    clientGo: { calls: "get update", ended: [5000] },
    // It reads once, sees that the Lease is still this acquisition, and tries again.
    epochLab: { calls: "update get update", ended: [5000] },
  },
  {
    why: "a release has a renew deadline of its own, which the end of the process waits for",
    plot: {
      players: [{ ...a, release: true }],
      troubles: [{ player: "a", fromMs: 5000, toMs: 99_000, lose: "request" }],
      interventions: [{ kind: "cancel", atMs: 5000, player: "a" }],
      untilMs: 40_000,
    },
    measure: (run) => times(run, "ended", "a"),
    clientGo: [15_000],
    epochLab: [8333],
  },
  {
    why: "a cancellation in the middle of a renewal still releases",
    plot: {
      players: [{ ...a, release: true }],
      troubles: [{ player: "a", fromMs: 3000, toMs: 5000, calls: "renewal", delayMs: 300, lateMs: 1700 }],
      interventions: [{ kind: "cancel", atMs: 5000, player: "a" }],
      untilMs: 9000,
    },
    measure: (run) => ({ released: times(run, "released", "a"), holder: run.lease?.spec.holderIdentity }),
    clientGo: { released: [5000], holder: "" },
    // It first waits for the open renewal, whose resourceVersion the release must name.
    epochLab: { released: [6000], holder: "" },
  },
  {
    why: "a Lease that another client took is left alone until it expires, though foreign annotations survived in it",
    plot: {
      players: [a],
      interventions: [{ kind: "edit-lease", atMs: 5000, spec: { holderIdentity: "rival" } }],
      untilMs: 20_000,
    },
    measure: (run) => times(run, "committed", "a").filter((atMs) => atMs > 5000),
    clientGo: [],
    epochLab: [],
  },
];

// The surprises of client-go that cost people data, and that `epoch-lab` must be free of.
import { TERM_ANNOTATION } from "../../lease/lease.ts";
import type { Plot, Run } from "./bench.ts";
import {
  all,
  ledOnAfterReadingMs,
  overlapMs,
  releasedUnderWork,
  releasesOfOthers,
  times,
} from "./measures.ts";
import type { Row } from "./row.ts";

const a = { id: "a", startMs: 0 };
const b = { id: "b", startMs: 1000 };

/** Another client writes itself into a's Lease at 5 s. */
const usurped: Plot = {
  players: [a],
  interventions: [{ kind: "edit-lease", atMs: 5000, spec: { holderIdentity: "rival" } }],
  untilMs: 40_000,
};

const tokens = (run: Run): readonly string[] =>
  all(run, "started").map(({ player, transitions, term }) => `${player} ${transitions} ${term ?? "none"}`);

export const FACTS: readonly Row[] = [
  {
    why: "goes on leading for up to the renew deadline after it has read another holder",
    plot: usurped,
    measure: (run) => ledOnAfterReadingMs(run, "a", "rival"),
    clientGo: 10_000,
    epochLab: 0,
  },
  {
    why: "tells of the usurper only when the renew window is over",
    plot: usurped,
    measure: (run) => all(run, "new-leader", "a").find(({ identity }) => identity === "rival")?.atMs,
    clientGo: 16_000,
    epochLab: 6000,
  },
  {
    why: "takes the Lease again within the window, and tells nobody",
    plot: {
      ...usurped,
      interventions: [
        ...(usurped.interventions ?? []),
        { kind: "edit-lease", atMs: 9000, spec: { holderIdentity: "" } },
      ],
    },
    measure: (run) => ({
      started: all(run, "started", "a").length,
      stopped: all(run, "work-stopped", "a").length,
      transitions: run.lease?.spec.leaseTransitions,
    }),
    clientGo: { started: 1, stopped: 0, transitions: 1 },
    epochLab: { started: 2, stopped: 1, transitions: 1 },
  },
  {
    why: "counts its deadline from the last answer and one retry period after it, so that a late answer makes two leaders",
    plot: {
      players: [a, { ...b, startMs: 100 }],
      troubles: [
        { player: "a", fromMs: 5000, toMs: 7000, lateMs: 4900 },
        { player: "a", fromMs: 7000, toMs: 99_000, lose: "request" },
      ],
      untilMs: 40_000,
    },
    measure: (run) => overlapMs(run, "a", "b", 40_000),
    clientGo: 800,
    epochLab: 0,
  },
  {
    why: "in a plain partition it stops a retry period and a renew deadline after its last renewal",
    plot: {
      players: [a],
      troubles: [{ player: "a", fromMs: 5000, toMs: 99_000, lose: "request" }],
      untilMs: 40_000,
    },
    measure: (run) => (times(run, "work-stopped", "a")[0] ?? Infinity) - 4000,
    clientGo: 12_000,
    epochLab: 10_000,
  },
  {
    why: "runs with timings under which a plain partition makes two leaders",
    plot: {
      players: [a, b].map((player) => ({
        ...player,
        leaseDurationMs: 11_000,
        renewDeadlineMs: 10_000,
        retryPeriodMs: player.id === "a" ? 8000 : 2000,
      })),
      troubles: [{ player: "a", fromMs: 7000, toMs: 99_000, lose: "request" }],
      untilMs: 40_000,
    },
    measure: (run) => overlapMs(run, "a", "b", 40_000),
    clientGo: 5000,
    // Even unvalidated it counts from the request and keeps the overlap at bay while its work stops at once.
    epochLab: 0,
  },
  {
    why: "releases by what it observed before, and so wipes the Lease of a new holder",
    plot: {
      players: [{ ...a, release: true }, b],
      troubles: [{ player: "a", fromMs: 5000, toMs: 25_000, lose: "request" }],
      interventions: [
        { kind: "pause", atMs: 10_000, player: "a" },
        { kind: "resume", atMs: 30_000, player: "a" },
      ],
      untilMs: 45_000,
    },
    measure: releasesOfOthers,
    clientGo: ["a freed b"],
    epochLab: [],
  },
  {
    why: "after a failed renewal gives the Lease up before it tells its work to stop",
    plot: {
      players: [{ ...a, release: true, cleanupMs: 500 }],
      troubles: [{ player: "a", fromMs: 5000, toMs: 99_000, calls: "renewal", code: 500 }],
      untilMs: 40_000,
    },
    measure: (run) => ({
      released: all(run, "released", "a").length,
      underWork: releasedUnderWork(run, "a"),
    }),
    clientGo: { released: 1, underWork: true },
    epochLab: { released: 1, underWork: false },
  },
  {
    why: "when cancelled gives the Lease up without waiting for its work",
    plot: {
      players: [{ ...a, release: true, cleanupMs: 1500 }],
      interventions: [{ kind: "cancel", atMs: 5000, player: "a" }],
      untilMs: 20_000,
    },
    measure: (run) => ({
      released: all(run, "released", "a").length,
      underWork: releasedUnderWork(run, "a"),
    }),
    clientGo: { released: 1, underWork: true },
    epochLab: { released: 1, underWork: false },
  },
  {
    why: "starts the transitions at 0 again when the Lease was deleted",
    plot: {
      players: [{ ...a, release: true }, b],
      interventions: [
        { kind: "cancel", atMs: 5000, player: "a" },
        { kind: "delete-lease", atMs: 9000 },
      ],
      untilMs: 40_000,
    },
    measure: (run) => ({ tokens: tokens(run), transitions: run.lease?.spec.leaseTransitions }),
    clientGo: { tokens: ["a 0 none", "b 1 none"], transitions: 0 },
    // It steps down, and comes back with a term above every one that it has seen.
    epochLab: { tokens: ["a 0 1", "b 1 2", "b 0 3"], transitions: 0 },
  },
  {
    why: "leads at once and with the same transitions after a restart under the same name",
    plot: {
      players: [a, { id: "a2", identity: "a", startMs: 6000 }],
      interventions: [{ kind: "crash", atMs: 5500, player: "a" }],
      untilMs: 40_000,
    },
    measure: (run) => ({ tokens: tokens(run), atMs: times(run, "started", "a2")[0] }),
    clientGo: { tokens: ["a 0 none", "a2 0 none"], atMs: 6000 },
    epochLab: { tokens: ["a 0 1", "a2 1 2"], atMs: 21_000 },
  },
  {
    why: "two processes of one name lead side by side",
    plot: { players: [a, { id: "twin", identity: "a", startMs: 3000 }], untilMs: 20_000 },
    measure: (run) => overlapMs(run, "a", "twin", 20_000),
    clientGo: 17_000,
    epochLab: 0,
  },
  {
    why: "does not see a second renewal within one second of the wall clock, and so takes over too early",
    plot: {
      players: [
        { ...a, leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 400 },
        { ...b, startMs: 50, leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 400 },
      ],
      interventions: [{ kind: "crash", atMs: 4900, player: "a" }],
      untilMs: 12_000,
    },
    measure: (run) => {
      const renewals = times(run, "renewed", "a");
      return (times(run, "started", "b")[0] ?? Infinity) - (renewals.at(-1) ?? 0) < 3000;
    },
    clientGo: true,
    epochLab: false,
  },
  {
    why: "writes 1.9 seconds as 1",
    plot: {
      players: [{ ...a, leaseDurationMs: 1900, renewDeadlineMs: 1500, retryPeriodMs: 400 }],
      untilMs: 3000,
    },
    measure: (run) => run.lease?.spec.leaseDurationSeconds,
    clientGo: 1,
    // It refuses such a configuration; its machine cuts like client-go's.
    epochLab: 1,
  },
  {
    why: "writes less than a second as 0, which the API server refuses: nobody ever leads",
    plot: {
      players: [{ ...a, leaseDurationMs: 900, renewDeadlineMs: 600, retryPeriodMs: 200 }],
      untilMs: 3000,
    },
    measure: (run) => ({
      started: all(run, "started").length,
      refused: all(run, "answered").some(({ result }) => result.kind === "refused" && result.code === 422),
    }),
    clientGo: { started: 0, refused: true },
    epochLab: { started: 0, refused: true },
  },
  {
    why: "waits a full lease duration from its own first sight, however old the record is",
    plot: {
      players: [{ ...a, startMs: 600_000 }],
      interventions: [
        {
          kind: "edit-lease",
          atMs: 0,
          spec: { holderIdentity: "ghost", leaseDurationSeconds: 15, renewTime: 0, acquireTime: 0 },
        },
      ],
      untilMs: 640_000,
    },
    measure: (run) => times(run, "started", "a"),
    // At its next attempt after 15 s, which is a multiple of the retry period; epoch-lab wakes up for it.
    clientGo: [616_000],
    epochLab: [615_000],
  },
  {
    why: "takes a Lease that nobody holds at once",
    plot: {
      players: [a],
      interventions: [
        { kind: "edit-lease", atMs: 0, spec: { holderIdentity: "", leaseTransitions: 6 } },
        { kind: "pause", atMs: 0, player: "a" },
        { kind: "resume", atMs: 1000, player: "a" },
      ],
      untilMs: 4000,
    },
    measure: (run) => ({ atMs: times(run, "started", "a"), transitions: run.lease?.spec.leaseTransitions }),
    clientGo: { atMs: [1000], transitions: 7 },
    epochLab: { atMs: [1000], transitions: 7 },
  },
  {
    why: "a lock that stamps terms raises them at every acquisition, also the silent one, and keeps them on release",
    plot: {
      players: [{ ...a, release: true, stampTerm: true }],
      interventions: [
        { kind: "edit-lease", atMs: 5000, spec: { holderIdentity: "" } },
        { kind: "cancel", atMs: 9000, player: "a" },
      ],
      untilMs: 20_000,
    },
    measure: (run) => {
      const terms = all(run, "committed", "a").map(({ lease }) => lease.annotations[TERM_ANNOTATION]);
      return { terms: [...new Set(terms)], atTheEnd: run.lease?.annotations[TERM_ANNOTATION] };
    },
    clientGo: { terms: ["1", "2"], atTheEnd: "2" },
    epochLab: { terms: ["1", "2"], atTheEnd: "2" },
  },
];

// Cancellation is a request; the drain timeout is what happens when it is not heard.
import { leadershipScenario } from "./author.ts";

const nodes = [{ id: "a" }, { id: "b", startMs: 1000 }];
const network = { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } };

export const releaseAfterDrain = leadershipScenario({
  id: "release-after-drain",
  title: "Release after the work has stopped",
  section: "Stopping",
  question: "A leader is asked to stop and its work needs a while. When may it give the Lease up?",
  story:
    "Node a is asked to stop at 6 s. Its clean-up takes 1.5 s and ends with a last write. a renews on while it cleans up, and gives the Lease up when nothing of it is left.",
  config: {
    nodes,
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    work: { kind: "loop", cleanupMs: 1500, flush: true },
    network,
  },
  script: [{ untilMs: 6000 }, { act: { kind: "cancel", node: "a" } }, { untilMs: 15_000 }],
  predictions: [
    {
      beforeEvent: { kind: "asked-to-stop", node: "a" },
      question: "a is asked to stop while it leads. Which order is safe?",
      options: [
        "Release, then stop the work: the successor loses no time.",
        "Stop the work, wait for its end, then release.",
      ],
      answer: 1,
      because:
        "From the moment of the release another node may lead. Whatever of the old work still runs then runs beside it.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "ordered:fenced": "holds",
    "one-acts": "holds",
    "release-after-work": "holds",
    "release-own": "holds",
  },
  shows:
    "Draining first costs 2 s and no overlap. The successor still takes over at once instead of waiting for the lease to run out.",
  doesNotShow: "Work that ignores cancellation: see the clean-up that outlasts the drain timeout.",
});

export const drainTooLong = leadershipScenario({
  id: "drain-too-long",
  title: "Clean-up longer than the drain timeout",
  section: "Stopping",
  question: "The clean-up takes longer than anybody planned. Who stops it?",
  story:
    "Node a loses the Lease API and its deadline passes. Its clean-up would take 8 s and end with a last write; the drain timeout is 2 s.",
  config: {
    nodes,
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    work: { kind: "loop", cleanupMs: 8000, flush: true },
    network,
  },
  script: [{ untilMs: 5000 }, { act: { kind: "cut", node: "a", to: "lease" } }, { untilMs: 30_000 }],
  predictions: [
    {
      beforeEvent: { kind: "work-aborted", node: "a" },
      question: "Two seconds of drain are over and the clean-up still runs. What happens?",
      options: [
        "The elector waits on: work must finish.",
        "The work is aborted, the last write is never sent.",
        "The Lease is given up and the clean-up goes on.",
      ],
      answer: 1,
      because:
        "The drain timeout is part of the safety inequality. Past it a rival may lead, so what still runs is ended by force; in practice the process exits.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "ordered:fenced": "holds",
    "one-acts": "holds",
    "release-after-work": "holds",
  },
  shows:
    "With deadline plus drain below the lease duration the overlap is excluded, at the price of an aborted clean-up. The next leader has to cope with what was left half done.",
  doesNotShow: "A runtime in which work cannot be aborted: there, only ending the process bounds it.",
});

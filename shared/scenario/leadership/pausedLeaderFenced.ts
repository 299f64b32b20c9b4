// The same schedule as the paused leader's, with the fence alone.
import { leadershipScenario } from "./author.ts";
import { pausedLeader } from "./pausedLeader.ts";

export const pausedLeaderFenced = leadershipScenario({
  id: "paused-leader-fenced",
  title: "Paused leader, fenced",
  section: "Start here",
  question: "The same pause, the same late write: what does it take to stop it?",
  story:
    "Schedule and timings of the paused leader, to the millisecond. The only ledger keeps its mark in the transaction of the effect and refuses what is below.",
  config: { ...pausedLeader.config, sinks: [{ id: "fenced", enforcement: "atomic" }] },
  script: pausedLeader.script,
  predictions: [
    {
      beforeEvent: { kind: "write-refused", node: "a" },
      question:
        "a's write of 11 carries epoch 1 and the ledger's mark is 2. What does a do when it hears the refusal?",
      options: [
        "It raises its term and tries again.",
        "Nothing more: it has stepped down already.",
        "It writes once more without a token.",
      ],
      answer: 1,
      because:
        "On waking, its deadline had passed as well, so it cancelled its work. Only a leader that still holds the Lease may raise the term, by compare-and-set.",
    },
  ],
  verdicts: {
    "ordered:fenced": "holds",
    "fence-respected": "holds",
    "one-believer": "broken",
    "two-believe": "reached",
    "stale-write-reaches-sink": "reached",
    "stale-write-refused": "reached",
  },
  shows:
    "Two nodes believe that they lead, and the data is safe all the same. Exclusion is the sink's work, not the Lease's.",
  doesNotShow:
    "That such a fence is easy to have: the sink must store the mark with the effect, in one transaction.",
});

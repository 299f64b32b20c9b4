// The case that leases are made for.
import { leadershipScenario } from "./author.ts";

export const crashTakeover = leadershipScenario({
  id: "crash-takeover",
  title: "The leader crashes",
  section: "Start here",
  question: "How long does nobody lead when the leader dies without a word?",
  story:
    "Node a crashes a moment after a renewal. Node b has to see the record unchanged for the whole lease duration before it may take it; then its caches must fill before it does anything useful.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "ledger", enforcement: "atomic" }],
    work: { kind: "loop", warmUpMs: 3000 },
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [
    { untilEvent: { kind: "renewed", node: "a" }, nth: 3 },
    { untilMs: 7000 },
    { act: { kind: "crash", node: "a" } },
    { untilMs: 30_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "crashed", node: "a" },
      question: "a crashes at 7 s, the lease lasts 15 s. When does b lead, at the soonest?",
      options: [
        "At once: it sees that a is gone.",
        "15 s after the crash.",
        "15 s after b last saw the record change.",
        "15 s after the renewTime in the record.",
      ],
      answer: 2,
      because:
        "b cannot see a crash. It counts from the moment at which it read a changed record, on its own clock; what a wrote about its own time is not compared with anything.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "one-believer": "holds",
    "one-acts": "holds",
    "epochs-increase": "holds",
    "no-epoch-twice": "holds",
  },
  shows:
    "Time to acquire is up to the lease duration after the last observed change. Time to the first useful write is longer: the new leader warms up first.",
  doesNotShow:
    "A leader that is merely slow: a crash is the one fault after which nothing old can arrive late from it.",
});

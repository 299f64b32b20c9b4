// The baseline: what an election looks like when nothing goes wrong.
import { leadershipScenario } from "./author.ts";

export const healthyElection = leadershipScenario({
  id: "healthy-election",
  title: "A healthy election",
  section: "Start here",
  question: "What does it take to become leader, and to stay it?",
  story:
    "Node a finds no Lease and creates it with term 1. Node b finds it held and watches. As long as a renews in time, b sees the record change and starts its patience anew.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "ledger", enforcement: "atomic" }],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [{ untilMs: 20_000 }],
  predictions: [
    {
      beforeEvent: { kind: "request-served", node: "a", purpose: "renew" },
      question: "a is about to renew. What happens to the term in the Lease's annotation?",
      options: ["It goes up by one.", "It stays.", "It is removed."],
      answer: 1,
      because:
        "A term counts acquisitions. A renewal moves renewTime and resourceVersion, and keeps the term.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "one-believer": "holds",
    "one-acts": "holds",
    "epochs-increase": "holds",
    "two-believe": "not-reached",
    "stale-write-reaches-sink": "not-reached",
  },
  shows:
    "One PUT creates the Lease, one PUT every retry period keeps it. The follower compares nothing but whether the record changed, on its own clock.",
  doesNotShow: "Anything that protects the data: no fault happens here, so the fence has nothing to do.",
});

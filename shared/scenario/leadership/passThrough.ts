// What the master component does not gate.
import { leadershipScenario } from "./author.ts";

export const producerPassThrough = leadershipScenario({
  id: "producer-pass-through",
  title: "A producer on the standby",
  section: "Routes",
  question: "Only the leader consumes. Why is there a write from the standby?",
  story:
    "A route on b sends to master:orders:… as a producer. The component gates consumers: a producer passes straight through, leader or not, and its writes carry no epoch.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000, producer: { firstMs: 4000, periodMs: 5000, count: 2 } }],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [{ untilMs: 12_000 }],
  predictions: [
    {
      beforeEvent: { kind: "write-sent", node: "b" },
      question: "b stands by. A route on it calls a producer to(“master:orders:…”). What happens?",
      options: ["It waits until b leads.", "It fails.", "It goes through."],
      answer: 2,
      because:
        "Gating is for consumers. A write that needs exclusive access goes through a queue that the leader's consumer drains.",
    },
  ],
  verdicts: {
    "ordered:ledger": "broken",
    "ordered:fenced": "holds",
    "one-believer": "holds",
  },
  shows:
    "The fence refuses what carries no token, so that nothing ungated slips in beside the leader. The plain ledger takes it.",
  doesNotShow: "A route that copies an old epoch onto such a write: a token proves nothing about who set it.",
});

// The third answer: neither yes nor no.
import { leadershipScenario, messageUnderWay } from "./author.ts";

export const renewalAnswerLost = leadershipScenario({
  id: "renewal-answer-lost",
  title: "The answer to a renewal is lost",
  section: "The Lease API",
  question: "The renewal was committed and nobody told the leader. Does it fight itself?",
  story:
    "a's second renewal reaches the API server and is committed; the answer is lost. a's next write uses the resourceVersion that it knows, which is now old.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "ledger", enforcement: "atomic" }],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [
    { untilEvent: { kind: "request-sent", node: "a", purpose: "renew" }, nth: 2 },
    {
      act: (world) => ({
        kind: "lose-answer",
        message: messageUnderWay(world, (message) => message.payload.kind === "lease-request"),
      }),
    },
    { untilMs: 25_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "call-given-up", node: "a" },
      question: "a has waited long enough. What should it conclude?",
      options: [
        "It has lost the Lease and must stop.",
        "The renewal failed: send it again until it works.",
        "It does not know: read the Lease, then go on from what it says.",
      ],
      answer: 2,
      because:
        "Without an answer a write may or may not be committed. Reading shows a's own acquisition with a newer resourceVersion, so it renews on that one.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "one-believer": "holds",
    "one-acts": "holds",
    "no-epoch-twice": "holds",
  },
  shows:
    "A lost answer costs one read. Leadership goes on under the same term, and the budget counts from the request that is known to have succeeded.",
  doesNotShow:
    "A client that treats the conflict with itself as a loss: several do, and give up a Lease that nobody else wanted.",
});

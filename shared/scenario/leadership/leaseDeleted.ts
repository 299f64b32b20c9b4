// A deleted Lease starts low; a leader that holds it may raise the term above what the sink has seen.
import { leadershipScenario } from "./author.ts";

export const leaseDeleted = leadershipScenario({
  id: "lease-deleted",
  title: "Lease deleted, term recovered",
  section: "The Lease API",
  question: "The Lease is gone and with it the term. How does the new leader get past the fence?",
  story:
    "The ledger's mark is 7, left by earlier leaders; the Lease was deleted since. a creates it with term 1 and its first write is refused as stale, although it holds the Lease. Later the Lease is deleted while a leads.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "fenced", enforcement: "atomic", mark: "7" }],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
    work: { kind: "loop", periodMs: 2500, thinkMs: 200 },
  },
  script: [{ untilMs: 9000 }, { act: { kind: "delete-lease" } }, { untilMs: 20_000 }],
  predictions: [
    {
      beforeEvent: { kind: "request-sent", node: "a", purpose: "raise-term" },
      question: "a holds the Lease with term 1 and is told that the mark is 7. What may it do?",
      options: [
        "Write again without a token.",
        "Raise the term to 8, by compare-and-set on the Lease that it holds.",
        "Reset the ledger's mark.",
      ],
      answer: 1,
      because:
        "The compare-and-set succeeds only if a still holds the Lease, so a deposed leader cannot lift itself. From then on a writes as epoch 8.",
    },
  ],
  verdicts: {
    "ordered:fenced": "holds",
    "fence-respected": "holds",
    "rightful-leader-served": "broken",
    "epochs-increase": "holds",
    "one-acts": "holds",
  },
  shows:
    "A refusal that names the mark is enough to recover: one raise, one repeated write. A process that has seen the term before does not even need that: after the second deletion the next term is above it at once.",
  doesNotShow: "A sink whose mark was set by mistake far too high: the raise follows it, and the term jumps.",
});

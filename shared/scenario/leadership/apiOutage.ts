// The leader must give up before anybody could have taken over, although nobody can.
import { leadershipScenario } from "./author.ts";

export const apiOutage = leadershipScenario({
  id: "api-outage",
  title: "The Lease API is out for longer than the deadline",
  section: "The Lease API",
  question: "Nobody can take the Lease. Must the leader stop all the same?",
  story:
    "Both nodes lose the Lease API at 5 s and get it back at 25 s. The sinks stay reachable all the time.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "ledger", enforcement: "atomic" }],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [
    { untilMs: 5000 },
    { act: { kind: "cut", node: "a", to: "lease" } },
    { act: { kind: "cut", node: "b", to: "lease" } },
    { untilMs: 25_000 },
    { act: { kind: "heal", node: "a", to: "lease" } },
    { act: { kind: "heal", node: "b", to: "lease" } },
    { untilMs: 35_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "work-cancelled", node: "a" },
      question: "a has not renewed for 10 s. The ledger answers promptly. What does a do?",
      options: ["It leads on: nobody else can win.", "It stops its work."],
      answer: 1,
      because:
        "a cannot know that b is cut off as well. After the deadline it must assume that a rival may win soon, and stop before that.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "one-believer": "holds",
    "one-acts": "holds",
    "epochs-increase": "holds",
    "stale-write-reaches-sink": "not-reached",
  },
  shows:
    "Safety costs availability: an outage of the coordination service that outlasts the deadline stops healthy work. After it, whoever comes first leads, with a new term.",
  doesNotShow:
    "That the deadline should be short or long: that is the trade between this outage and the time to take over.",
});

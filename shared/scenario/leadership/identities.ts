// Names: two replicas with one, and a platform that knows none.
import { leadershipScenario } from "./author.ts";

const sinks = [
  { id: "ledger", enforcement: "none" },
  { id: "fenced", enforcement: "atomic" },
] as const;
const network = {
  leaseDelay: { minMs: 100, maxMs: 100 },
  sinkDelay: { minMs: 200, maxMs: 200 },
} as const;

export const oneIdentity = leadershipScenario({
  id: "one-identity",
  title: "Two replicas, one identity",
  section: "Identity",
  question: "Both replicas were given the same name. Who leads?",
  story:
    "Two processes run client-go's elector as “worker”. Each finds its own name in the Lease and concludes that it leads. A third runs epoch-lab under the same name and does not.",
  config: {
    nodes: [
      { id: "a", profile: "client-go", identity: "worker" },
      { id: "b", profile: "client-go", identity: "worker", startMs: 1000 },
      { id: "c", profile: "epoch-lab", identity: "worker", startMs: 2000 },
    ],
    sinks,
    network,
  },
  script: [{ untilMs: 20_000 }],
  predictions: [
    {
      beforeEvent: { kind: "answer-received", node: "b", purpose: "read" },
      question:
        "b is about to hear what the Lease says, and finds its own name in it. What does client-go do?",
      options: ["It waits: it did not write this.", "It leads at once."],
      answer: 1,
      because: "Identity is all it compares. The record says “worker”, and it is “worker”.",
    },
  ],
  verdicts: {
    "one-believer": "broken",
    "no-epoch-twice": "broken",
    "two-believe": "reached",
  },
  shows:
    "No token from the Lease can fix it: both replicas share one, and every sink takes them for one leader. epoch-lab marks each acquisition with the process that made it, and waits.",
  doesNotShow:
    "How it comes about: a fixed host name, hostNetwork, an environment variable that was not set.",
});

export const noopPlatform = leadershipScenario({
  id: "noop-two-nodes",
  title: "No leadership service, two nodes",
  section: "Identity",
  question: "The platform is “noop” because one node was enough. What if there are two?",
  story:
    "Every node leads from the start, with epoch 1, for ever. On one node that is right. A second replica is started.",
  config: {
    token: "constant",
    nodes: [
      { id: "a", profile: "noop" },
      { id: "b", profile: "noop", startMs: 2000 },
    ],
    sinks,
    network,
    work: { kind: "loop", periodMs: 3000 },
  },
  script: [{ untilMs: 12_000 }],
  predictions: [
    {
      beforeEvent: { kind: "write-applied", node: "b", sink: "fenced" },
      question: "b writes with epoch 1, as a does. What does the fence say?",
      options: ["It refuses the second leader.", "Nothing: 1 is not below 1."],
      answer: 1,
      because: "A constant epoch is a valid token only while there is one leader for ever.",
    },
  ],
  verdicts: {
    "one-believer": "broken",
    "no-epoch-twice": "broken",
    "ordered:fenced": "broken",
    "ordered:ledger": "broken",
  },
  shows: "A fence needs an authority that hands out epochs. With none, two leaders look like one.",
  doesNotShow: "That noop is wrong: for a single node it is the simplest thing that is right.",
});

// The anomaly that everybody should have seen once: a lease protects until a process stands still.
import { leadershipScenario } from "./author.ts";

export const pausedLeader = leadershipScenario({
  id: "paused-leader",
  title: "Paused leader writes late",
  section: "Start here",
  question: "The lease moved on. Why did the old write still land?",
  story:
    "Node a is paused between “do I lead?” and its write. Node b takes over. Then a wakes up. Two ledgers get the same writes: one has no fence, the other keeps its mark in the same transaction as the effect.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    network: {
      leaseDelay: { minMs: 150, maxMs: 150 },
      sinkDelay: { minMs: 400, maxMs: 400 },
    },
    work: { kind: "loop", periodMs: 5000, thinkMs: 300 },
  },
  script: [
    { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
    { act: { kind: "pause", node: "a" } },
    { untilMs: 24_000 },
    { act: { kind: "resume", node: "a" } },
    { untilMs: 30_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "write-sent", node: "a", value: "11" },
      question: "a wakes up and sends the 11 that it had prepared. What do the two ledgers do?",
      options: [
        "Both apply it.",
        "Both refuse it.",
        "The one without a fence applies it, the fenced one refuses it.",
        "a notices that it lost the lease and sends nothing.",
      ],
      answer: 2,
      because:
        "a asked before the pause and does not ask again, so the write goes out. It carries epoch 1. The plain ledger cannot know that 2 exists; the fenced one has seen 2 and refuses 1.",
    },
  ],
  verdicts: {
    "ordered:ledger": "broken",
    "ordered:fenced": "holds",
    "one-believer": "broken",
    "epochs-increase": "holds",
    "stale-write-refused": "reached",
  },
  shows:
    "A lease is a promise about time, and a paused process keeps no promises. Only the resource that the write reaches can refuse it, and only if it compares epochs and keeps its mark together with the effect.",
  doesNotShow:
    "It does not show that the fence alone is enough: until the new leader's first write has arrived, an old one is still accepted.",
  openAtMs: 0,
});

// A fence that is not stored with the data is a fence until the next restart.
import { leadershipScenario } from "./author.ts";

export const forgetfulSink = leadershipScenario({
  id: "forgetful-sink",
  title: "The sink forgets its mark",
  section: "Sinks",
  question: "The fence refused old writes an hour ago. Why does it accept one now?",
  story:
    "Both ledgers refuse what is below their mark. One keeps the mark in memory, the other with the data. After b's first write both are restarted, and then a wakes up.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "in-memory", enforcement: "memory" },
      { id: "stored", enforcement: "atomic" },
    ],
    network: { leaseDelay: { minMs: 150, maxMs: 150 }, sinkDelay: { minMs: 400, maxMs: 400 } },
    work: { kind: "loop", periodMs: 8000, thinkMs: 300 },
  },
  script: [
    { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
    { act: { kind: "pause", node: "a" } },
    { untilEvent: { kind: "write-answered", node: "b", sink: "stored" } },
    { act: { kind: "restart-sink", sink: "in-memory" } },
    { act: { kind: "restart-sink", sink: "stored" } },
    { act: { kind: "resume", node: "a" } },
    // Which of the overdue timers runs first after a pause is chance; here it is the prepared write.
    { act: { kind: "fire", lane: "a", timer: "w:work" } },
    { untilMs: 30_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "resumed", node: "a" },
      question: "Both ledgers restarted. Which one still refuses epoch 1?",
      options: ["Both.", "Only the one that stores its mark.", "Neither."],
      answer: 1,
      because: "In-memory marks start at zero again, and everything is above zero.",
    },
  ],
  verdicts: {
    "ordered:in-memory": "broken",
    "ordered:stored": "holds",
    "fence-respected": "broken",
    "stale-write-refused": "reached",
  },
  shows:
    "Check and mark belong into the same transaction as the effect. A mark in memory, a cache or another store is a different promise.",
  doesNotShow:
    "Replicated sinks, where a fail-over to a replica that lags behind is a restart with an old mark.",
});

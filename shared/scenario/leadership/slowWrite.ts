// Not even a pause is needed: a request on the wire is out of everybody's reach.
import { leadershipScenario, messageUnderWay } from "./author.ts";

export const slowWrite = leadershipScenario({
  id: "slow-write",
  title: "The write that hung in the network",
  section: "Late writes",
  question: "The old leader stepped down in time. Can its write still land?",
  story:
    "Node a checks, sends 11, and the request hangs in a queue on the way. Then a is cut off, steps down by its own clock as it should, and b takes over. No process was ever paused.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [
    { untilEvent: { kind: "write-sent", node: "a", value: "11" } },
    {
      act: (world) => ({
        kind: "delay",
        message: messageUnderWay(world, (message) => message.to === "ledger"),
        byMs: 20_000,
      }),
    },
    {
      act: (world) => ({
        kind: "delay",
        message: messageUnderWay(world, (message) => message.to === "fenced"),
        byMs: 20_500,
      }),
    },
    { act: { kind: "cut", node: "a", to: "lease" } },
    { untilMs: 32_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "work-cancelled", node: "a" },
      question: "a's deadline passes and it cancels its work. Can it take back the write that is under way?",
      options: ["Yes: cancelling closes the connection.", "No: what is sent is sent."],
      answer: 1,
      because:
        "Cancellation is cooperative and local. A request that has left the process may be executed whenever the network and the server please.",
    },
  ],
  verdicts: {
    "ordered:ledger": "broken",
    "ordered:fenced": "holds",
    "one-believer": "holds",
    "stale-write-refused": "reached",
  },
  shows:
    "Election can be perfect, with never more than one believer, and an old write still lands. The danger is between the check and the completion of the external call.",
  doesNotShow: "A way to shorten that window: it can be made rare, not closed, from the client's side.",
});

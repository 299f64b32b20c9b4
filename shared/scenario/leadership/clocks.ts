// Offsets do not matter to an observer that trusts only its own clock; rates do.
import { leadershipScenario } from "./author.ts";

const sinks = [
  { id: "ledger", enforcement: "none" as const },
  { id: "fenced", enforcement: "atomic" as const },
];
const network = { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } };

export const offsetClocks = leadershipScenario({
  id: "offset-clocks",
  title: "Clocks an hour apart",
  section: "Clocks",
  question: "b's wall clock is an hour ahead. Does it take a live leader's Lease?",
  story:
    "By b's wall clock every renewTime in the Lease lies an hour in the past. b does not compare it with anything: it only notes when the record changes. Then a's clock is stepped back two hours as well.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000, clock: { offsetMs: 3_600_000 } }],
    sinks,
    network,
  },
  script: [
    { untilMs: 8000 },
    { act: { kind: "step-wall-clock", node: "a", byMs: -7_200_000 } },
    { untilMs: 25_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "wall-clock-stepped" },
      question:
        "a's clock jumps back two hours: its renewTime will lie before its acquireTime. What does b do?",
      options: ["It takes over.", "Nothing: it sees the record change, as always."],
      answer: 1,
      because:
        "Foreign timestamps are change markers. Only durations on one's own monotonic clock are judged.",
    },
  ],
  verdicts: {
    "ordered:ledger": "holds",
    "ordered:fenced": "holds",
    "one-believer": "holds",
    "one-acts": "holds",
    "two-believe": "not-reached",
  },
  shows: "With local observation, no offset and no step of a wall clock moves leadership.",
  doesNotShow:
    "Implementations that compare the record's renewTime with their own wall clock: an offset is fatal to them.",
});

export const fastClock = leadershipScenario({
  id: "fast-clock",
  title: "A clock that runs too fast",
  section: "Clocks",
  question: "b's clock runs twice as fast as a's. Whose patience ends first?",
  story:
    "b's seconds are short: its 15 s of patience last 7.5 true seconds. a is cut off from the Lease API at 5 s and leads on until its own deadline.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000, clock: { ratePermille: 2000 } }],
    sinks,
    network,
    work: { kind: "loop", periodMs: 3000, thinkMs: 200 },
  },
  script: [{ untilMs: 5000 }, { act: { kind: "cut", node: "a", to: "lease" } }, { untilMs: 25_000 }],
  predictions: [
    {
      beforeEvent: { kind: "judged-expired", node: "b" },
      question: "The configuration bears a clock rate of 1.05; b's is 2. What follows?",
      options: [
        "Nothing: offsets are harmless.",
        "b leads while a still believes that it does.",
        "a notices and stops.",
      ],
      answer: 1,
      because:
        "An offset cancels out, a rate does not: 15 of b's seconds are 7.5 true ones, and a's deadline is 10. The margin was computed for 1.05.",
    },
  ],
  verdicts: {
    "one-believer": "broken",
    "one-acts": "broken",
    "ordered:fenced": "holds",
    "epochs-increase": "holds",
    "two-believe": "reached",
  },
  shows:
    "The safety inequality has the clock rate in it. Beyond its bound two nodes lead without any pause or loss, and the fence is what is left.",
  doesNotShow:
    "That such clocks are common: virtual machines under migration or throttling come near it for a while.",
});

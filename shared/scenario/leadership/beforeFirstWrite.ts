// A fence orders writes once the new epoch has reached it, and not before.
import { leadershipScenario } from "./author.ts";

const config = {
  nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
  sinks: [{ id: "fenced", enforcement: "atomic" }],
  network: { leaseDelay: { minMs: 150, maxMs: 150 }, sinkDelay: { minMs: 400, maxMs: 400 } },
} as const;

const script = [
  { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
  { act: { kind: "pause", node: "a" } },
  { untilEvent: { kind: "started-leading", node: "b" } },
  { act: { kind: "resume", node: "a" } },
  // Which of the overdue timers runs first after a pause is chance; here it is the prepared write.
  { act: { kind: "fire", lane: "a", timer: "w:work" } },
  { untilMs: 30_000 },
] as const;

export const beforeFirstWrite = leadershipScenario({
  id: "before-first-write",
  title: "Late, but before the new leader's first write",
  section: "Late writes",
  question: "The fence is on. Why was the old leader's write accepted?",
  story:
    "Node b has the Lease and fills its caches; it has written nothing yet. At this moment a wakes up and sends what it had prepared. The ledger's mark is still 1.",
  config: { ...config, work: { kind: "loop", warmUpMs: 3000, thinkMs: 300 } },
  script,
  predictions: [
    {
      beforeEvent: { kind: "write-applied", node: "a", value: "11" },
      question: "b leads with epoch 2, the ledger has seen only epoch 1. What does it do with a's 11?",
      options: ["It refuses it: b holds the Lease.", "It applies it: nothing newer has arrived."],
      answer: 1,
      because:
        "A fence compares with what has reached it. Nobody tells the ledger about elections; epoch 2 exists for it only from b's first write on.",
    },
  ],
  verdicts: {
    "ordered:fenced": "holds",
    "fence-respected": "holds",
    "stale-write-reaches-sink": "reached",
    "stale-write-refused": "not-reached",
    "one-believer": "broken",
  },
  shows:
    "Fencing orders writes: after the first write of epoch 2, none of epoch 1 is applied. A write of a deposed leader that arrives before that is in order, and is accepted.",
  doesNotShow:
    "Damage: b reads the ledger after its first write and finds 11 there. If b decided on what it read before, it would be damage; the claim write closes that.",
});

export const claimWrite = leadershipScenario({
  id: "claim-write",
  title: "A claim closes the window",
  section: "Late writes",
  question: "Can a new leader shut the door before it does anything else?",
  story:
    "The same schedule, but b begins its epoch with a claim: a write that only raises the mark. Then it fills its caches, and a wakes up.",
  config: {
    ...config,
    work: { kind: "loop", warmUpMs: 0, thinkMs: 300, claim: true },
  },
  script: [
    { untilEvent: { kind: "leadership-checked", node: "a", value: "12" } },
    { act: { kind: "pause", node: "a" } },
    { untilEvent: { kind: "write-applied", node: "b", value: "claim" } },
    { act: { kind: "resume", node: "a" } },
    // Which of the overdue timers runs first after a pause is chance; here it is the prepared write.
    { act: { kind: "fire", lane: "a", timer: "w:work" } },
    { untilMs: 30_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "write-refused", node: "a" },
      question: "b has sent its claim and no real write yet. What happens to a's late write now?",
      options: ["It is applied, as before.", "It is refused: the claim has raised the mark."],
      answer: 1,
      because:
        "The claim carried epoch 2, and the mark rose with it. From then on everything of epoch 1 is late.",
    },
  ],
  verdicts: {
    "ordered:fenced": "holds",
    "fence-respected": "holds",
    "stale-write-refused": "reached",
    "one-believer": "broken",
  },
  shows:
    "One cheap write at the start of an epoch moves the moment from which old writes are refused: from the first useful write to the claim.",
  doesNotShow:
    "A window of zero: between the acquisition and the arrival of the claim, an old write is still in order.",
});

// Five places that people take fencing tokens from, each failing in its own way. Right ones need a counter that every
// acquisition raises by compare-and-set.
import type { LeadershipInput } from "../../systems/leadership/config.ts";
import { leadershipScenario } from "./author.ts";

const section = "Where the token comes from";
const sinks = [{ id: "fenced", enforcement: "atomic" }] as const;
const network = {
  leaseDelay: { minMs: 100, maxMs: 100 },
  sinkDelay: { minMs: 200, maxMs: 200 },
} as const;
const two: LeadershipInput["nodes"] = [{ id: "a" }, { id: "b", startMs: 1000 }];

/** a stands still between check and write, b takes over and writes, a's write arrives late. */
const pausedSchedule = [
  { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
  { act: { kind: "pause", node: "a" } },
  { untilEvent: { kind: "write-answered", node: "b" } },
  { act: { kind: "resume", node: "a" } },
  // Which of the overdue timers runs first after a pause is chance; here it is the prepared write.
  { act: { kind: "fire", lane: "a", timer: "w:work" } },
  { untilMs: 32_000 },
] as const;

export const processCounterToken = leadershipScenario({
  id: "token-process-counter",
  title: "Token from a counter in the process",
  section,
  question: "Each process counts how often it has won. Why does the fence let the old write pass?",
  story: "Both nodes are in their first leadership, so both write with token 1.",
  config: { token: "process-counter", nodes: two, sinks, network, work: { kind: "loop", thinkMs: 300 } },
  script: pausedSchedule,
  predictions: [
    {
      beforeEvent: { kind: "started-leading", node: "b" },
      question:
        "a has won once and writes with token 1. b is about to win for the first time. Which token does it take?",
      options: ["2", "1"],
      answer: 1,
      because:
        "b counts its own wins, and this is its first. Two processes that do not share a counter cannot be ordered by it.",
    },
  ],
  verdicts: {
    "ordered:fenced": "broken",
    "no-epoch-twice": "broken",
    "epochs-increase": "broken",
    "fence-respected": "holds",
  },
  shows: "The fence does exactly what it was told, and protects nothing: equal tokens of different leaders.",
  doesNotShow: "A counter that is stored and raised together with the acquisition; that is the annotation.",
});

export const wallClockToken = leadershipScenario({
  id: "token-wall-clock",
  title: "Token from a wall clock",
  section,
  question: "b leads, its token is its time of winning. Why is it the rightful leader that is refused?",
  story:
    "Node a's clock is a minute ahead. It wins first and writes with its time as token. When it crashes, b wins later in truth and earlier by its own clock.",
  config: {
    token: "wall-clock",
    nodes: [
      { id: "a", clock: { offsetMs: 60_000 } },
      { id: "b", startMs: 1000 },
    ],
    sinks,
    network,
    work: { kind: "loop", thinkMs: 300 },
  },
  script: [{ untilMs: 8000 }, { act: { kind: "crash", node: "a" } }, { untilMs: 32_000 }],
  predictions: [
    {
      beforeEvent: { kind: "started-leading", node: "b" },
      question: "b's clock is right, a's was a minute ahead. Whose token is larger?",
      options: ["b's: it won later.", "a's: its clock said so."],
      answer: 1,
      because:
        "A time orders clocks, not acquisitions. Until b's clock has passed a's last token, everything that b writes is refused.",
    },
  ],
  verdicts: {
    "epochs-increase": "broken",
    "rightful-leader-served": "broken",
    "ordered:fenced": "holds",
    "stale-write-refused": "reached",
  },
  shows:
    "With offset clocks a time-based token keeps the rightful leader out, or lets the old one in: which of the two is up to the offset.",
  doesNotShow:
    "Hybrid clocks that merge the largest time seen; those need everybody to talk, which is what the Lease's counter does.",
});

export const resourceVersionToken = leadershipScenario({
  id: "token-resource-version",
  title: "Token from the resourceVersion",
  section,
  question: "The token follows the Lease's resourceVersion. How can a leader outdate itself?",
  story:
    "Every renewal changes the resourceVersion, and a takes the newest as its token. A write that it sent before a renewal is slow and arrives after one that it sent later.",
  config: {
    token: "resource-version",
    nodes: two,
    sinks,
    network,
    work: { kind: "loop", periodMs: 3000, thinkMs: 300, callTimeoutMs: 2500 },
  },
  script: [
    { untilEvent: { kind: "write-sent", node: "a", value: "11" } },
    {
      act: (world) => ({
        kind: "delay",
        message: world.messages.findLast((message) => message.to === "fenced")?.id ?? 0,
        byMs: 6000,
      }),
    },
    { untilMs: 20_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "write-refused", node: "a", value: "11" },
      question: "Nobody but a has ever led. What does the ledger say to a's slow write?",
      options: ["It is applied: same leader.", "It is refused as stale."],
      answer: 1,
      because:
        "Between the two writes a renewed, so the later write carried a larger token and raised the mark above the earlier one's.",
    },
  ],
  verdicts: {
    "rightful-leader-served": "broken",
    "ordered:fenced": "holds",
    "one-believer": "holds",
  },
  shows:
    "A resourceVersion changes with every write of the object, by whomever: renewals, labels, edits. It says which version of the Lease, not which leadership.",
  doesNotShow:
    "A resourceVersion frozen at the acquisition: that orders acquisitions where it may be compared, which the API promises only for one resource and one cluster.",
});

export const transitionsAfterRestart = leadershipScenario({
  id: "token-transitions-restart",
  title: "leaseTransitions after a restart under the same name",
  section,
  question: "The process was restarted. Why can the sink not tell its new life from its old one?",
  story:
    "Node a runs client-go's elector under a fixed name. Its write is slow on the wire when it crashes and starts again: it finds its own name in the Lease, goes on as leader without waiting, and leaseTransitions stays.",
  config: {
    token: "lease-transitions",
    nodes: [
      { id: "a", profile: "client-go", identity: "web-0" },
      { id: "b", profile: "client-go", identity: "web-1", startMs: 1000 },
    ],
    // The Lease had changed hands before, so that the count is a usable token at all.
    sinks,
    network,
    work: { kind: "loop", thinkMs: 300 },
  },
  script: [
    // b takes over from a once, so that transitions is 1 and not 0.
    { untilMs: 3000 },
    { act: { kind: "crash", node: "a" } },
    { untilEvent: { kind: "started-leading", node: "b" } },
    { untilEvent: { kind: "write-sent", node: "b" }, nth: 1 },
    {
      act: (world) => ({
        kind: "delay",
        message: world.messages.findLast((message) => message.to === "fenced")?.id ?? 0,
        byMs: 6000,
      }),
    },
    { act: { kind: "crash", node: "b" } },
    { act: { kind: "restart", node: "b", identity: "same" } },
    { untilMs: 40_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "process-started", node: "b", incarnation: 2 },
      question:
        "b has crashed and is started again under the same name. How long does it wait, and what is its token?",
      options: ["A lease duration; one more than before.", "Not at all; the same as before."],
      answer: 1,
      because:
        "client-go finds its own identity in the record and adopts it: no wait, no transition. The old life's writes carry the same token.",
    },
  ],
  verdicts: {
    "no-epoch-twice": "broken",
    "epochs-increase": "broken",
  },
  shows:
    "leaseTransitions counts changes of name, not acquisitions. An identity must be new at every process start, and the token must rise even if it is not.",
  doesNotShow: "That a restart is rare: rolling updates and crash loops with stable pod names do it all day.",
});

export const transitionsAfterDeletion = leadershipScenario({
  id: "token-transitions-deletion",
  title: "leaseTransitions after the Lease was deleted",
  section,
  question: "Somebody deleted the Lease to “unstick” it. Why does the new leader get nothing done?",
  story:
    "b leads after a takeover: leaseTransitions is 1, and the ledger's mark with it. Then the Lease is deleted; whoever creates it again starts at 0.",
  config: {
    token: "lease-transitions",
    nodes: two,
    sinks,
    network,
    work: { kind: "loop", thinkMs: 300 },
  },
  script: [
    { untilMs: 3000 },
    { act: { kind: "crash", node: "a" } },
    { untilEvent: { kind: "write-answered", node: "b" } },
    { act: { kind: "delete-lease" } },
    { untilMs: 40_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "lease-deleted" },
      question: "The Lease is deleted and created again. What is leaseTransitions then?",
      options: ["2: one more than before.", "0: it is a new object."],
      answer: 1,
      because: "The count lives in the object that was deleted. The ledger's mark lives elsewhere and stays.",
    },
  ],
  verdicts: {
    "rightful-leader-served": "broken",
    "epochs-increase": "broken",
    "ordered:fenced": "holds",
  },
  shows:
    "A counter inside a deletable object starts again. The fence then keeps the rightful leader out until somebody resets it by hand, and that is the next accident.",
  doesNotShow: "The recovery that a term in the annotation allows: see the deleted Lease and its term.",
});

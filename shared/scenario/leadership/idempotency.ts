// Two switches that are often taken for one.
import { leadershipScenario } from "./author.ts";

export const idempotencyAgainstFence = leadershipScenario({
  id: "idempotency-and-fence",
  title: "Idempotency key against fence",
  section: "Sinks",
  question: "Every write has an idempotency key. Why is that no fence, and a fence no key?",
  story:
    "Four ledgers get the same writes: with neither, with keys, with a fence, with both. First one write is delivered twice; later a paused leader's write arrives late.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "neither", enforcement: "none" },
      { id: "key", enforcement: "idempotency-key" },
      { id: "fence", enforcement: "atomic" },
      { id: "both", enforcement: "atomic", dedupe: true },
    ],
    network: { leaseDelay: { minMs: 150, maxMs: 150 }, sinkDelay: { minMs: 400, maxMs: 400 } },
    work: { kind: "loop", thinkMs: 300 },
  },
  script: [
    { untilEvent: { kind: "write-sent", node: "a", value: "10", sink: "both" } },
    ...["neither", "key", "fence", "both"].map((sink) => ({
      act: (world: { readonly messages: readonly { readonly id: number; readonly to: string }[] }) => ({
        kind: "duplicate" as const,
        message: world.messages.find((message) => message.to === sink)?.id ?? 0,
      }),
    })),
    { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
    { act: { kind: "pause", node: "a" } },
    { untilEvent: { kind: "write-answered", node: "b", sink: "both" } },
    { act: { kind: "resume", node: "a" } },
    // Which of the overdue timers runs first after a pause is chance; here it is the prepared write.
    { act: { kind: "fire", lane: "a", timer: "w:work" } },
    { untilMs: 30_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "message-duplicated" },
      question: "The write of 10 will arrive twice at each ledger. Which of them apply it twice?",
      options: ["Only the one with neither.", "Those without keys.", "Those without a fence.", "None."],
      answer: 1,
      because:
        "Both deliveries carry the same epoch, so a fence has nothing against the second. Only a key recognises it.",
    },
    {
      beforeEvent: { kind: "resumed", node: "a" },
      question: "a's late 11 is a new operation with a new key. Which ledgers apply it?",
      options: ["Those without keys.", "Those without a fence.", "None."],
      answer: 1,
      because: "A key says “this one again?”. It has nothing against a new operation of an old leader.",
    },
  ],
  verdicts: {
    "ordered:neither": "broken",
    "ordered:key": "broken",
    "ordered:fence": "holds",
    "ordered:both": "holds",
    "no-duplicate-effect": "broken",
  },
  shows:
    "Duplicate delivery and stale leadership are two dangers with one cure each. Only the ledger with both is right in both.",
  doesNotShow:
    "Operations that are idempotent by nature, such as setting a value: they need no key, and still a fence.",
});

// A check that is not atomic with the effect leaves a gap, and gaps are found.
import { present } from "../../base/assert.ts";
import { leadershipScenario } from "./author.ts";

export const checkThenAct = leadershipScenario({
  id: "check-then-act",
  title: "Check, then act",
  section: "Sinks",
  question: "The sink compared the epochs and the old write still landed after the new one. How?",
  story:
    "One ledger reads its mark, decides, and writes a moment later; for a's write the moment is long. a's late write is checked while the mark is still 1; before it is applied, b's first write passes.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "checks", enforcement: "check-then-act", act: { minMs: 200, maxMs: 200 } },
      { id: "atomic", enforcement: "atomic" },
    ],
    network: { leaseDelay: { minMs: 150, maxMs: 150 }, sinkDelay: { minMs: 400, maxMs: 400 } },
    work: { kind: "loop", thinkMs: 300 },
  },
  script: [
    { untilEvent: { kind: "leadership-checked", node: "a", value: "11" } },
    { act: { kind: "pause", node: "a" } },
    { untilEvent: { kind: "leadership-checked", node: "b", value: "20" } },
    { act: { kind: "resume", node: "a" } },
    { untilEvent: { kind: "write-checked", node: "a", value: "11" } },
    {
      act: (world) => ({
        kind: "delay",
        message: present(world.sinks[0]?.checked[0], "11 is checked").message.id,
        byMs: 1500,
      }),
    },
    { untilMs: 26_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "write-checked", node: "a", value: "11" },
      question:
        "a's 11 is compared with mark 1 and passes. What if b's 20 is checked and applied before 11 is?",
      options: [
        "11 is applied after 20: the check was done.",
        "11 is refused when it is about to be applied.",
      ],
      answer: 0,
      because:
        "The check is over; nobody looks again. Only a comparison inside the same transaction as the effect sees what came between.",
    },
  ],
  verdicts: {
    "ordered:checks": "broken",
    "ordered:atomic": "holds",
  },
  shows:
    "SELECT, compare in the application, UPDATE is not a fence. A condition in the UPDATE itself, or a lock over both, is.",
  doesNotShow: "How rare it is: the gap may be a millisecond wide. Searches find it at any width.",
});

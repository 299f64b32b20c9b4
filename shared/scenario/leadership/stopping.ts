// What client-go's ReleaseOnCancel does with work that still runs.
import { leadershipScenario } from "./author.ts";

export const releaseWhileWorking = leadershipScenario({
  id: "release-while-working",
  title: "Release while the work still runs",
  section: "Stopping",
  question: "The old leader said goodbye politely. Who wrote after it?",
  story:
    "Both nodes run client-go's elector with ReleaseOnCancel. Node a is asked to stop; it gives the Lease up first and tells its work to stop only then. The clean-up takes 6 s and ends with a last write. b is leading long before.",
  config: {
    nodes: [
      { id: "a", profile: "client-go" },
      { id: "b", profile: "client-go", startMs: 1000 },
    ],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    work: { kind: "loop", cleanupMs: 6000, flush: true },
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [{ untilMs: 6500 }, { act: { kind: "cancel", node: "a" } }, { untilMs: 20_000 }],
  predictions: [
    {
      beforeEvent: { kind: "asked-to-stop", node: "a" },
      question: "a is asked to stop. What comes first with ReleaseOnCancel?",
      options: ["The end of its work.", "The release of the Lease."],
      answer: 1,
      because:
        "release runs inside the renew loop; the work's context is cancelled after it. The documentation asks callers to have finished before they cancel, and nothing checks that.",
    },
  ],
  verdicts: {
    "release-after-work": "broken",
    "one-acts": "broken",
    "ordered:ledger": "broken",
    "ordered:fenced": "holds",
    "stale-write-refused": "reached",
  },
  shows:
    "A release is an invitation to the successor. Given while work runs, it makes the overlap that the lease was there to prevent, without any fault at all.",
  doesNotShow: "epoch-lab's order: see the release after the work has stopped.",
});

// Work that was accepted under one epoch and is done under another.
import { leadershipScenario } from "./author.ts";

export const oldEnvelopes = leadershipScenario({
  id: "old-envelopes",
  title: "The bridge holds yesterday's envelopes",
  section: "Routes",
  question: "The node leads again. Under which epoch does its queued work go out?",
  story:
    "A route on a consumes a timer behind master:orders. Its pipeline is slow, so envelopes queue up, stamped with the epoch that their bridge was spawned with. a loses leadership in an API outage, b leads and writes, b dies, a wins again; what was queued under the first epoch is still worked off.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [
      { id: "ledger", enforcement: "none" },
      { id: "fenced", enforcement: "atomic" },
    ],
    work: {
      kind: "route",
      variant: "camel-hardened",
      uri: "master:orders:timer:tick?period=1000",
      processMs: 2500,
    },
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 200, maxMs: 200 } },
  },
  script: [
    { untilMs: 6000 },
    { act: { kind: "cut", node: "a", to: "lease" } },
    { untilEvent: { kind: "started-leading", node: "b" } },
    { act: { kind: "heal", node: "a", to: "lease" } },
    { untilEvent: { kind: "write-applied", node: "b", sink: "fenced" } },
    { act: { kind: "crash", node: "b" } },
    { untilEvent: { kind: "started-leading", node: "a" } },
    { untilMs: 60_000 },
  ],
  predictions: [
    {
      beforeEvent: { kind: "started-leading", node: "b" },
      question:
        "b is about to lead, with the next epoch. a's pipeline still holds what it accepted before. Which epoch will that carry when it goes out?",
      options: ["The one that leads then.", "The one under which it was accepted."],
      answer: 1,
      because:
        "The stamp is a snapshot taken when the bridge was spawned. A live read would let old work pass as new.",
    },
  ],
  verdicts: {
    "ordered:ledger": "broken",
    "ordered:fenced": "holds",
    "bridge-in-order": "holds",
    "stale-write-refused": "reached",
  },
  shows:
    "Losing leadership stops the intake, not what was accepted. Snapshot stamps make that work recognisable, and only the fenced ledger recognises it.",
  doesNotShow:
    "epoch-lab's own master, which counts queued work as guarded: it drains or drops it, and says which, before the Lease may go.",
});

export const routeHandover = leadershipScenario({
  id: "route-handover",
  title: "A route hands over",
  section: "Routes",
  question: "A route on the leader is asked to stop. What happens to what it has accepted?",
  story:
    "Both nodes run the same route behind master:orders. a is asked to stop with envelopes in its bridge: the delegate ends, the bridge drains, the pipeline finishes, and only then the Lease is given up.",
  config: {
    nodes: [{ id: "a" }, { id: "b", startMs: 1000 }],
    sinks: [{ id: "fenced", enforcement: "atomic" }],
    work: { kind: "route", uri: "master:orders:timer:tick?period=1000", burst: 2, processMs: 300 },
    network: { leaseDelay: { minMs: 100, maxMs: 100 }, sinkDelay: { minMs: 100, maxMs: 100 } },
  },
  script: [{ untilMs: 5700 }, { act: { kind: "cancel", node: "a" } }, { untilMs: 14_000 }],
  predictions: [
    {
      beforeEvent: { kind: "asked-to-stop", node: "a" },
      question: "a has accepted an envelope that it has not worked on. Is it lost?",
      options: ["Yes: the route stops.", "No: it is drained before the Lease is given up."],
      answer: 1,
      because:
        "Accepted work is guarded work. It is finished within the drain timeout, or dropped with a count.",
    },
  ],
  verdicts: {
    "ordered:fenced": "holds",
    "nothing-dropped": "holds",
    "bridge-in-order": "holds",
    "release-after-work": "holds",
    "one-acts": "holds",
  },
  shows:
    "The order of a clean stop: intake, bridge, pipeline, Lease. The successor starts with nothing in flight behind it.",
  doesNotShow:
    "A pipeline that needs longer than the drain timeout: then the rest is dropped, counted and said.",
});

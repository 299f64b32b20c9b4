import { describe, expect, it } from "vitest";
import { scenarios } from "../../../shared/scenario/catalogue.ts";
import type { BandReading } from "../../../shared/systems/system.ts";
import { played } from "../fixture.testing.ts";
import { apart, leadershipPicture } from "./leadership.ts";

const EPOCH = { ordinal: 1, label: "1" };
const reading = (lane: string, band: string, filled: boolean): BandReading => ({
  lane,
  band,
  epoch: filled ? EPOCH : null,
});
/** Letters of the bands that are filled: B believes, L the Lease, S the sink. */
const node = (lane: string, filled: string): readonly BandReading[] => [
  reading(lane, "believes", filled.includes("B")),
  reading(lane, "lease", filled.includes("L")),
  reading(lane, "sink", filled.includes("S")),
];

const gaps: readonly { why: string; a: string; b: string; words: string | null }[] = [
  { why: "a leader that all agree on is nothing to name", a: "BLS", b: "", words: null },
  { why: "nor is one that the Lease names and that does not know yet", a: "L", b: "", words: null },
  { why: "nor one that knows that it does not lead", a: "", b: "BLS", words: null },
  { why: "nor one that drains its work before it gives the Lease up", a: "LS", b: "", words: null },
  {
    why: "a node gave the Lease up while its work goes on",
    a: "S",
    b: "L",
    words: "leads no more, its write would still be accepted",
  },
  {
    why: "the Lease names another while every sink still accepts",
    a: "BS",
    b: "L",
    words: "believes it leads, the Lease names b",
  },
  {
    why: "the Lease names another and the fence knows it",
    a: "B",
    b: "BLS",
    words: "believes it leads, no fence would agree",
  },
  { why: "nobody is named", a: "BS", b: "", words: "believes it leads, the Lease names nobody" },
  {
    why: "the fence refuses the leader that the Lease names",
    a: "BL",
    b: "",
    words: "leads, but the fence would refuse its epoch",
  },
];

describe("a disagreement", () => {
  for (const { why, a, b, words } of gaps)
    it(why, () => {
      const found = leadershipPicture.disagreement("a", [...node("a", a), ...node("b", b)]);
      expect(found === null ? null : found.lines.join(" ")).toBe(words);
    });
});

const numbers = [
  { why: "short numbers in full", left: "1", right: "2", text: "1 < 2" },
  { why: "numbers of unequal length in full", left: "998", right: "10001", text: "998 < 10001" },
  {
    why: "long ones from where they differ",
    left: "1767225623000",
    right: "1767225660400",
    text: "…23000 < …60400",
  },
  { why: "long ones that differ early in full", left: "12345", right: "22345", text: "12345 < 22345" },
];

describe("two tokens side by side", () => {
  for (const { why, left, right, text } of numbers) it(why, () => expect(apart(left, "<", right)).toBe(text));
});

describe("depict", () => {
  const { run } = played("paused-leader");
  const { depictions, routine } = leadershipPicture.depict(run.events);
  const at = (seq: number) => depictions[seq];
  const find = (fits: (event: (typeof run.events)[number]) => boolean): number =>
    run.events.find(fits)?.seq ?? -1;

  it("shows the late write as stale where it is sent, applied and refused", () => {
    const sent = find((event) => event.kind === "write-sent" && event.value === "11");
    expect(at(sent)?.sends).toMatchObject({ label: "write “11”, stamped epoch 1", stale: true });
    const applied = find((event) => event.kind === "write-applied" && event.value === "11");
    expect(at(applied)?.shape).toMatchObject({
      style: "stale",
      below: { lines: ["overwrote 20"], tone: "bad" },
    });
    const refused = find((event) => event.kind === "write-refused");
    expect(at(refused)?.shape).toMatchObject({ text: "1 < 2", style: "refused", below: { tone: "good" } });
    expect(at(refused)?.arrival).toMatchObject({ fate: "refused", from: sent + 1 });
  });

  it("takes reads that found what was known for routine, and no read that brought news", () => {
    const reads = run.events.filter((event) => event.kind === "request-sent" && event.purpose === "read");
    const [first, ...others] = reads.filter((event) => event.lane === "b");
    expect(routine[first?.seq ?? 0]).toBe(0);
    expect(others.length).toBeGreaterThan(5);
    for (const event of others) expect(routine[event.seq]).toBe(1);
  });

  it("takes an acquisition and a refused release for no routine", () => {
    for (const event of run.events)
      if (event.kind === "request-sent" && event.purpose !== "read" && event.purpose !== "renew")
        expect(routine[event.seq]).toBe(0);
  });

  it("a renewal whose answer was lost is no routine", () => {
    const { run: other } = played("renewal-answer-lost");
    const facts = leadershipPicture.depict(other.events);
    const lost = other.events.find((event) => event.kind === "message-lost");
    let root = lost?.cause ?? -1;
    for (
      let cause = other.events[root]?.cause ?? null;
      cause !== null;
      cause = other.events[cause]?.cause ?? null
    )
      root = cause;
    expect(other.events[root]).toMatchObject({ kind: "request-sent", purpose: "renew" });
    expect(facts.routine[root]).toBe(0);
    expect(facts.depictions[lost?.seq ?? 0]?.arrival).toMatchObject({ fate: "lost", meantFor: "a" });
  });

  it("a checked write arrives once: its act completes the check", () => {
    const { run: other } = played("check-then-act");
    const facts = leadershipPicture.depict(other.events).depictions;
    const acts = other.events.filter((event) => event.kind === "write-applied" && event.sink === "checks");
    expect(acts.length).toBeGreaterThan(0);
    for (const act of acts) {
      const shape = facts[act.seq]?.shape;
      expect(facts[act.seq]?.arrival).toBeNull();
      expect(shape?.kind === "cell" ? other.events[shape.completes ?? -1]?.kind : null).toBe("write-checked");
    }
  });

  for (const { id } of scenarios)
    it(`${id}: every arrival has a sender that sends`, () => {
      const { run: other } = played(id);
      const facts = leadershipPicture.depict(other.events).depictions;
      for (const { arrival } of facts)
        if (arrival !== null) expect(facts[arrival.from]?.sends).not.toBeNull();
    });
});

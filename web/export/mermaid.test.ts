import { describe, expect, it } from "vitest";
import { played } from "../timeline/fixture.testing.ts";
import { mermaidText } from "./mermaid.ts";

function textOf(scenario: string, routine = false): string {
  const { system, lanes, run } = played(scenario);
  return mermaidText({ system, lanes, events: run.events, title: scenario, routine });
}

describe("mermaidText", () => {
  it("names every lane and tells the paused leader's story", () => {
    const text = textOf("paused-leader");
    for (const line of [
      "sequenceDiagram",
      "  participant L0 as node a<br/>epoch-lab",
      "  L2->>L1: acquire",
      "  L0->>L3: write “11”, stamped epoch 1",
      "  Note over L3: 24.4 s: 11, overwrote 20",
      "  L0-xL4: write “11”, stamped epoch 1",
      "  Note over L4: 24.4 s: 1 #lt; 2, refused",
    ])
      expect(text.split("\n")).toContain(line);
  });

  it("leaves routine out, unless it is asked for", () => {
    const renewals = (text: string): number =>
      text.split("\n").filter((line) => line.endsWith(": renew")).length;
    expect(renewals(textOf("healthy-election"))).toBe(0);
    expect(renewals(textOf("healthy-election", true))).toBeGreaterThan(3);
  });

  it("shows a lost message as lost", () => {
    expect(textOf("renewal-answer-lost")).toContain("  L1-xL0: answer (lost)");
  });

  it("shows what is on its way when the run ends", () => {
    const { system, lanes, run } = played("paused-leader");
    const sent = run.events.findIndex((event) => event.kind === "write-sent");
    const text = mermaidText({
      system,
      lanes,
      events: run.events.slice(0, sent + 1),
      title: "cut",
    });
    expect(text).toContain("  L0-)L3: write “10” (on its way)");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarios } from "../../../shared/scenario/catalogue.ts";
import { leadership } from "../../../shared/systems/leadership/system.ts";
import type { BaseAction } from "../../../shared/systems/system.ts";
import { replay } from "../../../shared/trace/run.ts";
import { labelsOf, played, playedFrom, textsOf } from "../fixture.testing.ts";
import type { AnySystem } from "../moments.ts";
import { layoutTimeline } from "./layout.ts";
import type { Box, TimelineMarks } from "./marks.ts";
import { overlap } from "./occupancy.ts";

function expectNothingOverlaps(marks: TimelineMarks): void {
  const labels = labelsOf(marks).map(({ box, lines }) => ({ box, what: lines.join(" ") }));
  const shapes = marks.events
    .filter(
      ({ folded, depiction }) =>
        !folded && (depiction.shape.kind === "cell" || depiction.shape.kind === "record"),
    )
    .map(({ x, y, halfWidth, halfHeight, seq }): { box: Box; what: string } => ({
      box: { x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight },
      what: `event ${seq}`,
    }));
  labels.forEach((label, index) => {
    expect(label.box.x0).toBeGreaterThanOrEqual(0);
    expect(label.box.x1).toBeLessThanOrEqual(marks.width);
    for (const other of [...labels.slice(index + 1), ...shapes])
      if (overlap(label.box, other.box)) throw new Error(`"${label.what}" stands on "${other.what}"`);
  });
}

const system = leadership as unknown as AnySystem;

/** A run in which each choice picks one of the actions that are enabled. */
function wander(config: unknown, choices: readonly number[]) {
  let world = system.create(config);
  const actions: BaseAction[] = [];
  for (const choice of choices) {
    // Mostly what would happen anyway, now and then a fault.
    const enabled = system.enabled(world);
    const action = choice % 4 === 0 ? enabled[(choice >> 2) % enabled.length] : system.next(world);
    if (action === undefined || action === null) break;
    world = system.step(world, action).world;
    actions.push(action);
  }
  const run = replay(system, config, actions);
  if (!run.ok) throw new Error(run.error.reason);
  return playedFrom(system, system.lanes(config), run.value);
}

describe("layoutTimeline", () => {
  it("whatever happens, no word stands on another, at any width", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...scenarios.map((scenario) => scenario.config)),
        fc.array(fc.nat(4000), { minLength: 20, maxLength: 200 }),
        fc.integer({ min: 320, max: 1600 }),
        (config, choices, widthPx) =>
          expectNothingOverlaps(layoutTimeline(wander(config, choices).input, widthPx)),
      ),
      { numRuns: 40 },
    );
  });

  for (const { id } of scenarios)
    it(`${id}: no word stands on another, and the cursor only goes down`, () => {
      const marks = layoutTimeline(played(id).input, 842);
      expectNothingOverlaps(marks);
      marks.cursorYs.forEach((y, index) => expect(y).toBeGreaterThanOrEqual(marks.cursorYs[index - 1] ?? 0));
      for (const y of marks.cursorYs) expect(y).toBeLessThanOrEqual(marks.height);
      marks.timeYs.forEach((y, index) => expect(y).toBeLessThanOrEqual(marks.cursorYs[index] ?? 0));
    });

  it("tells the paused leader's story in its own words", () => {
    const marks = layoutTimeline(played("paused-leader").input, 842);
    const texts = textsOf(marks);
    for (const text of [
      "a · term 1",
      "leads, epoch 1",
      "paused",
      "b · term 2",
      "believes it leads, the Lease names b",
      "believes it leads, no fence would agree",
      "write “11”, stamped epoch 1",
      "overwrote 20",
      "refused",
    ])
      expect(texts).toContain(text);
    expect(marks.folds.map(({ text }) => text)).toContain("b reads the Lease 7 times · 15.3 s folded");
    expect(marks.blocks.map(({ lane, condition }) => [lane, condition])).toContainEqual(["a", "paused"]);
  });

  it("pages cover the picture without holes", () => {
    const { pages, height } = layoutTimeline(played("old-envelopes").input, 842);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]?.y0).toBe(0);
    expect(pages.at(-1)?.y1).toBe(height);
    pages.forEach((page, index) => {
      expect(page.y1).toBeGreaterThan(page.y0);
      if (index > 0) expect(page.y0).toBe(pages[index - 1]?.y1);
    });
  });

  it("is the same whether a line is laid out at once or as it grows", () => {
    const { input } = played("paused-leader");
    const at = 90;
    const part = input.moments[at]?.eventEnd ?? 0;
    layoutTimeline(
      { ...input, events: input.events.slice(0, part), moments: input.moments.slice(0, at + 1) },
      842,
    );
    const grown = layoutTimeline(input, 842);
    const other = played("healthy-election").input;
    layoutTimeline(other, 842);
    const fresh = layoutTimeline(input, 842);
    expect(grown.events).toEqual(fresh.events);
    expect(labelsOf(grown)).toEqual(labelsOf(fresh));
  });
});

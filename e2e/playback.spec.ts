// Moving along a line: step, back, play, speed, scrub, jump to a violation; by mouse and by key.
import { expect, test } from "./fixtures.ts";

test("back undoes a step at once, and the line is still there", async ({ lab }) => {
  await lab.open("/?s=healthy-election");
  for (let steps = 0; steps < 5; steps += 1) await lab.step.click();
  const there = await lab.where();
  await lab.back.click();
  const before = await lab.where();
  expect(before.event).toBeLessThan(there.event);
  await lab.step.click();
  expect(await lab.where()).toEqual(there);
});

test("every step shows at least one event, and is announced", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  let last = 0;
  for (let steps = 0; steps < 8; steps += 1) {
    await lab.step.click();
    const { event } = await lab.where();
    expect(event).toBeGreaterThan(last);
    last = event;
    await expect(lab.announcer).toContainText(`Event ${event} of`);
  }
});

test("play goes to the end of the line and stops there; pausing keeps the place", async ({ lab }) => {
  await lab.skipQuestions("healthy-election");
  await lab.open("/?s=healthy-election");
  const slider = lab.page.getByRole("slider", { name: "Speed" });
  await slider.focus();
  await slider.press("End");
  await lab.play.click();
  await expect(lab.play).toBeVisible({ timeout: 30_000 });
  const { event, of } = await lab.where();
  expect(event).toBe(of);
  await lab.start.click();
  await slider.focus();
  await slider.press("Home");
  await lab.play.click();
  await lab.pause.click();
  await lab.expectEvent(0);
});

test("as timed, quiet stretches are folded", async ({ lab }) => {
  await lab.skipQuestions("healthy-election");
  await lab.open("/?s=healthy-election");
  await lab.page.getByRole("combobox", { name: "Pace" }).selectOption("as timed");
  const slider = lab.page.getByRole("slider", { name: "Speed" });
  await slider.focus();
  await slider.press("End");
  await lab.play.click();
  await expect(lab.play).toBeVisible({ timeout: 30_000 });
  const { event, of } = await lab.where();
  expect(event).toBe(of);
});

test("the scrubber seeks by click, by drag and by key", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  const box = await lab.scrubber.boundingBox();
  if (box === null) throw new Error("the scrubber has a place on the page");
  const { of } = await lab.where();
  await lab.page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
  await lab.expectEvent(of);
  await lab.page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await lab.page.mouse.down();
  await lab.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await lab.page.mouse.up();
  const { event } = await lab.where();
  expect(Math.abs(event - of / 2)).toBeLessThan(of / 10);
  await lab.scrubber.press("Home");
  await lab.expectEvent(0);
  await lab.scrubber.press("PageUp");
  expect((await lab.where()).event).toBeGreaterThanOrEqual(10);
});

test("n jumps from violation to violation, and says when there is none", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await expect(lab.place).toContainText("21.20 s");
  await lab.page.keyboard.press("n");
  await expect(lab.place).toContainText("24.40 s");
  await lab.page.keyboard.press("n");
  await expect(lab.notice).toContainText("No violation follows");
  await lab.page.keyboard.press("Shift+ArrowLeft");
  await expect(lab.place).toContainText("21.20 s");
});

test("at the end of a line step goes on with what happens by itself", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("End");
  const { of } = await lab.where();
  await lab.step.click();
  expect((await lab.where()).of).toBeGreaterThan(of);
});

test("the table has a row for every event, and its rows move the cursor", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  const { of } = await lab.where();
  await lab.page.getByRole("tab", { name: "Table" }).click();
  await expect(lab.table.getByRole("row")).toHaveCount(of + 1);
  await lab.table.getByRole("button", { name: "6", exact: true }).click();
  await expect(lab.narration).toContainText("The Lease now names a: term 1.");
  await expect(lab.lease).toContainText('camel.io/leader-term: "1"');
});

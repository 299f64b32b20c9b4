// Predict, lock, step, compare; a question can be skipped, and the score stays in this browser.
import { expect, test, type LabPage } from "./fixtures.ts";

/** To the moment before the paused leader's late write. */
async function toTheQuestion(lab: LabPage): Promise<void> {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await expect(lab.place).toContainText("21.20 s");
  for (let steps = 0; steps < 30; steps += 1) {
    if (await lab.question.isVisible()) return;
    await lab.step.click();
  }
}

test("the step waits for an answer, then shows, and says how it compares", async ({ lab }) => {
  await toTheQuestion(lab);
  await expect(lab.place).toContainText("24.00 s");
  const there = await lab.where();
  const lock = lab.question.getByRole("button", { name: "Lock and step" });
  await expect(lock).toHaveAttribute("aria-disabled", "true");
  await lab.page.keyboard.press("1");
  await expect(lab.question.getByRole("radio", { name: "Both apply it." })).toBeChecked();
  await lock.click();
  await expect(lab.question).toBeHidden();
  expect((await lab.where()).event).toBeGreaterThan(there.event);
  const outcome = lab.page.getByRole("region", { name: "Your prediction" });
  await expect(outcome).toContainText("“Both apply it.” Locked.");
  await expect(outcome).toContainText("It went otherwise.");
  await expect(outcome).toContainText("0 of 1 right so far");
  await lab.page.reload();
  await expect(outcome).toContainText("0 of 1 right so far");
});

test("a right answer counts, and the question can be asked again", async ({ lab }) => {
  await toTheQuestion(lab);
  await lab.question.getByRole("radio", { name: /The one without a fence applies it/ }).check();
  await lab.page.keyboard.press("Enter");
  const outcome = lab.page.getByRole("region", { name: "Your prediction" });
  await expect(outcome).toContainText("You were right.");
  await outcome.getByRole("button", { name: "Ask me again" }).click();
  await lab.back.click();
  await lab.step.click();
  await expect(lab.question).toBeVisible();
});

test("a skipped question holds nothing up", async ({ lab }) => {
  await toTheQuestion(lab);
  await lab.question.getByRole("button", { name: "Skip" }).click();
  await expect(lab.narration).toContainText("a sends 11 to ledger");
  await expect(lab.page.getByRole("region", { name: "Your prediction" })).toContainText("Skipped.");
});

test("playing pauses at a question", async ({ lab }) => {
  await lab.open("/?s=paused-leader&at=92");
  const slider = lab.page.getByRole("slider", { name: "Speed" });
  await slider.focus();
  await slider.press("End");
  await lab.play.click();
  await expect(lab.question).toBeVisible();
  await expect(lab.play).toBeVisible();
});

test("a branch that has left the script is not asked", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  for (let steps = 0; steps < 40; steps += 1) await lab.step.click();
  await expect(lab.question).toBeHidden();
});

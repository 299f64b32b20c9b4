// Acting from the past makes a branch; both stay, can be compared, renamed, deleted, and brought back.
import { expect, test } from "./fixtures.ts";

test("a choice from the past forks, the old line stays, and undo takes the fork back", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  await expect(lab.branch("what if: ask b to stop")).toHaveAttribute("aria-pressed", "true");
  await expect(lab.narration).toContainText("b is asked to stop.");
  await lab.branch("as scripted").click();
  await lab.page.keyboard.press("End");
  await expect(lab.place).toContainText("30.00 s");
  await lab.page.keyboard.press("u");
  await expect(lab.branch("what if: ask b to stop")).toHaveCount(0);
});

test("a choice that the line makes anyway only steps", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.choices.getByRole("button").first().click();
  await expect(lab.branches.getByRole("button")).toHaveCount(1);
  await lab.expectEvent(3);
});

test("a fault from the palette with its parameters makes a branch of its own", async ({ lab }) => {
  await lab.open("/?s=healthy-election");
  for (let steps = 0; steps < 3; steps += 1) await lab.step.click();
  await lab.faults.getByText("Clock", { exact: true }).click();
  const rate = lab.faults.getByRole("textbox", { name: "Run the clock of: at, × true time" });
  await rate.fill("soon");
  await lab.faults.getByRole("button", { name: "Run the clock of" }).click();
  await expect(lab.faults.getByRole("alert")).toContainText(
    "expected a decimal number from 0.1 to 10 × true time",
  );
  await rate.fill("2.5");
  await lab.faults.getByRole("button", { name: "Run the clock of" }).click();
  await expect(lab.narration).toContainText("a's clock now runs at 2.5 times the true rate.");
  await expect(lab.branches.getByRole("button")).toHaveCount(2);
});

test("two branches are compared by their first difference", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  await lab.step.click();
  await lab.chooseOfBranch("as scripted");
  await expect(lab.difference).toContainText("They first differ here.");
  await expect(lab.difference).toContainText("b is asked to stop.");
  await lab.page.keyboard.press("Home");
  await lab.difference.getByRole("button", { name: "Go there" }).click();
  await expect(lab.place).toContainText("21.20 s");
  await lab.difference.getByRole("button", { name: "Stop comparing" }).click();
  await expect(lab.difference).toBeHidden();
});

test("a branch is renamed and deleted; one that others fork from says why it stays", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.page.keyboard.press("b");
  await lab.chooseOfBranch("Rename");
  await lab.page.getByRole("textbox", { name: "Name of the branch" }).fill("what I mean");
  await lab.page.keyboard.press("Enter");
  await expect(lab.branch("what I mean")).toBeVisible();
  await lab.step.click();
  await lab.page.keyboard.press("b");
  await lab.branch("what I mean").click();
  await lab.chooseOfBranch("Delete");
  await expect(lab.notice).toContainText("Delete “branch 2”".replaceAll(/[“”]/g, '"'));
  await lab.branch("branch 2").click();
  await lab.chooseOfBranch("Delete");
  await expect(lab.branches.getByRole("button")).toHaveCount(2);
  await lab.page.keyboard.press("u");
  await expect(lab.branches.getByRole("button")).toHaveCount(3);
});

test("reset starts over, and can be undone", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.page.keyboard.press("b");
  await lab.page.keyboard.press("r");
  await lab.expectEvent(0);
  await expect(lab.branches.getByRole("button")).toHaveCount(1);
  await lab.page.keyboard.press("u");
  await expect(lab.branches.getByRole("button")).toHaveCount(2);
});

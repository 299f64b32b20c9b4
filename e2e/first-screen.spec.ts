// What a newcomer sees, and the first thing they do.
import { expect, test } from "./fixtures.ts";

test("a newcomer lands on the paused leader, ready to step, with one sentence that says what to do", async ({
  lab,
}) => {
  await lab.open("/");
  await expect(
    lab.page.getByRole("heading", { name: "The lease moved on. Why did the old write still land?" }),
  ).toBeVisible();
  await expect(lab.page.getByText("to let the next thing happen")).toBeVisible();
  await expect(lab.picture).toContainText("no fence");
  await expect(lab.picture).toContainText("atomic fence");
  await lab.expectEvent(0);
  await lab.step.click();
  await expect(lab.narration).toContainText('a starts as "a-1".');
  await expect(lab.page.getByText("to let the next thing happen")).toBeHidden();
});

test("the catalogue is one click away, finds by words, and opens what was found", async ({ lab }) => {
  await lab.open("/");
  await lab.page.getByRole("link", { name: "All scenarios" }).click();
  const search = lab.page.getByRole("searchbox", { name: "Search the scenarios" });
  await expect(search).toBeFocused();
  await search.fill("resourceversion");
  await expect(lab.page.getByRole("status").filter({ hasText: / of \d+ scenarios/ })).toBeAttached();
  await search.press("Enter");
  await lab.expectUrl(/\/\?s=token-resource-version/);
  await expect(lab.step).toBeVisible();
});

test("the story comes out as it claims: the plain ledger breaks, the fenced one holds", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("End");
  await expect(lab.verdict("ledger (no fence)")).toContainText("Broken");
  await expect(lab.verdict("fenced (atomic fence)")).toContainText("Holds");
  await expect(lab.page.getByText("What this shows.")).toBeVisible();
  await lab.verdict("ledger (no fence)").getByRole("button").click();
  await expect(lab.narration).toContainText("20 is overwritten");
  await expect(lab.place).toContainText("24.40 s");
});

test("an unknown scenario is refused in words, and the lab stays usable", async ({ lab }) => {
  await lab.open("/?s=no-such-thing");
  const refusal = lab.page.getByRole("dialog", { name: "This link was not opened" });
  await expect(refusal).toContainText("expected one of");
  await refusal.getByRole("button", { name: "Go on with the lab" }).click();
  await lab.step.click();
  await lab.expectEvent(2);
});

test("an address without a page says so", async ({ lab }) => {
  await lab.page.goto("/nowhere");
  await expect(lab.page.getByRole("heading", { name: "There is no page here" })).toBeVisible();
  await lab.page.getByRole("link", { name: "To the lab" }).click();
  await expect(lab.step).toBeVisible();
});

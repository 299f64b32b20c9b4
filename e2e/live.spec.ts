// A session on the server: a second browser follows it live, two editors do not lose each other's work.
import type { Browser, Page } from "@playwright/test";
import { expect, LabPage, test } from "./fixtures.ts";

async function openIn(
  browser: Browser,
  path: string,
): Promise<{ readonly page: Page; readonly lab: LabPage }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(path);
  const lab = new LabPage(page);
  await expect(lab.step).toBeVisible();
  return { page, lab };
}

async function share(lab: LabPage): Promise<string> {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.choose("Share live");
  const dialog = lab.page.getByRole("dialog", { name: "Shared live" });
  await expect(dialog.getByRole("link", { name: "Follow" })).toHaveAttribute("href", /^\/follow\//);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(lab.page.getByText("Shared live: whoever follows sees what you do.")).toBeVisible();
  return lab.page.url().split("/").at(-1) ?? "";
}

test("a second browser follows the cursor and the branches, and can leave and come back", async ({
  lab,
  browser,
}) => {
  const id = await share(lab);
  const follower = await openIn(browser, new URL(`/follow/${id}`, lab.page.url()).href);
  await expect(follower.page.getByText("Following live")).toBeVisible();
  for (let steps = 0; steps < 4; steps += 1) await lab.step.click();
  const { event } = await lab.where();
  await follower.lab.expectEvent(event);
  await lab.choices.getByRole("button", { name: "ask a to stop" }).click();
  await expect(follower.lab.branch("what if: ask a to stop")).toHaveAttribute("aria-pressed", "true");
  await follower.lab.start.click();
  await expect(follower.page.getByText("You went your own way")).toBeVisible();
  await lab.step.click();
  await follower.lab.expectEvent(0);
  await follower.page.getByRole("button", { name: "Follow again" }).click();
  await follower.lab.expectEvent((await lab.where()).event);
  await follower.page.context().close();
});

test("two editors see each other's branches", async ({ lab, browser }) => {
  const id = await share(lab);
  const other = await openIn(browser, new URL(`/session/${id}`, lab.page.url()).href);
  await expect(other.page.getByText("Shared live")).toBeVisible();
  await other.page.keyboard.press("b");
  await expect(lab.branch("branch 1")).toBeVisible();
  await lab.page.keyboard.press("b");
  await expect(other.lab.branch("branch 2")).toBeVisible();
  await other.page.context().close();
});

test("an editor that comes too late loads the newest and keeps its own line as a branch", async ({
  lab,
  browser,
}) => {
  const id = await share(lab);
  const other = await openIn(browser, new URL(`/session/${id}`, lab.page.url()).href);
  await expect(other.page.getByText("Shared live")).toBeVisible();
  // Its change is held up on the way, and another comes first.
  const held: (() => Promise<void>)[] = [];
  await other.page.route("**/changes", (route) => {
    held.push(() => route.continue());
  });
  await other.page.keyboard.press("End");
  await other.lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  await expect.poll(() => held.length).toBe(1);
  await lab.page.keyboard.press("End");
  await lab.step.click();
  await lab.step.click();
  const waiting = lab.page.waitForResponse(/changes$/);
  await lab.step.click();
  await waiting;
  const theirs = (await lab.where()).of;
  for (const release of held) await release();
  await other.page.unroute("**/changes");
  await expect(other.lab.notice).toContainText("what you did is kept as “as scripted (yours)”");
  await expect(other.lab.branch("as scripted (yours)")).toHaveAttribute("aria-pressed", "true");
  await other.lab.branch("as scripted").first().click();
  expect((await other.lab.where()).of).toBe(theirs);
  await expect(lab.branch("as scripted (yours)")).toBeVisible();
  await other.page.context().close();
});

test("a session that is stopped says so to its followers, who keep a copy", async ({ lab, browser }) => {
  const id = await share(lab);
  const follower = await openIn(browser, new URL(`/follow/${id}`, lab.page.url()).href);
  await expect(follower.page.getByText("Following live")).toBeVisible();
  await lab.page.getByRole("button", { name: "Stop sharing" }).click();
  await lab.expectUrl(/\/\?s=paused-leader/);
  await expect(follower.page.getByText("This session has been deleted.")).toBeVisible();
  await follower.lab.step.click();
  await follower.page.getByRole("button", { name: "To the lab" }).click();
  await expect(follower.lab.step).toBeVisible();
  await follower.page.context().close();
});

test.describe("a session that does not exist", () => {
  test.use({ allowed: [/404/] });

  test("is refused in words, and the lab stays usable", async ({ lab }) => {
    await lab.page.goto("/session/no-such-session");
    await expect(lab.page.getByRole("dialog", { name: "This session was not opened" })).toBeVisible();
    await lab.page.getByRole("button", { name: "Go on with the lab" }).click();
    await lab.page.getByRole("button", { name: "To the lab" }).click();
    await lab.step.click();
    await lab.expectEvent(2);
  });
});

// A copied link reopens the same moment in a fresh browser; what cannot be replayed says why.
import type { Browser } from "@playwright/test";
import { expect, LabPage, test } from "./fixtures.ts";

async function openFresh(browser: Browser, url: string): Promise<LabPage> {
  const context = await browser.newContext();
  const fresh = new LabPage(await context.newPage());
  await fresh.page.goto(url);
  await expect(fresh.step).toBeVisible();
  return fresh;
}

test("a copied link opens the same moment of the same branch in a fresh browser", async ({
  lab,
  browser,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  await lab.step.click();
  await lab.step.click();
  await lab.back.click();
  const there = await lab.where();
  await lab.page.getByRole("button", { name: "Copy link" }).click();
  await expect(lab.notice).toContainText("Link copied");
  const link = await lab.page.evaluate(() => navigator.clipboard.readText());
  const fresh = await openFresh(browser, link);
  expect(await fresh.where()).toEqual(there);
  await expect(fresh.branch("what if: ask b to stop")).toHaveAttribute("aria-pressed", "true");
  await expect(fresh.branch("as scripted")).toBeVisible();
  await fresh.page.context().close();
});

test("the address bar alone holds the moment, the view and the comparison", async ({ lab, browser }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.page.keyboard.press("t");
  await lab.expectUrl(/at=\d+&view=table$/);
  const fresh = await openFresh(browser, lab.page.url());
  expect(await fresh.where()).toEqual(await lab.where());
  await expect(fresh.table).toBeVisible();
  await fresh.page.context().close();
});

test("the browser's back and forward go between branches and scenarios", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.expectUrl(/at=/);
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  await lab.expectUrl(/#p=/);
  await lab.page.goBack();
  await expect(lab.place).toContainText("21.20 s");
  await expect(lab.branches.getByRole("button")).toHaveCount(1);
  await lab.page.goForward();
  await expect(lab.branch("what if: ask b to stop")).toHaveAttribute("aria-pressed", "true");
  await lab.page.getByRole("link", { name: "All scenarios" }).click();
  await lab.page.getByRole("link", { name: "A healthy election" }).click();
  await expect(lab.page.getByRole("heading", { name: /What does it take to become leader/ })).toBeVisible();
  await lab.page.goBack();
  await lab.page.goBack();
  await expect(lab.branch("what if: ask b to stop")).toHaveAttribute("aria-pressed", "true");
});

interface BadLink {
  readonly why: string;
  readonly path: string;
  readonly says: RegExp;
}

const badLinks: readonly BadLink[] = [
  {
    why: "damaged text",
    path: "/#p=abc%21",
    says: /expected a permalink of Epoch Lab, got the character "!"/,
  },
  { why: "a text that does not unpack", path: "/#p=AAAA", says: /cannot be unpacked|not JSON/ },
  {
    why: "a moment beyond the end",
    path: "/?s=paused-leader&at=9999",
    says: /expected a moment of this scenario, 0 to \d+, got 9999/,
  },
  {
    why: "a moment that is no number",
    path: "/?s=paused-leader&at=soon",
    says: /expected a whole number of actions, got "soon"/,
  },
  {
    why: "an oversized text",
    path: `/#p=${"A".repeat(33_000)}`,
    says: /expected a permalink of at most 32768 characters/,
  },
];

for (const { why, path, says } of badLinks)
  test(`refused with its reason: ${why}`, async ({ lab }) => {
    await lab.page.goto(path);
    const refusal = lab.page.getByRole("dialog", { name: "This link was not opened" });
    await expect(refusal).toContainText(says);
    await lab.page.keyboard.press("Escape");
    await lab.step.click();
    await expect(lab.narration).toContainText("starts as");
  });

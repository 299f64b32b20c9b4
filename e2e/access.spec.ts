// No page breaks a rule that axe knows, in either theme, on a wide and on a narrow screen; motion and size as asked for.
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type LabPage } from "./fixtures.ts";

interface Row {
  readonly why: string;
  readonly path: string;
  readonly ready: (lab: LabPage) => Promise<void>;
}

const pages: readonly Row[] = [
  { why: "the first screen", path: "/", ready: (lab) => expect(lab.step).toBeVisible() },
  {
    why: "a violation with everything shown",
    path: "/?s=paused-leader",
    ready: async (lab) => {
      await expect(lab.step).toBeVisible();
      await lab.page.keyboard.press("n");
      await lab.page.keyboard.press("n");
      await lab.page.keyboard.press("b");
    },
  },
  {
    why: "the table",
    path: "/?s=paused-leader&at=60&view=table",
    ready: (lab) => expect(lab.step).toBeVisible(),
  },
  {
    why: "the help",
    path: "/",
    ready: async (lab) => {
      await expect(lab.step).toBeVisible();
      await lab.page.keyboard.press("?");
      await expect(lab.page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    why: "the question",
    path: "/?s=paused-leader&at=106",
    ready: async (lab) => {
      await lab.step.click();
      await expect(lab.question).toBeVisible();
    },
  },
  {
    why: "the catalogue",
    path: "/scenarios",
    ready: (lab) => expect(lab.page.getByRole("searchbox")).toBeVisible(),
  },
  {
    why: "the builder with a mistake",
    path: "/build",
    ready: async (lab) => {
      await lab.page.getByRole("textbox", { name: "Retry period" }).first().fill("often");
      await lab.page.getByText("More about this node").first().click();
      await expect(lab.page.getByRole("heading", { name: "To be corrected" })).toBeVisible();
    },
  },
  {
    why: "the builder's JSON",
    path: "/build",
    ready: async (lab) => {
      await lab.page.getByRole("tab", { name: "JSON" }).click();
    },
  },
  {
    why: "no page",
    path: "/nowhere",
    ready: (lab) => expect(lab.page.getByRole("heading", { level: 1 })).toBeVisible(),
  },
];

for (const scheme of ["light", "dark"] as const)
  for (const { why, path, ready } of pages)
    test(`axe finds nothing: ${why}, ${scheme}`, async ({ lab }) => {
      await lab.page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await lab.page.goto(path);
      await ready(lab);
      const axe = new AxeBuilder({ page: lab.page });
      // What the theme can change is colour; everything else is judged once, in the light one.
      if (scheme === "dark") axe.withRules(["color-contrast"]);
      const { violations } = await axe.analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(", ")}`),
      ).toEqual([]);
    });

const narrowPanels = ["Picture", "Table", "Story", "State", "Next"] as const;

test.describe("at 390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const panel of narrowPanels)
    test(`axe finds nothing, and nothing is wider than the screen: ${panel}`, async ({ lab }) => {
      await lab.open("/?s=paused-leader&at=60");
      await lab.page.getByRole("tab", { name: panel }).click();
      const { violations } = await new AxeBuilder({ page: lab.page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(", ")}`),
      ).toEqual([]);
      expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    });

  test("the columns are tabs, the foot stays, and the story can be stepped through", async ({ lab }) => {
    await lab.open("/?s=paused-leader");
    await lab.step.click();
    await lab.page.getByRole("tab", { name: "Story" }).click();
    await expect(lab.narration).toContainText('a starts as "a-1".');
    await lab.step.click();
    await lab.page.getByRole("tab", { name: "Next" }).click();
    await lab.choices.getByRole("button", { name: "ask a to stop" }).click();
    await lab.page.getByRole("tab", { name: "State" }).click();
    await expect(lab.page.getByRole("region", { name: "Nodes" })).toBeVisible();
    await expect(lab.scrubber).toBeVisible();
  });
});

test("theme and presenter mode are chosen in the menu; the theme is remembered", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.choose("Dark");
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "dark");
  await lab.page.reload();
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "dark");
  const size = () => lab.step.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const before = await size();
  await lab.page.keyboard.press("p");
  expect(await size()).toBeGreaterThan(before * 1.2);
  await lab.expectUrl(/presenter/);
  await lab.page.getByRole("button", { name: "Leave presenter mode" }).click();
  expect(await size()).toBe(before);
});

test("with reduced motion nothing moves by itself", async ({ lab }) => {
  await lab.page.emulateMedia({ reducedMotion: "reduce" });
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  const moving = await lab.page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === "running").length,
  );
  expect(moving).toBe(0);
});

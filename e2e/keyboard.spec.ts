// The whole lab without a mouse.
import { expect, test } from "./fixtures.ts";

test("a story from start to end by keys alone", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  const { keyboard } = lab.page;
  for (const key of ["ArrowRight", "j", "PageDown"]) await keyboard.press(key);
  const three = await lab.where();
  for (const key of ["ArrowLeft", "k", "PageUp"]) await keyboard.press(key);
  await lab.expectEvent(0);
  for (let steps = 0; steps < 3; steps += 1) await keyboard.press("ArrowRight");
  expect(await lab.where()).toEqual(three);
  await keyboard.press("n");
  await keyboard.press("1");
  await keyboard.press("b");
  await expect(lab.branch("branch 1")).toBeVisible();
  await keyboard.press("u");
  await expect(lab.branch("branch 1")).toHaveCount(0);
  await keyboard.press("Home");
  await lab.expectEvent(0);
  await keyboard.press("End");
  const { event, of } = await lab.where();
  expect(event).toBe(of);
});

test("space plays and pauses, brackets change the speed", async ({ lab }) => {
  await lab.open("/?s=healthy-election");
  await lab.page.keyboard.press("[");
  await expect(lab.page.getByRole("slider", { name: "Speed" })).toHaveAttribute("aria-valuetext", "1/2×");
  await lab.page.keyboard.press(" ");
  await expect(lab.pause).toBeVisible();
  await lab.page.keyboard.press(".");
  await expect(lab.play).toBeVisible();
});

test("? opens the help with every key, Escape closes it and gives the focus back", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.focus();
  await lab.page.keyboard.press("?");
  const help = lab.page.getByRole("dialog", { name: "Keys and help" });
  for (const words of ["Step", "Next violation", "Branch here", "Search the catalogue", "Presenter mode"])
    await expect(help).toContainText(words);
  await lab.page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(lab.step).toBeFocused();
});

test("keys are left alone while somebody types, and combinations belong to the browser", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.page.keyboard.press("b");
  await lab.chooseOfBranch("Rename");
  await lab.page.keyboard.type("jump r b u");
  await lab.page.keyboard.press("Enter");
  await expect(lab.branch("jump r b u")).toBeVisible();
  const there = await lab.where();
  await lab.page.evaluate(() => {
    for (const key of ["r", "ArrowLeft", "j"])
      for (const modifier of ["ctrlKey", "metaKey", "altKey"])
        document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key, [modifier]: true, bubbles: true, cancelable: true }),
        );
  });
  expect(await lab.where()).toEqual(there);
});

test("slash opens the catalogue with its search, Enter opens the first find", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("/");
  await expect(lab.page.getByRole("searchbox")).toBeFocused();
  await lab.page.keyboard.type("fast clock");
  await lab.page.keyboard.press("Enter");
  await lab.expectUrl(/s=fast-clock/);
});

test("every control of the lab is reached by Tab, and shows that it has the focus", async ({ lab }) => {
  await lab.open("/?s=paused-leader&at=40");
  const seen: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    await lab.page.keyboard.press("Tab");
    const focused = await lab.page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return null;
      const style = getComputedStyle(element);
      return {
        name: element.getAttribute("aria-label") ?? element.textContent ?? "",
        isShown: style.outlineStyle !== "none" || style.boxShadow !== "none" || element.tagName === "g",
      };
    });
    if (focused === null) break;
    expect(focused.isShown, focused.name).toBe(true);
    seen.push(focused.name);
  }
  for (const wanted of ["All scenarios", "Copy link", "Step", "Place on the line", "Pace", "Crash"])
    expect(
      seen.some((name) => name.startsWith(wanted)),
      `${wanted} among ${seen.join(" | ")}`,
    ).toBe(true);
});

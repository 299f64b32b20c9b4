// Build your own: start from a scenario, be told what is wrong in its place, and run it in the lab.
import { expect, test } from "./fixtures.ts";

test("a configuration of one's own runs in the lab, and its link opens in a fresh browser", async ({
  lab,
  browser,
}) => {
  await lab.page.goto("/build");
  await lab.page.getByRole("combobox", { name: "Start from" }).selectOption("A healthy election");
  await lab.page.getByRole("textbox", { name: "Title" }).fill("Three replicas");
  await lab.page.getByRole("button", { name: "Add a node" }).click();
  await expect(lab.page.getByRole("group", { name: "Node c" })).toBeVisible();
  const nodeB = lab.page.getByRole("group", { name: "Node b" });
  await nodeB.getByRole("combobox", { name: "Elector" }).selectOption("client-go");
  await lab.page.getByRole("button", { name: "Add a sink" }).click();
  await lab.page.getByRole("button", { name: "Run it" }).click();
  await expect(lab.page.getByRole("heading", { name: "Three replicas" })).toBeVisible();
  await expect(lab.picture).toContainText("node c");
  for (let steps = 0; steps < 4; steps += 1) await lab.step.click();
  const there = await lab.where();
  await lab.expectUrl(/#p=/);
  const context = await browser.newContext();
  const fresh = await context.newPage();
  await fresh.goto(lab.page.url());
  await expect(fresh.getByRole("heading", { name: "Three replicas" })).toBeVisible();
  await expect(fresh.getByRole("slider", { name: "Place on the line" })).toHaveAttribute(
    "aria-valuenow",
    String(there.event),
  );
  await context.close();
});

interface BadValue {
  readonly why: string;
  readonly field: string;
  readonly value: string;
  readonly says: RegExp;
}

const badValues: readonly BadValue[] = [
  {
    why: "timings that cannot be safe name the inequality and the numbers",
    field: "Lease duration",
    value: "12000",
    says: /clockRateBound x \(renewDeadline \+ drainTimeout\) < leaseDuration.*1\.05 x \(10000 \+ 2000\) ms/,
  },
  {
    why: "a word where a number belongs",
    field: "Retry period",
    value: "often",
    says: /number.*got "often"/,
  },
  { why: "a negative time", field: "Lease duration", value: "-1", says: /at least 0, got -1/ },
];

for (const { why, field, value, says } of badValues)
  test(`explained in place: ${why}`, async ({ lab }) => {
    await lab.page.goto("/build");
    const node = lab.page.getByRole("group", { name: "Node a" });
    const input = node.getByRole("textbox", { name: field });
    await input.fill(value);
    await expect(input).toHaveAttribute("aria-invalid", "true");
    await expect(node).toContainText(says);
    await expect(lab.page.getByRole("button", { name: "Run it" })).toHaveAttribute("aria-disabled", "true");
    await lab.page.getByRole("complementary").getByRole("link").first().click();
    await expect(input).toBeFocused();
  });

test("the same in JSON: syntax errors have a line and column, values are the schema's to refuse", async ({
  lab,
}) => {
  await lab.page.goto("/build");
  await lab.page.getByRole("tab", { name: "JSON" }).click();
  const text = lab.page.getByRole("textbox", { name: /^The configuration/ });
  await text.fill('{ "nodes": [ }');
  await expect(lab.page.getByRole("complementary")).toContainText(/line 1, column \d+/);
  await text.fill('{ "nodes": [{ "id": "Z" }], "sinks": [] }');
  await expect(lab.page.getByRole("complementary")).toContainText(/nodes\[0\]\.id: expected/);
  await text.fill('{ "nodes": [{ "id": "solo" }], "sinks": [{ "id": "ledger", "enforcement": "none" }] }');
  await expect(lab.page.getByText("Everything fits.")).toBeVisible();
  await lab.page.getByRole("button", { name: "Run it" }).click();
  await expect(lab.picture).toContainText("node solo");
});

test("nodes stay within one and seven", async ({ lab }) => {
  await lab.page.goto("/build");
  const add = lab.page.getByRole("button", { name: "Add a node" });
  for (let nodes = 2; nodes < 7; nodes += 1) await add.click();
  await expect(add).toHaveAttribute("aria-disabled", "true");
  await expect(add).toHaveAttribute("title", "There can be 7 nodes at most.");
  const remove = lab.page.getByRole("button", { name: "Remove this node" });
  for (let nodes = 7; nodes > 1; nodes -= 1) await remove.first().click();
  await expect(remove).toHaveCount(0);
});

test("jitter is drawn from a seed, the same draws for the same seed", async ({ lab }) => {
  await lab.page.goto("/build");
  const node = lab.page.getByRole("group", { name: "Node a" });
  await node.getByRole("combobox", { name: "Elector" }).selectOption("client-go");
  await node.getByText("More about this node").click();
  const draws = node.getByRole("textbox", { name: /^Jitter/ });
  await node.getByRole("textbox", { name: "Seed" }).fill("7");
  await node.getByRole("button", { name: "Draw 16 from the seed" }).click();
  const first = await draws.inputValue();
  expect(first.split(",")).toHaveLength(16);
  await node.getByRole("button", { name: "No jitter" }).click();
  await expect(draws).toHaveValue("");
  await node.getByRole("button", { name: "Draw 16 from the seed" }).click();
  await expect(draws).toHaveValue(first);
});

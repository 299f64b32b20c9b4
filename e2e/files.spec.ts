// Recordings as files: out, in again by picker and by drop, and refused with place and reason.
import { readFile } from "node:fs/promises";
import { expect, test, type LabPage } from "./fixtures.ts";

async function exported(lab: LabPage): Promise<{ readonly name: string; readonly text: string }> {
  const arriving = lab.page.waitForEvent("download");
  await lab.choose("Export the recording");
  const download = await arriving;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

async function pick(lab: LabPage, text: string, name = "recording.json"): Promise<void> {
  const asking = lab.page.waitForEvent("filechooser");
  await lab.choose("Open a recording file");
  const chooser = await asking;
  await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

test("an exported recording opens again by picker, with its branches", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.page.keyboard.press("n");
  await lab.choices.getByRole("button", { name: "ask b to stop" }).click();
  const { name, text } = await exported(lab);
  expect(name).toBe("paused-leader-writes-late.json");
  await lab.open("/?s=healthy-election");
  await pick(lab, text);
  await expect(lab.branch("what if: ask b to stop")).toBeVisible();
  await expect(lab.notice).toContainText("The file recording.json is open.");
});

test("a dropped file opens on any page", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.page.keyboard.press("b");
  const { text } = await exported(lab);
  await lab.page.goto("/scenarios");
  await lab.page.getByRole("searchbox").waitFor();
  const dropped = await lab.page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "dropped.json", { type: "application/json" }));
    return data;
  }, text);
  await lab.page.dispatchEvent("body", "drop", { dataTransfer: dropped });
  await expect(lab.branch("branch 1")).toBeVisible();
});

interface BadFile {
  readonly why: string;
  readonly change: (text: string) => string;
  readonly says: readonly RegExp[];
}

const badFiles: readonly BadFile[] = [
  {
    why: "another engine",
    change: (text) => text.replace('"engine": 1', '"engine": 99'),
    says: [/engine: expected 1, the engine of this lab, got 99/],
  },
  { why: "no JSON", change: () => "{ lease", says: [/line 1, column/] },
  {
    why: "an action that is not enabled there",
    change: (text) => text.replace('"actions": [', '"actions": [\n        {"kind":"resume","node":"a"},'),
    says: [/Action 1 of “as scripted” cannot happen there: a is not paused\./, /"kind":"resume"/],
  },
  {
    why: "an action of an unknown kind",
    change: (text) => text.replace('"actions": [', '"actions": [\n        {"kind":"explode"},'),
    says: [/branches\[0\]\.actions\[0\]/],
  },
];

for (const { why, change, says } of badFiles)
  test(`a file is refused with its place and reason: ${why}`, async ({ lab }) => {
    await lab.open("/?s=paused-leader");
    await lab.step.click();
    await lab.page.keyboard.press("b");
    const { text } = await exported(lab);
    await pick(lab, change(text), "bad.json");
    const refusal = lab.page.getByRole("dialog", { name: "The file bad.json was not opened" });
    for (const words of says) await expect(refusal).toContainText(words);
    await refusal.getByRole("button", { name: "Go on with the lab" }).click();
    await lab.step.click();
    await expect(lab.branch("branch 1")).toBeVisible();
  });

test("what can be replayed of a file opens", async ({ lab }) => {
  await lab.open("/?s=paused-leader");
  await lab.step.click();
  await lab.page.keyboard.press("b");
  const { text } = await exported(lab);
  const at = text.lastIndexOf('{"kind":"fire"');
  await pick(lab, `${text.slice(0, at)}{"kind":"resume","node":"a"},\n        ${text.slice(at)}`);
  await lab.page.getByRole("button", { name: "Open what can be replayed" }).click();
  await expect(lab.step).toBeVisible();
  await lab.expectEvent(0);
});

interface Picture {
  readonly item: string;
  readonly name: string;
  readonly begins: RegExp;
}

const pictures: readonly Picture[] = [
  { item: "Export the picture as SVG", name: "paused-leader-writes-late.svg", begins: /<svg xmlns=/ },
  { item: "Export the picture as PNG", name: "paused-leader-writes-late.png", begins: /^.PNG/ },
  { item: "Export as a Mermaid sequence", name: "paused-leader-writes-late.mmd", begins: /sequenceDiagram/ },
];

for (const { item, name, begins } of pictures)
  test(`the picture as a file: ${item}`, async ({ lab }) => {
    await lab.open("/?s=paused-leader");
    await lab.page.keyboard.press("n");
    const arriving = lab.page.waitForEvent("download");
    await lab.choose(item);
    const download = await arriving;
    expect(download.suggestedFilename()).toBe(name);
    const text = await readFile(await download.path(), "latin1");
    expect(text.slice(0, 2000)).toMatch(begins);
  });

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixture/lab.ts";
import { LOCK_FILE, lockFolder } from "./lock.ts";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  [folder, remove] = await temporaryFolder();
});
afterEach(() => remove());

const file = (): string => join(folder, LOCK_FILE);

describe("a folder's lock", () => {
  it("is held by one, and free again when it is released", async () => {
    const first = await lockFolder(folder);
    const second = await lockFolder(folder);
    expect(second).toMatchObject({ ok: false, error: { remedy: expect.stringContaining("--data DIR") } });
    if (first.ok) await first.value.release();
    const third = await lockFolder(folder);
    expect(third.ok).toBe(true);
  });

  it("goes to exactly one of many that want it at once", async () => {
    const locks = await Promise.all(Array.from({ length: 8 }, () => lockFolder(folder)));
    expect(locks.filter((lock) => lock.ok).length).toBe(1);
  });

  it("that is not one's own any more is not released", async () => {
    const lock = await lockFolder(folder);
    const others = JSON.stringify({ pid: process.pid, started: null, claim: "another" });
    await writeFile(file(), others);
    if (lock.ok) await lock.value.release();
    expect(await readFile(file(), "utf8")).toBe(others);
  });

  const remains: readonly { readonly why: string; readonly text: string }[] = [
    { why: "a process that is gone", text: JSON.stringify({ pid: 2 ** 22 + 1, started: null, claim: "x" }) },
    {
      why: "a process whose number another has now",
      text: JSON.stringify({ pid: process.pid, started: "another boot 1", claim: "x" }),
    },
    { why: "a process that was killed while it wrote this", text: '{"pid":' },
    { why: "nobody knows whom", text: "" },
  ];
  for (const row of remains)
    it(`left by ${row.why} holds nothing`, async () => {
      await writeFile(file(), row.text);
      const locks = await Promise.all([lockFolder(folder), lockFolder(folder), lockFolder(folder)]);
      expect(locks.filter((lock) => lock.ok).length).toBe(1);
    });
});

import { appendFile, readdir, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { lineOf } from "../../shared/trace/recording.ts";
import type { Change } from "../../shared/trace/change.ts";
import { append, emptyRecording, memoryLog, steppingClock, temporaryFolder, tick } from "../fixture/lab.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { openStore, type SessionStore, type SessionView } from "./store.ts";

let folder: string;
let remove: () => Promise<void>;
let store: SessionStore;
let log: ReturnType<typeof memoryLog>;

async function open(limits: Partial<Limits> = {}): Promise<void> {
  log = memoryLog();
  const opened = await openStore({
    folder,
    resolveOrigin,
    limits: { ...DEFAULT_LIMITS, ...limits },
    log,
    now: steppingClock(),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  store = opened.value;
}

async function reopen(limits: Partial<Limits> = {}): Promise<void> {
  await store.close();
  await open(limits);
}

beforeEach(async () => {
  [folder, remove] = await temporaryFolder();
  await open();
});
afterEach(async () => {
  await store.close();
  await remove();
});

async function create(): Promise<string> {
  const created = await store.create({ recording: emptyRecording(), title: null, moment: null });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  return created.value.id;
}

async function changeTo(id: string, revision: number): Promise<void> {
  const change = append(revision - 1, tick(revision)) as Change;
  const changed = await store.change(id, { change, revision: revision - 1, moment: null, client: null });
  expect(changed).toEqual({ ok: true, value: { revision } });
}

/** A session with ticks 1 to `revision`. */
async function grown(revision: number): Promise<string> {
  const id = await create();
  for (let next = 1; next <= revision; next += 1) await changeTo(id, next);
  return id;
}

async function read(id: string): Promise<SessionView> {
  const view = await store.read(id);
  if (!view.ok) throw new Error(JSON.stringify(view.error));
  return view.value;
}

async function expectTicks(id: string, revision: number): Promise<void> {
  const view = await read(id);
  expect(view.revision).toBe(revision);
  expect(lineOf(view.recording, "main")).toEqual(
    Array.from({ length: revision }, (_, index) => tick(index + 1)),
  );
}

const fileOf = (id: string): string => join(folder, `${id}.jsonl`);
const linesOf = async (file: string): Promise<string[]> => (await readFile(file, "utf8")).split("\n");

describe("a store that was closed and opened", () => {
  it("has its sessions as they were", async () => {
    const id = await grown(3);
    const [before, list] = [await read(id), store.list()];
    await reopen();
    expect(await read(id)).toEqual(before);
    expect(store.list()).toEqual(list);
    expect(log.entries).toEqual([]);
  });

  it("has what a session became after its file was written anew", async () => {
    await reopen({ changesKept: 3 });
    const id = await grown(7);
    expect((await linesOf(fileOf(id))).length).toBe(1 + 1 + 1);
    await expectTicks(id, 7);
    await reopen();
    await expectTicks(id, 7);
    await changeTo(id, 8);
  });

  it("has them all when only a few fit into memory", async () => {
    await reopen({ loadedSessions: 1 });
    const all = [await grown(1), await grown(2), await grown(3)];
    for (const [index, id] of all.entries()) await expectTicks(id, index + 1);
    for (const [index, id] of all.entries()) await changeTo(id, index + 2);
  });

  it("clears away files that were never finished", async () => {
    await writeFile(join(folder, "0e0e0e0e-0000-4000-8000-000000000000.jsonl.unfinished"), "half");
    await reopen();
    expect((await readdir(folder)).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
    expect(store.list()).toEqual([]);
  });

  it("leaves files of others alone", async () => {
    await writeFile(join(folder, "notes.txt"), "mine");
    await writeFile(join(folder, "not-an-id.jsonl"), "mine");
    await reopen();
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("mine");
    expect(store.list()).toEqual([]);
  });
});

describe("a torn last line", () => {
  it("loses nothing before it, wherever it was cut", async () => {
    const id = await grown(3);
    const whole = await readFile(fileOf(id));
    const lastStart = whole.lastIndexOf(10, whole.length - 2) + 1;
    await store.close();
    for (let length = lastStart; length <= whole.length; length += 1) {
      await writeFile(fileOf(id), whole.subarray(0, length));
      await open();
      // Cut at its line feed alone, the last entry is still whole.
      const revision = length >= whole.length - 1 ? 3 : 2;
      await expectTicks(id, revision);
      expect((await read(id)).damage).toBeNull();
      await changeTo(id, revision + 1);
      await reopen();
      await expectTicks(id, revision + 1);
      await store.close();
    }
    await open();
  });

  it("is cut off before the next append, and said in the log", async () => {
    const id = await grown(2);
    await store.close();
    await appendFile(fileOf(id), '{"kind":"change","revision":3,"at":"2030');
    await open();
    expect(log.entries.join("\n")).toContain("dropped a torn last line");
    expect((await linesOf(fileOf(id))).at(-1)).toBe("");
    await changeTo(id, 3);
    const lines = await linesOf(fileOf(id));
    expect(lines.length).toBe(5);
    expect(lines.at(-1)).toBe("");
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({ revision: 3 });
  });

  it("that a failed write has left while the store was open is cut off, too", async () => {
    const id = await grown(2);
    await appendFile(
      fileOf(id),
      '{"kind":"change","revision":3,"at":"a much longer line than the next one will be"'.repeat(9),
    );
    await changeTo(id, 3);
    expect((await linesOf(fileOf(id))).length).toBe(5);
    await reopen();
    await expectTicks(id, 3);
    expect(log.entries).toEqual([]);
  });

  it("of zeros, as some file systems leave after a power cut, is dropped", async () => {
    const id = await grown(2);
    await store.close();
    await appendFile(fileOf(id), Buffer.alloc(600));
    await open();
    await expectTicks(id, 2);
  });
});

describe("a line in the middle that cannot be read", () => {
  const rows: readonly {
    readonly why: string;
    readonly damage: (line: string) => string;
    readonly says: string;
  }[] = [
    { why: "no JSON", damage: (line) => line.replace('"kind"', "kind"), says: "a key in double quotes" },
    {
      why: "an unknown entry",
      damage: (line) => line.replace('"change"', '"merge"'),
      says: "kind: expected",
    },
    {
      why: "a revision that is there twice",
      damage: (line) => line.replace('"revision":2', '"revision":1'),
      says: "expected 2, got 1",
    },
    {
      why: "a change that does not fit",
      damage: (line) => line.replace('"at":1', '"at":9'),
      says: "the branch's length, 1",
    },
    {
      why: "an action of another shape",
      damage: (line) => line.replace('"byMs":2', '"byMs":"x"'),
      says: "actions[0].byMs",
    },
  ];
  for (const row of rows)
    it(`(${row.why}) sets aside the rest, keeps what came before, and says so`, async () => {
      const id = await grown(4);
      const other = await grown(1);
      await store.close();
      const lines = await linesOf(fileOf(id));
      const damaged = lines.map((line, index) => (index === 2 ? row.damage(line) : line));
      expect(damaged).not.toEqual(lines);
      await writeFile(fileOf(id), damaged.join("\n"));
      await open();
      await expectTicks(id, 1);
      await expectTicks(other, 1);
      expect((await read(id)).damage?.remedy).toContain(`${id}.quarantine.jsonl`);
      expect(log.entries.join("\n")).toContain("set aside");
      const aside = await readFile(join(folder, `${id}.quarantine.jsonl`), "utf8");
      expect(aside).toContain("line 3");
      expect(aside).toContain(row.says.replaceAll('"', '\\"'));
      for (const line of damaged.slice(2)) expect(aside).toContain(line);
      // It goes on from there, and remembers the damage.
      await changeTo(id, 2);
      await reopen();
      await expectTicks(id, 2);
      expect(store.list().find((summary) => summary.id === id)?.damage).not.toBeNull();
    });

  it("when it is the first, makes the session unreadable and leaves its file as it is", async () => {
    const id = await grown(2);
    const other = await grown(1);
    await store.close();
    const text = (await readFile(fileOf(id), "utf8")).replace('"engine":1', '"engine":99');
    await writeFile(fileOf(id), text);
    await open();
    expect(await store.read(id)).toMatchObject({ ok: false, error: { code: "session-unreadable" } });
    expect(store.list().find((summary) => summary.id === id)?.damage?.got).toContain("got 99");
    await expectTicks(other, 1);
    expect(await readFile(fileOf(id), "utf8")).toBe(text);
    // Once it is mended it is there again, without a restart.
    await writeFile(fileOf(id), text.replace('"engine":99', '"engine":1'));
    await expectTicks(id, 2);
    expect(await store.remove(id)).toEqual({ ok: true, value: null });
  });
});

describe("files that change behind the store's back", () => {
  it("a file that is gone is a session that is gone", async () => {
    const id = await grown(1);
    await rename(fileOf(id), join(folder, "elsewhere"));
    const change = append(1, tick(2)) as Change;
    const changed = await store.change(id, { change, revision: 1, moment: null, client: null });
    expect(changed).toMatchObject({ ok: false, error: { code: "session-not-found" } });
    expect(store.list()).toEqual([]);
  });

  it("a file that lost its end is read again instead of being filled up", async () => {
    const id = await grown(3);
    const lines = await linesOf(fileOf(id));
    await truncate(fileOf(id), Buffer.byteLength(`${lines.slice(0, 3).join("\n")}\n`));
    const change = append(3, tick(4)) as Change;
    await expect(store.change(id, { change, revision: 3, moment: null, client: null })).rejects.toThrow(
      "were written",
    );
    await expectTicks(id, 2);
    await changeTo(id, 3);
    await reopen();
    await expectTicks(id, 3);
  });
});

describe("a second store on the same folder", () => {
  it("is refused while the first is open", async () => {
    const second = await openStore({
      folder,
      resolveOrigin,
      limits: DEFAULT_LIMITS,
      log,
      now: steppingClock(),
    });
    expect(second).toMatchObject({ ok: false, error: { got: expect.stringContaining(String(process.pid)) } });
  });
});

describe("files", () => {
  it("can be read by their owner alone", async () => {
    const id = await create();
    expect((await stat(fileOf(id))).mode & 0o077).toBe(0);
  });
});

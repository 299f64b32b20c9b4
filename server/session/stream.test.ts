import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  append,
  emptyRecording,
  startLab,
  temporaryFolder,
  tick,
  type Lab,
  type LabOptions,
} from "../fixture/lab.ts";
import { watch, type Watcher } from "../fixture/watch.ts";

let folder: string;
let remove: () => Promise<void>;
let lab: Lab;
let id: string;

async function start(options: LabOptions = {}): Promise<void> {
  lab = await startLab(folder, options);
}

beforeEach(async () => {
  [folder, remove] = await temporaryFolder();
  await start();
  id = String((await lab.send("POST", "/api/sessions", { recording: emptyRecording() })).body["id"]);
});
afterEach(async () => {
  await lab.stop();
  await remove();
});

const follow = (lastId: string | null = null, query = ""): Promise<Watcher> =>
  watch(`${lab.url}/api/sessions/${id}/events${query}`, lastId);

async function changeTo(revision: number): Promise<void> {
  const answer = await lab.send("POST", `/api/sessions/${id}/changes`, {
    revision: revision - 1,
    change: append(revision - 1, tick(revision)),
    client: "tab-1",
  });
  expect(answer.body).toEqual({ revision });
}

const ids = (watcher: Watcher): readonly (string | null)[] => watcher.events.map((event) => event.id);

describe("a watcher", () => {
  it("is given the whole session first, then every change with its revision as id", async () => {
    await changeTo(1);
    const watcher = await follow();
    await watcher.until(({ events }) => events.length === 1);
    expect(watcher.events[0]).toMatchObject({
      name: "snapshot",
      id: "1",
      data: { revision: 1, recording: { branches: [{ actions: [tick(1)] }] } },
    });
    await changeTo(2);
    await watcher.until(({ events }) => events.length === 2);
    expect(watcher.events[1]).toEqual({
      name: "change",
      id: "2",
      data: { revision: 2, change: append(1, tick(2)), client: "tab-1" },
    });
    watcher.stop();
  });

  it("resumes after the id that it saw last", async () => {
    for (const revision of [1, 2, 3]) await changeTo(revision);
    const watcher = await follow("1");
    await watcher.until(({ events }) => events.length === 2);
    expect(watcher.events.map((event) => event.name)).toEqual(["change", "change"]);
    expect(ids(watcher)).toEqual(["2", "3"]);
    watcher.stop();
  });

  it("may name it in the URL, and what the browser remembers counts for more", async () => {
    for (const revision of [1, 2, 3]) await changeTo(revision);
    const first = await follow(null, "?after=2");
    await first.until(({ events }) => events.length === 1);
    expect(ids(first)).toEqual(["3"]);
    const again = await follow("1", "?after=0");
    await again.until(({ events }) => events.length === 2);
    expect(ids(again)).toEqual(["2", "3"]);
    first.stop();
    again.stop();
  });

  it("that has seen everything is given nothing until something happens", async () => {
    await changeTo(1);
    const watcher = await follow("1");
    await changeTo(2);
    await watcher.until(({ events }) => events.length > 0);
    expect(ids(watcher)).toEqual(["2"]);
    watcher.stop();
  });

  it("that claims to have seen the future is given the whole session", async () => {
    const watcher = await follow("7");
    await watcher.until(({ events }) => events.length > 0);
    expect(watcher.events[0]).toMatchObject({ name: "snapshot", id: "0" });
    watcher.stop();
  });

  it("of a session whose past was folded is given the whole session", async () => {
    await lab.stop();
    await start({ limits: { changesKept: 2 } });
    for (const revision of [1, 2, 3]) await changeTo(revision);
    const late = await follow("1");
    await late.until(({ events }) => events.length > 0);
    expect(late.events).toMatchObject([
      {
        name: "snapshot",
        id: "3",
        data: { recording: { branches: [{ actions: [tick(1), tick(2), tick(3)] }] } },
      },
    ]);
    // What came after the fold is still told one by one.
    const recent = await follow("2");
    await recent.until(({ events }) => events.length > 0);
    expect(recent.events).toMatchObject([{ name: "change", id: "3" }]);
    recent.stop();
    late.stop();
  });

  it("sees no gap and no repeat over restarts of the server while changes go on", async () => {
    const seen: (string | null)[] = [];
    let lastId: string | null = "0";
    let revision = 0;
    for (let round = 0; round < 4; round += 1) {
      // Some changes happen before it is back, some while it watches.
      revision += 1;
      await changeTo(revision);
      const watcher: Watcher = await follow(lastId);
      for (let step = 0; step < 5; step += 1) {
        revision += 1;
        await changeTo(revision);
      }
      const wanted = String(revision);
      await watcher.until((own) => own.lastId === wanted);
      seen.push(...ids(watcher));
      lastId = watcher.lastId;
      await lab.stop();
      await watcher.ended;
      await start();
    }
    expect(seen).toEqual(Array.from({ length: revision }, (_, index) => String(index + 1)));
  });

  it("sees no gap and no repeat when many arrive while changes go on", async () => {
    const watchers: Promise<Watcher>[] = [];
    for (let revision = 1; revision <= 20; revision += 1) {
      watchers.push(follow("0"));
      await changeTo(revision);
    }
    for (const arriving of watchers) {
      const watcher = await arriving;
      await watcher.until((own) => own.lastId === "20");
      expect(ids(watcher)).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
      watcher.stop();
    }
  });

  it("follows the presenter's cursor, which has no id and is not repeated as a change", async () => {
    await changeTo(1);
    const watcher = await follow("1");
    const moment = { branch: "main", cursor: 1 };
    await lab.send("PUT", `/api/sessions/${id}/moment`, { moment, client: "tab-1" });
    await watcher.until(({ events }) => events.length === 1);
    expect(watcher.events[0]).toEqual({ name: "moment", id: null, data: { moment, client: "tab-1" } });
    expect(watcher.lastId).toBe("1");
    watcher.stop();
    // Who comes later is told where the presenter is.
    const late = await follow("1");
    await late.until(({ events }) => events.length === 1);
    expect(late.events[0]).toMatchObject({ name: "moment", data: { moment } });
    late.stop();
  });

  it("is told of the change before the moment that lies in it", async () => {
    const watcher = await follow("0");
    const change = { revision: 0, change: append(0, tick(1)), moment: { branch: "main", cursor: 1 } };
    await lab.send("POST", `/api/sessions/${id}/changes`, change);
    await watcher.until(({ events }) => events.length === 2);
    expect(watcher.events.map((event) => event.name)).toEqual(["change", "moment"]);
    watcher.stop();
  });

  it("is told of the deletion, and the stream ends", async () => {
    const watcher = await follow("0");
    await lab.send("DELETE", `/api/sessions/${id}`);
    await watcher.ended;
    expect(watcher.events.map((event) => event.name)).toEqual(["deleted"]);
  });

  it("hears a silent stream live", async () => {
    await lab.stop();
    await start({ limits: { heartbeatMs: 5 } });
    const watcher = await follow("0");
    await watcher.until(({ comments }) => comments.length >= 2);
    expect(watcher.comments[0]).toBe("heartbeat");
    watcher.stop();
  });

  it("that only asks for the headers holds no place", async () => {
    const response = await fetch(`${lab.url}/api/sessions/${id}/events`, { method: "HEAD" });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(lab.store.watcherCount).toBe(0);
  });

  it("that does not read is cut off, and the others go on", async () => {
    await lab.stop();
    await start({ limits: { watcherBacklogBytes: -1 } });
    const watcher = await follow("0");
    await changeTo(1);
    await watcher.ended;
    expect(lab.store.watcherCount).toBe(0);
    await changeTo(2);
  });
});

describe("the number of watchers", () => {
  const rows = [
    { why: "of one session", limits: { watchersPerSession: 2 }, says: "2 watchers of one session" },
    { why: "of all", limits: { watchers: 2 }, says: "at most 2 watchers, got" },
  ];
  for (const row of rows)
    it(`${row.why} is bounded: 503 with a time to come back, and room again when one leaves`, async () => {
      await lab.stop();
      await start({ limits: row.limits });
      const first = await follow("0");
      const second = await follow("0");
      const refused = await lab.send("GET", `/api/sessions/${id}/events`);
      expect(refused.status).toBe(503);
      expect(refused.body["detail"]).toContain(row.says);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await lab.send("GET", "/health")).body["watchers"]).toBe(2);
      // The stream ends on the server's side a moment after the browser has left.
      first.stop();
      await changeTo(1);
      while (lab.store.watcherCount > 1) await new Promise((resolve) => setImmediate(resolve));
      const third = await follow("0");
      await third.until(({ events }) => events.length === 1);
      second.stop();
      third.stop();
    });
});

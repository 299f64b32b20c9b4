// The cluster's routes over real HTTP, in front of a fake API server.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, onlyLease, type FakeServer } from "../fixture/cluster.ts";
import { startLab, temporaryFolder, type Lab } from "../fixture/lab.ts";
import { watch } from "../fixture/watch.ts";
import { clusterOn, type ClusterState } from "./cluster.ts";

let folder: string;
let remove: () => Promise<void>;
let lab: Lab;
let server: FakeServer;
beforeEach(async () => {
  [folder, remove] = await temporaryFolder();
  server = fakeServer();
});
afterEach(async () => {
  await lab.stop();
  await remove();
});

async function start(cluster: ClusterState): Promise<void> {
  lab = await startLab(folder, { cluster });
}
async function startOn(): Promise<void> {
  await start({ kind: "on", cluster: await clusterOn(server.connection, () => 1000, null) });
}
async function open(): Promise<string> {
  const { status, body } = await lab.send("POST", "/api/cluster/runs", { lock: "orders" });
  expect(status).toBe(201);
  return `/api/cluster/runs/${String(body["run"])}`;
}
const create = {
  verb: "create",
  body: {
    name: "orders",
    annotations: {},
    labels: {},
    spec: { holderIdentity: "a", leaseDurationSeconds: 15 },
  },
};

describe("without a cluster", () => {
  it("says that it is off, and offers nothing", async () => {
    await start({ kind: "off" });
    expect((await lab.send("GET", "/api/cluster")).body).toEqual({ kind: "off" });
    expect((await lab.send("POST", "/api/cluster/runs", { lock: "orders" })).status).toBe(404);
  });

  it("says why the one that was asked for cannot be used", async () => {
    const problem = { cause: "It is not there.", remedy: "Start it." };
    await start({ kind: "failed", problem });
    expect((await lab.send("GET", "/api/cluster")).body).toEqual({ kind: "failed", problem });
  });
});

describe("on a cluster", () => {
  it("says which one, and what the preflight found", async () => {
    await startOn();
    expect((await lab.send("GET", "/api/cluster")).body).toMatchObject({
      kind: "on",
      identity: { context: "fake", server: "https://server", namespace: "tests" },
      preflight: { ready: true, version: "v1.36.3" },
    });
    expect((await lab.send("POST", "/api/cluster/preflight")).body).toMatchObject({ kind: "on" });
  });

  it("plays a run: opened, served, edited, looked at, ended", async () => {
    await startOn();
    const run = await open();
    const served = await lab.send("POST", `${run}/serve`, { call: 1, after: 0, request: create });
    expect(served.body).toMatchObject({
      served: { kind: "answered", code: 201, lease: { name: "orders" } },
      exchange: { method: "POST", status: 201 },
      foreign: [],
    });
    const edit = { kind: "edit-holder", holder: "b" };
    const edited = await lab.send("POST", `${run}/edit`, { call: 2, after: 0, edit });
    expect(edited.body).toMatchObject({ lease: { spec: { holderIdentity: "b" } }, foreign: [] });
    expect((await lab.send("GET", `${run}/lease`)).body).toMatchObject({
      manifest: { kind: "Lease", metadata: { name: onlyLease(server).name } },
    });
    expect((await lab.send("DELETE", run)).status).toBe(204);
    expect(server.names()).toEqual([]);
    const again = await lab.send("POST", `${run}/serve`, { call: 3, after: 0, request: create });
    expect(again.status).toBe(404);
    expect(again.body["detail"]).toMatch(/Start a new cluster run/);
  });

  it("makes a call once that is sent twice under one number", async () => {
    await startOn();
    const run = await open();
    const send = () => lab.send("POST", `${run}/serve`, { call: 7, after: 0, request: create });
    const [first, second] = await Promise.all([send(), send()]);
    expect(second.body).toEqual(first.body);
    expect((await send()).body).toEqual(first.body);
    expect(server.calls.filter((call) => call === "POST")).toHaveLength(1);
  });

  it("tells foreign writes by a stream that resumes, and the end of the run", async () => {
    await startOn();
    const run = await open();
    await lab.send("POST", `${run}/serve`, { call: 1, after: 0, request: create });
    const watcher = await watch(`${lab.url}${run}/events`);
    server.merge(onlyLease(server).name, { spec: { holderIdentity: "somebody" } });
    await watcher.until(({ events }) => events.length === 1);
    expect(watcher.events).toMatchObject([
      { name: "foreign-write", id: "1", data: { index: 1, whose: "other", lease: { name: "orders" } } },
    ]);
    const resumed = await watch(`${lab.url}${run}/events`, "1");
    server.merge(onlyLease(server).name, { metadata: { annotations: { x: "1" } } });
    await resumed.until(({ events }) => events.length === 1);
    expect(resumed.lastId).toBe("2");
    await lab.send("DELETE", run);
    await resumed.ended;
    expect(resumed.events.at(-1)).toMatchObject({ name: "closed", data: { problem: null } });
    await watcher.ended;
  });

  it("offers what earlier runs left, and deletes what is chosen", async () => {
    await startOn();
    server.create({
      metadata: { name: "epoch-lab-1-orders", labels: { "app.kubernetes.io/managed-by": "epoch-lab" } },
    });
    const { uid } = onlyLease(server);
    expect((await lab.send("GET", "/api/cluster/leftovers")).body).toEqual({
      leftovers: [{ name: "epoch-lab-1-orders", uid, writtenAtMs: null }],
    });
    const deleted = await lab.send("POST", "/api/cluster/leftovers", { uids: [uid] });
    expect(deleted.body).toEqual({ deleted: 1 });
    expect(server.names()).toEqual([]);
  });

  it("tells a request without an answer as an outcome", async () => {
    await startOn();
    const run = await open();
    server.failNext("before");
    const { status, body } = await lab.send("POST", `${run}/serve`, { call: 1, after: 0, request: create });
    expect(status).toBe(200);
    expect(body["served"]).toMatchObject({ kind: "unanswered", failure: "connection" });
  });

  it("answers a cluster that fails with cause and remedy", async () => {
    await startOn();
    server.failNext("before");
    const { status, body } = await lab.send("POST", "/api/cluster/runs", { lock: "orders" });
    expect(status).toBe(502);
    expect(body["detail"]).toMatch(/gave no answer: refused.*Try again/);
  });

  const refused: readonly { readonly why: string; readonly path: string; readonly body: object }[] = [
    { why: "a server address", path: "", body: { lock: "orders", server: "https://elsewhere" } },
    { why: "a namespace", path: "", body: { lock: "orders", namespace: "kube-system" } },
    { why: "credentials", path: "/serve", body: { call: 1, after: 0, request: create, token: "x" } },
    {
      why: "another verb",
      path: "/serve",
      body: { call: 1, after: 0, request: { verb: "patch", name: "x" } },
    },
    { why: "a call without its number", path: "/serve", body: { after: 0, request: create } },
    {
      why: "an unknown edit",
      path: "/edit",
      body: { call: 1, after: 0, edit: { kind: "delete-namespace" } },
    },
  ];
  for (const { why, path, body } of refused)
    it(`takes no ${why}`, async () => {
      await startOn();
      const run = path === "" ? "/api/cluster/runs" : await open();
      const before = server.calls.length;
      expect((await lab.send("POST", `${run}${path}`, body)).status).toBe(422);
      expect(server.calls.length).toBe(before);
    });

  it("changes nothing without the token of this start", async () => {
    await startOn();
    const answer = await fetch(`${lab.url}/api/cluster/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ lock: "orders" }),
    });
    expect(answer.status).toBe(403);
    expect(server.calls).toEqual([]);
  });
});

describe("on a cluster that is not ready", () => {
  it("shows the preflight and nothing else, until it passes", async () => {
    server.failNext(401);
    const { connection } = server;
    let isExpired = true;
    const cluster = await clusterOn(
      {
        ...connection,
        call: (options) =>
          isExpired && options.path === "/version"
            ? Promise.resolve({ status: 401, body: "{}", dateMs: null })
            : connection.call(options),
      },
      () => 1000,
      null,
    );
    await start({ kind: "on", cluster });
    expect((await lab.send("GET", "/api/cluster")).body).toMatchObject({
      preflight: {
        ready: false,
        checks: [
          { id: "reachable", state: "failed", remedy: expect.stringMatching(/token may have expired/) },
        ],
      },
    });
    const opened = await lab.send("POST", "/api/cluster/runs", { lock: "orders" });
    expect(opened.status).toBe(502);
    expect(opened.body["detail"]).toMatch(/not ready.*401.*Log in again/);
    isExpired = false;
    expect((await lab.send("POST", "/api/cluster/preflight")).body).toMatchObject({
      preflight: { ready: true },
    });
  });
});

// Starts the real servers. Where there are none to be had the tests are skipped, and the reason is printed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { createApi, type ApiRequest } from "./api.ts";
import { obtainBinaries, whyNoServer } from "./binaries.ts";
import { listProcesses, sweepStaleFolders } from "./processes.ts";
import { createProgressPrinter } from "./progress.ts";
import { startCluster, type Cluster } from "./start.ts";
import { findClusterFolder } from "./versions.ts";

/** A first build on a slow machine. */
const BUILD_MS = 20 * 60_000;
const START_MS = 90_000;

const reason = await whyNoServer();
if (reason !== undefined) console.warn(`Skipped, since they need a real API server: e2e/cluster. ${reason}`);

const leases = "/apis/coordination.k8s.io/v1/namespaces/epoch-lab/leases";
const list: ApiRequest = { method: "GET", path: leases };
const createLease = (name: string): ApiRequest => ({
  method: "POST",
  path: leases,
  body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec: {} },
});

/** The ids among these that still run. */
function running(ids: readonly number[]): readonly number[] {
  const alive = new Set(listProcesses().map((entry) => entry.id));
  return ids.filter((id) => alive.has(id));
}

describe.skipIf(reason !== undefined)("a cluster", () => {
  let cluster: Cluster;
  const failures: string[] = [];

  beforeAll(async () => {
    await obtainBinaries({ report: createProgressPrinter(process.stderr) });
  }, BUILD_MS);
  beforeAll(async () => {
    cluster = await startCluster({ onFailure: (error) => failures.push(error.message) });
  }, START_MS);
  afterAll(async () => cluster.stop());

  it("is a Kubernetes that says its version", async () => {
    expect(cluster.serverVersion).toMatch(/^v1\.\d+\.\d+/);
    expect(cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });

  const mayDo = [
    { why: "an administrator lists Leases", user: "administrator", request: list, status: 200 },
    { why: "the lab lists Leases of its namespace", user: "lab", request: list, status: 200 },
    {
      why: "the lab does not list Leases of another namespace",
      user: "lab",
      request: { ...list, path: leases.replace("epoch-lab", "default") },
      status: 403,
    },
    {
      why: "the lab does not read Secrets",
      user: "lab",
      request: { ...list, path: "/api/v1/namespaces/epoch-lab/secrets" },
      status: 403,
    },
    { why: "the lab creates a Lease", user: "lab", request: createLease("by-the-lab"), status: 201 },
    { why: "a stranger lists nothing", user: "stranger", request: list, status: 403 },
    {
      why: "a stranger creates nothing",
      user: "stranger",
      request: createLease("by-a-stranger"),
      status: 403,
    },
    { why: "without a token one lists nothing", user: "anonymous", request: list, status: 403 },
  ] as const;
  for (const row of mayDo) {
    it(row.why, async () => {
      expect((await cluster.as(row.user)(row.request)).status).toBe(row.status);
    });
  }

  it("refuses a token that it does not know", async () => {
    const { server, certificateAuthority } = cluster;
    expect((await createApi({ server, certificateAuthority, token: "guessed" })(list)).status).toBe(401);
  });

  it("is trusted by its own authority alone", async () => {
    const strict = createApi({ server: cluster.server, certificateAuthority: "" });
    await expect(strict(list)).rejects.toThrow(/certificate/);
  });

  it("writes kubeconfigs that lead to it, each as its own user", async () => {
    for (const [user, file] of Object.entries(cluster.kubeconfigs)) {
      expect(statSync(file).mode & 0o077).toBe(0);
      const config = parse(readFileSync(file, "utf8")) as {
        clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
        contexts: [{ context: { namespace: string } }];
        users: [{ user: { token: string } }];
      };
      const { server, "certificate-authority-data": authority } = config.clusters[0].cluster;
      expect(config.contexts[0].context.namespace).toBe(cluster.namespace);
      const api = createApi({
        server,
        certificateAuthority: Buffer.from(authority, "base64").toString(),
        token: config.users[0].user.token,
      });
      const review = await api({
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
      expect(review).toMatchObject({ status: 201, body: { status: { userInfo: { username: user } } } });
    }
  });

  it("does not answer while it is halted, and goes on after", async () => {
    cluster.pauseServer();
    await expect(cluster.administrator({ ...list, timeoutMs: 300 })).rejects.toThrow(/aborted/);
    cluster.resumeServer();
    expect((await cluster.administrator(list)).status).toBe(200);
  });

  const ways = [
    { why: "an orderly stop", arrange: () => undefined, abruptly: false },
    { why: "a crash", arrange: () => undefined, abruptly: true },
    { why: "a stop while it was halted", arrange: () => cluster.pauseServer(), abruptly: false },
  ] as const;
  for (const { why, arrange, abruptly } of ways) {
    it(
      `comes back on the same port, with its data and users, after ${why}`,
      async () => {
        const name = `before-${why.replaceAll(" ", "-")}`;
        const created = await cluster.as("lab")(createLease(name));
        arrange();
        await cluster.stopServer({ abruptly });
        await expect(cluster.administrator(list)).rejects.toThrow(/ECONNREFUSED/);
        await cluster.startServerAgain();
        const found = await cluster.as("lab")({ method: "GET", path: `${leases}/${name}` });
        expect(found).toEqual({ status: 200, body: created.body });
      },
      START_MS,
    );
  }

  it("says what state forbids an act", async () => {
    expect(() => cluster.resumeServer()).toThrow("to be paused in order to resume it, and it is running");
    await expect(cluster.startServerAgain()).rejects.toMatchObject({ code: "wrong-state" });
  });

  // The last one in here: the cluster is gone after it.
  it("leaves neither a process nor a file when it is stopped, and knows no more acts", async () => {
    const ids = cluster.processIds();
    expect(running(ids)).toHaveLength(3);
    await cluster.stop();
    await cluster.stop();
    expect(running(ids)).toEqual([]);
    expect(existsSync(cluster.folder)).toBe(false);
    await expect(cluster.stopServer()).rejects.toMatchObject({ code: "wrong-state" });
    expect(failures).toEqual([]);
  });
});

describe.skipIf(reason !== undefined)("a cluster that ends", () => {
  let cluster: Cluster | undefined;
  afterEach(async () => cluster?.stop());

  it(
    "tells that etcd died",
    async () => {
      const failed = vi.fn();
      cluster = await startCluster({ onFailure: failed });
      const [, etcd = 0] = cluster.processIds();
      process.kill(etcd, "SIGKILL");
      await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
      expect(failed.mock.calls[0]?.[0]).toMatchObject({ message: expect.stringContaining("etcd") });
    },
    START_MS,
  );

  it(
    "is given up before it is ready",
    async () => {
      const over = new AbortController();
      const starting = startCluster({ signal: over.signal });
      over.abort();
      await expect(starting).rejects.toMatchObject({ code: "aborted" });
    },
    START_MS,
  );

  it(
    "says what the servers said when they do not start",
    async () => {
      const { etcd } = await obtainBinaries();
      // Node does not know the API server's options.
      await expect(
        startCluster({ binaries: { etcd, kubeApiserver: process.execPath } }),
      ).rejects.toMatchObject({
        code: "start-failed",
        message: expect.stringMatching(/kube-apiserver to start[^]*bad option: --token-auth-file/),
      });
    },
    START_MS,
  );

  it("is refused a namespace that Kubernetes would refuse, before anything is started", async () => {
    await expect(startCluster({ namespace: "Not_A_Name" })).rejects.toMatchObject({ code: "refused" });
  });
});

describe.skipIf(reason !== undefined)("npm run cluster", () => {
  const root = join(findClusterFolder(), "..", "..");

  /** Starts the program, by npm or by Node alone, and waits until it has told everything. */
  async function startProgram(
    by: "npm" | "node",
  ): Promise<{ program: ChildProcess; folder: string; ids: readonly number[] }> {
    const [file, ...args] =
      by === "npm"
        ? ["npm", "run", "cluster"]
        : [process.execPath, "--import", "tsx", join(findClusterFolder(), "main.ts")];
    const program = spawn(file ?? "", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    for await (const part of program.stdout) {
      text += String(part);
      if (text.includes("Ctrl-C stops it")) break;
    }
    const kubeconfig = /--kubeconfig (\S+)\/lab\.kubeconfig --namespace epoch-lab/.exec(text);
    const folder = kubeconfig?.[1] ?? "";
    const guardian = Number(/epoch-lab-cluster-(\d+)-/.exec(folder)?.[1]);
    const servers = listProcesses().filter((entry) => entry.command.includes(folder));
    return { program, folder, ids: [guardian, ...servers.map((entry) => entry.id)] };
  }

  const ends = [
    { why: "Ctrl-C", by: "node", signal: "SIGINT", exit: [0, null] },
    { why: "npm was told to end", by: "npm", signal: "SIGTERM", exit: [0, null] },
    { why: "npm was killed", by: "npm", signal: "SIGKILL", exit: [null, "SIGKILL"] },
  ] as const;
  for (const { why, by, signal, exit } of ends) {
    it(
      `leaves nothing behind after ${why}`,
      async () => {
        const { program, folder, ids } = await startProgram(by);
        expect(existsSync(folder)).toBe(true);
        expect(running(ids)).toHaveLength(3);
        program.kill(signal);
        expect(await once(program, "exit")).toEqual(exit);
        await vi.waitFor(
          () => {
            expect(running(ids)).toEqual([]);
            expect(existsSync(folder)).toBe(false);
          },
          { timeout: 10_000 },
        );
      },
      START_MS,
    );
  }

  it(
    "removes at the next start what was left when its guardian was killed with it",
    async () => {
      const { program, folder, ids } = await startProgram("node");
      const [guardian = 0] = ids;
      process.kill(guardian, "SIGKILL");
      program.kill("SIGKILL");
      await once(program, "exit");
      await vi.waitFor(() => expect(running([guardian])).toEqual([]));
      sweepStaleFolders();
      await vi.waitFor(() => expect(running(ids)).toEqual([]));
      expect(existsSync(folder)).toBe(false);
    },
    START_MS,
  );
});

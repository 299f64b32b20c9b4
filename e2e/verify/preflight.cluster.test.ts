// What can be wrong with a cluster, against a real API server: each said in words before anything is offered.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { connect } from "../../server/cluster/connect.ts";
import { ClusterFailure } from "../../server/cluster/failure.ts";
import { preflight } from "../../server/cluster/preflight.ts";
import { whyNoServer } from "../cluster/binaries.ts";
import { startCluster, type Cluster } from "../cluster/start.ts";

const reason = await whyNoServer();
if (reason !== undefined) console.warn(`Skipped: no API server can be had. ${reason}`);

describe.skipIf(reason !== undefined)("the preflight on a real API server", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({});
  }, 600_000);
  afterAll(() => cluster.stop());

  /** A kubeconfig that is another one with something changed in it. */
  function changed(name: string, change: (text: string) => string): string {
    const file = join(cluster.folder, name);
    writeFileSync(file, change(readFileSync(cluster.kubeconfigs.lab, "utf8")), { mode: 0o600 });
    return file;
  }
  async function check(kubeconfig: string, namespace: string | null = null) {
    const connection = await connect({ kind: "kubeconfig", kubeconfig, context: null, namespace });
    const found = await preflight(connection, () => Date.now());
    const failed = found.checks.filter(({ state }) => state === "failed");
    expect(failed.every(({ remedy }) => remedy !== "")).toBe(true);
    return {
      ...found,
      failed: failed.map(({ id }) => id),
      said: failed.map((each) => `${each.found} ${each.remedy}`),
    };
  }

  it("passes for the lab's user, and knows the version", async () => {
    const { ready, failed, version } = await check(cluster.kubeconfigs.lab);
    expect({ ready, failed, version }).toEqual({ ready: true, failed: [], version: cluster.serverVersion });
  });

  it("names every permission that a stranger lacks", async () => {
    const { ready, failed, said } = await check(cluster.kubeconfigs.stranger);
    expect(ready).toBe(false);
    expect(failed).toEqual([
      "namespace",
      "may-get",
      "may-list",
      "may-watch",
      "may-create",
      "may-update",
      "may-delete",
    ]);
    expect(said[0]).toMatch(/403 Forbidden.*npm run cluster -- --role epoch-lab/);
  });

  it("finds that the lab's user has no right in another namespace", async () => {
    expect((await check(cluster.kubeconfigs.lab, "kube-system")).failed).toContain("namespace");
  });

  it("finds that a namespace does not exist", async () => {
    const { failed, said } = await check(cluster.kubeconfigs.administrator, "nowhere");
    expect(failed).toEqual(["namespace"]);
    expect(said[0]).toMatch(/does not exist.*kubectl create namespace nowhere/);
  });

  it("finds that a token is not valid any more", async () => {
    const file = changed("expired.kubeconfig", (text) => text.replace(/("?token"?: *"?)[\w-]+/, "$1expired"));
    const { failed, said } = await check(file);
    expect(failed).toEqual(["reachable"]);
    expect(said[0]).toMatch(/401 Unauthorized.*token may have expired/);
  });

  it("finds that a certificate is not trusted", async () => {
    const file = changed("untrusted.kubeconfig", (text) =>
      text.replace(/^ *"?certificate-authority-data"?:.*\n/m, ""),
    );
    const { failed, said } = await check(file);
    expect(failed).toEqual(["reachable"]);
    expect(said[0]).toMatch(/certificate is not trusted/);
  });

  it("finds that nothing listens", async () => {
    const file = changed("nothing.kubeconfig", (text) => text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1"));
    expect((await check(file)).said[0]).toMatch(/connection refused/);
  });

  it("says what a hanging credential plugin waits for, and ends it", async () => {
    const file = changed("hanging.kubeconfig", (text) => {
      const config = parse(text) as { users: { user: unknown }[] };
      const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sleep", args: ["1000"] };
      for (const user of config.users) user.user = { exec: { ...exec, interactiveMode: "Never" } };
      return stringify(config);
    });
    const { failed, said } = await check(file);
    expect(failed).toEqual(["reachable"]);
    expect(said[0]).toMatch(/plugin printed nothing: nothing within 15 s.*Run kubectl once by hand/);
  });

  it("never says what is secret", async () => {
    const secret = /token"?: *"?([\w-]+)/.exec(readFileSync(cluster.kubeconfigs.lab, "utf8"))?.[1] ?? "";
    expect(secret.length).toBeGreaterThan(20);
    expect(JSON.stringify(await check(cluster.kubeconfigs.lab))).not.toContain(secret);
    const context = connect({
      kind: "kubeconfig",
      kubeconfig: cluster.kubeconfigs.lab,
      context: "x",
      namespace: null,
    });
    await expect(context).rejects.toBeInstanceOf(ClusterFailure);
    await context.catch((error: unknown) => expect(String(error)).not.toContain(secret));
  });
});

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, describe, expect, it } from "vitest";
import { patientCredentials } from "./credentials.ts";

const folder = mkdtempSync(join(tmpdir(), "epoch-lab-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A kubeconfig whose user gets a credential from a shell script. */
function withPlugin(name: string, script: string): KubeConfig {
  const command = join(folder, name);
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o700);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "c", server: "https://127.0.0.1:1", skipTLSVerify: false }],
    users: [
      {
        name: "u",
        exec: { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" },
      },
    ],
    contexts: [{ name: "c", cluster: "c", user: "u" }],
    currentContext: "c",
  });
  return config;
}

const credential = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'`;

describe("credentials of a plugin", () => {
  it("are what it prints", async () => {
    const { headers } = await patientCredentials(withPlugin("good", credential))();
    expect(headers).toMatchObject({ Authorization: "Bearer t" });
  });

  it("that hangs are waited for so long, the plugin is ended, and the next call asks anew", async () => {
    const pids = join(folder, "pids");
    const ask = patientCredentials(withPlugin("hangs", `echo $$ >> ${pids}\nexec sleep 1000`), 400);
    await expect(Promise.all([ask(), ask()])).rejects.toThrow(/nothing within 0.4 s/);
    const [pid] = await dead(pids, 1);
    expect(pid).toBeGreaterThan(0);
    await expect(ask()).rejects.toThrow(/nothing within/);
    await dead(pids, 2);
  });

  it("that fails are an error of its own", async () => {
    await expect(patientCredentials(withPlugin("fails", "exit 1"))()).rejects.toThrow();
  });
});

/** The processes that a script noted, once as many as said have been and all are gone. */
async function dead(file: string, count: number): Promise<readonly number[]> {
  const pids = readFileSync(file, "utf8").trim().split("\n").map(Number);
  expect(pids).toHaveLength(count);
  for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  return pids;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive, listProcesses, serversOf, sweepFolder, sweepStaleFolders } from "./processes.ts";

/** Above every limit that a system sets to process ids. */
const NOBODY = 99_999_999;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "epoch-lab-test-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("isAlive", () => {
  const rows = [
    { why: "knows this process", id: process.pid, alive: true },
    { why: "knows the first process, whoever owns it", id: 1, alive: true },
    { why: "knows that nobody has an id beyond the limit", id: NOBODY, alive: false },
    { why: "takes 0, the own group, for nobody", id: 0, alive: false },
    { why: "takes a negative id, a group, for nobody", id: -1, alive: false },
    { why: "takes what is no number for nobody", id: Number.NaN, alive: false },
  ] as const;
  for (const row of rows) it(row.why, () => expect(isAlive(row.id)).toBe(row.alive));
});

describe("listProcesses", () => {
  it("lists this process with its command", () => {
    expect(listProcesses().find((entry) => entry.id === process.pid)?.command).toContain("node");
  });
});

describe("serversOf", () => {
  const folder = "/tmp/epoch-lab-cluster-7-abc";
  const rows = [
    {
      why: "knows etcd by its data",
      command: `/x/etcd --data-dir=${folder}/etcd --log-level=warn`,
      ours: true,
    },
    {
      why: "knows the API server by its certificates",
      command: `k --cert-dir=${folder}/certificates`,
      ours: true,
    },
    {
      why: "leaves a kubectl alone that uses a kubeconfig of the folder",
      command: `kubectl --kubeconfig ${folder}/lab.kubeconfig get leases`,
      ours: false,
    },
    {
      why: "leaves the servers of a folder alone whose name only begins alike",
      command: `/x/etcd --data-dir=${folder}d/etcd`,
      ours: false,
    },
  ] as const;
  for (const row of rows) {
    it(row.why, () => {
      expect(serversOf(folder, [{ id: 1, command: row.command }])).toHaveLength(row.ours ? 1 : 0);
    });
  }
});

describe("sweepFolder", () => {
  it("ends what runs out of the folder, and removes it", async () => {
    const folder = join(root, `epoch-lab-cluster-${NOBODY}-abc`);
    mkdirSync(join(folder, "etcd"), { recursive: true });
    const idle = "process.stdout.write('up'); setInterval(() => {}, 1000)";
    const server = spawn(process.execPath, ["-e", idle, "--", `--data-dir=${folder}/etcd`]);
    await once(server.stdout, "data");
    const ended = once(server, "exit");
    sweepFolder(folder);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe("sweepStaleFolders", () => {
  const rows = [
    { why: "removes a folder whose guardian is gone", name: `epoch-lab-cluster-${NOBODY}-abc`, stays: false },
    {
      why: "removes a folder whose guardian's id another program has now",
      name: `epoch-lab-cluster-${process.pid}-abc`,
      stays: false,
    },
    { why: "leaves a folder of another name alone", name: `epoch-lab-cluster-${NOBODY}`, stays: true },
    {
      why: "leaves a folder alone that only contains the name",
      name: `x-epoch-lab-cluster-1-abc`,
      stays: true,
    },
  ] as const;
  for (const row of rows) {
    it(row.why, () => {
      const folder = join(root, row.name);
      mkdirSync(join(folder, "etcd"), { recursive: true });
      writeFileSync(join(folder, "etcd", "data"), "x");
      expect(sweepStaleFolders(root)).toEqual(row.stays ? [] : [folder]);
      expect(existsSync(folder)).toBe(row.stays);
    });
  }

  it("follows no link", () => {
    const target = join(root, "precious");
    mkdirSync(target);
    const link = join(root, `epoch-lab-cluster-${NOBODY}-abc`);
    symlinkSync(target, link);
    expect(sweepStaleFolders(root)).toEqual([]);
    expect(existsSync(target)).toBe(true);
  });
});

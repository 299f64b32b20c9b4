import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startGuardian, type Command, type Exit, type Guardian } from "./guardian.ts";
import { listProcesses, sweepStaleFolders } from "./processes.ts";
import { findClusterFolder } from "./versions.ts";

/** Stands for a server: it says so, and runs until it is ended. */
const IDLE: Command = {
  program: "etcd",
  file: process.execPath,
  args: ["-e", "console.log('up'); setInterval(() => {}, 1000)"],
};

/** Whether the process runs; one that ended and that nobody has waited for has no command line any more. */
function runs(id: number): boolean {
  return listProcesses().some((entry) => entry.id === id);
}

let guardian: Guardian | undefined;
const exits: Exit[] = [];

async function start(): Promise<Guardian> {
  exits.length = 0;
  guardian = await startGuardian((exit) => exits.push(exit));
  return guardian;
}
afterEach(async () => guardian?.end());

describe("the guardian", () => {
  it("makes a folder that is not taken for a stale one while it lives", async () => {
    const { folder, id } = await start();
    expect(folder).toContain(`epoch-lab-cluster-${id}-`);
    expect(sweepStaleFolders()).not.toContain(folder);
    expect(existsSync(folder)).toBe(true);
  });

  it("starts a program, keeps what it says, and ends it with the folder", async () => {
    const { folder, start: startProgram, end } = await start();
    const id = await startProgram(IDLE);
    await vi.waitFor(async () => expect(await readFile(join(folder, "etcd.log"), "utf8")).toBe("up\n"));
    expect(runs(id)).toBe(true);
    await end();
    expect(runs(id)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  it("ends a program that is halted", async () => {
    const { start: startProgram, signal, end } = await start();
    const id = await startProgram(IDLE);
    signal("etcd", "SIGSTOP");
    await end();
    expect(runs(id)).toBe(false);
  });

  it("tells of a program's end, wanted or not", async () => {
    const { start: startProgram, signal, ended, isRunning } = await start();
    await startProgram(IDLE);
    expect(isRunning("etcd")).toBe(true);
    signal("etcd", "SIGTERM");
    await ended("etcd");
    expect(isRunning("etcd")).toBe(false);
    expect(exits).toEqual([expect.objectContaining({ program: "etcd", how: "SIGTERM" })]);
  });

  it("rejects a program that cannot be run", async () => {
    const { start: startProgram, folder } = await start();
    const file = join(folder, "no-such-program");
    await expect(startProgram({ ...IDLE, file })).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("ENOENT"),
    });
  });

  it("may be told to end twice", async () => {
    const { end } = await start();
    await end();
    await end();
    expect(exits).toEqual([]);
  });

  it("leaves nothing behind when it is killed itself, and says so", async () => {
    const { id, folder, start: startProgram } = await start();
    const args = [...IDLE.args, "--", `--data-dir=${folder}/etcd`];
    const server = await startProgram({ ...IDLE, args });
    process.kill(id, "SIGKILL");
    await vi.waitFor(() => expect(exits).toEqual([{ program: "the guardian", how: "SIGKILL" }]));
    await vi.waitFor(() => expect(runs(server)).toBe(false));
    expect(existsSync(folder)).toBe(false);
  });
});

describe("the guardian, when its program ends", () => {
  // The program is plain Node: it speaks to guardian.mjs as guardian.ts does, and then ends in its own way.
  const PROGRAM = `
    const { fork } = require("node:child_process");
    const [file, order, way] = process.argv.slice(1);
    const guardian = fork(file, [require("node:os").tmpdir()], { detached: true, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    let folder;
    guardian.on("message", (notice) => {
      if (notice.kind === "ready") { folder = notice.folder; guardian.send(JSON.parse(order)); }
      if (notice.kind === "started") {
        console.log(JSON.stringify({ folder, guardian: guardian.pid, server: notice.id }));
        if (way === "throw") setImmediate(() => { throw new Error("on purpose"); });
        if (way === "exit") setImmediate(() => process.exit(3));
      }
    });
  `;

  const rows: readonly { readonly why: string; readonly way: "throw" | "exit" | NodeJS.Signals }[] = [
    { why: "by SIGKILL", way: "SIGKILL" },
    { why: "by SIGTERM", way: "SIGTERM" },
    { why: "by SIGINT", way: "SIGINT" },
    { why: "by the end of its terminal", way: "SIGHUP" },
    { why: "by an exception that nobody caught", way: "throw" },
    { why: "by process.exit", way: "exit" },
  ];
  for (const row of rows) {
    it(`leaves nothing behind: ${row.why}`, async () => {
      const file = join(findClusterFolder(), "guardian.mjs");
      const order = JSON.stringify({ kind: "start", ...IDLE });
      const program = spawn(process.execPath, ["-e", PROGRAM, "--", file, order, row.way], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const text = await new Promise<string>((resolve) =>
        program.stdout.once("data", (it) => resolve(String(it))),
      );
      const left = JSON.parse(text) as { folder: string; guardian: number; server: number };
      await writeFile(join(left.folder, "data"), "x").catch((error: unknown) => {
        // The program that ends by itself may have been quicker.
        if (row.way !== "throw" && row.way !== "exit") throw error;
      });
      if (row.way !== "throw" && row.way !== "exit") program.kill(row.way);
      await vi.waitFor(
        () => {
          expect(existsSync(left.folder)).toBe(false);
          expect(runs(left.server)).toBe(false);
          expect(runs(left.guardian)).toBe(false);
        },
        { timeout: 10_000 },
      );
    });
  }
});

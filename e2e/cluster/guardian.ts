// The program's end of the channel to guardian.mjs: starts servers, signals them, and ends them all.
import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterError } from "./errors.ts";
import { sweepFolder } from "./processes.ts";
import { findClusterFolder } from "./versions.ts";

export type Program = "etcd" | "kube-apiserver";

export interface Command {
  readonly program: Program;
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
}

/** What the guardian is told. */
type Order =
  | ({ readonly kind: "start" } & Command)
  | { readonly kind: "signal"; readonly program: Program; readonly signal: NodeJS.Signals }
  | { readonly kind: "end" };

/** What the guardian tells. */
type Notice =
  | { readonly kind: "ready"; readonly folder: string }
  | { readonly kind: "started"; readonly program: Program; readonly id: number }
  | { readonly kind: "exited"; readonly program: Program; readonly how: string };

/** That a program ended; `how` is `code 1`, a signal's name, or why it could not be started. */
export interface Exit {
  readonly program: Program | "the guardian";
  readonly how: string;
}

export interface Guardian {
  /** The guardian's own process id. */
  readonly id: number;
  /** The temporary folder, which the guardian made and will remove. Each program's log is `<program>.log` in it. */
  readonly folder: string;
  /** Starts a program and resolves with its process id. Rejects when it cannot be run at all. */
  readonly start: (command: Command) => Promise<number>;
  readonly signal: (program: Program, signal: NodeJS.Signals) => void;
  /** Whether the program was started and has not ended. */
  readonly isRunning: (program: Program) => boolean;
  /** Resolves when the program has ended; at once if it is not running. */
  readonly ended: (program: Program) => Promise<void>;
  /** Ends all programs, removes the folder, and resolves when both is done. May be called again. */
  readonly end: () => Promise<void>;
}

/**
 * Starts a guardian with a fresh folder.
 *
 * @param onExit called for every program that ends, wanted or not, and for the guardian itself if it ends
 *   without having been told to. Then the programs have been ended and the folder removed.
 */
export async function startGuardian(onExit: (exit: Exit) => void): Promise<Guardian> {
  const environment = { ...process.env };
  // Loaders and inspectors of this process are nothing to the guardian.
  delete environment["NODE_OPTIONS"];
  const guardian = fork(join(findClusterFolder(), "guardian.mjs"), [tmpdir()], {
    execArgv: [],
    env: environment,
    // A session of its own: neither Ctrl-C nor the terminal's end reaches it, only the end of the channel.
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const running = new Map<Program, { readonly ended: Promise<void>; readonly resolve: () => void }>();
  const starting = new Map<
    Program,
    { readonly resolve: (id: number) => void; readonly reject: (error: Error) => void }
  >();
  let told = false;
  let folder: string | undefined;

  const gone = new Promise<void>((resolve) => guardian.once("exit", () => resolve()));
  const ready = new Promise<string>((resolve, reject) => {
    guardian.once("error", reject);
    guardian.on("message", (notice: Notice) => {
      switch (notice.kind) {
        case "ready":
          folder = notice.folder;
          return resolve(notice.folder);
        case "started":
          starting.get(notice.program)?.resolve(notice.id);
          starting.delete(notice.program);
          return;
        case "exited":
          running.get(notice.program)?.resolve();
          running.delete(notice.program);
          starting.get(notice.program)?.reject(startFailure(notice.program, notice.how));
          starting.delete(notice.program);
          return onExit(notice);
        default:
          notice satisfies never;
      }
    });
    guardian.once("exit", (code, signal) => {
      const how = signal ?? `code ${code}`;
      reject(startFailure("the guardian", how));
      for (const [program, waiting] of starting) waiting.reject(startFailure(program, "the guardian's end"));
      starting.clear();
      // Its exit code is not trusted: whatever it was doing, nothing may be left behind.
      if (folder !== undefined) sweepFolder(folder);
      for (const entry of running.values()) entry.resolve();
      running.clear();
      if (!told) onExit({ program: "the guardian", how });
    });
  });

  const send = (order: Order): void => {
    if (guardian.connected) guardian.send(order);
  };
  const madeFolder = await ready;
  return {
    id: guardian.pid ?? 0,
    folder: madeFolder,
    start: (command) =>
      new Promise((resolve, reject) => {
        if (!guardian.connected) return reject(startFailure(command.program, "the guardian's end"));
        let resolveEnded: () => void = () => undefined;
        const ended = new Promise<void>((resolveIt) => (resolveEnded = resolveIt));
        running.set(command.program, { ended, resolve: resolveEnded });
        starting.set(command.program, { resolve, reject });
        send({ kind: "start", ...command });
      }),
    signal: (program, signal) => send({ kind: "signal", program, signal }),
    isRunning: (program) => running.has(program),
    ended: async (program) => running.get(program)?.ended,
    end: async () => {
      told = true;
      send({ kind: "end" });
      await gone;
    },
  };
}

function startFailure(program: Exit["program"], how: string): ClusterError {
  return new ClusterError(
    "start-failed",
    `Expected ${program} to start, and it ended with ${how}. Look whether it can be run at all: its file, its permissions, this kind of machine.`,
  );
}

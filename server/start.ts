// Starting and stopping: reads what is asked for, opens the sessions, listens on loopback, and ends in order.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { failed, ok, sentence, type Problem, type Result } from "../shared/base/result.ts";
import { resolveOrigin } from "../shared/scenario/origin.ts";
import { createApp } from "./app.ts";
import { flagList, parseConfig, type Config } from "./config.ts";
import { builtPages, type PageSource } from "./http/pages.ts";
import { createHttpServer } from "./http/server.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { createLog } from "./log.ts";
import { newToken } from "./security.ts";
import { isCode } from "./session/lock.ts";
import { openStore } from "./session/store.ts";

/** A stop that takes longer than this is cut short; what was answered is on the disk already. */
const STOP_WITHIN_MS = 3000;

export interface StartDeps {
  /** The project's folder, for Vite. */
  readonly root: string;
  /** Where the built web part is. */
  readonly webFolder: string;
  /** What follows the program's name on the command line. */
  readonly flags: readonly string[];
}

/** Resolves when the lab listens, or when it has said why it does not. */
export async function start({ root, webFolder, flags }: StartDeps): Promise<void> {
  const asked = parseConfig(flags, process.env);
  if (!asked.ok) return refuse(asked.error);
  if (asked.value.kind === "help") {
    process.stdout.write(`Epoch Lab\n\n${flagList()}\n`);
    return;
  }
  const config = asked.value;
  const limits = DEFAULT_LIMITS;
  const log = createLog(process.env["EPOCH_LAB_LOG"] ?? "warn");
  const server = createHttpServer(limits);

  // Vite is kept out of the way of everybody who does not develop.
  const vite = config.dev ? await (await import("./dev.ts")).startVite(root, server) : null;
  const pages: Result<PageSource, Problem> = vite === null ? await builtPages(webFolder) : ok(vite.pages);
  if (!pages.ok) return refuse([pages.error]);
  const store = await openStore({
    folder: config.dataFolder,
    resolveOrigin,
    limits,
    log,
    now: () => new Date().toISOString(),
  });
  if (!store.ok) {
    await vite?.close();
    return refuse([store.error]);
  }
  const app = createApp({
    store: store.value,
    resolveOrigin,
    pages: pages.value,
    token: newToken(),
    limits,
    log,
    dev: config.dev,
  });
  server.on("request", app.handler);

  const listening = await listen(server, config);
  if (!listening.ok) {
    await store.value.close();
    await vite?.close();
    return refuse([listening.error]);
  }
  process.stdout.write(`Epoch Lab is at ${listening.value}\n`);

  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    const late = setTimeout(() => {
      log.warn("some connections did not end in time");
      process.exit(0);
    }, STOP_WITHIN_MS);
    late.unref();
    const closed = new Promise((resolve) => server.close(resolve));
    app.closeStreams();
    server.closeIdleConnections();
    void Promise.all([closed, store.value.close(), vite?.close()]).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, "the lab did not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function listen(server: Server, { host, port }: Config): Promise<Result<string, Problem>> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const problem = listenProblem(error, host, port);
      if (problem === null) reject(error);
      else resolve(failed(problem));
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve(ok(`http://${host.includes(":") ? `[${host}]` : host}:${taken}/`));
    });
  });
}

function listenProblem(error: unknown, host: string, port: number): Problem | null {
  const path = "port";
  if (isCode(error, "EADDRINUSE"))
    return {
      path,
      expected: "a free port",
      got: `${port}, which another program is using`,
      remedy: `Stop that program, or choose another port: --port ${port < 65_535 ? port + 1 : 4600}.`,
    };
  if (isCode(error, "EACCES"))
    return {
      path,
      expected: "a port that this user may open",
      got: String(port),
      remedy: "Choose one from 1024 up, such as --port 4600.",
    };
  if (isCode(error, "EADDRNOTAVAIL"))
    return {
      path: "host",
      expected: "an address that this machine has",
      got: host,
      remedy: "Leave --host out.",
    };
  return null;
}

function refuse(problems: readonly Problem[]): void {
  for (const problem of problems) process.stderr.write(`${sentence(problem)}\n`);
  process.exitCode = 1;
}

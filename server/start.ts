// Starting and stopping: reads what is asked for, opens the sessions, listens on loopback, and ends in order.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { present } from "../shared/base/assert.ts";
import { failed, ok, sentence, type Problem, type Result } from "../shared/base/result.ts";
import { resolveOrigin } from "../shared/scenario/origin.ts";
import { createApp, type App } from "./app.ts";
import { openCluster, type Cluster, type ClusterState, type StartThrowaway } from "./cluster/cluster.ts";
import { ClusterFailure } from "./cluster/failure.ts";
import { flagList, parseConfig, type Config } from "./config.ts";
import type { DevPages } from "./dev.ts";
import { builtPages } from "./http/pages.ts";
import { answerWhileStarting, createHttpServer } from "./http/server.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { createLog, type Log } from "./log.ts";
import { newToken } from "./security.ts";
import { isCode } from "./session/lock.ts";
import { openStore, type SessionStore } from "./session/store.ts";

/** A stop that takes longer than this is cut short; what was answered is on the disk already. */
const STOP_WITHIN_MS = 3000;

export interface StartDeps {
  /** The project's folder, for Vite. */
  readonly root: string;
  /** Where the built web part is. */
  readonly webFolder: string;
  /** What follows the program's name on the command line. */
  readonly flags: readonly string[];
  /** Starts an API server of the lab's own, for `--cluster=throwaway`. */
  readonly startThrowaway: StartThrowaway;
}

/** Resolves when the lab listens, or when it has said why it does not. */
export async function start({ root, webFolder, flags, startThrowaway }: StartDeps): Promise<void> {
  const asked = parseConfig(flags, process.env);
  if (!asked.ok) return refuse(asked.error);
  if (asked.value.kind === "help") {
    process.stdout.write(`Epoch Lab\n\n${flagList()}\n`);
    return;
  }
  const config = asked.value;
  const limits = DEFAULT_LIMITS;
  const log = createLog(config.logLevel);
  const server = createHttpServer(limits);
  server.on("request", answerWhileStarting);
  // The port comes first: it is what a second start by mistake fails on, and the reason the user understands.
  const address = await listen(server, config);
  if (!address.ok) return refuse([address.error]);
  const cluster = await clusterFor(config, startThrowaway);
  const lab = await assemble({ config, root, webFolder, server, limits, log, cluster });
  if (!lab.ok) {
    server.close();
    server.closeAllConnections();
    if (cluster.kind === "on") await cluster.cluster.close();
    return refuse([lab.error]);
  }
  stopOnSignals(server, lab.value, log);
  process.stdout.write(`Epoch Lab is at ${address.value}\n`);
}

/** A cluster that cannot be used is said at once; the lab goes on in memory. */
async function clusterFor(config: Config, startThrowaway: StartThrowaway): Promise<ClusterState> {
  if (config.cluster === null) return { kind: "off" };
  try {
    const cluster = await openCluster(config.cluster, startThrowaway, () => Date.now());
    const { identity, preflight } = cluster.state();
    process.stdout.write(
      `Cluster ${identity.context} at ${identity.server}, namespace ${identity.namespace}\n`,
    );
    for (const check of preflight.checks)
      if (check.state === "failed") process.stderr.write(`${check.title}: ${check.found} ${check.remedy}\n`);
    if (preflight.ready) await sayLeftovers(cluster);
    return { kind: "on", cluster };
  } catch (error) {
    if (!(error instanceof ClusterFailure)) throw error;
    process.stderr.write(`${error.problem.cause} ${error.problem.remedy} The lab runs in memory only.\n`);
    return { kind: "failed", problem: error.problem };
  }
}

async function sayLeftovers(cluster: Cluster): Promise<void> {
  const left = await cluster.runs().leftovers();
  if (left.length > 0)
    process.stdout.write(
      `${left.length} Lease${left.length === 1 ? "" : "s"} of earlier runs or of another lab: ${left.map(({ name }) => name).join(", ")}. The page can delete them: Lease, at its top.\n`,
    );
}

interface Lab {
  readonly app: App;
  readonly store: SessionStore;
  /** Null unless developing. */
  readonly vite: DevPages | null;
  readonly cluster: ClusterState;
}

interface AssembleDeps {
  readonly config: Config;
  readonly root: string;
  readonly webFolder: string;
  readonly server: Server;
  readonly limits: Limits;
  readonly log: Log;
  readonly cluster: ClusterState;
}

async function assemble(deps: AssembleDeps): Promise<Result<Lab, Problem>> {
  const { config, root, webFolder, server, limits, log, cluster } = deps;
  const built = config.dev ? null : await builtPages(webFolder);
  if (built !== null && !built.ok) return built;
  const store = await openStoreIn(config.dataFolder, limits, log);
  if (!store.ok) return store;
  // Vite is kept out of the way of everybody who does not develop.
  const vite = built === null ? await (await import("./dev.ts")).startVite(root, server) : null;
  const pages = built?.value ?? present(vite, "pages are built or come through Vite").pages;
  const token = newToken();
  const app = createApp({
    store: store.value,
    resolveOrigin,
    pages,
    token,
    limits,
    log,
    cluster,
    dev: config.dev,
  });
  server.off("request", answerWhileStarting);
  server.on("request", app.handler);
  return ok({ app, store: store.value, vite, cluster });
}

async function openStoreIn(folder: string, limits: Limits, log: Log): Promise<Result<SessionStore, Problem>> {
  try {
    return await openStore({ folder, resolveOrigin, limits, log, now: () => new Date().toISOString() });
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].some((code) => isCode(error, code))) throw error;
    return failed({
      path: "data folder",
      expected: "a folder that this user can write to",
      got: `${folder} (${String(Reflect.get(error as object, "code"))})`,
      remedy: "Choose another with --data DIR.",
    });
  }
}

function stopOnSignals(server: Server, { app, store, vite, cluster }: Lab, log: Log): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    setTimeout(() => {
      log.warn("some connections did not end in time");
      process.exit(0);
    }, STOP_WITHIN_MS).unref();
    const closed = new Promise((resolve) => server.close(resolve));
    app.closeStreams();
    // Connections are kept alive for a next request that will not come; each goes as soon as its answer is out.
    setInterval(() => server.closeIdleConnections(), 50).unref();
    const clusterClosed = cluster.kind === "on" ? closeCluster(cluster.cluster) : undefined;
    void Promise.all([closed, store.close(), vite?.close(), clusterClosed]).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the lab did not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

async function closeCluster(cluster: Cluster): Promise<void> {
  const left = await cluster.close();
  if (left.length > 0)
    process.stderr.write(`Could not delete ${left.join(", ")}: the next start offers to.\n`);
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

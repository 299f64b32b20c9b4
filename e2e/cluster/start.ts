// A real API server: etcd and kube-apiserver on loopback, three kubeconfigs, one namespace, and nothing left behind.
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  checkNamespace,
  createUsers,
  grantAccess,
  renderTokenFile,
  type User,
  type UserName,
} from "./access.ts";
import { createApi, type Api } from "./api.ts";
import { obtainBinaries, type Binaries, type Environment } from "./binaries.ts";
import { etcdCommand, kubeApiserverCommand, type Ports } from "./commands.ts";
import { ClusterError } from "./errors.ts";
import { startGuardian, type Command, type Exit, type Guardian, type Program } from "./guardian.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { readLogs, withLogs } from "./logs.ts";
import { findFreePorts, isAnswering, LOOPBACK } from "./ports.ts";
import { sweepStaleFolders } from "./processes.ts";
import type { Report } from "./progress.ts";
import { pause, waitUntilReady } from "./ready.ts";

export interface ClusterOptions {
  /** The namespace that is created and that the lab's user may use. Default: `epoch-lab`. */
  readonly namespace?: string;
  /** The programs to start. Default: found or built, as `obtainBinaries` does. */
  readonly binaries?: Binaries;
  /** Where the programs are looked for. Default: `process.env`. */
  readonly environment?: Environment;
  /** Told what takes time. Default: silence. */
  readonly report?: Report;
  /** Aborting before the cluster is ready ends everything that was begun. */
  readonly signal?: AbortSignal;
  /** How long the servers may take to become ready, in milliseconds, without a build. Default: 60 000. */
  readonly readyTimeoutMs?: number;
  /** Called at most once, when a program ended that nobody had asked to. The cluster is then of no use: stop it. */
  readonly onFailure?: (error: ClusterError) => void;
}

export interface Cluster {
  /** The API server's address, for example `https://127.0.0.1:40001`. */
  readonly server: string;
  /** What the server says of itself, for example `v1.36.3`. */
  readonly serverVersion: string;
  readonly namespace: string;
  /** The temporary folder: data, logs (`etcd.log`, `kube-apiserver.log`), kubeconfigs. Gone after `stop`. */
  readonly folder: string;
  /** The certificate authority of the server, PEM. */
  readonly certificateAuthority: string;
  /** Path of each user's kubeconfig, readable by this user of the system alone. */
  readonly kubeconfigs: Readonly<Record<UserName, string>>;
  /** Process ids of the guardian and the two servers. */
  readonly processIds: () => readonly number[];
  /** Calls as the administrator, for what a test does from outside: edit, delete, look. */
  readonly administrator: Api;
  /** Calls as another user, or without a token as `anonymous`. */
  readonly as: (user: UserName | "anonymous") => Api;
  /** Halts the API server: connections are accepted by the system, and no answer comes. */
  readonly pauseServer: () => void;
  readonly resumeServer: () => void;
  /** Ends the API server: connections are refused. `abruptly` as a crash would; default is an orderly shutdown. */
  readonly stopServer: (options?: { readonly abruptly?: boolean }) => Promise<void>;
  /** Starts the API server again, on the same port and data, and waits until it is ready. */
  readonly startServerAgain: () => Promise<void>;
  /** Ends both servers, waits for their end and removes the folder. May be called again. */
  readonly stop: () => Promise<void>;
}

/** A port that was free when it was asked for can be taken a moment later; then all is begun again. */
const ATTEMPTS = 3;

/** How long an orderly shutdown may take before it is cut short, in milliseconds. */
const SHUTDOWN_MS = 10_000;

/**
 * Starts etcd and a kube-apiserver, and resolves when the API server is ready, the namespace is there and the lab's
 * user may use its Leases.
 *
 * A guardian process ends the servers and removes their folder when this process ends, however it ends; so this
 * function installs no signal handlers. What a killed guardian left behind is removed by the next start.
 *
 * @throws ClusterError with a code and a sentence that names the way out.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (options.namespace !== undefined) checkNamespace(options.namespace);
  const binaries = options.binaries ?? (await obtainBinaries(options));
  for (const folder of sweepStaleFolders()) {
    options.report?.({ kind: "note", text: `Removed ${folder}, which an earlier cluster had left behind.` });
  }
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryStart(binaries, options);
    if (outcome.kind === "started") return outcome.cluster;
    if (!outcome.portTaken || attempt === ATTEMPTS) throw outcome.error;
  }
}

type Outcome =
  | { readonly kind: "started"; readonly cluster: Cluster }
  | { readonly kind: "failed"; readonly portTaken: boolean; readonly error: unknown };

async function tryStart(binaries: Binaries, options: ClusterOptions): Promise<Outcome> {
  // From the first failure on, waiting for anything is pointless: every wait below ends with this signal.
  const failure = new AbortController();
  let wantedEnd: Program | "all" | undefined;
  let ready = false;
  const fail = (error: ClusterError): void => {
    if (failure.signal.aborted) return;
    failure.abort(error);
    if (ready) options.onFailure?.(error);
  };
  const guardian = await startGuardian((exit) => {
    if (wantedEnd !== "all" && exit.program !== wantedEnd) fail(endedError(exit, ready));
  });
  const onAbort = (): void => fail(new ClusterError("aborted", "The start of the cluster was given up."));
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted === true) onAbort();
  try {
    const parts = await startServers({ guardian, binaries, options, failure: failure.signal });
    ready = true;
    const cluster = createCluster({
      guardian,
      ...parts,
      failure: failure.signal,
      expectEnd: (program) => {
        wantedEnd = program;
        // Whoever still waits for the server to be ready need wait no more.
        if (program === "all") failure.abort(new ClusterError("wrong-state", "The cluster was stopped."));
      },
    });
    return { kind: "started", cluster };
  } catch (error) {
    // The first failure is the cause; ending the servers brings about more of them.
    const cause = failure.signal.aborted ? failure.signal.reason : error;
    const logs = await readLogs(guardian.folder);
    wantedEnd = "all";
    await guardian.end();
    return { kind: "failed", portTaken: /address already in use/.test(logs), error: withLogs(cause, logs) };
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

interface Parts {
  readonly users: Readonly<Record<UserName, User>>;
  readonly server: string;
  readonly certificateAuthority: string;
  readonly serverVersion: string;
  readonly namespace: string;
  readonly kubeconfigs: Readonly<Record<UserName, string>>;
  readonly apiserver: Command;
  readonly readyTimeoutMs: number;
  readonly processIds: ReadonlyMap<Program, number>;
}

async function startServers(context: {
  readonly guardian: Guardian;
  readonly binaries: Binaries;
  readonly options: ClusterOptions;
  readonly failure: AbortSignal;
}): Promise<Parts> {
  const { guardian, binaries, options, failure } = context;
  const namespace = options.namespace ?? "epoch-lab";
  const readyTimeoutMs = options.readyTimeoutMs ?? 60_000;
  const deadline = AbortSignal.any([failure, AbortSignal.timeout(readyTimeoutMs)]);
  const { folder } = guardian;

  const [client = 0, peer = 0, secure = 0] = await findFreePorts(3);
  const ports: Ports = { client, peer, secure };
  const users = createUsers();
  await writeFile(join(folder, "tokens.csv"), renderTokenFile(users), { mode: 0o600 });
  await writeFile(join(folder, "service-account.key"), createSigningKey(), { mode: 0o600 });

  const processIds = new Map<Program, number>();
  const start = async (command: Command): Promise<void> => {
    failure.throwIfAborted();
    processIds.set(command.program, await guardian.start(command));
  };
  await start(etcdCommand({ file: binaries.etcd, folder, ports }));
  // An API server that finds no etcd waits a whole second before it looks again.
  while (!(await isAnswering(ports.client))) await pause(deadline, "etcd does not accept connections");
  const apiserver = kubeApiserverCommand({ file: binaries.kubeApiserver, folder, ports });
  await start(apiserver);

  const server = `https://${LOOPBACK}:${ports.secure}`;
  const { certificateAuthority, administrator } = await waitUntilReady({
    server,
    certificateFile: join(folder, "certificates", "apiserver.crt"),
    token: users.administrator.token,
    deadline,
  });
  const lab = createApi({ server, certificateAuthority, token: users.lab.token });
  await grantAccess({
    administrator,
    lab,
    namespace,
    pause: () => pause(deadline, "the Role has no effect yet"),
  });
  const version = (await administrator({ method: "GET", path: "/version" })).body as {
    readonly gitVersion: string;
  };

  const write = async (name: UserName): Promise<string> => {
    const file = join(folder, `${name}.kubeconfig`);
    const { token } = users[name];
    await writeKubeconfig(file, { server, certificateAuthority, namespace, user: name, token });
    return file;
  };
  const kubeconfigs = {
    administrator: await write("administrator"),
    lab: await write("lab"),
    stranger: await write("stranger"),
  };
  failure.throwIfAborted();
  return {
    users,
    server,
    certificateAuthority,
    serverVersion: version.gitVersion,
    namespace,
    kubeconfigs,
    apiserver,
    readyTimeoutMs,
    processIds,
  };
}

/** The key that signs service account tokens; the API server does not start without one. */
function createSigningKey(): string {
  return generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    privateKeyEncoding: { format: "pem", type: "sec1" },
    publicKeyEncoding: { format: "pem", type: "spki" },
  }).privateKey;
}

function createCluster(
  context: Parts & {
    readonly guardian: Guardian;
    readonly failure: AbortSignal;
    /** Names the program whose end is not a failure. After `all` nothing is one any more. */
    readonly expectEnd: (program: Program | "all" | undefined) => void;
  },
): Cluster {
  const { guardian, users, server, certificateAuthority, namespace, failure, expectEnd } = context;
  const processIds = new Map(context.processIds);
  let state: "running" | "paused" | "stopped" | "gone" = "running";
  const require = (wanted: readonly (typeof state)[], act: string): void => {
    if (failure.aborted) throw failure.reason;
    if (wanted.includes(state)) return;
    throw new ClusterError(
      "wrong-state",
      `Expected the API server to be ${wanted.join(" or ")} in order to ${act} it, and it is ${state}.`,
    );
  };
  const apiOf = (user: UserName | "anonymous"): Api =>
    createApi({
      server,
      certificateAuthority,
      ...(user === "anonymous" ? {} : { token: users[user].token }),
    });
  return {
    server,
    serverVersion: context.serverVersion,
    namespace,
    folder: guardian.folder,
    certificateAuthority,
    kubeconfigs: context.kubeconfigs,
    processIds: () => [guardian.id, ...processIds.values()],
    administrator: apiOf("administrator"),
    as: apiOf,
    pauseServer: () => {
      require(["running"], "pause");
      state = "paused";
      guardian.signal("kube-apiserver", "SIGSTOP");
    },
    resumeServer: () => {
      require(["paused"], "resume");
      state = "running";
      guardian.signal("kube-apiserver", "SIGCONT");
    },
    stopServer: async ({ abruptly = false } = {}) => {
      require(["running", "paused"], "stop");
      const wasPaused = state === "paused";
      state = "stopped";
      expectEnd("kube-apiserver");
      guardian.signal("kube-apiserver", abruptly ? "SIGKILL" : "SIGTERM");
      // A halted process sees SIGTERM only when it goes on.
      if (wasPaused) guardian.signal("kube-apiserver", "SIGCONT");
      const patience = setTimeout(() => guardian.signal("kube-apiserver", "SIGKILL"), SHUTDOWN_MS);
      await guardian.ended("kube-apiserver");
      clearTimeout(patience);
      processIds.delete("kube-apiserver");
    },
    startServerAgain: async () => {
      require(["stopped"], "start");
      processIds.set("kube-apiserver", await guardian.start(context.apiserver));
      state = "running";
      expectEnd(undefined);
      await waitUntilReady({
        server,
        certificateFile: join(guardian.folder, "certificates", "apiserver.crt"),
        token: users.administrator.token,
        deadline: AbortSignal.any([failure, AbortSignal.timeout(context.readyTimeoutMs)]),
      });
    },
    stop: async () => {
      state = "gone";
      expectEnd("all");
      await guardian.end();
    },
  };
}

function endedError({ program, how }: Exit, wasReady: boolean): ClusterError {
  return new ClusterError(
    "start-failed",
    wasReady
      ? `Expected ${program} to keep running, and it ended with ${how}. Stop this cluster and start another.`
      : `Expected ${program} to start, and it ended with ${how}. Check that the programs are of versions that go ` +
          "together, and what they said:",
  );
}

// Opens a connection to the cluster that the settings name: who it is, and how to call it. The only importer of the
// Kubernetes client, which knows kubeconfigs, exec plugins and certificates; the calls themselves are plain HTTPS, so that
// no field is lost on the way and every answer is seen as it came.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { ClusterFailure, codeOf, connectionProblem, fail } from "./failure.ts";
import type { ClusterSettings } from "./settings.ts";

/** What is shown of a cluster. No credentials, no file contents. */
export interface ClusterIdentity {
  /** Name of the context; `in-cluster` for a pod's service account. */
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The server's Date header as Unix ms; null when absent. */
  readonly dateMs: number | null;
}

export interface CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Until the whole answer is there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Connection {
  readonly identity: ClusterIdentity;
  /** @throws ClusterFailure `timeout` or `connection` failures are told apart by {@link callFailure}. */
  call(options: CallOptions): Promise<Answer>;
  /** Opens a streaming GET; lines are given as they come. Resolves when the stream ends. */
  stream(
    path: string,
    onLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<{ readonly status: number }>;
}

/** A call that got no answer. */
export class NoAnswer extends Error {
  readonly failure: "timeout" | "connection";
  constructor(failure: "timeout" | "connection", detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/** How long an exec plugin may take to print a credential. */
const CREDENTIAL_TIMEOUT_MS = 15_000;

export async function connect(
  settings: Exclude<ClusterSettings, { kind: "throwaway" }>,
): Promise<Connection> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (settings.kind === "in-cluster") loadInCluster(config);
  else loadKubeconfig(config, settings.kubeconfig);
  if (settings.kind === "kubeconfig" && settings.context !== null) {
    const names = config.getContexts().map(({ name }) => name);
    if (!names.includes(settings.context))
      fail(
        `The kubeconfig has no context "${settings.context}".`,
        names.length === 0 ? "It has none at all: check the file." : `Choose one of: ${names.join(", ")}.`,
      );
    config.setCurrentContext(settings.context);
  }
  const context = config.getContextObject(config.getCurrentContext());
  if (settings.kind === "kubeconfig" && context === null)
    fail(
      config.getCurrentContext() === ""
        ? "The kubeconfig names no current context."
        : `The kubeconfig's current context "${config.getCurrentContext()}" does not exist in it.`,
      `Name one with --context${
        config.getContexts().length === 0
          ? ""
          : `: ${config
              .getContexts()
              .map(({ name }) => name)
              .join(", ")}`
      }.`,
    );
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw new ClusterFailure({
      cause: `The context "${config.getCurrentContext()}" names a cluster that the kubeconfig does not have.`,
      remedy: "Correct the kubeconfig, or choose another context with --context.",
    });
  }
  const base = parseServer(cluster.server);
  const identity: ClusterIdentity = {
    context: settings.kind === "in-cluster" ? "in-cluster" : config.getCurrentContext(),
    server: base.origin,
    namespace: settings.namespace ?? namespaceOf(settings, context?.namespace),
  };
  const prepare = async (): Promise<https.RequestOptions> => {
    const options: https.RequestOptions = {};
    await within(CREDENTIAL_TIMEOUT_MS, config.applyToHTTPSOptions(options)).catch((error: unknown) => {
      if (error instanceof NoAnswer)
        fail(
          `The kubeconfig's credential plugin printed nothing within ${CREDENTIAL_TIMEOUT_MS / 1000} s.`,
          "Run kubectl once by hand to see what it waits for, such as a login.",
        );
      fail(
        codeOf(error) === "ENOENT"
          ? "The kubeconfig names a credential plugin that is not installed."
          : "The kubeconfig's credentials could not be used: a plugin failed or a file is missing.",
        "Run kubectl with the same context to see the reason.",
      );
    });
    return options;
  };
  return {
    identity,
    async call(options) {
      return request(base, await prepare(), options);
    },
    async stream(path, onLine, signal) {
      return streamLines(base, await prepare(), path, onLine, signal);
    },
  };
}

type KubeConfig = InstanceType<(typeof import("@kubernetes/client-node"))["KubeConfig"]>;

function loadKubeconfig(config: KubeConfig, file: string | null): void {
  try {
    if (file === null) config.loadFromDefault();
    else config.loadFromFile(file);
  } catch (error) {
    const what = file === null ? "The kubeconfig" : `The kubeconfig ${file}`;
    if (codeOf(error) === "ENOENT")
      fail(`${what} does not exist.`, "Give its path with --kubeconfig, or set KUBECONFIG.");
    if (codeOf(error) === "EACCES") fail(`${what} cannot be read.`, "Check its permissions.");
    fail(`${what} is not a kubeconfig: it cannot be parsed.`, "Check it with kubectl config view.");
  }
  if (config.getClusters().length === 0)
    fail("No kubeconfig was found.", "Give its path with --kubeconfig, or set KUBECONFIG.");
}

function loadInCluster(config: KubeConfig): void {
  const host = process.env["KUBERNETES_SERVICE_HOST"];
  if (host === undefined || host === "")
    fail(
      "The lab does not run in a pod: KUBERNETES_SERVICE_HOST is not set.",
      "Use --cluster=kubeconfig outside a cluster.",
    );
  try {
    config.loadFromCluster();
  } catch {
    fail(
      "The pod has no service account token.",
      "Set automountServiceAccountToken: true, or use --cluster=kubeconfig.",
    );
  }
}

function namespaceOf(
  settings: Exclude<ClusterSettings, { kind: "throwaway" }>,
  fromContext: string | undefined,
): string {
  if (settings.kind === "kubeconfig") return fromContext ?? "default";
  try {
    return readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/namespace", "utf8").trim();
  } catch {
    return fail("The pod's namespace cannot be read.", "Name it with --namespace.");
  }
}

function parseServer(server: string): URL {
  try {
    return new URL(server);
  } catch {
    return fail("The kubeconfig's server is no URL.", "Correct it, such as https://127.0.0.1:6443.");
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer("timeout", "timed out")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const transport = (base: URL): typeof https.request =>
  base.protocol === "http:" ? (http.request as typeof https.request) : https.request;

function pathOn(base: URL, path: string): string {
  return `${base.pathname.replace(/\/$/, "")}${path}`;
}

/** Most that an answer may hold; a Lease is some 600 bytes. */
const ANSWER_MAX = 4 * 1024 * 1024;

function request(base: URL, auth: https.RequestOptions, options: CallOptions): Promise<Answer> {
  const { method, path, body, contentType = "application/json", timeoutMs, signal } = options;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = transport(base)(
      {
        ...auth,
        host: base.hostname.replace(/^\[|\]$/g, ""),
        port: base.port === "" ? (base.protocol === "http:" ? 80 : 443) : Number(base.port),
        path: pathOn(base, path),
        method,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...(auth.headers as Record<string, string> | undefined),
          Accept: "application/json",
          ...(text === undefined
            ? {}
            : { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(text)) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > ANSWER_MAX) sent.destroy(new NoAnswer("connection", "the answer is too large"));
          else chunks.push(chunk);
        });
        response.on("error", (error) => done(() => reject(broken(error))));
        response.on("end", () =>
          done(() => {
            const date = Date.parse(response.headers.date ?? "");
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString("utf8"),
              dateMs: Number.isNaN(date) ? null : date,
            });
          }),
        );
      },
    );
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer("timeout", `no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    sent.on("error", (error) => done(() => reject(broken(error))));
    sent.end(text);
  });
}

function broken(error: Error): Error {
  if (error instanceof NoAnswer) return error;
  return new NoAnswer("connection", connectionProblem(error).cause);
}

function streamLines(
  base: URL,
  auth: https.RequestOptions,
  path: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly status: number }> {
  return new Promise((resolve, reject) => {
    const sent = transport(base)(
      {
        ...auth,
        host: base.hostname.replace(/^\[|\]$/g, ""),
        port: base.port === "" ? (base.protocol === "http:" ? 80 : 443) : Number(base.port),
        path: pathOn(base, path),
        method: "GET",
        signal,
        headers: { ...(auth.headers as Record<string, string> | undefined), Accept: "application/json" },
      },
      (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          rest += chunk;
          for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
            const line = rest.slice(0, end);
            rest = rest.slice(end + 1);
            if (line !== "") onLine(line);
          }
        });
        response.on("error", (error) => reject(broken(error)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    sent.on("error", (error) => reject(broken(error)));
    sent.end();
  });
}

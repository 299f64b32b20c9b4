// Opens a connection to the cluster that the settings name: who it is, and how to call it. The only importer of the
// Kubernetes client, which knows kubeconfigs, exec plugins and certificates; the calls themselves are plain HTTPS, so that
// no field is lost on the way and every answer is seen as it came.
import { readFileSync } from "node:fs";
import https from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { patientCredentials } from "./credentials.ts";
import { ClusterFailure, codeOf, fail } from "./failure.ts";
import { loadKubeconfig } from "./kubeconfig.ts";
import type { ClusterSettings } from "./settings.ts";
import { NoAnswer, sendCall, streamLines, type Answer, type CallOptions } from "./transport.ts";

/** What is shown of a cluster. No credentials, no file contents. */
export interface ClusterIdentity {
  /** Name of the context; `in-cluster` for a pod's service account. */
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
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

export async function connect(
  settings: Exclude<ClusterSettings, { kind: "throwaway" }>,
): Promise<Connection> {
  const client = await import("@kubernetes/client-node");
  const config = new client.KubeConfig();
  if (settings.kind === "in-cluster") loadInCluster(config);
  else loadKubeconfig(config, () => new client.KubeConfig(), settings.kubeconfig);
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
  if (base.protocol !== "https:")
    fail(
      `The kubeconfig's server is ${base.protocol}//…, and credentials go over HTTPS only.`,
      "Use the API server's own https:// address.",
    );
  const identity: ClusterIdentity = {
    context: settings.kind === "in-cluster" ? "in-cluster" : config.getCurrentContext(),
    server: base.origin,
    namespace: settings.namespace ?? namespaceOf(settings, context?.namespace),
  };
  const credentials = patientCredentials(config);
  const agent = keepingAgent();
  const prepare = async (): Promise<https.RequestOptions> => {
    const options = await credentials().catch((error: unknown) => {
      if (error instanceof NoAnswer)
        return fail(
          `The kubeconfig's credential plugin printed nothing: ${error.message}.`,
          "Run kubectl once by hand to see what it waits for, such as a login.",
        );
      return fail(
        codeOf(error) === "ENOENT"
          ? "The kubeconfig names a credential plugin that is not installed."
          : "The kubeconfig's credentials could not be used: a plugin failed or a file is missing.",
        "Run kubectl with the same context to see the reason.",
      );
    });
    // A proxy has an agent of the library's own.
    return isProxied(cluster) ? options : { ...options, agent: agent(options) };
  };
  return {
    identity,
    async call(options) {
      return sendCall(base, await prepare(), options);
    },
    async stream(path, onLine, signal) {
      return streamLines(base, await prepare(), path, onLine, signal);
    },
  };
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

const isProxied = (cluster: object): boolean => {
  const proxy: unknown = Reflect.get(cluster, "proxyUrl");
  return typeof proxy === "string" && proxy !== "";
};

/** One agent for as long as the certificates stay the same, so that a call needs no new handshake. */
function keepingAgent(): (options: https.RequestOptions) => https.Agent {
  let kept: { readonly key: string; readonly agent: https.Agent } | null = null;
  return ({ ca, cert, key, pfx, passphrase, servername, rejectUnauthorized }) => {
    const tls = Object.fromEntries(
      Object.entries({ ca, cert, key, pfx, passphrase, servername, rejectUnauthorized }).filter(
        ([, value]) => value !== undefined && value !== null,
      ),
    );
    const text = JSON.stringify(tls);
    if (kept?.key !== text) {
      kept?.agent.destroy();
      kept = { key: text, agent: new https.Agent({ ...tls, keepAlive: true }) };
    }
    return kept.agent;
  };
}

// The cluster that the lab was started with: its connection, what the preflight found, and its runs.
import { connect, type ClusterIdentity, type Connection } from "./connect.ts";
import { ClusterFailure, type ClusterProblem } from "./failure.ts";
import { preflight, type Preflight } from "./preflight.ts";
import { createRuns, type ClusterRuns } from "./runs.ts";
import type { ClusterSettings } from "./settings.ts";

export interface Cluster {
  state(): { readonly identity: ClusterIdentity; readonly preflight: Preflight };
  /** Runs the preflight again. */
  check(): Promise<void>;
  /** @throws ClusterFailure while the preflight has failed. */
  runs(): ClusterRuns;
  /** Deletes the Leases of all runs. Resolves with the names of those that could not be deleted. */
  close(): Promise<readonly string[]>;
}

/** How often runs whose page is gone are looked for. */
const SWEEP_MS = 60_000;

/** What the lab has of a cluster: none was asked for, the one asked for cannot be used, or it is there. */
export type ClusterState =
  | { readonly kind: "off" }
  | { readonly kind: "failed"; readonly problem: ClusterProblem }
  | { readonly kind: "on"; readonly cluster: Cluster };

/** Starts a throwaway API server and says how to reach it. */
export type StartThrowaway = (namespace: string | null) => Promise<{
  readonly kubeconfig: string;
  readonly namespace: string;
  stop(): Promise<void>;
}>;

/** @throws ClusterFailure when the settings lead nowhere, with cause and remedy. */
export async function openCluster(
  settings: ClusterSettings,
  startThrowaway: StartThrowaway,
  now: () => number,
): Promise<Cluster> {
  if (settings.kind !== "throwaway") return clusterOn(await connect(settings), now, null);
  const server = await startThrowaway(settings.namespace);
  const connection = await connect({
    kind: "kubeconfig",
    kubeconfig: server.kubeconfig,
    context: null,
    namespace: server.namespace,
  });
  return clusterOn(connection, now, () => server.stop());
}

/** A cluster behind an open connection. `stop`: ends the server that the lab started for itself. */
export async function clusterOn(
  connection: Connection,
  now: () => number,
  stop: (() => Promise<void>) | null,
): Promise<Cluster> {
  const runs = createRuns(connection, now);
  let found = await preflight(connection, now);
  const sweep = setInterval(() => void runs.closeIdle(), SWEEP_MS);
  sweep.unref();
  return {
    state: () => ({ identity: connection.identity, preflight: found }),
    async check() {
      found = await preflight(connection, now);
    },
    runs() {
      if (found.ready) return runs;
      const failed = found.checks.find(({ state }) => state === "failed");
      throw new ClusterFailure({
        cause: `The cluster is not ready: ${failed?.title ?? "the preflight"}: ${failed?.found ?? "failed"}`,
        remedy: failed?.remedy ?? "Run the preflight again.",
      });
    },
    async close() {
      clearInterval(sweep);
      const left = await runs.close();
      await stop?.();
      // A server that is gone takes its Leases with it.
      return stop === null ? left : [];
    },
  };
}

// `--cluster=throwaway`: a real API server of the lab's own. What starts it lives with the cluster tests, outside the server's
// build; it is loaded only when asked for.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ClusterFailure } from "./failure.ts";
import type { StartThrowaway } from "./cluster.ts";

/** The part of the cluster program that is used here. */
interface ClusterProgram {
  startCluster(options: {
    readonly namespace?: string;
    readonly report?: (progress: unknown) => void;
  }): Promise<{
    readonly namespace: string;
    readonly kubeconfigs: Readonly<Record<"lab", string>>;
    stop(): Promise<void>;
  }>;
}

/** `root`: the project's folder. */
export const throwawayFrom =
  (root: string): StartThrowaway =>
  async (namespace) => {
    const { tsImport } = await import("tsx/esm/api");
    const program = (await tsImport(
      pathToFileURL(join(root, "e2e", "cluster", "start.ts")).href,
      import.meta.url,
    )) as ClusterProgram;
    process.stdout.write("Starting an API server of the lab's own…\n");
    try {
      const cluster = await program.startCluster(namespace === null ? {} : { namespace });
      return {
        kubeconfig: cluster.kubeconfigs.lab,
        namespace: cluster.namespace,
        stop: () => cluster.stop(),
      };
    } catch (error) {
      // The program's own errors are sentences with the ways out.
      throw new ClusterFailure({
        cause: "The throwaway API server could not be started.",
        remedy: error instanceof Error ? error.message : String(error),
      });
    }
  };

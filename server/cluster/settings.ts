// Which cluster the command line points at. Nothing of it ever comes from the browser.
import type { Problem } from "../../shared/base/result.ts";

export type ClusterSettings =
  | {
      readonly kind: "kubeconfig";
      /** A file; null: KUBECONFIG (several files joined) or ~/.kube/config, as kubectl does. */
      readonly kubeconfig: string | null;
      /** Null: the current context. */
      readonly context: string | null;
      /** Null: the context's namespace, or `default`. */
      readonly namespace: string | null;
    }
  /** The service account of the pod that the lab runs in. */
  | { readonly kind: "in-cluster"; readonly namespace: string | null }
  /** A real API server of the lab's own, started with it and gone with it. */
  | { readonly kind: "throwaway"; readonly namespace: string | null };

const KINDS = ["kubeconfig", "in-cluster", "throwaway"] as const;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export interface ClusterFlags {
  readonly cluster: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
}

/** Reads the cluster's flags; null where no cluster was asked for. */
export function readClusterSettings(flags: ClusterFlags, problems: Problem[]): ClusterSettings | null {
  const { cluster, kubeconfig, context, namespace } = flags;
  const refuse = (path: string, expected: string, got: string, remedy: string): null => {
    problems.push({ path, expected, got, remedy });
    return null;
  };
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    return refuse(
      "--namespace",
      "a DNS-1123 label: 1 to 63 lower-case letters, digits and dashes",
      JSON.stringify(namespace),
      "Correct the name.",
    );
  if (cluster === undefined) {
    for (const [name, value] of Object.entries({ kubeconfig, context, namespace }))
      if (value !== undefined)
        return refuse(
          `--${name}`,
          "--cluster beside it",
          "none",
          "A cluster is used only when asked for: add --cluster=kubeconfig.",
        );
    return null;
  }
  const kind = KINDS.find((candidate) => candidate === cluster);
  if (kind === undefined)
    return refuse("--cluster", `one of ${KINDS.join(", ")}`, JSON.stringify(cluster), "Choose one of them.");
  if (kind === "kubeconfig")
    return {
      kind,
      kubeconfig: kubeconfig ?? null,
      context: context ?? null,
      namespace: namespace ?? null,
    };
  for (const [name, value] of Object.entries({ kubeconfig, context }))
    if (value !== undefined)
      return refuse(
        `--${name}`,
        "only beside --cluster=kubeconfig",
        `--cluster=${kind}`,
        "Leave one of them out.",
      );
  return { kind, namespace: namespace ?? null };
}

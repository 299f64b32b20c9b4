// The words of `npm run cluster`: what may be said to it, and what it answers.
import type { Cluster } from "./start.ts";

export const USAGE = `npm run cluster [-- OPTIONS]

Starts a throwaway Kubernetes API server on this machine and stops it on Ctrl-C.

  --namespace NAME   the namespace that the lab may use (default: epoch-lab)
  --prepare          only find or build kube-apiserver and etcd, then end
  --role NAMESPACE   only print what the lab needs to be allowed on a cluster of yours: a ServiceAccount, a Role on the
                     Leases of that namespace and their RoleBinding, for kubectl apply -f -
  --help             print this

It looks for the two programs in TEST_ASSET_KUBE_APISERVER and TEST_ASSET_ETCD, in the folder
KUBEBUILDER_ASSETS, in its cache (XDG_CACHE_HOME or ~/.cache), and builds them with Go otherwise.
`;

export type CommandLine =
  | { readonly kind: "start"; readonly namespace: string }
  | { readonly kind: "prepare" }
  | { readonly kind: "role"; readonly namespace: string }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly problem: string };

/** Reads the command line. */
export function parseArguments(args: readonly string[]): CommandLine {
  let namespace = "epoch-lab";
  let prepare = false;
  let role: string | null = null;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const [name = "", ...value] = /^--(namespace|role)=/.test(argument) ? argument.split("=") : [argument];
    switch (name) {
      case "--help":
        return { kind: "help" };
      case "--prepare":
        prepare = true;
        break;
      case "--namespace":
      case "--role": {
        const given = value.length > 0 ? value.join("=") : (args[++index] ?? "");
        if (given === "") return { kind: "refused", problem: `Expected a name after ${name}, got nothing.` };
        if (name === "--role") role = given;
        else namespace = given;
        break;
      }
      default:
        return {
          kind: "refused",
          problem: `Expected --namespace, --prepare, --role or --help, got ${JSON.stringify(argument)}.`,
        };
    }
  }
  if (role !== null) return { kind: "role", namespace: role };
  return prepare ? { kind: "prepare" } : { kind: "start", namespace };
}

/** What a person needs to go on. */
export function describeCluster(cluster: Cluster): string {
  const { kubeconfigs, namespace } = cluster;
  return `
Kubernetes ${cluster.serverVersion} is ready at ${cluster.server}

kubeconfig of the lab (Leases of the namespace ${namespace}, nothing else):
  ${kubeconfigs.lab}
kubeconfig of an administrator:
  ${kubeconfigs.administrator}
kubeconfig of a user without any permission:
  ${kubeconfigs.stranger}

Next, in another terminal:
  npm start -- --cluster=kubeconfig --kubeconfig ${kubeconfigs.lab} --namespace ${namespace}
and to look from outside:
  kubectl --kubeconfig ${kubeconfigs.administrator} get leases --watch -o yaml

Ctrl-C stops it and removes all of this.
`;
}

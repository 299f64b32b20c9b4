// Which kube-apiserver and etcd: read from go.mod, the one place that names them.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ClusterError } from "./errors.ts";

/** The versions that go.mod pins, each with its leading `v` as Go writes it; `go` without one. */
export interface Versions {
  readonly kubernetes: string;
  readonly etcd: string;
  /** The oldest Go that go.mod accepts, for example `1.26.0`. */
  readonly go: string;
}

/** The module path of etcd's server, which is also the package to build. */
export const ETCD_PACKAGE = "go.etcd.io/etcd/server/v3";

/** The package of the API server's program. */
export const KUBE_APISERVER_PACKAGE = "k8s.io/kubernetes/cmd/kube-apiserver";

/**
 * The folder that holds go.mod and guardian.mjs. It is this file's own folder when the sources run, and
 * `e2e/cluster` of the project when this file was bundled into a program elsewhere in the project.
 */
export function findClusterFolder(start: string = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(start, "guardian.mjs"))) return start;
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, "e2e", "cluster");
    if (existsSync(join(candidate, "guardian.mjs"))) return candidate;
    if (folder === dirname(folder)) break;
  }
  throw new ClusterError(
    "files-missing",
    `Expected the folder e2e/cluster of the project in ${start} or in a folder above it, and found none. ` +
      "Run the lab from its own checkout, or point it at an existing cluster with --cluster=kubeconfig.",
  );
}

/** Reads the pinned versions out of go.mod's text. */
export function parseVersions(goMod: string): Versions {
  const find = (what: string, pattern: RegExp): string => {
    const version = pattern.exec(goMod)?.[1];
    if (version === undefined) {
      throw new ClusterError(
        "files-missing",
        `Expected go.mod of e2e/cluster to name a version of ${what}, and found none. Restore the file.`,
      );
    }
    return version;
  };
  return {
    kubernetes: find("k8s.io/kubernetes", /^\s*k8s\.io\/kubernetes (v\S+)/m),
    etcd: find(ETCD_PACKAGE, /^\s*go\.etcd\.io\/etcd\/server\/v3 (v\S+)/m),
    go: find("Go", /^go (\S+)/m),
  };
}

/** Reads the pinned versions from go.mod in the cluster folder. */
export function readVersions(clusterFolder: string = findClusterFolder()): Versions {
  return parseVersions(readFileSync(join(clusterFolder, "go.mod"), "utf8"));
}

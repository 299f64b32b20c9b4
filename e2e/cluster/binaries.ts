// Where kube-apiserver and etcd come from, in order: what the environment names, this project's cache, a build.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { buildBinaries } from "./build.ts";
import { ClusterError } from "./errors.ts";
import { findGo } from "./go.ts";
import type { Report } from "./progress.ts";
import { findClusterFolder, readVersions, type Versions } from "./versions.ts";

/** Absolute paths of the two programs. */
export interface Binaries {
  readonly kubeApiserver: string;
  readonly etcd: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is there, found without starting a build. */
export type Located =
  | { readonly kind: "found"; readonly source: "environment" | "cache"; readonly binaries: Binaries }
  /** Not there yet, but Go is: `obtainBinaries` builds them into `cacheFolder`, once. */
  | { readonly kind: "buildable"; readonly go: string; readonly cacheFolder: string }
  /** Nothing to be had. `problem` is a sentence that names the ways out. */
  | { readonly kind: "missing"; readonly code: "assets-incomplete" | "no-server"; readonly problem: string };

export interface LocateOptions {
  /** Default: `process.env`. */
  readonly environment?: Environment;
  /** Default: what go.mod pins. */
  readonly versions?: Versions;
}

/**
 * The cache folder of these versions for this kind of machine. The name carries all that makes a binary
 * another one, so that a new pin in go.mod never runs an old program.
 */
export function cacheFolderOf(versions: Versions, environment: Environment = process.env): string {
  const configured = environment["XDG_CACHE_HOME"];
  // The XDG specification: a relative path is to be ignored.
  const root =
    configured !== undefined && isAbsolute(configured)
      ? configured
      : join(environment["HOME"] ?? homedir(), ".cache");
  const version = `kubernetes-${versions.kubernetes}-etcd-${versions.etcd}-${process.platform}-${process.arch}`;
  return join(root, "epoch-lab", "cluster", version);
}

/** Whether the path is a file that this process may run. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there or not ours to run: for the search both mean "look further".
    return false;
  }
}

/** The two programs of a folder, or undefined unless both are there. */
export function binariesIn(folder: string): Binaries | undefined {
  const binaries = { kubeApiserver: join(folder, "kube-apiserver"), etcd: join(folder, "etcd") };
  return isProgram(binaries.kubeApiserver) && isProgram(binaries.etcd) ? binaries : undefined;
}

/**
 * What the environment names, by envtest's conventions: TEST_ASSET_KUBE_APISERVER and TEST_ASSET_ETCD, each
 * before the folder KUBEBUILDER_ASSETS. A variable that is set and leads nowhere is an error and not a reason
 * to look further: whoever set it meant those programs.
 */
function locateInEnvironment(environment: Environment): Located | undefined {
  const folder = environment["KUBEBUILDER_ASSETS"] || undefined;
  const named = {
    kubeApiserver: environment["TEST_ASSET_KUBE_APISERVER"] || undefined,
    etcd: environment["TEST_ASSET_ETCD"] || undefined,
  };
  if (folder === undefined && named.kubeApiserver === undefined && named.etcd === undefined) return undefined;

  const wanted = [
    { program: "kube-apiserver", variable: "TEST_ASSET_KUBE_APISERVER", path: named.kubeApiserver },
    { program: "etcd", variable: "TEST_ASSET_ETCD", path: named.etcd },
  ].map((row) => ({
    ...row,
    variable: row.path === undefined && folder !== undefined ? "KUBEBUILDER_ASSETS" : row.variable,
    path: row.path ?? (folder === undefined ? undefined : join(folder, row.program)),
  }));
  const faults = wanted
    .filter((row) => row.path === undefined || !isProgram(row.path))
    .map((row) =>
      row.path === undefined
        ? `${row.variable} is not set`
        : `${row.variable} leads to ${row.path}, which is not a program that can be run`,
    );
  const [kubeApiserver, etcd] = wanted.map((row) => row.path);
  if (faults.length > 0 || kubeApiserver === undefined || etcd === undefined) {
    return {
      kind: "missing",
      code: "assets-incomplete",
      problem:
        `Expected kube-apiserver and etcd where the environment names them, but ${faults.join(", and ")}. ` +
        "Set KUBEBUILDER_ASSETS to a folder that holds both, or TEST_ASSET_KUBE_APISERVER and TEST_ASSET_ETCD to " +
        "the two files, or unset these variables to let the lab find or build its own.",
    };
  }
  return { kind: "found", source: "environment", binaries: { kubeApiserver, etcd } };
}

/** Looks for the programs without building them. Cheap: a few file checks, and `go env` if nothing was found. */
export async function locateBinaries(options: LocateOptions = {}): Promise<Located> {
  const environment = options.environment ?? process.env;
  const named = locateInEnvironment(environment);
  if (named !== undefined) return named;

  const versions = options.versions ?? readVersions();
  const cacheFolder = cacheFolderOf(versions, environment);
  const cached = binariesIn(cacheFolder);
  if (cached !== undefined) return { kind: "found", source: "cache", binaries: cached };

  const go = await findGo(environment, versions.go);
  if (go.kind === "usable") return { kind: "buildable", go: go.version, cacheFolder };
  return {
    kind: "missing",
    code: "no-server",
    problem:
      `No kube-apiserver and etcd to start a cluster with: KUBEBUILDER_ASSETS is not set, ${cacheFolder} does not ` +
      `hold them, and ${go.problem}. Set KUBEBUILDER_ASSETS to a folder that holds both programs, or install Go ` +
      `${versions.go} or newer to have them built once, or use a cluster you have with ` +
      "--cluster=kubeconfig; the lab works in memory without any of these.",
  };
}

/**
 * The sentence that says why tests cannot have a real server here and how to have one, or undefined where they can.
 * A build counts as having one: the first test then waits for it.
 */
export async function whyNoServer(options: LocateOptions = {}): Promise<string | undefined> {
  const located = await locateBinaries(options);
  return located.kind === "missing" ? located.problem : undefined;
}

export interface ObtainOptions extends LocateOptions {
  readonly report?: Report;
  /** Aborting ends the build and removes what it had written. */
  readonly signal?: AbortSignal;
}

/**
 * Finds the programs or, where only Go is to be had, builds them into the cache: about three minutes on two
 * cores, once for each pinned version.
 *
 * @throws ClusterError `assets-incomplete`, `no-server`, `build-failed` or `aborted`.
 */
export async function obtainBinaries(options: ObtainOptions = {}): Promise<Binaries> {
  const located = await locateBinaries(options);
  switch (located.kind) {
    case "found":
      return located.binaries;
    case "missing":
      throw new ClusterError(located.code, located.problem);
    case "buildable":
      await buildBinaries({
        clusterFolder: findClusterFolder(),
        versions: options.versions ?? readVersions(),
        cacheFolder: located.cacheFolder,
        environment: options.environment ?? process.env,
        isComplete: (folder) => binariesIn(folder) !== undefined,
        ...(options.report === undefined ? {} : { report: options.report }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      break;
    default:
      located satisfies never;
  }
  const built = binariesIn(located.cacheFolder);
  if (built === undefined) {
    throw new ClusterError(
      "build-failed",
      `Expected the build to leave kube-apiserver and etcd in ${located.cacheFolder}, and they are not there. ` +
        "Something else removed them; start again.",
    );
  }
  return built;
}

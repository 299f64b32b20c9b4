// Building kube-apiserver and etcd with Go, once: beside the cache folder first, then moved into place whole.
import { execFile, spawn } from "node:child_process";
import { statSync, utimes } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Environment } from "./binaries.ts";
import { ClusterError } from "./errors.ts";
import type { Report } from "./progress.ts";
import { ETCD_PACKAGE, KUBE_APISERVER_PACKAGE, type Versions } from "./versions.ts";

export interface BuildOptions {
  /** Holds go.mod. */
  readonly clusterFolder: string;
  readonly versions: Versions;
  /** Does not exist, or is complete, at any moment: nobody ever sees it half filled. */
  readonly cacheFolder: string;
  readonly environment: Environment;
  /** Whether a folder holds both programs. */
  readonly isComplete: (folder: string) => boolean;
  readonly report?: Report;
  readonly signal?: AbortSignal;
}

/** How often a second process looks whether the one that builds is done, in milliseconds. */
const LOCK_POLL_MS = 500;

/** How often the owner of the lock touches it, in milliseconds. */
const LOCK_TOUCH_MS = 5_000;

/** How long untouched a lock counts as abandoned, in milliseconds. Many touches, since linking leaves little time. */
const LOCK_STALE_MS = 60_000;

/** How much of Go's last output an error repeats. */
const LINES_KEPT = 15;

const runFile = promisify(execFile);

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new ClusterError(
      "aborted",
      "The build of kube-apiserver and etcd was given up before it was done.",
    );
  }
}

/**
 * Takes the lock file, so that two processes do not build the same thing at once. Saving work is all it is for: a
 * build stays right without it, since it ends in one rename. The owner touches the file as long as it lives; a
 * process id would not do, since ids are reused and mean nothing in another container with the same cache.
 *
 * @returns what releases the lock.
 */
async function takeLock(lockFile: string, options: BuildOptions): Promise<() => Promise<void>> {
  let told = false;
  for (;;) {
    throwIfAborted(options.signal);
    try {
      await (await open(lockFile, "wx")).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const touchedMs = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs;
    if (touchedMs === undefined) continue;
    if (Date.now() - touchedMs > LOCK_STALE_MS) {
      await rm(lockFile, { force: true });
      continue;
    }
    if (!told) {
      told = true;
      const text = `Another process is building kube-apiserver and etcd (${lockFile}): waiting for it.`;
      options.report?.({ kind: "note", text });
    }
    await delay(LOCK_POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // An error means that someone removed the file, and will build as well: more work, and no harm.
    utimes(lockFile, now, now, () => undefined);
  }, LOCK_TOUCH_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    await rm(lockFile, { force: true });
  };
}

/** Removes the working folders of builds that broke off. Only who holds the lock may: every other one is abandoned. */
async function removeAbandoned(cacheFolder: string): Promise<void> {
  const prefix = `${basename(cacheFolder)}.building-`;
  for (const name of await readdir(dirname(cacheFolder))) {
    if (name.startsWith(prefix)) await rm(join(dirname(cacheFolder), name), { recursive: true, force: true });
  }
}

/** Runs Go in the module's folder; hands over each line of its stderr; resolves with its stdout. */
function runGo(
  args: readonly string[],
  context: {
    readonly options: BuildOptions;
    readonly temporaryFolder: string;
    readonly onLine: (line: string) => void;
  },
): Promise<string> {
  const { options, temporaryFolder, onLine } = context;
  return new Promise((resolve, reject) => {
    throwIfAborted(options.signal);
    const go = spawn("go", args, {
      cwd: options.clusterFolder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...options.environment,
        // Pure Go: needs no C compiler, and the programs run on any system of this kind.
        CGO_ENABLED: "0",
        // Neither a workspace around this folder nor a person's own flags may change what is built.
        GOWORK: "off",
        GOFLAGS: "",
        // Go's work goes where a later start finds and removes it, should this process be killed.
        GOTMPDIR: temporaryFolder,
      },
    });
    // Go removes its work on an interrupt, and not on SIGTERM.
    const interrupt = (): void => void go.kill("SIGINT");
    options.signal?.addEventListener("abort", interrupt, { once: true });
    const lastLines: string[] = [];
    createInterface({ input: go.stderr }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > LINES_KEPT) lastLines.shift();
      onLine(line);
    });
    let stdout = "";
    go.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    go.once("error", reject);
    go.once("close", (code) => {
      options.signal?.removeEventListener("abort", interrupt);
      if (code === 0) return resolve(stdout);
      if (options.signal?.aborted === true) {
        return reject(new ClusterError("aborted", "The build of kube-apiserver and etcd was given up."));
      }
      reject(
        new ClusterError(
          "build-failed",
          `Expected \`go ${args[0] ?? ""}\` to build kube-apiserver and etcd, and it ended with code ${code}. Its last lines:\n` +
            `${lastLines.map((line) => `  ${line}`).join("\n")}\n` +
            "It needs a Go module proxy within reach (GOPROXY), and about 4 GB of disk. Or set KUBEBUILDER_ASSETS to " +
            "a folder that holds both programs.",
        ),
      );
    });
  });
}

/** Runs a program that was just built and compares the version it says with the one it was built from. */
async function verify(program: string, expected: string): Promise<void> {
  const { stdout } = await runFile(program, ["--version"], { timeout: 30_000 });
  if (!stdout.includes(expected)) {
    throw new ClusterError(
      "build-failed",
      `Expected ${basename(program)} --version to say ${expected}, got ${JSON.stringify(stdout.trim())}. ` +
        "Check the versions in e2e/cluster/go.mod against each other.",
    );
  }
}

async function buildInto(folder: string, options: BuildOptions): Promise<void> {
  const temporaryFolder = join(folder, "go-work");
  await mkdir(temporaryFolder);
  const { kubernetes, etcd } = options.versions;
  const flags = [
    "-mod=readonly",
    "-buildvcs=false",
    "-trimpath",
    "-ldflags",
    // Without gitVersion the server would call itself v0.0.0-master.
    `-s -w -X k8s.io/component-base/version.gitVersion=${kubernetes}`,
  ];
  const packages = [KUBE_APISERVER_PACKAGE, ETCD_PACKAGE];
  let downloads = 0;
  const stale = await runGo(
    ["list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", ...flags, ...packages],
    {
      options,
      temporaryFolder,
      onLine: (line) => {
        if (line.startsWith("go: downloading ") && downloads++ === 0) {
          options.report?.({ kind: "note", text: "  downloading the Go modules" });
        }
      },
    },
  );
  const total = stale.split("\n").filter((line) => line !== "").length;
  let built = 0;
  options.report?.({ kind: "build", built, total });
  await runGo(["build", "-v", "-o", `${folder}/`, ...flags, ...packages], {
    options,
    temporaryFolder,
    // With -v Go names each package as it compiles it; its own remarks start with "go: " or "#".
    onLine: (line) => {
      if (/^(go: |#|\s)/.test(line)) return;
      built += 1;
      options.report?.({ kind: "build", built, total });
    },
  });
  // Go names a program after the last part of its package's path that is no version.
  await rename(join(folder, "server"), join(folder, "etcd"));
  await rm(temporaryFolder, { recursive: true, force: true });
  await verify(join(folder, "kube-apiserver"), kubernetes);
  await verify(join(folder, "etcd"), etcd.replace(/^v/, ""));
}

/**
 * Builds both programs into the cache folder. The work happens in a folder beside it, which is renamed into
 * place when both programs have said their versions: a build that breaks off is never taken for a good one.
 *
 * @throws ClusterError `build-failed` or `aborted`.
 */
export async function buildBinaries(options: BuildOptions): Promise<void> {
  const { cacheFolder, versions, report } = options;
  await mkdir(dirname(cacheFolder), { recursive: true });
  const lockFile = `${cacheFolder}.lock`;
  const releaseLock = await takeLock(lockFile, options);
  try {
    // Whoever held the lock before may have built it.
    if (options.isComplete(cacheFolder)) return;
    await removeAbandoned(cacheFolder);
    report?.({
      kind: "note",
      text:
        `Building kube-apiserver ${versions.kubernetes} and etcd ${versions.etcd} with Go, once ` +
        "(about three minutes on two cores, 4 GB of disk):",
    });
    const startedMs = performance.now();
    const folder = await mkdtemp(`${cacheFolder}.building-`);
    try {
      await buildInto(folder, options);
      // An incomplete folder can only be someone's hand at work; rename needs the place to be empty.
      await rm(cacheFolder, { recursive: true, force: true });
      await rename(folder, cacheFolder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    report?.({ kind: "note", text: `Built in ${seconds} s, kept in ${cacheFolder}.` });
  } finally {
    await releaseLock();
  }
}

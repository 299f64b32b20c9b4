// `npm run cluster`: a real API server for a person, until Ctrl-C.
import { stringify } from "yaml";
import { labAccess } from "../../server/cluster/access.ts";
import { checkNamespace } from "./access.ts";
import { obtainBinaries } from "./binaries.ts";
import { describeCluster, parseArguments, USAGE } from "./commandLine.ts";
import { ClusterError } from "./errors.ts";
import { whenNpmIsGone } from "./parent.ts";
import { createProgressPrinter } from "./progress.ts";
import { startCluster } from "./start.ts";

/** Several objects as one file for kubectl. */
const renderManifests = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object)).join("---\n");

/** Runs until a signal or a failure, and resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const commandLine = parseArguments(args);
  switch (commandLine.kind) {
    case "help":
      process.stdout.write(USAGE);
      return 0;
    case "refused":
      process.stderr.write(`${commandLine.problem}\n\n${USAGE}`);
      return 2;
    case "role":
      checkNamespace(commandLine.namespace);
      process.stdout.write(renderManifests(labAccess(commandLine.namespace)));
      return 0;
    case "prepare":
    case "start":
      break;
    default:
      commandLine satisfies never;
  }

  const over = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => over.abort());
  whenNpmIsGone(() => over.abort());
  const report = createProgressPrinter(process.stderr);

  if (commandLine.kind === "prepare") {
    const { kubeApiserver, etcd } = await obtainBinaries({ report, signal: over.signal });
    process.stdout.write(`${kubeApiserver}\n${etcd}\n`);
    return 0;
  }

  let exitCode = 0;
  const cluster = await startCluster({
    namespace: commandLine.namespace,
    report,
    signal: over.signal,
    onFailure: (error) => {
      process.stderr.write(`${error.message}\n`);
      exitCode = 1;
      over.abort();
    },
  });
  process.stdout.write(describeCluster(cluster));
  if (!over.signal.aborted) {
    await new Promise((resolve) => over.signal.addEventListener("abort", resolve, { once: true }));
  }
  await cluster.stop();
  process.stderr.write("Stopped, and everything removed.\n");
  return exitCode;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ClusterError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // A start that was given up by Ctrl-C ended as it was asked to.
  process.exitCode = error.code === "aborted" ? 0 : 1;
}

// Finds and joins kubeconfigs as kubectl does: one named file, or those of KUBECONFIG of which some may be absent and the first
// to say a thing wins, or ~/.kube/config.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";
import { codeOf, fail } from "./failure.ts";

/** Reads into `config`. `create` makes an empty one of the same class. @throws ClusterFailure */
export function loadKubeconfig(
  config: KubeConfig,
  create: () => KubeConfig,
  file: string | null,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const parts = filesToRead(file, environment).map((path) => readOne(create(), path));
  config.loadFromOptions({
    clusters: firstOfEachName(parts.flatMap((part) => part.clusters)),
    users: firstOfEachName(parts.flatMap((part) => part.users)),
    contexts: firstOfEachName(parts.flatMap((part) => part.contexts)),
    currentContext: parts.map((part) => part.currentContext).find((name) => Boolean(name)) ?? "",
  });
  if (config.getClusters().length === 0)
    fail("The kubeconfig names no cluster.", "Give another file with --kubeconfig, or set KUBECONFIG.");
}

function filesToRead(
  file: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (file !== null) return [file];
  const named = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  const usual = join(environment["HOME"] ?? homedir(), ".kube", "config");
  const found = (named.length > 0 ? named : [usual]).filter((path) => existsSync(path));
  if (found.length > 0) return found;
  return fail(
    `No kubeconfig was found: ${named.length > 0 ? `KUBECONFIG names ${named.join(" and ")}, and there is no such file` : `there is no ${usual} and KUBECONFIG is not set`}.`,
    "Give its path with --kubeconfig, or set KUBECONFIG.",
  );
}

function readOne(part: KubeConfig, file: string): KubeConfig {
  try {
    part.loadFromFile(file);
  } catch (error) {
    const what = `The kubeconfig ${file}`;
    if (codeOf(error) === "ENOENT")
      fail(`${what} does not exist.`, "Give its path with --kubeconfig, or set KUBECONFIG.");
    if (codeOf(error) === "EACCES") fail(`${what} cannot be read.`, "Check its permissions.");
    if (codeOf(error) === "EISDIR") fail(`${what} is a folder.`, "Name the file in it.");
    // What a parser prints may hold the file's contents: it is not passed on.
    fail(`${what} is not a kubeconfig: it cannot be parsed.`, "Check it with kubectl config view.");
  }
  return part;
}

function firstOfEachName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(item.name)) found.set(item.name, item);
  return [...found.values()];
}

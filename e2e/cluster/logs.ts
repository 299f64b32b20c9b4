// What the two servers said, for an error that tells why they did not start.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ClusterError } from "./errors.ts";
import type { Program } from "./guardian.ts";

/** How much of a server's log an error repeats. */
const LOG_LINES_KEPT = 12;

/** The last lines of both logs in a cluster's folder, each under its program's name; empty where nothing was said. */
export async function readLogs(folder: string): Promise<string> {
  const programs: readonly Program[] = ["etcd", "kube-apiserver"];
  const parts = await Promise.all(
    programs.map(async (program) => {
      // No log: the program was not started.
      const text = await readFile(join(folder, `${program}.log`), "utf8").catch(() => "");
      const lines = text.split("\n").filter((line) => line !== "");
      if (lines.length === 0) return "";
      return `Last lines of ${program}:\n${lines
        .slice(-LOG_LINES_KEPT)
        .map((line) => `  ${line}\n`)
        .join("")}`;
    }),
  );
  return parts.join("");
}

/** The same error with what the servers said, if it is about their start; the others explain themselves. */
export function withLogs(error: unknown, logs: string): unknown {
  if (!(error instanceof ClusterError) || error.code !== "start-failed" || logs === "") return error;
  return new ClusterError(error.code, `${error.message}\n${logs.trimEnd()}`);
}

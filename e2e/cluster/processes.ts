// The processes of this machine: who is alive, and what a crash left behind.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Process {
  readonly id: number;
  /** The command with its arguments, joined by blanks. */
  readonly command: string;
}

/** Whether a process of this id exists, whoever it belongs to. */
export function isAlive(id: number): boolean {
  if (!Number.isInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, and it is not ours.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Every process with its command line: from /proc where there is one (slim containers have no ps), else from ps. */
export function listProcesses(): readonly Process[] {
  if (!existsSync("/proc/self/cmdline")) {
    return execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" })
      .split("\n")
      .flatMap((line) => {
        const match = /^\s*(\d+) (.*)$/.exec(line);
        return match === null ? [] : [{ id: Number(match[1]), command: match[2] ?? "" }];
      });
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trimEnd();
        return command === "" ? [] : [{ id: Number(name), command }];
      } catch {
        // It ended between the listing and the reading.
        return [];
      }
    });
}

/**
 * The servers of the cluster in this folder, known by the folder they write to. A kubectl or a lab that was
 * given a kubeconfig from in there also has the folder in its command line, and is none of ours to end.
 */
export function serversOf(
  folder: string,
  processes: readonly Process[] = listProcesses(),
): readonly Process[] {
  return processes.filter((entry) =>
    ["--data-dir=", "--cert-dir="].some((flag) => entry.command.includes(`${flag}${folder}/`)),
  );
}

/**
 * The name that guardian.mjs gives a cluster's folder. Its own process id in there tells a live cluster's folder
 * from a stale one.
 */
const FOLDER_NAME = /^epoch-lab-cluster-(\d+)-\w+$/;

/** Ends what still runs out of this folder, and removes it. */
export function sweepFolder(folder: string): void {
  for (const entry of serversOf(folder)) {
    try {
      process.kill(entry.id, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * Removes the folders, and ends the servers, of clusters whose guardian is gone. That takes more than a crash of
 * the program that started them, which the guardian outlives: the guardian itself was killed too.
 *
 * @returns the folders that were removed.
 */
export function sweepStaleFolders(root: string = tmpdir()): readonly string[] {
  const stale = readdirSync(root)
    .filter((name) => {
      const guardianId = Number(FOLDER_NAME.exec(name)?.[1]);
      return Number.isInteger(guardianId) && !isGuardian(guardianId);
    })
    .map((name) => join(root, name))
    .filter((folder) => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      // Someone else's folder, or a link set as a trap in a temporary folder that all may write to: hands off.
      return stats?.isDirectory() === true && stats.uid === process.getuid?.();
    });
  for (const folder of stale) sweepFolder(folder);
  return stale;
}

/** A process id is reused some day: only a process that also runs guardian.mjs is a guardian. */
function isGuardian(id: number): boolean {
  if (!isAlive(id)) return false;
  return listProcesses().some((entry) => entry.id === id && entry.command.includes("guardian.mjs"));
}

// Runs on a cluster: each has one Lease of its own, made and deleted by it. What a crash leaves behind is found by its label.
import { randomBytes } from "node:crypto";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import type { Connection } from "./connect.ts";
import { ClusterFailure } from "./failure.ts";
import {
  CALL_TIMEOUT_MS,
  LAB_LABEL,
  LAB_LABEL_VALUE,
  leasesPath,
  NAME_PREFIX,
  parseJson,
  readLease,
  removeLease,
  runLease,
} from "./leases.ts";
import { createRun, type ClusterRun } from "./run.ts";

/** Most runs at a time; each holds a watch open. */
export const RUNS_MAX = 16;

/** A run that nobody listens to and nobody calls for this long has lost its page: its Lease is deleted. */
export const IDLE_MAX_MS = 10 * 60_000;

/** A Lease with the lab's label that no run of this process made. */
export interface Leftover {
  readonly name: string;
  readonly uid: string;
  /** When anybody last wrote it, Unix ms by the server's clock: another lab may be at work on a fresh one. Null: not said. */
  readonly writtenAtMs: number | null;
}

export interface ClusterRuns {
  /** @throws ClusterFailure, NoAnswer */
  open(lock: string): Promise<ClusterRun>;
  find(id: string): ClusterRun | undefined;
  /** @throws ClusterFailure, NoAnswer */
  leftovers(): Promise<readonly Leftover[]>;
  /** Deletes leftovers by uid; one that changed meanwhile is left alone. Returns how many went. */
  deleteLeftovers(uids: readonly string[]): Promise<number>;
  /** Closes the runs whose page is gone. */
  closeIdle(): Promise<void>;
  /** Closes all. Resolves with what could not be deleted, as Lease names. */
  close(): Promise<readonly string[]>;
}

const listSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        name: z.string(),
        uid: z.string(),
        resourceVersion: z.string(),
        creationTimestamp: z.string().optional(),
        managedFields: z.array(z.object({ time: z.string().optional() })).optional(),
      }),
    }),
  ),
});
type Listed = z.infer<typeof listSchema>["items"][number]["metadata"];

export function createRuns(connection: Connection, now: () => number): ClusterRuns {
  const runs = new Map<string, ClusterRun>();
  let opening = 0;

  const strays = async (): Promise<readonly Listed[]> => {
    const { namespace } = connection.identity;
    const selector = encodeURIComponent(`${LAB_LABEL}=${LAB_LABEL_VALUE}`);
    const answer = await connection.call({
      method: "GET",
      path: `${leasesPath(namespace)}?labelSelector=${selector}`,
      timeoutMs: CALL_TIMEOUT_MS,
    });
    const parsed = parseWith(listSchema, parseJson(answer.body));
    if (!parsed.ok)
      throw new ClusterFailure({
        cause: `The API server answered ${answer.status} to the list of Leases.`,
        remedy: "Run the preflight again: it says what is wrong.",
      });
    const own = new Set([...runs.values()].map(({ lease }) => lease.name));
    return parsed.value.items
      .map(({ metadata }) => metadata)
      .filter(({ name }) => name.startsWith(NAME_PREFIX) && !own.has(name));
  };

  return {
    async open(lock) {
      if (runs.size + opening >= RUNS_MAX)
        throw new ClusterFailure({
          cause: `${RUNS_MAX} cluster runs are open already.`,
          remedy: "Close one of them: reset its session, or close its tab.",
        });
      opening += 1;
      try {
        const id = randomBytes(5).toString("hex");
        const target = runLease(id, lock);
        if ((await readLease(connection, target.name)) !== null)
          throw new ClusterFailure({
            cause: `A Lease ${target.name} exists already.`,
            remedy: "Start the run again: it gets another name.",
          });
        const run = createRun({ connection, target, now, forget: () => runs.delete(id) });
        runs.set(id, run);
        return run;
      } finally {
        opening -= 1;
      }
    },
    find: (id) => runs.get(id),
    async leftovers() {
      return (await strays()).map((lease) => ({
        name: lease.name,
        uid: lease.uid,
        writtenAtMs: writtenAtMs(lease),
      }));
    },
    async deleteLeftovers(uids) {
      let gone = 0;
      for (const { name, uid, resourceVersion } of await strays())
        if (uids.includes(uid) && (await removeLease(connection, name, { uid, resourceVersion }))) gone += 1;
      return gone;
    },
    async closeIdle() {
      const before = now() - IDLE_MAX_MS;
      const idle = [...runs.values()].filter((run) => {
        const sinceMs = run.idleSinceMs();
        return sinceMs !== null && sinceMs <= before;
      });
      await closeAll(idle);
    },
    close: () => closeAll([...runs.values()]),
  };
}

/** Closes runs side by side; a Lease that cannot be deleted now is named, and found by its label later. */
async function closeAll(runs: readonly ClusterRun[]): Promise<readonly string[]> {
  const closed = await Promise.allSettled(
    runs.map((run) =>
      run.close({
        cause: "The lab ended this run.",
        remedy: "Start a new run on the cluster.",
      }),
    ),
  );
  return runs.filter((_, index) => closed[index]?.status === "rejected").map(({ lease }) => lease.name);
}

function writtenAtMs({ creationTimestamp, managedFields = [] }: Listed): number | null {
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)]
    .map((time) => Date.parse(time ?? ""))
    .filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? null : Math.max(...times);
}

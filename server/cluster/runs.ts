// Runs on a cluster: each has one Lease of its own, made and deleted by it. What others write to it is told; what it leaves
// behind after a crash is found by its label.
import { randomBytes } from "node:crypto";
import type { Lease, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { TERM_ANNOTATION } from "../../shared/protocol/lease/lease.ts";
import { leaseOfManifest } from "../../shared/protocol/lease/manifest.ts";
import { parseWith, z } from "../../shared/base/schema.ts";
import type { Served } from "../../shared/systems/leadership/served.ts";
import type { Connection } from "./connect.ts";
import { ClusterFailure } from "./failure.ts";
import {
  CALL_TIMEOUT_MS,
  isOfRun,
  LAB_LABEL,
  LAB_LABEL_VALUE,
  leasePath,
  leasesPath,
  parseJson,
  readLease,
  runLease,
  serveOnCluster,
  toRun,
  type RunLease,
} from "./leases.ts";
import { watchLease, type Watching } from "./watch.ts";

/** Most runs at a time; each holds a watch open. */
export const RUNS_MAX = 16;

/** An edit by hand, done for the user on the real Lease. */
export type HandEdit =
  | { readonly kind: "delete-lease" }
  | { readonly kind: "strip-annotation" }
  | { readonly kind: "edit-holder"; readonly holder: string };

export interface ClusterRun {
  readonly id: string;
  readonly lease: RunLease;
  serve(request: LeaseRequest): Promise<Served>;
  /** Does an edit by hand and returns the Lease after it, in the run's terms. */
  edit(edit: HandEdit): Promise<Lease | null>;
  /** The Lease as the API server has it now, as JSON text; null when absent. */
  show(): Promise<string | null>;
  /** Tells every write that was not this run's own. Returns how to stop listening. */
  onForeignWrite(told: (lease: Lease | null) => void): () => void;
  /** Deletes its Lease and ends its watch. */
  close(): Promise<void>;
}

export interface Leftover {
  readonly name: string;
  readonly uid: string;
  readonly renewTimeMs: number | null;
}

export interface ClusterRuns {
  open(lock: string): Promise<ClusterRun>;
  find(id: string): ClusterRun | undefined;
  /** Leases with the lab's label that no run of this process made. */
  leftovers(): Promise<readonly Leftover[]>;
  /** Deletes leftovers by uid; one that changed hands meanwhile is left alone. Returns how many went. */
  deleteLeftovers(uids: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

export function createRuns(connection: Connection, now: () => number): ClusterRuns {
  const runs = new Map<string, ClusterRun>();
  const leases = async (): Promise<readonly Lease[]> => {
    const { namespace } = connection.identity;
    const selector = encodeURIComponent(`${LAB_LABEL}=${LAB_LABEL_VALUE}`);
    const answer = await connection.call({
      method: "GET",
      path: `${leasesPath(namespace)}?labelSelector=${selector}`,
      timeoutMs: CALL_TIMEOUT_MS,
    });
    const parsed = parseWith(z.object({ items: z.array(z.unknown()) }), parseJson(answer.body));
    if (!parsed.ok) return [];
    return parsed.value.items.flatMap((item) => {
      const lease = leaseOfManifest({
        kind: "Lease",
        apiVersion: "coordination.k8s.io/v1",
        ...(item as object),
      });
      return lease.ok ? [lease.value] : [];
    });
  };
  const strays = async (): Promise<readonly Lease[]> => {
    const own = new Set([...runs.values()].map(({ lease }) => lease.name));
    return (await leases()).filter(({ name }) => !own.has(name));
  };
  return {
    async open(lock) {
      if (runs.size >= RUNS_MAX)
        throw new ClusterFailure({
          cause: `${RUNS_MAX} cluster runs are open already.`,
          remedy: "Close one of them: reset its session, or close its tab.",
        });
      const id = randomBytes(5).toString("hex");
      const target = runLease(id, lock);
      const there = await readLease(connection, target.name);
      if (there !== null)
        throw new ClusterFailure({
          cause: `A Lease ${target.name} exists already.`,
          remedy: "Start the run again: it gets another name.",
        });
      const run = createRun(connection, target, now, () => runs.delete(id));
      runs.set(id, run);
      return run;
    },
    find: (id) => runs.get(id),
    async leftovers() {
      return (await strays()).map(({ name, uid, spec }) => ({
        name,
        uid,
        renewTimeMs: spec.renewTime === undefined ? null : Math.floor(spec.renewTime / 1000),
      }));
    },
    async deleteLeftovers(uids) {
      let gone = 0;
      for (const { name, uid, resourceVersion } of await strays())
        if (uids.includes(uid) && (await remove(connection, name, { uid, resourceVersion }))) gone += 1;
      return gone;
    },
    async close() {
      await Promise.all([...runs.values()].map((run) => run.close()));
    },
  };
}

/** Deletes conditionally; false when it was not this object any more. */
async function remove(
  connection: Connection,
  name: string,
  preconditions: { readonly uid: string; readonly resourceVersion?: string },
): Promise<boolean> {
  const { namespace } = connection.identity;
  const answer = await connection.call({
    method: "DELETE",
    path: leasePath(namespace, name),
    timeoutMs: CALL_TIMEOUT_MS,
    body: { apiVersion: "v1", kind: "DeleteOptions", preconditions },
  });
  return answer.status < 300;
}

function createRun(
  connection: Connection,
  target: RunLease,
  now: () => number,
  forget: () => void,
): ClusterRun {
  /** Versions that this run's own calls made; null stands for its own delete. */
  const own = new Set<string | null>();
  const listeners = new Set<(lease: Lease | null) => void>();
  /** The version that was told last, so that a re-list repeats nothing. */
  let known: string | null = null;
  let watching: Watching | null = null;
  let busy = 0;
  /** Changes seen while an own call is out: whose they are is known only after its answer. */
  let held: (Lease | null)[] = [];

  const settle = (): void => {
    if (busy > 0) return;
    const seen = held;
    held = [];
    for (const lease of seen) tell(lease);
  };
  const tell = (lease: Lease | null): void => {
    const version = lease === null ? null : lease.resourceVersion;
    if (version === known) return;
    known = version;
    if (own.has(version)) return;
    for (const listener of listeners) listener(lease === null ? null : toRun(lease, target));
  };
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
      settle();
    }
  };
  const begin = (): void => {
    watching ??= watchLease(connection, target.name, (lease) => {
      if (lease !== null && !isOfRun(lease, target)) return;
      held.push(lease);
      settle();
    });
  };
  return {
    id: target.run,
    lease: target,
    serve: (request) =>
      during(async () => {
        begin();
        const served = await serveOnCluster(connection, target, request, now);
        if (served.kind === "answered" && served.code < 300) {
          own.add(served.lease?.resourceVersion ?? null);
          if (request.verb !== "get") known = served.lease?.resourceVersion ?? null;
        }
        return served;
      }),
    edit: (edit) =>
      during(async () => {
        const lease = await readLease(connection, target.name);
        if (lease === null || !isOfRun(lease, target))
          throw new ClusterFailure({
            cause: `There is no Lease ${target.name} of this run.`,
            remedy: "Step on until a node has created it.",
          });
        if (edit.kind === "delete-lease") {
          await remove(connection, target.name, { uid: lease.uid, resourceVersion: lease.resourceVersion });
          own.add(null);
          return null;
        }
        const { [TERM_ANNOTATION]: _term, ...stripped } = lease.annotations;
        const body =
          edit.kind === "strip-annotation"
            ? { ...lease, annotations: stripped }
            : { ...lease, spec: { ...lease.spec, holderIdentity: edit.holder } };
        const served = await serveOnCluster(
          connection,
          target,
          { verb: "update", name: target.lock, body: { ...toRun(body, target), name: target.lock } },
          now,
        );
        if (served.kind === "unanswered" || served.lease === null)
          throw new ClusterFailure({
            cause: "The edit was not accepted: the Lease changed meanwhile, or the server gave no answer.",
            remedy: "Try it again.",
          });
        own.add(served.lease.resourceVersion);
        known = served.lease.resourceVersion;
        return served.lease;
      }),
    async show() {
      const { namespace } = connection.identity;
      const answer = await connection.call({
        method: "GET",
        path: leasePath(namespace, target.name),
        timeoutMs: CALL_TIMEOUT_MS,
      });
      return answer.status < 300 ? answer.body : null;
    },
    onForeignWrite(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    async close() {
      watching?.stop();
      forget();
      const lease = await readLease(connection, target.name);
      if (lease !== null && isOfRun(lease, target)) await remove(connection, target.name, { uid: lease.uid });
    },
  };
}

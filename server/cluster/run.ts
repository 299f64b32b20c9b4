// One run on a cluster: a Lease of its own that it alone writes, and word of whatever others write to it.
//
// A watch tells every change, the run's own among them, and it may tell late: an answer can show somebody else's write before the
// watch has. What was written by others before a call is therefore settled together with the call's answer, so that whoever
// records the run has everything in the order in which it happened on the server.
import type { Lease, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { TERM_ANNOTATION } from "../../shared/protocol/lease/lease.ts";
import type { LeaseEdit } from "../../shared/systems/leadership/onServer.ts";
import { contentOf, type Served } from "../../shared/systems/leadership/served.ts";
import type { Connection } from "./connect.ts";
import { ClusterFailure, type ClusterProblem } from "./failure.ts";
import {
  isOfRun,
  leasePath,
  CALL_TIMEOUT_MS,
  performOnCluster,
  readLease,
  removeLease,
  toRun,
  type Exchange,
  type RunLease,
} from "./leases.ts";
import { NoAnswer } from "./transport.ts";
import { watchLease, type Sight, type Watching } from "./watch.ts";

/** A write that the run did not make, or of which it does not know that it made it. */
export interface ForeignWrite {
  /** From 1, without gaps, in the order of the server. */
  readonly index: number;
  /** The Lease after it, in the run's terms; null: deleted. */
  readonly lease: Lease | null;
  /** `own`: a request of this run that got no answer had been committed all the same. */
  readonly whose: "other" | "own";
}

export interface ServedCall {
  readonly served: Served;
  readonly exchange: Exchange;
  /** What others wrote before this call took effect, from `after` on. */
  readonly foreign: readonly ForeignWrite[];
}

export interface Edited {
  /** The Lease after it, in the run's terms. */
  readonly lease: Lease | null;
  readonly foreign: readonly ForeignWrite[];
}

export interface Listener {
  foreign(write: ForeignWrite): void;
  /** The run is over; with a reason when nobody had asked for it. */
  closed(problem: ClusterProblem | null): void;
}

export interface ClusterRun {
  readonly id: string;
  readonly lease: RunLease;
  /** `after`: the index of the last foreign write that the caller has. @throws ClusterFailure */
  serve(request: LeaseRequest, after: number): Promise<ServedCall>;
  /** @throws ClusterFailure, NoAnswer */
  edit(edit: LeaseEdit, after: number): Promise<Edited>;
  /** The Lease as the API server has it now, as JSON text; null when absent. @throws NoAnswer */
  show(): Promise<string | null>;
  /** Tells foreign writes after an index and from now on. Returns how to stop listening. */
  listen(listener: Listener, after: number): () => void;
  /** Since when nobody has listened to it or called it; null while somebody does. */
  idleSinceMs(): number | null;
  /**
   * Deletes its Lease and ends its watch. `why`: told to whoever listens, when it is not by their wish.
   * @throws ClusterFailure, NoAnswer when the Lease may still be there.
   */
  close(why?: ClusterProblem): Promise<void>;
}

export interface RunDeps {
  readonly connection: Connection;
  readonly target: RunLease;
  readonly now: () => number;
  /** Called once, when it is closed. */
  readonly forget: () => void;
}

export function createRun({ connection, target, now, forget }: RunDeps): ClusterRun {
  const listeners = new Set<Listener>();
  const foreign: ForeignWrite[] = [];
  /** Every version that is accounted for: made by this run, or told as somebody else's. */
  const versions = new Set<string>();
  /** The uids of objects whose deletion is accounted for. */
  const gone = new Set<string>();
  /** What the requests that got no answer would have written; null for a delete. */
  let unanswered: readonly (string | null)[] = [];
  /** The Lease as far as this run has followed it. */
  let known: Lease | null = null;
  let newestOwn = "";
  /** Why no call can be made any more. */
  let lost: ClusterProblem | null = null;
  /** What the watch has seen while a call is out: whose it is can be said only after the answer. */
  let held: Sight[] | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let usedAtMs = now();

  const watching: Watching = watchLease(connection, target.name, (sight) => {
    if (held === null) note(sight);
    else held.push(sight);
  });

  function record(lease: Lease | null): void {
    const content = lease === null ? null : contentOf(toRun(lease, target));
    const whose = unanswered.includes(content) ? "own" : "other";
    if (whose === "own") unanswered = unanswered.filter((other) => other !== content);
    known = lease;
    const write = {
      index: foreign.length + 1,
      lease: lease === null ? null : toRun(lease, target),
      whose,
    } as const;
    foreign.push(write);
    for (const listener of listeners) listener.foreign(write);
  }

  /** Takes note of what is on the server, in the order in which it came about. */
  function note(sight: Sight): void {
    switch (sight.kind) {
      case "present": {
        const { lease } = sight;
        if (versions.has(lease.resourceVersion)) {
          if (lease.resourceVersion === newestOwn) known = lease;
          return;
        }
        versions.add(lease.resourceVersion);
        if (isOfRun(lease, target)) record(lease);
        else lose();
        return;
      }
      case "deleted":
        if (gone.has(sight.uid)) return;
        gone.add(sight.uid);
        if (known?.uid === sight.uid) record(null);
        return;
      case "absent":
        if (known === null) return;
        gone.add(known.uid);
        record(null);
    }
  }

  /** A Lease of this name that is not the run's is never written: the run is over. */
  function lose(): void {
    lost ??= {
      cause: `The Lease ${target.name} does not carry the lab's label for this run any more: somebody replaced it.`,
      remedy: "The lab leaves it alone. Start a new run on the cluster.",
    };
  }

  const adopt = (lease: Lease): void => {
    versions.add(lease.resourceVersion);
    newestOwn = lease.resourceVersion;
    known = lease;
  };

  /** One call at a time; what the watch sees meanwhile is held back. */
  function during<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(async () => {
      if (lost !== null) throw new ClusterFailure(lost);
      if (isClosed) throw new ClusterFailure(OVER);
      held = [];
      try {
        const done = await work();
        if (lost !== null) throw new ClusterFailure(lost);
        return done;
      } finally {
        const rest = held ?? [];
        held = null;
        for (const sight of rest) note(sight);
        usedAtMs = now();
      }
    });
    // A call that failed does not keep the next one from being made; its own caller hears of it.
    queue = result.catch(() => undefined);
    return result;
  }

  /** Takes note of what was held back up to where `is` says, or of all when it says so nowhere. */
  function noteUpTo(is: (sight: Sight) => boolean): void {
    const all = held ?? [];
    const at = all.findIndex(is);
    const before = at < 0 ? all : all.slice(0, at + 1);
    held = at < 0 ? [] : all.slice(at + 1);
    for (const sight of before) note(sight);
  }

  const isVersion =
    (version: string) =>
    (sight: Sight): boolean =>
      sight.kind === "present" && sight.lease.resourceVersion === version;

  /** Accounts for the Lease as it was found on the server, and for what must have come before it. */
  function noteFound(lease: Lease | null): void {
    if (lease !== null) {
      // What is known already is not newer than anything that is held back.
      if (versions.has(lease.resourceVersion) && !(held ?? []).some(isVersion(lease.resourceVersion))) {
        if (lease.resourceVersion === newestOwn) known = lease;
        return;
      }
      noteUpTo(isVersion(lease.resourceVersion));
      return note({ kind: "present", lease });
    }
    const before = known;
    if (before === null) return;
    noteUpTo((sight) => sight.kind === "absent" || (sight.kind === "deleted" && sight.uid === before.uid));
    if (known?.uid === before.uid) note({ kind: "absent" });
  }

  async function settle(request: LeaseRequest, served: Served, lease: Lease | null): Promise<void> {
    if (served.kind === "unanswered") {
      if (request.verb === "delete") unanswered = [...unanswered, null];
      else if (request.verb !== "get")
        unanswered = [...unanswered, contentOf({ uid: "", resourceVersion: "", ...request.body })];
      return;
    }
    if (lease !== null) {
      if (request.verb === "get") return noteFound(lease);
      if (!versions.has(lease.resourceVersion)) {
        adoptInOrder(lease);
        return;
      }
      known = lease;
      return;
    }
    if (served.code < 300) {
      const uid = known?.uid;
      if (uid !== undefined) gone.add(uid);
      known = null;
      return;
    }
    if (served.code === 404) return noteFound(null);
    // A conflict that what is known does not explain: somebody wrote, and the watch has not told yet.
    if (served.code === 409 && isSurprising(request)) noteFound(await lookAgain());
  }

  /** The Lease as it is now; as it was known when the server cannot say, for then the watch will tell. */
  async function lookAgain(): Promise<Lease | null> {
    try {
      return await readLease(connection, target.name);
    } catch (error) {
      if (error instanceof NoAnswer || error instanceof ClusterFailure) return known;
      throw error;
    }
  }

  function adoptInOrder(lease: Lease): void {
    const is = isVersion(lease.resourceVersion);
    versions.add(lease.resourceVersion);
    noteUpTo(is);
    adopt(lease);
  }

  function isSurprising(request: LeaseRequest): boolean {
    switch (request.verb) {
      case "get":
        return false;
      case "create":
        return known === null;
      case "update":
        return known !== null && request.body.resourceVersion === known.resourceVersion;
      case "delete": {
        const { resourceVersion, uid } = request.preconditions ?? {};
        return (
          known !== null &&
          [undefined, known.resourceVersion].includes(resourceVersion) &&
          [undefined, known.uid].includes(uid)
        );
      }
    }
  }

  /** Refuses what would write over a Lease that is not this run's, and makes a delete conditional. */
  async function conditional(request: LeaseRequest): Promise<LeaseRequest> {
    if (request.verb === "update") {
      const { resourceVersion } = request.body;
      if (resourceVersion === undefined || versions.has(resourceVersion)) return request;
      await mine();
      return request;
    }
    if (request.verb !== "delete") return request;
    const lease = known ?? (await mine());
    if (lease === null || request.preconditions?.uid !== undefined) return request;
    return { ...request, preconditions: { ...request.preconditions, uid: lease.uid } };
  }

  /** The Lease as it is on the server; the run is over when it is there and not the run's. */
  async function mine(): Promise<Lease | null> {
    const lease = await readLease(connection, target.name);
    noteFound(lease);
    if (lost !== null) throw new ClusterFailure(lost);
    return lease;
  }

  const since = (after: number): readonly ForeignWrite[] => foreign.slice(Math.max(0, after));

  async function write(request: LeaseRequest): Promise<Lease | null> {
    const { served, lease } = await performOnCluster(connection, target, request, now);
    await settle(request, served, lease);
    if (served.kind === "answered" && served.code < 300) return served.lease;
    throw new ClusterFailure({
      cause: `The edit was not accepted: ${
        served.kind === "unanswered"
          ? `the API server gave no answer (${served.detail})`
          : served.code === 409
            ? "the Lease changed meanwhile"
            : `the API server answered ${served.code}: ${served.message}`
      }.`,
      remedy: "Look at the Lease and try again.",
    });
  }

  return {
    id: target.run,
    lease: target,
    serve: (asked, after) =>
      during(async () => {
        const request = await conditional(asked);
        const { served, exchange, lease } = await performOnCluster(connection, target, request, now);
        await settle(request, served, lease);
        return { served, exchange, foreign: since(after) };
      }),
    edit: (edit, after) =>
      during(async () => {
        const lease = await mine();
        // What others wrote before it is told before it.
        const before = since(after);
        if (lease === null && edit.kind !== "write")
          throw new ClusterFailure({
            cause: `There is no Lease ${target.name}.`,
            remedy: "Step on until a node has created it.",
          });
        return { lease: await write(requestFor(edit, lease, target)), foreign: before };
      }),
    async show() {
      usedAtMs = now();
      const answer = await connection.call({
        method: "GET",
        path: leasePath(connection.identity.namespace, target.name),
        timeoutMs: CALL_TIMEOUT_MS,
      });
      return answer.status < 300 ? answer.body : null;
    },
    listen(listener, after) {
      for (const write of since(after)) listener.foreign(write);
      if (isClosed) listener.closed(null);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        usedAtMs = now();
      };
    },
    idleSinceMs: () => (listeners.size > 0 || held !== null ? null : usedAtMs),
    async close(why) {
      if (isClosed) return;
      isClosed = true;
      watching.stop();
      forget();
      for (const listener of listeners) listener.closed(why ?? null);
      // A call that is out may still create it.
      await queue;
      for (let attempt = 0; attempt < CLOSE_ATTEMPTS; attempt += 1) {
        const lease = await readLease(connection, target.name);
        if (lease === null || !isOfRun(lease, target)) return;
        const { uid, resourceVersion } = lease;
        if (await removeLease(connection, target.name, { uid, resourceVersion })) return;
      }
      throw new ClusterFailure({
        cause: `The Lease ${target.name} could not be deleted.`,
        remedy: "Run the preflight, then delete what is left of earlier runs.",
      });
    },
  };
}

const OVER: ClusterProblem = {
  cause: "This run is over.",
  remedy: "Start a new run on the cluster.",
};

/** Somebody may write between the read and the delete; not without end. */
const CLOSE_ATTEMPTS = 5;

function requestFor(edit: LeaseEdit, lease: Lease | null, target: RunLease): LeaseRequest {
  const name = target.lock;
  if (lease === null)
    return edit.kind === "write" ? { verb: "create", body: { name, ...edit.lease } } : { verb: "get", name };
  const { uid, resourceVersion } = lease;
  const body = toRun(lease, target);
  switch (edit.kind) {
    case "delete-lease":
      return { verb: "delete", name, preconditions: { uid, resourceVersion } };
    case "strip-annotation": {
      const { [TERM_ANNOTATION]: _term, ...annotations } = body.annotations;
      return { verb: "update", name, body: { ...body, annotations } };
    }
    case "edit-holder":
      return { verb: "update", name, body: { ...body, spec: { ...body.spec, holderIdentity: edit.holder } } };
    case "write":
      return { verb: "update", name, body: { ...body, ...edit.lease } };
  }
}

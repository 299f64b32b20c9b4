// The lab's own Leases on a cluster: which names and labels they have, how a run's request becomes a call, and how the answer
// is recorded. Every write is conditional; a Lease without the lab's label is never touched.
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import type { Lease, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { leaseOfManifest, toManifest } from "../../shared/protocol/lease/manifest.ts";
import type { Served } from "../../shared/systems/leadership/served.ts";
import type { Connection } from "./connect.ts";
import { fail } from "./failure.ts";
import { NoAnswer, type Answer } from "./transport.ts";

/** Marks every Lease that the lab made. Nothing without it is ever written or deleted. */
export const LAB_LABEL = "app.kubernetes.io/managed-by";
export const LAB_LABEL_VALUE = "epoch-lab";
/** Which run made it. */
export const RUN_LABEL = "epoch-lab/run";
/** Every Lease of the lab begins with this. */
export const NAME_PREFIX = "epoch-lab-";

export const CALL_TIMEOUT_MS = 10_000;

/** A Lease on the cluster as a run knows it: the name in the run, the name there. */
export interface RunLease {
  readonly run: string;
  readonly lock: string;
  readonly name: string;
}

export const runLease = (run: string, lock: string): RunLease => ({
  run,
  lock,
  // A name has 253 characters at most; what does not fit is cut from the lock.
  name: `${NAME_PREFIX}${run}-${lock}`.slice(0, 253).replace(/[-.]+$/, ""),
});

export const leasesPath = (namespace: string): string =>
  `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;

export const leasePath = (namespace: string, name: string): string =>
  `${leasesPath(namespace)}/${encodeURIComponent(name)}`;

const statusSchema = z.object({
  reason: z.string().optional(),
  message: z.string().optional(),
});

/** A Status' reason and message; the HTTP code's own words where the body is none. */
export function readStatus(answer: Answer): { readonly reason: string | null; readonly message: string } {
  const parsed = parseJson(answer.body);
  const status = parseWith(statusSchema, parsed);
  return status.ok
    ? { reason: status.value.reason ?? null, message: status.value.message ?? "" }
    : { reason: null, message: `HTTP ${answer.status}` };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is no JSON says nothing that could be used; the HTTP code speaks for it.
    return null;
  }
}

/** The Lease as the run's engine knows it: its own name, without the lab's labels. */
export function toRun(lease: Lease, target: RunLease): Lease {
  const { [LAB_LABEL]: _managed, [RUN_LABEL]: _run, ...labels } = lease.labels;
  return { ...lease, name: target.lock, labels };
}

/** Whether a Lease carries the lab's label for this run. */
export function isOfRun(lease: Lease, target: RunLease): boolean {
  return lease.labels[LAB_LABEL] === LAB_LABEL_VALUE && lease.labels[RUN_LABEL] === target.run;
}

/** A call as it went over the wire, to be looked at; no credentials. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** What was sent, as JSON; null without a body. */
  readonly request: unknown;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly answer: unknown;
}

/** What a call came to: for the recording, on the wire, and the object as the server has it. */
export interface Performed {
  readonly served: Served;
  readonly exchange: Exchange;
  /** The Lease of the answer under its real name and labels; null where there is none. */
  readonly lease: Lease | null;
}

/** Performs a run's request on the API server and says what came of it, in the form that an action records. */
export async function performOnCluster(
  connection: Connection,
  target: RunLease,
  request: LeaseRequest,
  now: () => number,
): Promise<Performed> {
  const sentAtMs = now();
  const call = callFor(connection, target, request);
  const sent = { method: call.method, path: call.path, request: "body" in call ? call.body : null };
  let answer: Answer;
  try {
    answer = await connection.call({ ...call, timeoutMs: CALL_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return {
      served: {
        kind: "unanswered",
        sentAtMs,
        doneAtMs: now(),
        failure: error.failure,
        detail: error.message,
      },
      exchange: { ...sent, status: null, answer: null },
      lease: null,
    };
  }
  const doneAtMs = now();
  const exchange = { ...sent, status: answer.status, answer: parseJson(answer.body) };
  const answered = { kind: "answered", sentAtMs, doneAtMs, code: answer.status } as const;
  if (answer.status >= 300) {
    const { reason, message } = readStatus(answer);
    const text = message.replaceAll(target.name, target.lock).slice(0, 2000);
    return { served: { ...answered, reason, message: text, lease: null }, exchange, lease: null };
  }
  if (request.verb === "delete")
    return { served: { ...answered, reason: null, message: "", lease: null }, exchange, lease: null };
  const lease = leaseOfManifest(exchange.answer);
  return lease.ok
    ? {
        served: { ...answered, reason: null, message: "", lease: toRun(lease.value, target) },
        exchange,
        lease: lease.value,
      }
    : {
        served: { kind: "unanswered", sentAtMs, doneAtMs, failure: "connection", detail: lease.error },
        exchange,
        lease: null,
      };
}

function callFor(connection: Connection, target: RunLease, request: LeaseRequest) {
  const { namespace } = connection.identity;
  const path = leasePath(namespace, target.name);
  const bodyOf = (lease: Extract<LeaseRequest, { verb: "create" | "update" }>["body"]) =>
    toManifest(
      {
        ...lease,
        name: target.name,
        labels: { ...lease.labels, [LAB_LABEL]: LAB_LABEL_VALUE, [RUN_LABEL]: target.run },
      },
      { namespace },
    );
  switch (request.verb) {
    case "get":
      return { method: "GET", path } as const;
    case "create":
      return { method: "POST", path: leasesPath(namespace), body: bodyOf(request.body) } as const;
    case "update":
      return { method: "PUT", path, body: bodyOf(request.body) } as const;
    case "delete":
      return {
        method: "DELETE",
        path,
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          ...(request.preconditions === undefined ? {} : { preconditions: request.preconditions }),
        },
      } as const;
  }
}

/** Reads a Lease by its real name. Null: it does not exist. @throws ClusterFailure, NoAnswer */
export async function readLease(connection: Connection, name: string): Promise<Lease | null> {
  const { namespace } = connection.identity;
  const answer = await connection.call({
    method: "GET",
    path: leasePath(namespace, name),
    timeoutMs: CALL_TIMEOUT_MS,
  });
  if (answer.status === 404) return null;
  const lease = answer.status < 300 ? leaseOfManifest(parseJson(answer.body)) : null;
  if (lease?.ok === true) return lease.value;
  return fail(
    `The API server answered ${answer.status} to a read of the Lease ${name}${answer.status < 300 ? ", and not with a Lease" : ""}.`,
    "Run the preflight again: it says what is wrong.",
  );
}

/** Deletes on a condition; false when it was not this object any more, or is gone. */
export async function removeLease(
  connection: Connection,
  name: string,
  preconditions: { readonly uid: string; readonly resourceVersion: string },
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

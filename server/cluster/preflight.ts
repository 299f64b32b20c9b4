// What is checked before a cluster is offered in the browser: each check with what was found and, where it failed, a remedy.
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import { LEASE_VERBS, type LeaseVerb } from "./access.ts";
import type { Connection } from "./connect.ts";
import { ClusterFailure } from "./failure.ts";
import { LAB_LABEL, LAB_LABEL_VALUE, leasesPath, NAME_PREFIX, parseJson, readStatus } from "./leases.ts";
import { NoAnswer, type Answer, type CallOptions } from "./transport.ts";

export interface Check {
  readonly id: string;
  readonly title: string;
  readonly state: "ok" | "failed" | "skipped";
  /** What was found. */
  readonly found: string;
  /** What to do; empty when nothing is to be done. */
  readonly remedy: string;
}

export interface Preflight {
  readonly ready: boolean;
  readonly checks: readonly Check[];
  /** The server's version; null when it is not known. */
  readonly version: string | null;
}

/** Clocks further apart than this are worth a word: they shift the wall-clock times that a run records. */
const CLOCK_DIFFERENCE_MS = 5000;
/** The oldest server whose Leases are as the register models them (MicroTime and coordination.k8s.io/v1). */
const OLDEST_MINOR = 19;
const TIMEOUT_MS = 10_000;

const versionSchema = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string() });
const reviewSchema = z.object({ status: z.object({ allowed: z.boolean(), reason: z.string().optional() }) });

export async function preflight(connection: Connection, now: () => number): Promise<Preflight> {
  const checks: Check[] = [];
  const { namespace } = connection.identity;
  const asked = await ask(connection, "/version");
  if (!asked.ok) {
    checks.push({ id: "reachable", title: "API server reachable", state: "failed", ...asked.problem });
    return { ready: false, checks, version: null };
  }
  const { answer } = asked;
  checks.push({
    id: "reachable",
    title: "API server reachable",
    state: answer.status === 401 ? "failed" : "ok",
    found: answer.status === 401 ? "It refuses the credentials (401 Unauthorized)." : "It answers.",
    remedy: answer.status === 401 ? "Log in again: the token may have expired." : "",
  });
  if (answer.status === 401) return { ready: false, checks, version: null };
  const version = parseWith(versionSchema, parseJson(answer.body));
  checks.push(versionCheck(version.ok ? version.value : null));
  checks.push(clockCheck(answer, now()));
  checks.push(namespaceCheck(namespace, await tryCreate(connection)));
  for (const verb of LEASE_VERBS) checks.push(await permission(connection, verb));
  return {
    ready: checks.every(({ state }) => state !== "failed"),
    checks,
    version: version.ok ? version.value.gitVersion : null,
  };
}

type Asked =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly problem: Pick<Check, "found" | "remedy"> };

const ask = (connection: Connection, path: string): Promise<Asked> =>
  attempt(connection, { method: "GET", path, timeoutMs: TIMEOUT_MS });

/** A create that stores nothing: the one call that says whether the namespace exists to a user who may not read namespaces. */
function tryCreate(connection: Connection): Promise<Asked> {
  const { namespace } = connection.identity;
  return attempt(connection, {
    method: "POST",
    path: `${leasesPath(namespace)}?dryRun=All`,
    timeoutMs: TIMEOUT_MS,
    body: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: {
        name: `${NAME_PREFIX}preflight`,
        namespace,
        labels: { [LAB_LABEL]: LAB_LABEL_VALUE },
      },
      spec: {},
    },
  });
}

async function attempt(connection: Connection, call: CallOptions): Promise<Asked> {
  try {
    return { ok: true, answer: await connection.call(call) };
  } catch (error) {
    if (error instanceof ClusterFailure)
      return { ok: false, problem: { found: error.problem.cause, remedy: error.problem.remedy } };
    if (error instanceof NoAnswer)
      return {
        ok: false,
        problem: {
          found: `No answer: ${error.message}`,
          remedy: "Check that kubectl works with the same kubeconfig and context.",
        },
      };
    throw error;
  }
}

function versionCheck(version: z.infer<typeof versionSchema> | null): Check {
  const head = { id: "version", title: "Server version" } as const;
  if (version === null)
    return {
      ...head,
      state: "failed",
      found: "It does not say which version it is.",
      remedy: "Is this a Kubernetes API server? Check the server address.",
    };
  const minor = Number.parseInt(version.minor, 10);
  const isOld = version.major === "1" && minor < OLDEST_MINOR;
  return {
    ...head,
    state: isOld ? "failed" : "ok",
    found: version.gitVersion,
    remedy: isOld ? `Use a server of version 1.${OLDEST_MINOR} or newer.` : "",
  };
}

function clockCheck({ dateMs }: Answer, nowMs: number): Check {
  const head = { id: "clock", title: "Clock difference" } as const;
  if (dateMs === null)
    return { ...head, state: "skipped", found: "The server does not tell its time.", remedy: "" };
  // The Date header has whole seconds.
  const apartMs = Math.abs(nowMs - dateMs);
  const isApart = apartMs > CLOCK_DIFFERENCE_MS;
  return {
    ...head,
    state: "ok",
    found: isApart ? `About ${Math.round(apartMs / 1000)} s.` : "Less than a few seconds.",
    remedy: isApart
      ? "Election is judged in virtual time and not touched by it; synchronise the clocks if wall-clock times matter to you."
      : "",
  };
}

function namespaceCheck(namespace: string, asked: Asked): Check {
  const head = { id: "namespace", title: `Namespace ${namespace}` };
  if (!asked.ok) return { ...head, state: "failed", ...asked.problem };
  const { status } = asked.answer;
  const { message } = readStatus(asked.answer);
  if (status === 404)
    return {
      ...head,
      state: "failed",
      found: "It does not exist.",
      remedy: `Create it: kubectl create namespace ${namespace}, or name another with --namespace.`,
    };
  if (status === 403)
    return message.includes("being terminated")
      ? {
          ...head,
          state: "failed",
          found: "It is being deleted.",
          remedy: "Name another with --namespace, or create it again once it is gone.",
        }
      : {
          ...head,
          state: "failed",
          found: "A Lease may not be created in it (403 Forbidden).",
          remedy: roleRemedy(namespace),
        };
  // 409: a Lease of that name is there, so the namespace is.
  return status < 300 || status === 409
    ? { ...head, state: "ok", found: "A Lease can be created in it (tried without storing one).", remedy: "" }
    : {
        ...head,
        state: "failed",
        found: `The server answered ${status} to a Lease that would be created in it.`,
        remedy: "Check that kubectl create works there: a quota or a policy may forbid it.",
      };
}

const roleRemedy = (namespace: string): string =>
  `Give this user the Role that npm run cluster -- --role ${namespace} prints.`;

async function permission(connection: Connection, verb: LeaseVerb): Promise<Check> {
  const { namespace } = connection.identity;
  const head = { id: `may-${verb}`, title: `May ${verb} Leases` };
  const remedy = roleRemedy(namespace);
  let answer: Answer;
  try {
    answer = await connection.call({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      timeoutMs: TIMEOUT_MS,
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: {
          resourceAttributes: { group: "coordination.k8s.io", resource: "leases", verb, namespace },
        },
      },
    });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { ...head, state: "failed", found: `No answer: ${error.message}`, remedy: "Try again." };
  }
  const review = parseWith(reviewSchema, parseJson(answer.body));
  if (!review.ok)
    return {
      ...head,
      state: "skipped",
      found: `The server does not review access (${answer.status}).`,
      remedy: "",
    };
  return review.value.status.allowed
    ? { ...head, state: "ok", found: "Allowed.", remedy: "" }
    : { ...head, state: "failed", found: "Not allowed.", remedy };
}

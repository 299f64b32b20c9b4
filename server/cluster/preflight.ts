// What is checked before a cluster is offered in the browser: each check with what was found and, where it failed, a remedy.
import { parseWith, z } from "../../shared/base/schema.ts";
import { type Answer, type Connection, NoAnswer } from "./connect.ts";
import { ClusterFailure } from "./failure.ts";
import { leasesPath, parseJson } from "./leases.ts";

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

/** What the lab does with Leases. */
export const VERBS = ["get", "list", "watch", "create", "update", "delete"] as const;

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
  const space = await ask(connection, `${leasesPath(namespace)}?limit=1`);
  checks.push(namespaceCheck(namespace, space));
  for (const verb of VERBS) checks.push(await permission(connection, verb));
  return {
    ready: checks.every(({ state }) => state !== "failed"),
    checks,
    version: version.ok ? version.value.gitVersion : null,
  };
}

type Asked =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly problem: Pick<Check, "found" | "remedy"> };

async function ask(connection: Connection, path: string): Promise<Asked> {
  try {
    return { ok: true, answer: await connection.call({ method: "GET", path, timeoutMs: TIMEOUT_MS }) };
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
  if (status === 404)
    return {
      ...head,
      state: "failed",
      found: "It does not exist.",
      remedy: `Create it: kubectl create namespace ${namespace}, or name another with --namespace.`,
    };
  if (status === 403)
    return {
      ...head,
      state: "failed",
      found: "Its Leases may not be listed (403 Forbidden).",
      remedy: "Give this user the Role in the README, for this namespace.",
    };
  return status < 300
    ? { ...head, state: "ok", found: "Its Leases can be listed.", remedy: "" }
    : {
        ...head,
        state: "failed",
        found: `The server answered ${status}.`,
        remedy: "Check that kubectl get leases works there.",
      };
}

async function permission(connection: Connection, verb: (typeof VERBS)[number]): Promise<Check> {
  const { namespace } = connection.identity;
  const head = { id: `may-${verb}`, title: `May ${verb} Leases` };
  const remedy = "Give this user the Role in the README, for this namespace.";
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

// Random requests, sent to the in-memory register and to a real API server side by side, and what each made
// of them.
import fc from "fast-check";
import type {
  RegisterAnswer,
  RegisterRequest,
  RegisterUnderTest,
} from "../../shared/protocol/lease/contract/row.ts";
import type { LeaseManifest } from "../../shared/protocol/lease/manifest.ts";

/** A value that each register has its own of: what is stored now, or what was stored `back` changes ago. */
type Reference = { readonly back: number } | { readonly literal: string | null };

/** A request in terms that mean the same to both. */
export interface RandomRequest {
  readonly method: RegisterRequest["method"];
  readonly uid: Reference;
  readonly resourceVersion: Reference;
  readonly metadata: object;
  readonly spec: object;
  readonly jsonPatch: readonly object[] | null;
  readonly query: Readonly<Record<string, string>>;
}

const reference = (literals: readonly (string | null)[]): fc.Arbitrary<Reference> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(2).map((back) => ({ back })) },
    { weight: 3, arbitrary: fc.constantFrom(...literals).map((literal) => ({ literal })) },
  );

const mapOf = (values: readonly unknown[]): fc.Arbitrary<object> =>
  fc.dictionary(
    fc.constantFrom("a", "camel.io/leader-term", "b/c", "bad key", "A.b/c"),
    fc.constantFrom(...values),
    { maxKeys: 2 },
  );

const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const metadata = fc.record({
  annotations: some(mapOf(["", "1", "2", "x y", null, 5])),
  labels: some(mapOf(["", "1", "x y", null])),
  namespace: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, "another"),
  owner: fc.constantFrom(undefined, undefined, undefined, undefined, "me"),
});

const spec = fc.record({
  holderIdentity: fc.constantFrom(undefined, "", "node-1", "node-2", null, 5),
  leaseDurationSeconds: fc.constantFrom(undefined, 15, 15, 10, 1, 0, -1, null, 1.5, "15", 2147483648),
  leaseTransitions: fc.constantFrom(undefined, 0, 1, 2, -1, null, true),
  renewTime: fc.constantFrom(
    undefined,
    null,
    "2026-12-01T08:00:00.000000Z",
    "2026-12-01T10:00:00.000000+02:00",
    "2026-12-01T08:00:02.000001Z",
    "2026-12-01T08:00:02.001Z",
  ),
  ttl: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 5),
});

const path = fc.constantFrom(
  "/spec/holderIdentity",
  "/spec/leaseTransitions",
  "/spec",
  "/metadata/annotations",
  "/metadata/annotations/a",
  "/metadata/annotations/camel.io~1leader-term",
  "/metadata/labels/a",
  "/metadata/resourceVersion",
  "/metadata/name",
  "/nowhere/x",
  "",
);

const operation = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "test", "move", "copy"),
    path,
    from: path,
    value: fc.constantFrom<unknown>("node-1", "1", 1, null, [], {}, { a: "1" }),
  },
  { requiredKeys: ["op", "path"] },
);

// kube-apiserver 1.36 drops the connection when the whole document is replaced by or compared with no
// value: nothing to compare.
const operations = fc.array(
  operation.filter(
    ({ op, path: at, value }) => !((op === "replace" || op === "test") && at === "" && value === undefined),
  ),
  { maxLength: 3 },
);

export const randomRequest: fc.Arbitrary<RandomRequest> = fc.record({
  method: fc.constantFrom(
    "POST",
    "POST",
    "PUT",
    "PUT",
    "PUT",
    "PUT",
    "PATCH",
    "PATCH",
    "PATCH",
    "DELETE",
    "GET",
  ),
  uid: reference([null, null, null, "", "made-up"]),
  resourceVersion: reference([null, "", "0", "1", "999999999", "abc"]),
  metadata,
  spec,
  jsonPatch: fc.option(operations, { nil: null, freq: 2 }),
  query: fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    {},
    {},
    {},
    { dryRun: "All" },
    { fieldValidation: "Strict" },
    { fieldValidation: "Ignore" },
    { dryRun: "Some" },
  ),
});

/** What a request came to, in terms that mean the same to both registers. */
export interface Outcome {
  readonly code: number;
  readonly reason: string | null;
  readonly message: string | null;
  readonly warning: string | null;
  /** The object of the answer, without the values that each register has its own of. */
  readonly answered: unknown;
  readonly stored: unknown;
  /** Which earlier stored state has this uid, and which has this resourceVersion: the first of them. */
  readonly uid: number;
  readonly resourceVersion: number;
}

/** Sends the requests one after the other, about one Lease that is absent at first. */
export async function playRandom(
  register: RegisterUnderTest,
  requests: readonly RandomRequest[],
  name: string,
): Promise<readonly Outcome[]> {
  await register.send({ method: "DELETE", name });
  const states: (LeaseManifest | null)[] = [null];
  const outcomes: Outcome[] = [];
  for (const request of requests) {
    const answer = await register.send(build(request, name, states));
    const { code, body } = await register.send({ method: "GET", name });
    const now = code === 200 ? (body as LeaseManifest) : null;
    states.push(now);
    outcomes.push(outcomeOf(answer, now, states));
  }
  await register.send({ method: "DELETE", name });
  return outcomes;
}

function build(
  request: RandomRequest,
  name: string,
  states: readonly (LeaseManifest | null)[],
): RegisterRequest {
  const { method, query } = request;
  const take = (from: Reference, field: "uid" | "resourceVersion"): object => {
    if ("literal" in from) return from.literal === null ? {} : { [field]: from.literal };
    const value = states.at(-1 - from.back)?.metadata[field];
    return value === undefined ? {} : { [field]: value };
  };
  const conditions = { ...take(request.uid, "uid"), ...take(request.resourceVersion, "resourceVersion") };
  switch (method) {
    case "GET":
      return { method, name };
    case "DELETE":
      return { method, name, query, body: JSON.stringify({ preconditions: conditions }) };
    case "PATCH":
      return request.jsonPatch === null
        ? {
            method,
            name,
            query,
            contentType: "application/merge-patch+json",
            body: JSON.stringify({ metadata: { ...request.metadata, ...conditions }, spec: request.spec }),
          }
        : {
            method,
            name,
            query,
            contentType: "application/json-patch+json",
            body: JSON.stringify(request.jsonPatch),
          };
    case "POST":
    case "PUT":
      return {
        method,
        ...(method === "PUT" ? { name } : {}),
        query,
        body: JSON.stringify({
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata: { name, ...request.metadata, ...conditions },
          spec: request.spec,
        }),
      };
  }
}

function outcomeOf(
  { code, body, warning }: RegisterAnswer,
  now: LeaseManifest | null,
  states: readonly (LeaseManifest | null)[],
): Outcome {
  const status = body as { readonly kind: string; readonly reason?: string; readonly message?: string };
  const isStatus = status.kind === "Status";
  return {
    code,
    reason: status.reason ?? null,
    message: status.message === undefined ? null : plain(status.message),
    warning,
    answered: isStatus ? null : content(body as LeaseManifest),
    stored: content(now),
    uid: states.findIndex((state) => state?.metadata.uid === now?.metadata.uid),
    resourceVersion: states.findIndex(
      (state) => state?.metadata.resourceVersion === now?.metadata.resourceVersion,
    ),
  };
}

function content(lease: LeaseManifest | null): unknown {
  return lease === null
    ? null
    : {
        labels: lease.metadata.labels ?? {},
        annotations: lease.metadata.annotations ?? {},
        spec: lease.spec,
      };
}

/**
 * A message without what the server's storage adds, without the patched object, and without uids and
 * versions. Invalid keys of a map are told in any order, since Go walks its maps so.
 */
const plain = (message: string): string =>
  message
    .replace(/StorageError: invalid object, Code: 4, Key: \S+, ResourceVersion: 0, AdditionalErrorMsg: /, "")
    .replace(/(patch: Invalid value: ").*(": )/, "$1$2")
    .replaceAll(/uid-\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/(precondition|record) \(\d+\)/g, "$1 (VERSION)")
    .replace(
      /\[(metadata|spec)\..*\]$/,
      (list) =>
        `[${list
          .slice(1, -1)
          .split(/, (?=metadata\.|spec\.)/)
          .toSorted()
          .join(", ")}]`,
    );

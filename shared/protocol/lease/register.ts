// The register: what the API server does with a request for a Lease, as measured on a real one. It expires nothing.
import { unreachable } from "../../base/assert.ts";
import type {
  Lease,
  LeaseBody,
  LeaseOutcome,
  LeaseRequest,
  LeaseSpec,
  RefusalReason,
  StringMap,
} from "./lease.ts";

/** The Leases of one namespace. */
export interface LeaseStore {
  /** The counter behind every resourceVersion. */
  readonly revision: number;
  /** How many Leases were ever created: the source of uids. */
  readonly created: number;
  readonly leases: Readonly<Record<string, Lease>>;
}

export const emptyStore: LeaseStore = { revision: 0, created: 0, leases: {} };

export function serveLease(
  store: LeaseStore,
  request: LeaseRequest,
): readonly [LeaseStore, LeaseOutcome] {
  switch (request.verb) {
    case "get": {
      const lease = store.leases[request.name];
      return [
        store,
        lease === undefined
          ? notFound(request.name)
          : { kind: "ok", code: 200, lease, changed: false },
      ];
    }
    case "create":
      return store.leases[request.body.name] === undefined
        ? create(store, request.body)
        : [
            store,
            refuse(
              409,
              "AlreadyExists",
              `leases.coordination.k8s.io "${request.body.name}" already exists`,
            ),
          ];
    case "update":
      return update(store, request.name, request.body);
    case "delete":
      return remove(store, request);
    default:
      return unreachable(request);
  }
}

function refuse(code: number, reason: RefusalReason, message: string): LeaseOutcome {
  return { kind: "refused", code, reason, message };
}

const notFound = (name: string): LeaseOutcome =>
  refuse(404, "NotFound", `leases.coordination.k8s.io "${name}" not found`);

/** Validation of the spec: the rules that reach the engine's typed form; the rest is refused when a body is decoded. */
function invalid(name: string, spec: LeaseSpec): LeaseOutcome | null {
  const { leaseDurationSeconds, leaseTransitions } = spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0)
    return refuse(
      422,
      "Invalid",
      `Lease.coordination.k8s.io "${name}" is invalid: spec.leaseDurationSeconds: Invalid value: ${leaseDurationSeconds}: must be greater than 0`,
    );
  if (leaseTransitions !== undefined && leaseTransitions < 0)
    return refuse(
      422,
      "Invalid",
      `Lease.coordination.k8s.io "${name}" is invalid: spec.leaseTransitions: Invalid value: ${leaseTransitions}: must be greater than or equal to 0`,
    );
  return null;
}

function create(store: LeaseStore, body: LeaseBody): readonly [LeaseStore, LeaseOutcome] {
  const refusal = invalid(body.name, body.spec);
  if (refusal !== null) return [store, refusal];
  const revision = store.revision + 1;
  const created = store.created + 1;
  const lease: Lease = {
    name: body.name,
    uid: `uid-${created}`,
    resourceVersion: String(revision),
    annotations: body.annotations,
    labels: body.labels,
    spec: body.spec,
  };
  return [
    { revision, created, leases: { ...store.leases, [body.name]: lease } },
    { kind: "ok", code: 201, lease, changed: true },
  ];
}

function update(
  store: LeaseStore,
  name: string,
  body: LeaseBody,
): readonly [LeaseStore, LeaseOutcome] {
  const stored = store.leases[name];
  if (stored === undefined) {
    // A PUT to an absent name creates, unless the body insists on a uid.
    return body.uid === undefined
      ? create(store, body)
      : [
          store,
          refuse(
            409,
            "Conflict",
            `Operation cannot be fulfilled on leases.coordination.k8s.io "${name}": StorageError: invalid object, Precondition failed: UID in precondition: ${body.uid}, UID in object meta: `,
          ),
        ];
  }
  if (body.uid !== undefined && body.uid !== stored.uid)
    return [
      store,
      refuse(
        409,
        "Conflict",
        `Operation cannot be fulfilled on leases.coordination.k8s.io "${name}": Precondition failed: UID in precondition: ${body.uid}, UID in object meta: ${stored.uid}`,
      ),
    ];
  if (body.resourceVersion === undefined || body.resourceVersion === "" || body.resourceVersion === "0")
    return [
      store,
      refuse(
        422,
        "Invalid",
        `leases.coordination.k8s.io "${name}" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      ),
    ];
  if (body.resourceVersion !== stored.resourceVersion)
    return [
      store,
      refuse(
        409,
        "Conflict",
        `Operation cannot be fulfilled on leases.coordination.k8s.io "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      ),
    ];
  const refusal = invalid(name, body.spec);
  if (refusal !== null) return [store, refusal];
  if (sameContent(stored, body))
    return [store, { kind: "ok", code: 200, lease: stored, changed: false }];
  const revision = store.revision + 1;
  const lease: Lease = {
    name,
    uid: stored.uid,
    resourceVersion: String(revision),
    annotations: body.annotations,
    labels: body.labels,
    spec: body.spec,
  };
  return [
    { revision, created: store.created, leases: { ...store.leases, [name]: lease } },
    { kind: "ok", code: 200, lease, changed: true },
  ];
}

function remove(
  store: LeaseStore,
  request: Extract<LeaseRequest, { verb: "delete" }>,
): readonly [LeaseStore, LeaseOutcome] {
  const stored = store.leases[request.name];
  if (stored === undefined) return [store, notFound(request.name)];
  const { uid, resourceVersion } = request.preconditions ?? {};
  if (
    (uid !== undefined && uid !== stored.uid) ||
    (resourceVersion !== undefined && resourceVersion !== stored.resourceVersion)
  )
    return [
      store,
      refuse(
        409,
        "Conflict",
        `Operation cannot be fulfilled on leases.coordination.k8s.io "${request.name}": the preconditions in the delete options do not match`,
      ),
    ];
  const { [request.name]: _gone, ...leases } = store.leases;
  return [
    { revision: store.revision + 1, created: store.created, leases },
    { kind: "ok", code: 200, lease: null, changed: true },
  ];
}

/** Whether a body says the same as what is stored: then nothing is written and the resourceVersion stands still. */
function sameContent(stored: Lease, body: LeaseBody): boolean {
  const left = stored.spec;
  const right = body.spec;
  return (
    left.holderIdentity === right.holderIdentity &&
    left.leaseDurationSeconds === right.leaseDurationSeconds &&
    left.acquireTime === right.acquireTime &&
    left.renewTime === right.renewTime &&
    left.leaseTransitions === right.leaseTransitions &&
    sameMap(stored.annotations, body.annotations) &&
    sameMap(stored.labels, body.labels)
  );
}

function sameMap(left: StringMap, right: StringMap): boolean {
  if (left === right) return true;
  let count = 0;
  for (const key in left) {
    if (left[key] !== right[key]) return false;
    count += 1;
  }
  for (const _key in right) count -= 1;
  return count === 0;
}

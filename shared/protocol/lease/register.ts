// The Lease register in memory: what the API server does with a request that it has decoded, and nothing it
// does not.
//
// It is optimistic concurrency and no more. A write names the version it was made from and loses if that is
// not the newest; every write that changes anything moves the version. It knows no clock, so it expires
// nothing, and it judges no history: whoever names the newest version may say anything.
import { unreachable } from "../../base/assert.ts";
import { quote } from "./goText.ts";
import type { Lease, LeaseBody, LeaseOutcome, LeaseRequest, LeaseSpec, StringMap } from "./lease.ts";
import {
  specIsValid,
  validateAnnotations,
  validateLabels,
  validateName,
  validateSpec,
  type FieldError,
} from "./validate.ts";

/** The Leases of one namespace. */
export interface LeaseStore {
  /**
   * The newest resourceVersion that was handed out. One counter for all Leases, moved by every write and
   * delete.
   */
  readonly revision: number;
  /** How many Leases were ever created; makes uids that never repeat. */
  readonly created: number;
  readonly leases: Readonly<Record<string, Lease>>;
}

export const emptyStore: LeaseStore = { revision: 0, created: 0, leases: {} };

/**
 * The Lease of that name, or null. Names such as `constructor` are fine Lease names, so own properties
 * only.
 */
export function findLease(store: LeaseStore, name: string): Lease | null {
  return Object.hasOwn(store.leases, name) ? (store.leases[name] ?? null) : null;
}

/**
 * Serves one request: the store afterwards, and the answer. A request that changes nothing (a get, a
 * refusal, an update of identical content) returns the very same store object.
 *
 * Rules as kube-apiserver 1.36 has them; the order of checks is its order (registry `Store.Update`), since
 * that decides which of two refusals a client sees.
 */
export function serveLease(store: LeaseStore, request: LeaseRequest): readonly [LeaseStore, LeaseOutcome] {
  switch (request.verb) {
    case "get":
      return get(store, request.name);
    case "create":
      return create(store, request.body);
    case "update":
      return update(store, request.name, request.body);
    case "delete":
      return remove(store, request.name, request.preconditions);
    default:
      return unreachable(request);
  }
}

type Served = readonly [LeaseStore, LeaseOutcome];
type Refusal = Extract<LeaseOutcome, { kind: "refused" }>;

const RESOURCE = "leases.coordination.k8s.io";
const KIND = "Lease.coordination.k8s.io";

function get(store: LeaseStore, name: string): Served {
  const lease = findLease(store, name);
  return [store, lease === null ? notFound(name) : { kind: "ok", code: 200, lease, changed: false }];
}

function create(store: LeaseStore, body: LeaseBody): Served {
  const errors = createErrors(body);
  if (errors.length > 0) return [store, invalid(body.name, errors)];
  // A body made from a read object would carry a version of another life; the store refuses it before it looks
  // whether the name is taken. Text that is no number passes, and is dropped.
  const version = parseVersion(body.resourceVersion);
  if (typeof version === "bigint" && version !== 0n)
    return [
      store,
      refusal(500, "InternalError", "resourceVersion should not be set on objects to be created"),
    ];
  if (Object.hasOwn(store.leases, body.name))
    return [store, refusal(409, "AlreadyExists", `${RESOURCE} ${quote(body.name)} already exists`)];
  return insert(store, body);
}

/**
 * Puts a patched Lease in the place of the one it was made from. As an update, but the uid in it is no
 * precondition: another one is a change of what cannot change.
 */
export function replacePatched(store: LeaseStore, body: LeaseBody): readonly [LeaseStore, LeaseOutcome] {
  return findLease(store, body.name) === null
    ? [store, notFound(body.name)]
    : update(store, body.name, body, "content");
}

function update(
  store: LeaseStore,
  name: string,
  body: LeaseBody,
  uidIs: "precondition" | "content" = "precondition",
): Served {
  if (name !== body.name)
    return [
      store,
      refusal(
        400,
        "BadRequest",
        `the name of the object (${body.name}) does not match the name on the URL (${name})`,
      ),
    ];
  const existing = findLease(store, name);
  // 1. A uid in the body is a precondition. An absent Lease has uid "", so the old uid refuses to create a
  // new life.
  const otherUid = body.uid !== undefined && body.uid !== "" && body.uid !== (existing?.uid ?? "");
  if (otherUid && uidIs === "precondition")
    return [store, uidConflict(name, body.uid ?? "", existing?.uid ?? "")];
  // 2. The version must be a number, even where nothing will be compared with it.
  if (existing === null || body.resourceVersion !== existing.resourceVersion) {
    const version = parseVersion(body.resourceVersion);
    if (typeof version === "string") return [store, refusal(500, "InternalError", version)];
    // 3. Absent: the update creates it, whatever version the body names.
    if (existing === null) {
      const errors = createErrors(body);
      return errors.length > 0 ? [store, invalid(name, errors)] : insert(store, body);
    }
    // 4. There is no unconditional update of a Lease.
    if (version === 0n)
      return [
        store,
        refusal(
          422,
          "Invalid",
          `${RESOURCE} ${quote(name)} is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
        ),
      ];
    // 5. The version must be the newest. Compared as numbers: "007" names version 7.
    if (version !== BigInt(existing.resourceVersion)) return [store, modified(name)];
  }
  // 6. Content. What equals the stored content was judged when it came in.
  const sameAnnotations = sameMap(body.annotations, existing.annotations);
  const sameLabels = sameMap(body.labels, existing.labels);
  if (otherUid || !specIsValid(body.spec) || !sameAnnotations || !sameLabels) {
    const errors = [
      ...(sameLabels ? [] : validateLabels(body.labels)),
      ...(sameAnnotations ? [] : validateAnnotations(body.annotations, existing.annotations)),
      ...(otherUid ? [immutableUid(body.uid ?? "")] : []),
      ...validateSpec(body.spec),
    ];
    if (errors.length > 0) return [store, invalid(name, errors)];
  }
  // 7. Identical content is answered without a write: the version stands still and no watcher hears of it.
  if (sameAnnotations && sameLabels && sameSpec(body.spec, existing.spec))
    return [store, { kind: "ok", code: 200, lease: existing, changed: false }];
  const revision = store.revision + 1;
  const lease: Lease = {
    name,
    uid: existing.uid,
    resourceVersion: String(revision),
    annotations: sameAnnotations ? existing.annotations : body.annotations,
    labels: sameLabels ? existing.labels : body.labels,
    spec: body.spec,
  };
  return [
    { revision, created: store.created, leases: { ...store.leases, [name]: lease } },
    { kind: "ok", code: 200, lease, changed: true },
  ];
}

function remove(
  store: LeaseStore,
  name: string,
  preconditions: Extract<LeaseRequest, { verb: "delete" }>["preconditions"],
): Served {
  const existing = findLease(store, name);
  if (existing === null) return [store, notFound(name)];
  if (preconditions?.uid !== undefined && preconditions.uid !== existing.uid)
    return [
      store,
      deleteConflict(
        name,
        `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${existing.uid}). The object might have been deleted and then recreated`,
      ),
    ];
  // Compared as text, unlike the version of an update.
  if (
    preconditions?.resourceVersion !== undefined &&
    preconditions.resourceVersion !== existing.resourceVersion
  )
    return [
      store,
      deleteConflict(
        name,
        `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${existing.resourceVersion}). The object might have been modified`,
      ),
    ];
  const { [name]: _gone, ...leases } = store.leases;
  return [
    { revision: store.revision + 1, created: store.created, leases },
    { kind: "ok", code: 200, lease: null, changed: true },
  ];
}

function insert(store: LeaseStore, body: LeaseBody): Served {
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

const immutableUid = (uid: string): FieldError => ({
  field: "metadata.uid",
  detail: `metadata.uid: Invalid value: ${quote(uid)}: field is immutable`,
});

const createErrors = (body: LeaseBody): readonly FieldError[] => [
  ...validateName(body.name),
  ...validateLabels(body.labels),
  ...validateAnnotations(body.annotations),
  ...validateSpec(body.spec),
];

/**
 * An absent version is 0. A text that is no unsigned 64-bit decimal gives the sentence of Go's
 * `strconv.ParseUint`.
 */
function parseVersion(text: string | undefined): bigint | string {
  if (text === undefined || text === "") return 0n;
  if (!/^[0-9]+$/.test(text)) return `strconv.ParseUint: parsing ${quote(text)}: invalid syntax`;
  const version = BigInt(text);
  return version < 1n << 64n ? version : `strconv.ParseUint: parsing ${quote(text)}: value out of range`;
}

function sameMap(left: StringMap, right: StringMap): boolean {
  if (left === right) return true;
  let count = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || left[key] !== right[key]) return false;
    count++;
  }
  for (const _key in right) count--;
  return count === 0;
}

const sameSpec = (left: LeaseSpec, right: LeaseSpec): boolean =>
  left === right ||
  (left.holderIdentity === right.holderIdentity &&
    left.leaseDurationSeconds === right.leaseDurationSeconds &&
    left.acquireTime === right.acquireTime &&
    left.renewTime === right.renewTime &&
    left.leaseTransitions === right.leaseTransitions);

const refusal = (code: number, reason: Refusal["reason"], message: string): Refusal => ({
  kind: "refused",
  code,
  reason,
  message,
});

const notFound = (name: string): Refusal => refusal(404, "NotFound", `${RESOURCE} ${quote(name)} not found`);

const conflict = (name: string, detail: string): Refusal =>
  refusal(409, "Conflict", `Operation cannot be fulfilled on ${RESOURCE} ${quote(name)}: ${detail}`);

const modified = (name: string): Refusal =>
  conflict(
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

/** The server wraps this in the words of its storage, with the key of the object there. */
const uidConflict = (name: string, wanted: string, found: string): Refusal =>
  conflict(name, `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`);

/** A delete names the kind where an update names the resource. */
const deleteConflict = (name: string, detail: string): Refusal =>
  refusal(409, "Conflict", `Operation cannot be fulfilled on ${KIND} ${quote(name)}: ${detail}`);

function invalid(name: string, errors: readonly FieldError[]): Refusal {
  // What is wrong twice in the same words is told once.
  const details = [...new Set(errors.map((error) => error.detail))];
  const text = details.length === 1 ? details.join("") : `[${details.join(", ")}]`;
  return refusal(422, "Invalid", `${KIND} ${quote(name)} is invalid: ${text}`);
}

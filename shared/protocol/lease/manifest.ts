// A Lease as the JSON object that goes over the wire, out and in. What does not decode is answered 400 in
// the API server's words.
import { failed, ok, type Result } from "../../base/result.ts";
import { quote } from "./goText.ts";
import { isObject, kindName, numberText, type Json, type JsonObject } from "./jsonText.ts";
import type { Lease, LeaseBody, LeaseSpec, StringMap } from "./lease.ts";
import { formatMicroTime, goTimeError, scanMicroTime } from "./microTime.ts";

export const API_VERSION = "coordination.k8s.io/v1";

/** The Kubernetes object. Times are text with six digits, absent fields are absent. */
export type LeaseManifest = {
  readonly kind: "Lease";
  readonly apiVersion: typeof API_VERSION;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly labels?: StringMap;
    readonly annotations?: StringMap;
  };
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
};

/** What a manifest says that a Lease of the register does not know. */
export interface ManifestContext {
  readonly namespace?: string;
  /** Whole seconds, as text. The register has no clock, so only a real server knows it. */
  readonly creationTimestamp?: string;
}

/**
 * The object for a stored Lease, or for a body that is to be sent. Keys in the API server's order, empty
 * maps left out.
 */
export function toManifest(lease: LeaseBody, context: ManifestContext = {}): LeaseManifest {
  const { name, uid, resourceVersion, spec } = lease;
  const { namespace, creationTimestamp } = context;
  const labels = sortedMap(lease.labels);
  const annotations = sortedMap(lease.annotations);
  return {
    kind: "Lease",
    apiVersion: API_VERSION,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(labels === null ? {} : { labels }),
      ...(annotations === null ? {} : { annotations }),
    },
    spec: {
      ...(spec.holderIdentity === undefined ? {} : { holderIdentity: spec.holderIdentity }),
      ...(spec.leaseDurationSeconds === undefined ? {} : { leaseDurationSeconds: spec.leaseDurationSeconds }),
      ...(spec.acquireTime === undefined ? {} : { acquireTime: formatMicroTime(spec.acquireTime) }),
      ...(spec.renewTime === undefined ? {} : { renewTime: formatMicroTime(spec.renewTime) }),
      ...(spec.leaseTransitions === undefined ? {} : { leaseTransitions: spec.leaseTransitions }),
    },
  };
}

/** Keys by code point, as Go writes a map; null for an empty one. */
function sortedMap(map: StringMap): StringMap | null {
  const entries = Object.entries(map);
  return entries.length === 0
    ? null
    : Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

export type DecodedLease =
  | {
      readonly kind: "decoded";
      readonly body: LeaseBody;
      /** Of the body; null where it names none. */
      readonly namespace: string | null;
      readonly generateName: string | null;
      readonly creationTimestamp: string | null;
      /** `unknown field "spec.foo"`: a warning, or a refusal where the request asks to be strict. */
      readonly warnings: readonly string[];
    }
  /**
   * The server answers 400 BadRequest: the whole sentence for a create or an update, `detail` alone inside
   * others.
   */
  | { readonly kind: "refused"; readonly message: string; readonly detail: string };

/**
 * Decodes an object as the API server would: kinds and types, never values. Metadata that the register does
 * not keep (finalizers, owners, managed fields, the gated `strategy` and `preferredHolder`) is dropped
 * without a word.
 * @param raw what `readJson` or `JSON.parse` gave. Only the former can tell `15.0` from `15`.
 */
export function decodeLease(raw: unknown): DecodedLease {
  const value = (raw ?? {}) as Json;
  if (!isObject(value))
    return unrecognised(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindName(value)} into Go value of type ` +
        'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    );
  const { apiVersion: givenVersion = null, kind: givenKind = null } = value;
  if (!isTextOrNull(givenVersion)) return noTypeMeta(givenVersion, "apiVersion");
  if (!isTextOrNull(givenKind)) return noTypeMeta(givenKind, "kind");
  // The server fills in what is absent from the address that was called.
  const apiVersion = givenVersion || API_VERSION;
  const kind = givenKind || "Lease";
  const parts = apiVersion.split("/");
  if (parts.length > 2) return unrecognised(`unexpected GroupVersion string: ${apiVersion}`);
  const version = parts.at(-1) ?? "";
  if (kind === "Lease" && apiVersion === "coordination.k8s.io/v1beta1") {
    const detail = `the API version in the data (${apiVersion}) does not match the expected API version (${API_VERSION})`;
    return { kind: "refused", message: detail, detail };
  }
  if (kind !== "Lease" || apiVersion !== API_VERSION) {
    const detail = `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in this register`;
    return {
      kind: "refused",
      message: `${kind} in version ${quote(version)} cannot be handled as a Lease: ${detail}`,
      detail,
    };
  }
  const decoder: Decoder = { typeError: null, timeError: null, warnings: [] };
  const decoded = decodeFields(decoder, value);
  // A time refuses at once; a wrong type is remembered, the first one wins, and the rest is still looked at.
  const error = decoder.timeError ?? decoder.typeError;
  return error === null
    ? { kind: "decoded", ...decoded, warnings: decoder.warnings }
    : { kind: "refused", message: cannotBeHandled(error), detail: error };
}

/** The sentence around a fault of decoding. */
export const cannotBeHandled = (detail: string): string =>
  `Lease in version "v1" cannot be handled as a Lease: ${detail}`;

/** The sentence around a fault of reading the JSON text, or of a body that names no kind. */
export const cannotBeRecognised = (detail: string): string =>
  `the object provided is unrecognized (must be of type Lease): ${detail}`;

const unrecognised = (detail: string): DecodedLease => ({
  kind: "refused",
  message: cannotBeRecognised(detail),
  detail,
});

const isTextOrNull = (value: Json): value is string | null => typeof value === "string" || value === null;

const noTypeMeta = (value: Json, field: string): DecodedLease =>
  unrecognised(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindName(value)} into Go struct field .${field} of type string`,
  );

/**
 * A stored Lease from the manifest that an API server sent.
 * @returns or the sentence that says what is wrong with it.
 */
export function leaseOfManifest(raw: unknown): Result<Lease, string> {
  const decoded = decodeLease(raw);
  if (decoded.kind === "refused") return failed(decoded.message);
  const { uid, resourceVersion, ...rest } = decoded.body;
  if (uid === undefined || resourceVersion === undefined)
    return failed("Expected a Lease as a server stores it, with uid and resourceVersion, got one without.");
  return ok({ ...rest, uid, resourceVersion });
}

/** What decoding finds on its way. */
interface Decoder {
  typeError: string | null;
  timeError: string | null;
  readonly warnings: string[];
}

type DecodedFields = Omit<Extract<DecodedLease, { kind: "decoded" }>, "kind" | "warnings">;

function decodeFields(decoder: Decoder, value: JsonObject): DecodedFields {
  let metadata: Metadata = {};
  let spec: LeaseSpec = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === "metadata") metadata = decodeMetadata(decoder, item);
    else if (key === "spec") spec = decodeSpec(decoder, item);
    else if (key !== "apiVersion" && key !== "kind") unknownField(decoder, key);
  }
  const { uid, resourceVersion } = metadata;
  return {
    body: {
      name: metadata.name ?? "",
      ...(uid === undefined || uid === "" ? {} : { uid }),
      ...(resourceVersion === undefined || resourceVersion === "" ? {} : { resourceVersion }),
      annotations: metadata.annotations ?? {},
      labels: metadata.labels ?? {},
      spec,
    },
    namespace: metadata.namespace || null,
    generateName: metadata.generateName || null,
    creationTimestamp: metadata.creationTimestamp || null,
  };
}

interface Metadata {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  creationTimestamp?: string;
  labels?: StringMap;
  annotations?: StringMap;
}

/** Known to the server, not kept by the register. */
const OTHER_METADATA: ReadonlySet<string> = new Set([
  "selfLink",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
]);

function decodeMetadata(decoder: Decoder, value: Json): Metadata {
  const metadata: Metadata = {};
  if (!expectObject(decoder, value, "Lease.metadata", "v1.ObjectMeta")) return metadata;
  for (const [key, item] of Object.entries(value)) {
    const field = `ObjectMeta.metadata.${key}`;
    switch (key) {
      case "name":
      case "generateName":
      case "namespace":
      case "resourceVersion":
      case "creationTimestamp":
        metadata[key] = decodeText(decoder, item, field, "string") ?? "";
        break;
      case "uid":
        metadata.uid = decodeText(decoder, item, field, "types.UID") ?? "";
        break;
      case "labels":
      case "annotations":
        metadata[key] = decodeMap(decoder, item, field);
        break;
      default:
        if (!OTHER_METADATA.has(key)) unknownField(decoder, `metadata.${key}`);
    }
  }
  return metadata;
}

function decodeMap(decoder: Decoder, value: Json, field: string): StringMap {
  if (!expectObject(decoder, value, field, "map[string]string")) return {};
  // A null value is the empty text, as everywhere in Go.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, decodeText(decoder, item, field, "string") ?? ""]),
  );
}

function decodeSpec(decoder: Decoder, value: Json): LeaseSpec {
  const spec: { -readonly [Key in keyof LeaseSpec]: LeaseSpec[Key] } = {};
  if (!expectObject(decoder, value, "Lease.spec", "v1.LeaseSpec")) return spec;
  for (const [key, item] of Object.entries(value)) {
    const field = `LeaseSpec.spec.${key}`;
    switch (key) {
      case "holderIdentity": {
        const text = decodeText(decoder, item, field, "string");
        if (text !== undefined) spec.holderIdentity = text;
        break;
      }
      case "leaseDurationSeconds":
      case "leaseTransitions": {
        const number = decodeInt32(decoder, item, field);
        if (number !== undefined) spec[key] = number;
        break;
      }
      case "acquireTime":
      case "renewTime": {
        const time = decodeTime(decoder, item, field);
        if (time !== undefined) spec[key] = time;
        break;
      }
      // Behind a feature gate that is off: checked for their type, then dropped.
      case "strategy":
        decodeText(decoder, item, field, "v1.CoordinatedLeaseStrategy");
        break;
      case "preferredHolder":
        decodeText(decoder, item, field, "string");
        break;
      default:
        unknownField(decoder, `spec.${key}`);
    }
    // What follows a refused time is never looked at.
    if (decoder.timeError !== null) break;
  }
  return spec;
}

/** Whether there is an object to walk. Null is as good as absent. */
function expectObject(decoder: Decoder, value: Json, field: string, type: string): value is JsonObject {
  if (isObject(value)) return true;
  if (value !== null) typeError(decoder, value, field, type);
  return false;
}

function decodeText(decoder: Decoder, value: Json, field: string, type: string): string | undefined {
  if (typeof value === "string") return value;
  if (value !== null) typeError(decoder, value, field, type);
  return undefined;
}

const INT32_LIMIT = 2 ** 31;

function decodeInt32(decoder: Decoder, value: Json, field: string): number | undefined {
  if (value === null) return undefined;
  // The sum turns -0 into 0.
  if (typeof value === "number" && Number.isInteger(value) && value >= -INT32_LIMIT && value < INT32_LIMIT)
    return value + 0;
  const text = numberText(value);
  if (text === null) typeError(decoder, value, field, "int32");
  else
    decoder.typeError ??= `json: cannot unmarshal number ${text} into Go struct field ${field} of type int32`;
  return undefined;
}

function decodeTime(decoder: Decoder, value: Json, field: string): number | undefined {
  if (value === null) return undefined;
  if (typeof value !== "string") {
    decoder.timeError = wrongType(value, field, "string");
    return undefined;
  }
  const scanned = scanMicroTime(value);
  if (scanned.ok) return scanned.value;
  decoder.timeError = goTimeError(value, scanned.error);
  return undefined;
}

const wrongType = (value: Json, field: string, type: string): string =>
  `json: cannot unmarshal ${kindName(value)} into Go struct field ${field} of type ${type}`;

function typeError(decoder: Decoder, value: Json, field: string, type: string): void {
  decoder.typeError ??= wrongType(value, field, type);
}

function unknownField(decoder: Decoder, path: string): void {
  decoder.warnings.push(`unknown field ${quote(path)}`);
}

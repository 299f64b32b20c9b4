// The register at its HTTP door: what the API server answers to a method, an address and a body as text.
//
// Left out, because no client of a Lease lock needs it: list and watch, the other media types (YAML,
// protobuf, strategic merge, apply), finalizers and owners, and `details.causes` of a Status. Such methods
// and media types are refused; such metadata is dropped.
import { present, unreachable } from "../../base/assert.ts";
import { utf8Length } from "./goText.ts";
import { isObject, readJson, writeJson, type Json } from "./jsonText.ts";
import type { LeaseBody, LeaseOutcome } from "./lease.ts";
import {
  cannotBeHandled,
  cannotBeRecognised,
  decodeLease,
  toManifest,
  type DecodedLease,
  type LeaseManifest,
} from "./manifest.ts";
import { applyJsonPatch, applyMergePatch } from "./patch.ts";
import { decodeDeleteOptions, type DeletePreconditions } from "./deleteOptions.ts";
import { emptyStore, findLease, replacePatched, serveLease, type LeaseStore } from "./register.ts";

/** A request below `/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases[/{name}]`. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly namespace: string;
  /** Absent: the collection, which takes a POST. */
  readonly name?: string;
  /** `dryRun` and `fieldValidation`; others are ignored. */
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case. Only `content-type` is looked at; default `application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A `Status`, as every answer is that is no Lease. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  /** Absent where a fault of the server itself (500) is answered. */
  readonly reason?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly code?: number;
}

export interface HttpAnswer {
  readonly code: number;
  readonly body: LeaseManifest | Status;
  /** Value of the header `Warning`, where there is something to warn of. */
  readonly warning?: string;
}

/** The API server's limit for a body. */
export const BODY_LIMIT_BYTES = 3 * 1024 * 1024;

type Decoded = Extract<DecodedLease, { kind: "decoded" }>;
type Served = readonly [LeaseStore, HttpAnswer];

/**
 * Serves one request. `namespace` is the one that the store holds and the only one that exists.
 * A refusal, a dry run and an update that changes nothing return the very same store.
 */
export function serveHttp(store: LeaseStore, namespace: string, request: HttpRequest): Served {
  const here = request.namespace === namespace;
  const [next, answer] = route(here ? store : emptyStore, request, here);
  return [here ? next : store, answer];
}

function route(store: LeaseStore, request: HttpRequest, exists: boolean): Served {
  const { method, name } = request;
  if (name === undefined ? method !== "POST" : method === "POST")
    return refuse(
      store,
      405,
      "MethodNotAllowed",
      "the server does not allow this method on the requested resource",
    );
  switch (method) {
    case "GET":
      return answerOutcome(store, request, serveLease(store, { verb: "get", name: name ?? "" }));
    case "DELETE":
      return serveDelete(store, request, name ?? "");
    case "POST":
    case "PUT":
    case "PATCH": {
      const options = optionErrors(request);
      if (options.length > 0) return refuseOptions(store, OPTIONS[method], options);
      if (utf8Length(request.body ?? "") > BODY_LIMIT_BYTES)
        return refuse(
          store,
          413,
          "RequestEntityTooLarge",
          `Request entity too large: limit is ${BODY_LIMIT_BYTES}`,
        );
      return method === "PATCH" ? servePatch(store, request, name ?? "") : serveWrite(store, request, exists);
    }
    default:
      return unreachable(method);
  }
}

const OPTIONS = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" } as const;

/** POST and PUT. In the server's order: decode, names, namespace, and then the register. */
function serveWrite(store: LeaseStore, request: HttpRequest, exists: boolean): Served {
  const text = request.body ?? "";
  if (!mediaTypeIs(request, "application/json")) return refuseMediaType(store, "application/json");
  const read = readJson(text);
  if (!read.ok)
    return badRequest(
      store,
      cannotBeRecognised(`couldn't get version/kind; json parse error: ${read.message} (${preview(text)})`),
    );
  const decoded = decodeLease(read.value);
  if (decoded.kind === "refused") return badRequest(store, decoded.message);
  const warnings = fieldWarnings(read.duplicates, decoded);
  if (isStrict(request) && warnings.length > 0)
    return badRequest(store, cannotBeHandled(`strict decoding error: ${warnings.join(", ")}`));
  return warned(request, warnings, writeDecoded(store, request, decoded, exists));
}

function writeDecoded(store: LeaseStore, request: HttpRequest, decoded: Decoded, exists: boolean): Served {
  if (request.name !== undefined && decoded.body.name === "") return nameUndeterminable(store, request.name);
  const mismatch = nameMismatch(request, decoded);
  if (mismatch !== null) return badRequest(store, mismatch);
  const served =
    request.name === undefined
      ? serveLease(store, { verb: "create", body: creatable(store, request, decoded) })
      : serveLease(store, { verb: "update", name: request.name, body: decoded.body });
  // A namespace that is absent is noticed where a Lease would be created in it: after the uid of an update
  // was compared.
  const outcome = served[1];
  if (!exists && !(outcome.kind === "refused" && outcome.reason === "Conflict"))
    return refuse(store, 404, "NotFound", `namespaces "${request.namespace}" not found`, {
      name: request.namespace,
      kind: "namespaces",
    });
  return answerOutcome(store, request, served);
}

/**
 * PATCH: the stored object is patched as JSON, decoded again and put in its place, under the version it was
 * read at.
 */
function servePatch(store: LeaseStore, request: HttpRequest, name: string): Served {
  const merge = mediaTypeIs(request, "application/merge-patch+json");
  if (!merge && !mediaTypeIs(request, "application/json-patch+json"))
    return refuseMediaType(store, "application/json-patch+json, application/merge-patch+json");
  const stored = findLease(store, name);
  if (stored === null) return answerOutcome(store, request, serveLease(store, { verb: "get", name }));
  const read = readJson(request.body ?? "");
  if (!read.ok) return badRequest(store, `error decoding patch: ${read.message}`);
  // The manifest is plain JSON by construction.
  const target = toManifest(stored, { namespace: request.namespace }) as unknown as Json;
  const patched = merge ? applyMergePatch(target, read.value) : applyJsonPatch(target, read.value);
  switch (patched.kind) {
    case "undecodable":
      return badRequest(store, patched.message);
    case "inapplicable":
      return refuse(store, 422, "Invalid", "the server rejected our request due to an error in our request");
    case "patched":
      break;
    default:
      return unreachable(patched);
  }
  const invalidPatch = (detail: string): Served =>
    refuse(
      store,
      422,
      "Invalid",
      ` "" is invalid: patch: Invalid value: ${JSON.stringify(writeJson(patched.value))}: ${detail}`,
    );
  const decoded = decodePatched(patched.value);
  if (decoded.kind === "refused") return invalidPatch(decoded.detail);
  const warnings = merge
    ? fieldWarnings(read.duplicates, decoded)
    : [
        ...read.duplicates.map((path) => `json patch duplicate field ${JSON.stringify(path)}`),
        ...patched.warnings,
        ...fieldWarnings([], decoded),
      ];
  if (isStrict(request) && warnings.length > 0)
    return invalidPatch(`strict decoding error: ${warnings.join(", ")}`);
  return warned(request, warnings, replaceDecoded(store, request, decoded));
}

/**
 * Without an apiVersion the server takes the object for one of its internal version, in which it knows no
 * field.
 */
function decodePatched(value: Json): DecodedLease {
  if (!isObject(value) || (value["apiVersion"] ?? "") !== "") return decodeLease(value);
  const fields = Object.keys(value).filter((key) => key !== "apiVersion" && key !== "kind");
  return {
    kind: "decoded",
    body: { name: "", annotations: {}, labels: {}, spec: {} },
    namespace: null,
    generateName: null,
    creationTimestamp: null,
    warnings: fields.map((key) => `unknown field ${JSON.stringify(key)}`),
  };
}

function replaceDecoded(store: LeaseStore, request: HttpRequest, decoded: Decoded): Served {
  if (decoded.body.name === "") return nameUndeterminable(store, request.name ?? "");
  const mismatch = nameMismatch(request, decoded);
  if (mismatch !== null) return badRequest(store, mismatch);
  return answerOutcome(store, request, replacePatched(store, decoded.body));
}

function serveDelete(store: LeaseStore, request: HttpRequest, name: string): Served {
  const text = request.body ?? "";
  let dryRun: readonly string[] = request.query?.["dryRun"] === undefined ? [] : [request.query["dryRun"]];
  let preconditions: DeletePreconditions = {};
  if (text !== "") {
    // A body takes the place of the query: `?dryRun=All` beside a body deletes.
    const options = decodeDeleteOptions(text);
    if (options.kind === "refused") return badRequest(store, options.message);
    ({ dryRun, preconditions } = options);
  }
  if (dryRun.some((value) => value !== "All"))
    return refuseOptions(store, "DeleteOptions", [dryRunError(dryRun)]);
  const before = findLease(store, name);
  const served = serveLease(store, { verb: "delete", name, preconditions });
  if (served[1].kind === "refused") return answerOutcome(store, request, served);
  const deleted = present(before, "a deleted Lease to have been there");
  const body: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, group: GROUP, kind: "leases", uid: deleted.uid },
  };
  return [dryRun.length > 0 ? store : served[0], { code: 200, body }];
}

/** The body of a create. A dry run never reaches the storage, which is what refuses a resourceVersion. */
function creatable(store: LeaseStore, request: HttpRequest, decoded: Decoded): LeaseBody {
  const { resourceVersion: _refused, ...body } = decoded.body;
  return named(store, isDryRun(request) ? { ...decoded, body } : decoded);
}

/**
 * The name of a body, or one that is made up from `generateName`. The server's five letters are random;
 * these count.
 */
function named(store: LeaseStore, { body, generateName }: Decoded): LeaseBody {
  if (body.name !== "" || generateName === null) return body;
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  let suffix = "";
  for (let rest = store.created, index = 0; index < 5; index++, rest = Math.floor(rest / letters.length))
    suffix = letters.charAt(rest % letters.length) + suffix;
  return { ...body, name: generateName.slice(0, 58) + suffix };
}

const GROUP = "coordination.k8s.io";

const isDryRun = (request: HttpRequest): boolean => request.query?.["dryRun"] === "All";
const isStrict = (request: HttpRequest): boolean => request.query?.["fieldValidation"] === "Strict";

const fieldWarnings = (duplicates: readonly string[], decoded: Decoded): readonly string[] => [
  ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
  ...decoded.warnings,
];

function mediaTypeIs(request: HttpRequest, type: string): boolean {
  const given = request.headers?.["content-type"] ?? "application/json";
  return given.split(";")[0]?.trim().toLowerCase() === type;
}

const dryRunError = (values: readonly string[]): string =>
  `dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`;

function optionErrors({ query }: HttpRequest): readonly string[] {
  const { dryRun, fieldValidation = "" } = query ?? {};
  return [
    ...(dryRun === undefined || dryRun === "All" ? [] : [dryRunError([dryRun])]),
    ...(["", "Ignore", "Strict", "Warn"].includes(fieldValidation)
      ? []
      : [
          `fieldValidation: Unsupported value: ${JSON.stringify(fieldValidation)}: supported values: "", "Ignore", "Strict", "Warn"`,
        ]),
  ];
}

function nameMismatch(request: HttpRequest, { body, namespace }: Decoded): string | null {
  if (request.name !== undefined && body.name !== request.name)
    return `the name of the object (${body.name}) does not match the name on the URL (${request.name})`;
  return namespace !== null && namespace !== request.namespace
    ? "the namespace of the provided object does not match the namespace sent on the request"
    : null;
}

/** The body as a message shows it: its first 30 characters. */
function preview(text: string): string {
  if (text === "") return "<empty>";
  return text.length > 30 ? `${text.slice(0, 30)} ...` : text;
}

/** Turns the register's outcome into an answer. */
function answerOutcome(
  store: LeaseStore,
  request: HttpRequest,
  [next, outcome]: readonly [LeaseStore, LeaseOutcome],
): Served {
  if (outcome.kind === "refused") {
    // The server names no reason for a fault of its own.
    const reason = outcome.reason === "InternalError" ? null : outcome.reason;
    const subject = /(leases|Lease)\.coordination\.k8s\.io "([^"]*)"/.exec(outcome.message);
    const details =
      subject === null ? null : { name: subject[2] ?? "", group: GROUP, kind: subject[1] ?? "" };
    return refuse(store, outcome.code, reason, outcome.message, details);
  }
  const lease = present(outcome.lease, "an answer that is no delete to carry the Lease");
  const manifest = toManifest(lease, { namespace: request.namespace });
  if (!isDryRun(request)) return [next, { code: outcome.code, body: manifest }];
  // What was not stored has no version: none where it was not there before, the old one otherwise.
  const { resourceVersion: _unstored, ...metadata } = manifest.metadata;
  const stored = findLease(store, lease.name);
  const body = {
    ...manifest,
    metadata: stored === null ? metadata : { ...metadata, resourceVersion: stored.resourceVersion },
  };
  return [store, { code: outcome.code, body }];
}

/**
 * The answer, refusals too, with its header `Warning`, unless there is nothing to warn of or the request
 * asks for none.
 */
function warned(request: HttpRequest, warnings: readonly string[], [store, answer]: Served): Served {
  return warnings.length === 0 || request.query?.["fieldValidation"] === "Ignore"
    ? [store, answer]
    : [store, { ...answer, warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ") }];
}

function refuse(
  store: LeaseStore,
  code: number,
  reason: string | null,
  message: string,
  details: Readonly<Record<string, string>> | null = null,
): Served {
  const body: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === null ? {} : { reason }),
    ...(details === null ? {} : { details }),
    code,
  };
  return [store, { code, body }];
}

const badRequest = (store: LeaseStore, message: string): Served => refuse(store, 400, "BadRequest", message);

const nameUndeterminable = (store: LeaseStore, name: string): Served =>
  badRequest(
    store,
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );

const refuseMediaType = (store: LeaseStore, accepted: string): Served =>
  refuse(
    store,
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );

function refuseOptions(store: LeaseStore, kind: string, errors: readonly string[]): Served {
  const text = errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`;
  return refuse(store, 422, "Invalid", `${kind}.meta.k8s.io "" is invalid: ${text}`, {
    group: "meta.k8s.io",
    kind,
  });
}

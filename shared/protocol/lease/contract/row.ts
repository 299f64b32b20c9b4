// What a row of the register's contract is: requests to send, and what must come of each.
import type { HttpRequest } from "../http.ts";
import { API_VERSION, type LeaseManifest } from "../manifest.ts";

/** A register as its clients see it: the in-memory one, or a real API server. */
export interface RegisterUnderTest {
  readonly send: (request: RegisterRequest) => Promise<RegisterAnswer>;
}

export interface RegisterRequest {
  readonly method: HttpRequest["method"];
  /** Absent: the collection. */
  readonly name?: string;
  /** Default: the namespace that the register was given for the tests. `absent` is one that does not exist. */
  readonly namespace?: "absent";
  readonly query?: Readonly<Record<string, string>>;
  /** Default: `application/json`. */
  readonly contentType?: string;
  readonly body?: string;
  /** Default: someone who may do everything with Leases of the namespace. */
  readonly as?: Caller;
}

/** Known but without a permission; with a token nobody issued; without any token. */
export type Caller = "stranger" | "bad-token" | "anonymous";

export interface RegisterAnswer {
  readonly code: number;
  /** The JSON that came back. */
  readonly body: unknown;
  /** The header `Warning`, or null. */
  readonly warning: string | null;
}

/** What a row's steps can build their requests from. */
export interface Seen {
  /** The name of the row's Lease. */
  readonly name: string;
  /** The Lease as it was stored before the first step; null where the row starts without one. */
  readonly first: LeaseManifest | null;
  /** The Lease as it is stored now. */
  readonly now: LeaseManifest | null;
}

/** What happened to the stored Lease, which both registers are asked for before and after every step. */
export type Fate =
  /** Same uid, a larger resourceVersion. */
  | "moved"
  /** Nothing about it changed, the resourceVersion neither. */
  | "still"
  /** It was not there, and is. */
  | "appeared"
  /** It was there, and is not. */
  | "gone"
  /** It was not there, and is not. */
  | "absent";

export interface Expectation {
  readonly code: number;
  /** Of the Status; null where it has none, as in a 500. Default: unchecked. */
  readonly reason?: string | null;
  /** Part of the Status's message. */
  readonly message?: string;
  readonly fate: Fate;
  /** Part of the header `Warning`. Default: there must be none. */
  readonly warning?: string;
  /** The whole spec of the stored Lease afterwards. */
  readonly spec?: object;
  /** All annotations of the stored Lease afterwards. */
  readonly annotations?: object;
  /** The whole spec in the answer. */
  readonly answered?: object;
}

export interface Step {
  readonly send: (seen: Seen) => RegisterRequest;
  readonly expect: Expectation;
}

/** The same request from several clients at once. */
export interface Race {
  readonly race: (seen: Seen, client: number) => RegisterRequest;
  readonly clients: number;
  /** How many answers of each code. */
  readonly tally: Readonly<Record<number, number>>;
  readonly fate: Fate;
}

export interface ContractRow {
  /** The rule, in words. Unique: it is the name of the test. */
  readonly why: string;
  /** For rows that one of the two cannot show. */
  readonly only?: { readonly register: "memory" | "server"; readonly because: string };
  /** The name that the Lease must have. Default: one that is given out for the run. */
  readonly name?: string;
  /** A Lease that is created before the first step. */
  readonly given?: Draft;
  readonly steps: readonly (Step | Race)[];
}

/** Parts of a body, sent as they are: rows also send what no type would allow. */
export interface Draft {
  readonly metadata?: object;
  readonly spec?: unknown;
}

/** The Lease that most rows start with. */
export const HELD = {
  metadata: { annotations: { "camel.io/leader-term": "7" }, labels: { app: "lab" } },
  spec: {
    holderIdentity: "node-1",
    leaseDurationSeconds: 15,
    acquireTime: "2026-12-01T08:00:00.000000Z",
    renewTime: "2026-12-01T08:00:00.000000Z",
    leaseTransitions: 3,
  },
} as const;

/** {@link HELD} with some of its metadata exchanged. */
export const held = (metadata: object): Draft => ({
  metadata: { ...HELD.metadata, ...metadata },
  spec: HELD.spec,
});

export const NEW_HOLDER = { holderIdentity: "node-2" } as const;

/** The JSON text of a Lease of the row's name. */
export const leaseText = ({ name }: Seen, { metadata = {}, spec = {} }: Draft = {}): string =>
  JSON.stringify({ apiVersion: API_VERSION, kind: "Lease", metadata: { name, ...metadata }, spec });

type Extra = Omit<RegisterRequest, "method" | "name" | "body">;

export const post =
  (draft: Draft = {}, extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({ method: "POST", body: leaseText(seen, draft), ...extra });

export const postText =
  (body: string, extra: Extra = {}) =>
  (): RegisterRequest => ({ method: "POST", body, ...extra });

export const put =
  (draft: Draft | ((seen: Seen) => Draft), extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({
    method: "PUT",
    name: seen.name,
    body: leaseText(seen, typeof draft === "function" ? draft(seen) : draft),
    ...extra,
  });

/** The stored Lease sent back, with some of it exchanged. */
export const putBack =
  (spec: object, extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({
    method: "PUT",
    name: seen.name,
    body: JSON.stringify({ ...seen.now, spec: { ...seen.now?.spec, ...spec } }),
    ...extra,
  });

export const get =
  (extra: Extra = {}) =>
  ({ name }: Seen): RegisterRequest => ({ method: "GET", name, ...extra });

export const mergePatch =
  (patch: object | string | ((seen: Seen) => object), extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({
    method: "PATCH",
    name: seen.name,
    contentType: "application/merge-patch+json",
    body:
      typeof patch === "string" ? patch : JSON.stringify(typeof patch === "function" ? patch(seen) : patch),
    ...extra,
  });

export const jsonPatch =
  (operations: readonly object[] | string | ((seen: Seen) => readonly object[]), extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({
    method: "PATCH",
    name: seen.name,
    contentType: "application/json-patch+json",
    body:
      typeof operations === "string"
        ? operations
        : JSON.stringify(typeof operations === "function" ? operations(seen) : operations),
    ...extra,
  });

export const remove =
  (options?: object | ((seen: Seen) => object) | string, extra: Extra = {}) =>
  (seen: Seen): RegisterRequest => ({
    method: "DELETE",
    name: seen.name,
    ...(options === undefined
      ? {}
      : {
          body:
            typeof options === "string"
              ? options
              : JSON.stringify(typeof options === "function" ? options(seen) : options),
        }),
    ...extra,
  });

export const uidOf = (lease: LeaseManifest | null): string => lease?.metadata.uid ?? "";
export const versionOf = (lease: LeaseManifest | null): string => lease?.metadata.resourceVersion ?? "";

/** A refusal in which the stored Lease stays as it is. */
export const refused = (
  code: number,
  reason: string | null,
  message: string,
  fate: Fate = "still",
): Expectation => ({ code, reason, message, fate });

/** A refusal in which there is no Lease, before and after. */
export const refusedAbsent = (code: number, reason: string | null, message: string): Expectation =>
  refused(code, reason, message, "absent");

export const MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";
export const MUST_BE_SPECIFIED =
  "is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update";

/** What a POST that is taken must come to. */
export const created = (spec: object, more: Partial<Expectation> = {}): Expectation => ({
  code: 201,
  fate: "appeared",
  spec,
  ...more,
});

/** A 400 of a body that does not decode. */
export const cannotUnmarshal = (what: string): Expectation =>
  refusedAbsent(
    400,
    "BadRequest",
    `Lease in version "v1" cannot be handled as a Lease: json: cannot unmarshal ${what}`,
  );

export const cannotUnmarshalDuration = (what: string): Expectation =>
  cannotUnmarshal(`${what} into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32`);

/** What a change that is taken must come to. */
export const moved = (spec: object, more: Partial<Expectation> = {}): Expectation => ({
  code: 200,
  fate: "moved",
  spec,
  ...more,
});

/** A 200 that wrote nothing. */
export const STILL: Expectation = { code: 200, fate: "still" };

/** {@link HELD}'s spec with the holder exchanged, and without one. */
export const TAKEN_SPEC = { ...HELD.spec, ...NEW_HOLDER } as const;
const { holderIdentity: _holder, ...unheld } = HELD.spec;
export const UNHELD_SPEC = unheld;

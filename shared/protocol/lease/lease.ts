// The `coordination.k8s.io/v1` Lease as the engine holds it: plain data, times as whole microseconds.

/**
 * A point in time as Kubernetes' MicroTime: whole microseconds since the Unix epoch.
 * Exact up to the year 2255 (2^53 µs). The six-digit text form is made and read only at the edge (`microTime.ts`).
 */
export type MicroTime = number;

/** Who holds the lease and since when. Every field may be absent, as on the API server. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  /** Whole seconds, > 0 when present (int32). */
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: MicroTime;
  readonly renewTime?: MicroTime;
  /** >= 0 when present (int32). The server checks no history: it may fall. */
  readonly leaseTransitions?: number;
}

export type StringMap = Readonly<Record<string, string>>;

/** A Lease as the server stores and returns it. */
export interface Lease {
  readonly name: string;
  /** New at every creation: the same name deleted and created again has another. */
  readonly uid: string;
  /** Opaque text for clients; a decimal from one counter for the whole store. Changes at every write that changes anything. */
  readonly resourceVersion: string;
  readonly annotations: StringMap;
  readonly labels: StringMap;
  readonly spec: LeaseSpec;
}

/** A Lease as a client sends it: `uid` and `resourceVersion` are preconditions, each optional. */
export interface LeaseBody {
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly annotations: StringMap;
  readonly labels: StringMap;
  readonly spec: LeaseSpec;
}

export type LeaseRequest =
  | { readonly verb: "get"; readonly name: string }
  | { readonly verb: "create"; readonly body: LeaseBody }
  | { readonly verb: "update"; readonly name: string; readonly body: LeaseBody }
  | {
      readonly verb: "delete";
      readonly name: string;
      readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
    };

export type LeaseVerb = LeaseRequest["verb"];

/** The `reason` of a Kubernetes Status. */
export type RefusalReason =
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Invalid"
  | "BadRequest"
  | "TooManyRequests"
  | "InternalError"
  | "Forbidden"
  | "Unauthorized"
  | "ServiceUnavailable"
  | "Timeout";

/** What the API server answered. A refusal changed nothing. */
export type LeaseOutcome =
  | {
      readonly kind: "ok";
      readonly code: 200 | 201;
      /** The object after the call; null after a delete. */
      readonly lease: Lease | null;
      /** Whether anything was written: false for a get, and for an update of identical content. */
      readonly changed: boolean;
    }
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly reason: RefusalReason;
      readonly message: string;
    };

/** The annotation that carries the fencing term: a decimal counter, +1 on every acquisition. */
export const TERM_ANNOTATION = "camel.io/leader-term";
/** Names the process that made the current acquisition, so that a lost answer can be told from a rival's win. */
export const PROCESS_ANNOTATION = "epoch-lab/process";

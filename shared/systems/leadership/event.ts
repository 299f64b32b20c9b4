// The events of the leadership system: election, guarded work, bridge and sinks.
import type { StopReason } from "../../protocol/elector/contract.ts";
import type { Lease, LeaseVerb } from "../../protocol/lease/lease.ts";
import type { EventBase } from "../event.ts";

/** What a request to the Lease API is for, in the words of the picture. */
export type RequestPurpose = "read" | "create" | "acquire" | "renew" | "release" | "raise-term" | "delete";

/** Why a sink refused a write. */
export type WriteRefusal = "stale" | "duplicate" | "no-token" | "not-current";

/** A write as it travels: what it says, and on whose authority. */
export interface WriteFacts {
  /** Message id: joins `write-sent` with what became of it. */
  readonly message: number;
  readonly node: string;
  readonly sink: string;
  readonly value: string;
  /** Idempotency key: the same for every delivery of one logical operation. */
  readonly key: string;
  /** The fencing token it is stamped with, a decimal; empty when it has none. */
  readonly token: string;
  /** Which acquisition of leadership it was made under, counted from 1 over the whole run. The truth, whatever the token says. */
  readonly acquisition: number;
}

type Of<Kind extends string, Facts = unknown> = EventBase & { readonly kind: Kind } & Facts;

export type LeadershipEvent =
  // --- election -----------------------------------------------------------------------------------------------
  | Of<"process-started", { readonly node: string; readonly identity: string; readonly incarnation: number }>
  | Of<
      "request-sent",
      {
        readonly node: string;
        readonly message: number;
        readonly verb: LeaseVerb;
        readonly purpose: RequestPurpose;
      }
    >
  /** The API server acted on a request (lane `lease`). */
  | Of<
      "request-served",
      {
        readonly node: string;
        readonly message: number;
        readonly verb: LeaseVerb;
        readonly purpose: RequestPurpose;
        readonly code: number;
        readonly reason: string | null;
        /** Whether the Lease is another one after it. */
        readonly changed: boolean;
        /** The Lease after it; null when absent. */
        readonly lease: Lease | null;
        /** The number of the acquisition that this write made, if it made one. */
        readonly acquisition: number | null;
        /** The term it carries after this, as in the annotation; null when it has none. */
        readonly term: string | null;
        /** True when the answer was a fault injected by the lab and the request was not looked at. */
        readonly injected: boolean;
      }
    >
  /** The real API server gave no answer; what became of the request is not known. */
  | Of<
      "request-unanswered",
      {
        readonly node: string;
        readonly message: number;
        readonly purpose: RequestPurpose;
        readonly failure: "timeout" | "connection";
        readonly detail: string;
      }
    >
  /** The register predicted something else than the real API server did. The run goes on from what the server said. */
  | Of<
      "model-diverged",
      {
        readonly node: string;
        readonly message: number;
        readonly purpose: RequestPurpose;
        readonly about: "outcome" | "resourceVersion" | "content";
        readonly model: string;
        readonly server: string;
      }
    >
  /** Somebody who is not of this run wrote the Lease on the real API server; `own`: a request of it that got no answer did. */
  | Of<
      "foreign-write",
      { readonly what: string; readonly lease: Lease | null; readonly whose: "other" | "own" }
    >
  | Of<
      "answer-received",
      {
        readonly node: string;
        /** The answer's own message id. */
        readonly message: number;
        readonly verb: LeaseVerb;
        readonly purpose: RequestPurpose;
        readonly code: number;
      }
    >
  /** The caller stopped waiting: its deadline passed or its context ended. */
  | Of<"call-given-up", { readonly node: string; readonly verb: LeaseVerb; readonly purpose: RequestPurpose }>
  /** An answer nobody waits for any more. */
  | Of<"answer-ignored", { readonly node: string; readonly message: number }>
  | Of<
      "message-lost",
      { readonly message: number; readonly from: string; readonly to: string; readonly what: string }
    >
  | Of<"judged-expired", { readonly node: string; readonly holder: string; readonly unchangedForMs: number }>
  | Of<"new-leader", { readonly node: string; readonly identity: string }>
  | Of<"started-leading", { readonly node: string; readonly acquisition: number; readonly token: string }>
  | Of<
      "renewed",
      {
        readonly node: string;
        readonly acquisition: number;
        readonly token: string;
        readonly termRaised: boolean;
      }
    >
  | Of<"work-cancelled", { readonly node: string; readonly reason: StopReason; readonly acquisition: number }>
  | Of<"work-aborted", { readonly node: string; readonly acquisition: number }>
  | Of<"work-stopped", { readonly node: string; readonly acquisition: number }>
  | Of<
      "stopped-leading",
      { readonly node: string; readonly reason: StopReason; readonly acquisition: number }
    >
  | Of<"released", { readonly node: string }>
  | Of<"elector-ended", { readonly node: string }>
  // --- guarded work and sinks -----------------------------------------------------------------------------------
  /** The work asked "do I lead?", heard yes, and set about an operation whose external call is still to come. */
  | Of<
      "leadership-checked",
      {
        readonly node: string;
        readonly operation: number;
        readonly value: string;
        readonly acquisition: number;
        readonly token: string;
      }
    >
  | Of<"write-sent", WriteFacts>
  /** A sink that checks first and acts later found nothing against the write. */
  | Of<"write-checked", WriteFacts & { readonly mark: string }>
  | Of<
      "write-applied",
      WriteFacts & {
        /** The sink's mark after it. */
        readonly mark: string;
        /** The newest acquisition whose write this sink had applied before; 0 when none. Stale when above `acquisition`. */
        readonly newestBefore: number;
        /** The value that was there before; null when none. */
        readonly previous: string | null;
      }
    >
  | Of<"write-refused", WriteFacts & { readonly reason: WriteRefusal; readonly mark: string }>
  | Of<
      "write-answered",
      {
        readonly node: string;
        readonly message: number;
        readonly sink: string;
        readonly verdict: "applied" | WriteRefusal;
        readonly value: string;
      }
    >
  // --- master, delegate, bridge ---------------------------------------------------------------------------------
  | Of<
      "delegate",
      {
        readonly node: string;
        readonly phase: "standby" | "starting" | "active" | "draining" | "failed" | "finished";
        readonly acquisition: number;
        readonly detail: string;
      }
    >
  | Of<
      "envelope-accepted",
      {
        readonly node: string;
        readonly envelope: number;
        readonly token: string;
        readonly acquisition: number;
        readonly queued: number;
      }
    >
  | Of<
      "envelope-forwarded",
      {
        readonly node: string;
        readonly envelope: number;
        readonly token: string;
        readonly acquisition: number;
      }
    >
  | Of<
      "envelopes-dropped",
      {
        readonly node: string;
        readonly count: number;
        /** Which, in the order in which they were accepted. */
        readonly envelopes: readonly number[];
        readonly acquisition: number;
        readonly why: string;
      }
    >
  // --- faults and hands from outside ------------------------------------------------------------------------------
  | Of<"paused", { readonly node: string }>
  | Of<"resumed", { readonly node: string; readonly pausedForMs: number }>
  | Of<"crashed", { readonly node: string }>
  | Of<"asked-to-stop", { readonly node: string }>
  | Of<"link-cut", { readonly node: string; readonly to: string }>
  | Of<"link-healed", { readonly node: string; readonly to: string }>
  | Of<"delay-set", { readonly node: string; readonly to: string; readonly delayMs: number }>
  | Of<"message-delayed", { readonly message: number; readonly byMs: number; readonly what: string }>
  | Of<
      "message-doomed",
      {
        readonly message: number;
        readonly fate: "answer-lost" | "answer-late" | "refused";
        readonly code: number | null;
        readonly byMs: number | null;
        readonly what: string;
      }
    >
  | Of<
      "message-duplicated",
      {
        readonly message: number;
        readonly copy: number;
        readonly what: string;
        readonly facts: WriteFacts | null;
      }
    >
  | Of<"clock-rate-set", { readonly node: string; readonly rate: number }>
  | Of<"wall-clock-stepped", { readonly node: string; readonly byMs: number }>
  | Of<"lease-deleted", { readonly lease: null }>
  | Of<"lease-edited", { readonly what: string; readonly lease: Lease }>
  | Of<"sink-restarted", { readonly sink: string; readonly markBefore: string; readonly markAfter: string }>;

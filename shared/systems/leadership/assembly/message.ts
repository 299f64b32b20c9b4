// A message in normal form: who sends it to whom is told by what it is, and its number, its place among things put off
// and the event of its sending are left out.
import { unreachable } from "../../../base/assert.ts";
import type { CallResult } from "../../../protocol/elector/contract.ts";
import type { LeaseRequest } from "../../../protocol/lease/lease.ts";
import type { Write } from "../../../protocol/sink/sink.ts";
import type { Loose } from "../../search.ts";
import type { WriteFacts } from "../event.ts";
import { LEASE_LANE, type Message, type Payload } from "../world.ts";
import { callPart } from "./elector.ts";
import { renamingOf, zeroNear, type Form, type Renaming, type Rewrite } from "./form.ts";
import { bodyPart, leasePart, momentOf } from "./lease.ts";

export interface MessagePart {
  readonly payload: PayloadPart;
}

type PayloadPart =
  | Extract<Payload, { kind: "lease-request" | "lease-answer" }>
  | Omit<Extract<Payload, { kind: "write" }>, "facts">
  /** The facts of an answered write are said again with the answer. */
  | (Omit<Extract<Payload, { kind: "write-answer" }>, "facts"> & { readonly write: Write });

/** A message of a world whose clock reads `nowMs`. */
export function placeMessage(form: Form, message: Message, nowMs: number, renaming: Renaming | null): Loose {
  const momentMs = form.time === "absolute" ? null : stampedAt(form, message.payload);
  const zeroMs = momentMs === null ? 0 : zeroNear(form, momentMs);
  return {
    part: messagePart(form, message, { zeroMs, renaming }),
    atMs: momentMs === null ? 0 : zeroMs - nowMs,
    // A message that may arrive already may arrive from now on.
    earliestMs: Math.max(0, message.earliestMs - nowMs),
    latestMs: Math.max(0, message.latestMs - nowMs),
  };
}

/** The moment that the times in a message are told from; null where it has none. */
function stampedAt(form: Form, payload: Payload): number | null {
  switch (payload.kind) {
    case "lease-request":
      return payload.request.verb === "create" || payload.request.verb === "update"
        ? momentOf(form, payload.request.body.spec)
        : null;
    case "lease-answer":
      return payload.result.kind === "ok" && payload.result.lease !== null
        ? momentOf(form, payload.result.lease.spec)
        : null;
    case "write":
    case "write-answer":
      return null;
    default:
      return unreachable(payload);
  }
}

/** Whether the times in a message's part are told from a moment. */
export const isStamped = (form: Form, { payload }: MessagePart): boolean =>
  form.time !== "absolute" && stampedAt(form, payload as Payload) !== null;

export function messagePart(form: Form, message: Message, rewrite: Rewrite): MessagePart {
  return { payload: payloadPart(form, message.payload, rewrite) };
}

function payloadPart(form: Form, payload: Payload, rewrite: Rewrite): PayloadPart {
  const { node, incarnation } = payload;
  const renaming = renamingOf(rewrite.renaming, node, incarnation);
  // The operations of a process that is gone are all the same.
  const renumber = (operation: number): number => {
    const off = renaming === null ? 0 : renaming.operations;
    return off === null ? 0 : operation - off;
  };
  switch (payload.kind) {
    case "lease-request":
      return {
        kind: payload.kind,
        node,
        incarnation,
        call: callPart(renaming, payload.call),
        purpose: payload.purpose,
        request: requestPart(form, payload.request, rewrite),
        doom: payload.doom,
      };
    case "lease-answer":
      return {
        kind: payload.kind,
        node,
        incarnation,
        call: callPart(renaming, payload.call),
        verb: payload.verb,
        purpose: payload.purpose,
        result: resultPart(form, payload.result, rewrite),
        acquisition: payload.acquisition,
      };
    case "write":
      return {
        kind: payload.kind,
        node,
        incarnation,
        sink: payload.sink,
        operation: renumber(payload.operation),
        write: writePart(form, payload.write, renumber),
        doom: payload.doom,
      };
    case "write-answer": {
      const { value, key, token, acquisition } = payload.facts;
      return {
        kind: payload.kind,
        node,
        incarnation,
        sink: payload.sink,
        operation: renumber(payload.operation),
        verdict: payload.verdict,
        mark: payload.mark,
        write: writePart(form, { value, key, token, acquisition, claim: value === "claim" }, renumber),
      };
    }
    default:
      return unreachable(payload);
  }
}

function requestPart(form: Form, request: LeaseRequest, rewrite: Rewrite): LeaseRequest {
  switch (request.verb) {
    case "get":
    case "delete":
      return request;
    case "create":
      return { verb: "create", body: bodyPart(form, request.body, rewrite) };
    case "update":
      return { verb: "update", name: request.name, body: bodyPart(form, request.body, rewrite) };
    default:
      return unreachable(request);
  }
}

function resultPart(form: Form, result: CallResult, rewrite: Rewrite): CallResult {
  switch (result.kind) {
    case "ok":
      return {
        kind: "ok",
        code: result.code,
        lease: result.lease === null ? null : leasePart(form, result.lease, rewrite),
        changed: result.changed,
      };
    case "refused":
      // The words of a refusal are for people.
      return { kind: "refused", code: result.code, reason: result.reason, message: "" };
    case "failed":
      return result;
    default:
      return unreachable(result);
  }
}

function writePart(form: Form, write: Write, renumber: (operation: number) => number): Write {
  const { key, token, acquisition, claim } = write;
  return {
    // Values are for people, but for a claim's.
    value: form.reduced ? (claim ? "claim" : "") : write.value,
    key: form.renamesOperations ? renumbered(key, renumber) : key,
    token,
    acquisition,
    claim,
  };
}

/** `a-1/7` with 7 operations taken off is `a-1/0`. */
function renumbered(key: string, renumber: (operation: number) => number): string {
  const at = key.lastIndexOf("/") + 1;
  return key.slice(0, at) + String(renumber(Number(key.slice(at))));
}

/** The message that a part stands for, under this number. */
export function messageOf(
  form: Form,
  part: MessagePart,
  id: number,
  bounds: { readonly earliestMs: number; readonly latestMs: number },
): Message {
  const { payload } = part;
  const { config } = form;
  const node = config.nodes[payload.node]?.id ?? "";
  const base = { id, order: 0, sentAt: 0, ...bounds, cause: 0 };
  switch (payload.kind) {
    case "lease-request":
      return { ...base, from: node, to: LEASE_LANE, payload };
    case "lease-answer":
      return { ...base, from: LEASE_LANE, to: node, payload };
    case "write": {
      const sink = config.sinks[payload.sink]?.id ?? "";
      const facts = factsOf(payload.write, id, node, sink);
      return { ...base, from: node, to: sink, payload: { ...payload, facts } };
    }
    case "write-answer": {
      const sink = config.sinks[payload.sink]?.id ?? "";
      const { write, ...answer } = payload;
      return { ...base, from: sink, to: node, payload: { ...answer, facts: factsOf(write, id, node, sink) } };
    }
    default:
      return unreachable(payload);
  }
}

function factsOf(write: Write, message: number, node: string, sink: string): WriteFacts {
  const { value, key, token, acquisition } = write;
  return { message, node, sink, value, key, token, acquisition };
}

// What may happen next in the leadership system.
import { unreachable } from "../../base/assert.ts";
import type { Result } from "../../base/result.ts";
import { parseWith } from "../../base/schema.ts";
import * as z from "../../base/zod.ts";
import { leaseSchema, servedSchema } from "./served.ts";
import type { ActionClass } from "../system.ts";

/** The codes that the lab can make the Lease API answer. 504 stands for a server-side time-out. */
export const INJECTED_CODES = [409, 422, 429, 500, 504] as const;
export type InjectedCode = (typeof INJECTED_CODES)[number];

const DAY_MS = 86_400_000;
const name = z.string().min(1).max(40);
const message = z.int().min(1);
const byMs = z.int().min(1).max(DAY_MS);

const schema = z.discriminatedUnion("kind", [
  /** Time passes; nothing may be overdue on the way. */
  z.strictObject({ kind: z.literal("advance"), toMs: z.int().min(0) }),
  /** A message arrives. */
  z.strictObject({
    kind: z.literal("deliver"),
    message,
    /** On a cluster run: what the real API server did with the request that arrives by this. */
    served: servedSchema.exactOptional(),
  }),
  /** On a cluster run: a watch saw that somebody else wrote the Lease, which now reads like this. */
  z.strictObject({
    kind: z.literal("foreign-write"),
    lease: leaseSchema.nullable(),
    /** `own`: what the run itself had asked for, and heard no answer to. Default `other`. */
    whose: z.enum(["other", "own"]).exactOptional(),
  }),
  /** A timer of a node or a sink fires. */
  z.strictObject({ kind: z.literal("fire"), lane: name, timer: z.string().min(1).max(60) }),
  /** Asks a process to stop for good. */
  z.strictObject({ kind: z.literal("cancel"), node: name }),
  z.strictObject({ kind: z.literal("pause"), node: name }),
  z.strictObject({ kind: z.literal("resume"), node: name }),
  z.strictObject({ kind: z.literal("crash"), node: name }),
  /** Starts the process again after a crash or its end. `same`: with the identity it had before. */
  z.strictObject({ kind: z.literal("restart"), node: name, identity: z.enum(["same", "new"]) }),
  /** Loses a message on the wire: a request before it is committed, an answer after. */
  z.strictObject({ kind: z.literal("lose"), message }),
  z.strictObject({ kind: z.literal("delay"), message, byMs }),
  /** The Lease API will answer this code without looking at the request. */
  z.strictObject({ kind: z.literal("refuse"), message, code: z.literal(INJECTED_CODES) }),
  /** The request will be served and its answer lost. */
  z.strictObject({ kind: z.literal("lose-answer"), message }),
  /** The request will be served and its answer be late. */
  z.strictObject({ kind: z.literal("delay-answer"), message, byMs }),
  /** A write is delivered twice. */
  z.strictObject({ kind: z.literal("duplicate"), message }),
  /** Nothing passes between a node and `lease` or a sink, either way, until healed. */
  z.strictObject({ kind: z.literal("cut"), node: name, to: name }),
  z.strictObject({ kind: z.literal("heal"), node: name, to: name }),
  /** One-way delay of a node's later messages to and from the Lease API or the sinks. */
  z.strictObject({
    kind: z.literal("set-delay"),
    node: name,
    to: z.enum(["lease", "sinks"]),
    delayMs: z.int().min(0).max(DAY_MS),
  }),
  z.strictObject({ kind: z.literal("set-rate"), node: name, ratePermille: z.int().min(100).max(10_000) }),
  z.strictObject({
    kind: z.literal("step-wall-clock"),
    node: name,
    byMs: z
      .int()
      .min(-DAY_MS)
      .max(DAY_MS)
      .refine((value) => value !== 0, "a number other than 0"),
  }),
  z.strictObject({ kind: z.literal("delete-lease") }),
  z.strictObject({ kind: z.literal("strip-annotation") }),
  z.strictObject({ kind: z.literal("edit-holder"), holder: z.string().max(120) }),
  z.strictObject({ kind: z.literal("restart-sink"), sink: name }),
]);

export type LeadershipAction = z.infer<typeof schema>;

export function parseLeadershipAction(input: unknown): Result<LeadershipAction> {
  return parseWith<LeadershipAction>(schema, input);
}

export function classifyLeadership(action: LeadershipAction): ActionClass {
  switch (action.kind) {
    case "advance":
      return { kind: "time" };
    case "deliver":
    case "fire":
    case "foreign-write":
      return { kind: "natural" };
    case "cancel":
    case "restart":
      return { kind: "operator", budget: action.kind };
    case "resume":
    case "heal":
      return { kind: "operator" };
    case "pause":
    case "crash":
    case "lose":
    case "delay":
    case "duplicate":
    case "cut":
      return { kind: "fault", budget: action.kind };
    case "refuse":
      return { kind: "fault", budget: "api-error" };
    case "lose-answer":
    case "delay-answer":
      return { kind: "fault", budget: action.kind };
    case "set-delay":
      return { kind: "fault", budget: "delay" };
    case "set-rate":
    case "step-wall-clock":
      return { kind: "fault", budget: "clock" };
    case "delete-lease":
    case "strip-annotation":
    case "edit-holder":
      return { kind: "fault", budget: action.kind };
    case "restart-sink":
      return { kind: "fault", budget: "restart-sink" };
    default:
      return unreachable(action);
  }
}

// What a real API server did with a request, recorded in the action that served it. The pure register runs in lockstep; where
// the two disagree the run says so and goes on from what the server said.
import * as z from "../../base/zod.ts";
import {
  TERM_ANNOTATION,
  type Lease,
  type LeaseOutcome,
  type RefusalReason,
} from "../../protocol/lease/lease.ts";
import type { LeaseStore } from "../../protocol/lease/register.ts";
import type { LeadershipEvent } from "./event.ts";

const text = z.record(z.string().max(400), z.string().max(20_000));

const servedLease = z.strictObject({
  name: z.string().max(253),
  uid: z.string().max(100),
  resourceVersion: z.string().max(100),
  annotations: text,
  labels: text,
  spec: z.strictObject({
    holderIdentity: z.string().max(500).exactOptional(),
    leaseDurationSeconds: z.int().exactOptional(),
    acquireTime: z.int().exactOptional(),
    renewTime: z.int().exactOptional(),
    leaseTransitions: z.int().exactOptional(),
  }),
});

const wall = {
  /** Unix time in ms when the call was sent and when its outcome was known, by the lab server's clock. */
  sentAtMs: z.number(),
  doneAtMs: z.number(),
};

export const servedSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answered"),
    ...wall,
    code: z.int().min(200).max(599),
    /** The Status' reason; null for a success. */
    reason: z.string().max(60).nullable(),
    message: z.string().max(2000),
    /** The object that came back; null for a refusal. */
    lease: servedLease.nullable(),
  }),
  /** No answer is known: the write may have been committed. */
  z.strictObject({
    kind: z.literal("unanswered"),
    ...wall,
    failure: z.enum(["timeout", "connection"]),
    detail: z.string().max(500),
  }),
]);

export const leaseSchema = servedLease;

/** The outcome of one real call. */
export type Served = z.infer<typeof servedSchema>;
export type Answered = Extract<Served, { kind: "answered" }>;

/** A recorded answer as the register would give it. */
export function outcomeOf(served: Answered, before: Lease | null): LeaseOutcome {
  if (served.code >= 300)
    return {
      kind: "refused",
      code: served.code,
      reason: (served.reason ?? "InternalError") as RefusalReason,
      message: served.message,
    };
  return {
    kind: "ok",
    code: served.code === 201 ? 201 : 200,
    lease: served.lease,
    changed: served.lease?.resourceVersion !== before?.resourceVersion,
  };
}

/** A point on which model and server differ. */
export type Divergence = Pick<
  Extract<LeadershipEvent, { kind: "model-diverged" }>,
  "about" | "model" | "server"
>;

/** What the register predicted against what the server did: outcome class, what the resourceVersion did, content. */
export function compareOutcomes(model: LeaseOutcome, server: LeaseOutcome): readonly Divergence[] {
  const said = (outcome: LeaseOutcome): string =>
    outcome.kind === "ok" ? String(outcome.code) : `${outcome.code} ${outcome.reason}`;
  if (said(model) !== said(server)) return [{ about: "outcome", model: said(model), server: said(server) }];
  if (model.kind === "refused" || server.kind === "refused") return [];
  const found: Divergence[] = [];
  const moved = (changed: boolean): string => (changed ? "moved" : "stood still");
  if (model.changed !== server.changed)
    found.push({
      about: "resourceVersion",
      model: moved(model.changed),
      server: moved(server.changed),
    });
  const left = contentOf(model.lease);
  const right = contentOf(server.lease);
  if (left !== right) found.push({ about: "content", model: left, server: right });
  return found;
}

/** Everything of a Lease that its writers decide, in one canonical line. */
export function contentOf(lease: Lease | null): string {
  if (lease === null) return "absent";
  const { annotations, labels, spec } = lease;
  const map = (values: Readonly<Record<string, string>>): string =>
    Object.keys(values)
      .toSorted()
      .map((key) => `${key}=${values[key] ?? ""}`)
      .join(",");
  return [
    `holder=${spec.holderIdentity ?? "-"}`,
    `duration=${spec.leaseDurationSeconds ?? "-"}`,
    `acquired=${spec.acquireTime ?? "-"}`,
    `renewed=${spec.renewTime ?? "-"}`,
    `transitions=${spec.leaseTransitions ?? "-"}`,
    `annotations=${map(annotations)}`,
    `labels=${map(labels)}`,
  ].join(" ");
}

/** The register's store with the Lease as a server has it: from here on the model predicts from this. */
export function adopt(store: LeaseStore, name: string, lease: Lease | null): LeaseStore {
  const { [name]: before, ...others } = store.leases;
  if (lease === null)
    return before === undefined ? store : { ...store, revision: store.revision + 1, leases: others };
  return {
    ...store,
    created: before?.uid === lease.uid ? store.created : store.created + 1,
    leases: { ...others, [name]: lease },
  };
}

/** What somebody else changed, in a few words. */
export function foreignDifference(before: Lease | null, after: Lease | null): string {
  if (before === null) return after === null ? "nothing" : "the Lease was created";
  if (after === null) return "the Lease was deleted";
  const parts: string[] = [];
  if (before.uid !== after.uid) parts.push("the Lease was deleted and created again");
  type Value = string | number | undefined;
  const field = (name: string, left: Value, right: Value): void => {
    if (left !== right) parts.push(`${name}: ${left ?? "absent"} → ${right ?? "absent"}`);
  };
  field("holderIdentity", before.spec.holderIdentity, after.spec.holderIdentity);
  field("leaseDurationSeconds", before.spec.leaseDurationSeconds, after.spec.leaseDurationSeconds);
  field("leaseTransitions", before.spec.leaseTransitions, after.spec.leaseTransitions);
  field("acquireTime", before.spec.acquireTime, after.spec.acquireTime);
  field("renewTime", before.spec.renewTime, after.spec.renewTime);
  field(TERM_ANNOTATION, before.annotations[TERM_ANNOTATION], after.annotations[TERM_ANNOTATION]);
  for (const kind of ["annotations", "labels"] as const)
    for (const key of new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])]))
      if (key !== TERM_ANNOTATION) field(`${kind}.${key}`, before[kind][key], after[kind][key]);
  return parts.length === 0 ? "nothing that matters here" : parts.join(", ");
}

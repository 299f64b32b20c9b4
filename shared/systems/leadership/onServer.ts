// Which part of an action a real API server performs on a cluster run, and how a recorded line guides another run.
import type { Lease, LeaseRequest } from "../../protocol/lease/lease.ts";
import type { LeadershipAction } from "./action.ts";
import type { RequestPurpose } from "./event.ts";
import type { LeadershipWorld } from "./world.ts";

/** An edit of the Lease by hand. `write`: what somebody else had written in a recording. */
export type LeaseEdit =
  | { readonly kind: "delete-lease" }
  | { readonly kind: "strip-annotation" }
  | { readonly kind: "edit-holder"; readonly holder: string }
  | { readonly kind: "write"; readonly lease: Pick<Lease, "annotations" | "labels" | "spec"> };

export type ServerPart =
  /** Performed first; the action is recorded with what the server did, as `served`. */
  | {
      readonly kind: "request";
      readonly node: string;
      readonly purpose: RequestPurpose;
      readonly request: LeaseRequest;
    }
  /** Performed in the action's place, which is recorded as a `foreign-write`. */
  | { readonly kind: "edit"; readonly edit: LeaseEdit };

/** Null for an action that needs no server: an injected refusal never reaches one, nor does what meets a cut link. */
export function serverPart(world: LeadershipWorld, action: LeadershipAction): ServerPart | null {
  switch (action.kind) {
    case "deliver": {
      const message = world.messages.find(({ id }) => id === action.message);
      const payload = message?.payload;
      if (
        message === undefined ||
        payload?.kind !== "lease-request" ||
        payload.doom.refuseCode !== null ||
        world.cuts.includes(`${message.from}>${message.to}`)
      )
        return null;
      const { request, purpose } = payload;
      return { kind: "request", node: message.from, purpose, request };
    }
    case "delete-lease":
    case "strip-annotation":
    case "edit-holder":
      return { kind: "edit", edit: action };
    case "foreign-write": {
      if (action.lease === null) return { kind: "edit", edit: { kind: "delete-lease" } };
      const { annotations, labels, spec } = action.lease;
      return { kind: "edit", edit: { kind: "write", lease: { annotations, labels, spec } } };
    }
    default:
      return null;
  }
}

/**
 * A line as a script for another run: without what a server once did in it. What the run's own request did after its answer
 * was lost is left out: it happens by itself, or not.
 */
export function asScript(actions: readonly LeadershipAction[]): readonly LeadershipAction[] {
  return actions.flatMap((action): readonly LeadershipAction[] => {
    if (action.kind === "foreign-write" && action.whose === "own") return [];
    if (action.kind !== "deliver" || action.served === undefined) return [action];
    return [{ kind: "deliver", message: action.message }];
  });
}

/** Whether a line holds what a real API server did. */
export const isOfServer = (actions: readonly { readonly kind: string }[]): boolean =>
  actions.some((action) => "served" in action);

// What the page knows of the cluster and of the run that it has there.
import { create } from "zustand";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import type { Exchange, Identity, Leftover, ServerState } from "./api.ts";
import type { Divergence } from "./outcomes.ts";

/** A run on the cluster: one branch of the recording, whose Lease requests a real API server serves. */
export interface RunView {
  readonly id: string;
  /** The Lease's name there. */
  readonly lease: string;
  readonly identity: Identity;
  readonly branch: string;
  /** What the line follows as long as it can. */
  readonly script: readonly LeadershipAction[];
  /** How much of it is done; null once the line has left it. */
  readonly at: number | null;
  /** What is out at the API server, in words; null while nothing is. */
  readonly calling: string | null;
  /** The Lease as the server had it last, as parsed JSON. Null: absent. Undefined: not asked yet. */
  readonly manifest: unknown;
  /** The comparison with a recorded line; null when nobody asked for one. */
  readonly replay: Replay | null;
}

export interface Replay {
  /** The name of the line that is played again. */
  readonly of: string;
  readonly state: "running" | "done";
  /** How many answers were compared, of how many recorded ones. */
  readonly compared: number;
  readonly total: number;
  /** The first that was another one; null: none so far. */
  readonly first: Divergence | null;
}

export interface ClusterView {
  readonly server: ServerState | { readonly kind: "unknown" };
  readonly leftovers: readonly Leftover[];
  /** When they were asked for, Unix ms. */
  readonly leftoversAtMs: number;
  readonly isOpen: boolean;
  /** What the dialog waits for; null when for nothing. */
  readonly waiting: string | null;
  /** What went wrong last, for the dialog. */
  readonly problem: string | null;
  readonly run: RunView | null;
  /** Calls as they went over the wire, by `exchangeKey`, for as long as the page is open. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

export const useCluster = create<ClusterView>()(() => ({
  server: { kind: "unknown" },
  leftovers: [],
  leftoversAtMs: 0,
  isOpen: false,
  waiting: null,
  problem: null,
  run: null,
  exchanges: new Map(),
}));

export function changeRun(change: Partial<RunView>): void {
  useCluster.setState(({ run }) => (run === null ? {} : { run: { ...run, ...change } }));
}

/** Joins an action with the call that was made for it. */
export const exchangeKey = (
  message: number,
  { sentAtMs, doneAtMs }: { readonly sentAtMs: number; readonly doneAtMs: number },
): string => `${message}/${sentAtMs}/${doneAtMs}`;

/** Whether a branch is a run on the cluster that still follows its script. */
export const isScriptUnderWay =
  (branch: string) =>
  ({ run }: ClusterView): boolean =>
    run !== null && run.branch === branch && run.at !== null && run.at < run.script.length;

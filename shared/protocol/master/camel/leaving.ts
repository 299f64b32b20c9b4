// How the crates' loop ends: it leaves the election, and then it is over.
import { errorText, type DelegateError } from "../contract.ts";
import { log } from "../state.ts";
import { isHardened, say, set, type CamelDraft } from "./loop.ts";

/** Leaves the election; waits for that no longer than a drain timeout. */
export function leave(d: CamelDraft, error: DelegateError | null): void {
  set(d, { phase: { kind: "leaving", error } });
  d.out.push(
    { kind: "leave-election" },
    { kind: "set-timer", timer: "step-down", dueMs: d.now + d.config.drainTimeoutMs },
  );
}

/** Leaves the election without waiting for it: the handle is dropped. */
export function leaveAtOnce(d: CamelDraft, error: DelegateError): void {
  d.out.push({ kind: "leave-election" });
  finish(d, error);
}

/** The loop is over. In 0.64 an error at its end is only logged when it was asked to stop. */
export function finish(d: CamelDraft, outcome: DelegateError | null): void {
  const { stopCalled, stopping } = d.loop;
  const swallowed = outcome !== null && stopping && isHardened(d);
  if (swallowed)
    log(d, "debug", "delegate error during graceful shutdown", {
      error: errorText(outcome),
      lock: d.config.lock,
    });
  const error = swallowed ? null : outcome;
  set(d, { phase: { kind: "finished", error } });
  for (const timer of ["backoff", "drain", "step-down", "stop"] as const)
    d.out.push({ kind: "clear-timer", timer });
  say(d, error === null ? "finished" : "failed", error === null ? "" : errorText(error));
  d.out.push({ kind: "finished", error });
  if (stopCalled) d.out.push({ kind: "stop-returned", error });
}

/** 0.33: a delegate that outlived its loop ends unattended. */
export function dropOrphan(d: CamelDraft): void {
  if (d.loop.phase.kind !== "finished" || d.run === null) return;
  if (d.run.task.kind === "finished" && d.run.bridge === null) d.run = null;
}

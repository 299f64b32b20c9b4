// What a store of sessions refuses, in words.
import { RECORDING_LIMITS } from "../../shared/trace/codec.ts";
import { failure, invalid, type Failure } from "../http/failure.ts";
import type { Limits } from "../limits.ts";

export const STOPPING = failure(
  "shutting-down",
  { expected: "a running lab", got: "one that is stopping", remedy: "Start it again." },
  { headers: { "Retry-After": "5" } },
);

export function noSuchSession(id: string): Failure {
  return failure("session-not-found", {
    path: "id",
    expected: "the id of a session of this lab",
    got: JSON.stringify(id.slice(0, 60)),
    remedy:
      "It may have been deleted, or belong to a lab with another data folder. Choose one from the list.",
  });
}

export function staleRevision(current: number, given: number): Failure {
  return failure(
    "stale-revision",
    {
      path: "revision",
      expected: `${current}, the newest`,
      got: String(given),
      remedy: "Load the newest revision and make the change again, or fork.",
    },
    { extras: { revision: current } },
  );
}

export function recordingFull(length: number): Failure {
  return invalid([
    {
      path: "change",
      expected: `a recording of at most ${RECORDING_LIMITS.textLength} characters`,
      got: String(length),
      remedy: "Delete branches that are not needed.",
    },
  ]);
}

export function tooManySessions({ sessions }: Limits): Failure {
  return failure("too-many-sessions", {
    expected: `at most ${sessions} sessions`,
    got: "one more",
    remedy:
      "Delete a session that is not needed with DELETE /api/sessions/ID, or use another folder: --data DIR.",
  });
}

export function tooManyWatchers(limits: Limits, ofSession: number, ofAll: number): Failure | null {
  const over =
    ofSession >= limits.watchersPerSession
      ? `${limits.watchersPerSession} watchers of one session`
      : ofAll >= limits.watchers
        ? `${limits.watchers} watchers`
        : null;
  return over === null
    ? null
    : failure(
        "too-many-watchers",
        { expected: `at most ${over}`, got: "one more", remedy: "Close a tab that follows, and try again." },
        { headers: { "Retry-After": "5" } },
      );
}

export function storageFull({ storedBytes }: Limits, wanted: number): Failure | null {
  return wanted <= storedBytes
    ? null
    : failure("storage-full", {
        expected: `at most ${storedBytes} bytes in all sessions together`,
        got: String(wanted),
        remedy: "Delete a session that is not needed, or use another folder: --data DIR.",
      });
}

export const DISK_FULL = failure("storage-full", {
  expected: "room on the disk",
  got: "none",
  remedy: "Make room, or start the lab with another folder: --data DIR.",
});

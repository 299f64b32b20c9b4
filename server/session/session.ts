// A session: a recording with a revision, and its form on the disk. The first line is a snapshot, each later one a change
// that takes it one revision on; reading them again gives the same session.
import { parseJson } from "../../shared/base/json.ts";
import { failed, ok, sentence, type Problem, type Result } from "../../shared/base/result.ts";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import type { Origin as ResolvedOrigin } from "../../shared/scenario/origin.ts";
import { applyChange, type Change } from "../../shared/trace/change.ts";
import { parseChange, parseRecording } from "../../shared/trace/codec.ts";
import type { Origin, Recording } from "../../shared/trace/recording.ts";

/** What the lab knows of an origin: the system and its configuration. `resolveOrigin` of the catalogue. */
export type ResolveOrigin = (origin: Origin) => Result<Pick<ResolvedOrigin, "system" | "config" | "title">>;

export interface ChangeEntry {
  /** The revision that the change made. */
  readonly revision: number;
  readonly change: Change;
  /** Whoever sent it, by a name of its own; lets a tab know its own changes. */
  readonly client: string | null;
  /** When, by the server's clock (ISO 8601). */
  readonly at: string;
}

export interface Session {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  readonly updatedAt: string;
  readonly recording: Recording;
  /** The revision of the snapshot; `changes` lead from it to `revision`. */
  readonly snapshotRevision: number;
  readonly changes: readonly ChangeEntry[];
}

const head = z.strictObject({
  kind: z.literal("session"),
  version: z.literal(1),
  id: z.string(),
  title: z.string().max(400),
  revision: z.int().min(0),
  at: z.string().max(40),
  recording: z.unknown(),
});

const entry = z.strictObject({
  kind: z.literal("change"),
  revision: z.int().min(1),
  at: z.string().max(40),
  client: z.string().max(64).nullable(),
  change: z.unknown(),
});

/** The first line of a file: the session as it is now, without its past. */
export function snapshotLine({ id, title, revision, updatedAt, recording }: Session): string {
  return JSON.stringify({ kind: "session", version: 1, id, title, revision, at: updatedAt, recording });
}

export function changeLine({ revision, at, client, change }: ChangeEntry): string {
  return JSON.stringify({ kind: "change", revision, at, client, change });
}

export function withChange(session: Session, made: ChangeEntry, recording: Recording): Session {
  return {
    ...session,
    recording,
    revision: made.revision,
    updatedAt: made.at,
    changes: [...session.changes, made],
  };
}

/** What a file's lines give: the session as far as they can be read, and what is wrong with the first that cannot. */
export interface Restored {
  readonly session: Session;
  /** How many lines were read. */
  readonly lines: number;
  readonly fault: Problem | null;
}

/** Fails when not even the snapshot can be read. */
export function restore(
  id: string,
  lines: readonly string[],
  resolveOrigin: ResolveOrigin,
): Result<Restored, Problem> {
  const [first, ...rest] = lines;
  const opened = restoreSnapshot(id, first ?? "", resolveOrigin);
  if (!opened.ok) return failed(opened.error);
  let session = opened.value;
  const origin = resolveOrigin(session.recording.origin);
  if (!origin.ok) return failed(onLine(1, origin.error[0]));
  for (const [index, line] of rest.entries()) {
    const next = restoreChange(session, line, origin.value.system);
    if (!next.ok) return ok({ session, lines: index + 1, fault: onLine(index + 2, next.error) });
    session = next.value;
  }
  return ok({ session, lines: lines.length, fault: null });
}

function restoreSnapshot(id: string, line: string, resolveOrigin: ResolveOrigin): Result<Session, Problem> {
  const json = parseJson(line);
  if (!json.ok) return failed(onLine(1, json.error));
  const parts = parseWith(head, json.value);
  if (!parts.ok) return failed(onLine(1, parts.error[0]));
  if (parts.value.id !== id)
    return failed(
      onLine(1, {
        path: "id",
        expected: id,
        got: JSON.stringify(parts.value.id),
        remedy: "Undo the renaming.",
      }),
    );
  const recording = parseRecording(parts.value.recording, resolveOrigin);
  if (!recording.ok) return failed(onLine(1, recording.error[0]));
  const { title, revision, at } = parts.value;
  return ok({
    id,
    title,
    revision,
    updatedAt: at,
    recording: recording.value,
    snapshotRevision: revision,
    changes: [],
  });
}

function restoreChange(
  session: Session,
  line: string,
  system: ResolvedOrigin["system"],
): Result<Session, Problem | undefined> {
  const json = parseJson(line);
  if (!json.ok) return failed(json.error);
  const parts = parseWith(entry, json.value);
  if (!parts.ok) return failed(parts.error[0]);
  const { revision, at, client } = parts.value;
  if (revision !== session.revision + 1)
    return failed({
      path: "revision",
      expected: String(session.revision + 1),
      got: String(revision),
      remedy: "A line is missing or there twice.",
    });
  const change = parseChange(parts.value.change, system);
  if (!change.ok) return failed(change.error[0]);
  const recording = applyChange(session.recording, change.value);
  if (!recording.ok) return failed(recording.error);
  return ok(withChange(session, { revision, at, client, change: change.value }, recording.value));
}

function onLine(line: number, problem: Problem | undefined): Problem {
  return {
    path: `line ${line}`,
    expected: "an entry that this lab can read",
    got: problem === undefined ? "something else" : `one with this problem: ${sentence(problem)}`,
    remedy: "Nothing was deleted: the lines from there on are kept in a file beside the session's.",
  };
}

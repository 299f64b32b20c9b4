// All sessions of a data folder, one file each. Everything done to a session waits for what was begun before it, so a file
// has one writer at a time; nobody is told of a change before it is on the disk.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { present } from "../../shared/base/assert.ts";
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";
import { applyChange, type Change } from "../../shared/trace/change.ts";
import { momentProblem, RECORDING_LIMITS, sizeProblem } from "../../shared/trace/codec.ts";
import type { Moment, Recording } from "../../shared/trace/recording.ts";
import { invalid, under, type Failure } from "../http/failure.ts";
import type { Limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { sessionFiles } from "./files.ts";
import { createJudge, type Judge } from "./judge.ts";
import { isCode, lockFolder } from "./lock.ts";
import {
  DISK_FULL,
  noSuchSession,
  recordingFull,
  staleRevision,
  STOPPING,
  storageFull,
  tooManySessions,
} from "./refusals.ts";
import {
  changeLine,
  snapshotLine,
  withChange,
  type ChangeEntry,
  type ResolveOrigin,
  type Session,
} from "./session.ts";
import { createTurns } from "./turns.ts";
import { createWatchers, type Listener, type News } from "./watchers.ts";

export interface Summary {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  /** ISO 8601, by the server's clock. */
  readonly updatedAt: string;
  /** What is wrong with the session's file; what could be read of it is still there. */
  readonly damage: Problem | null;
}

export interface SessionView extends Summary {
  readonly recording: Recording;
  /** Where the presenter's cursor is, if one was told since the start of the server. */
  readonly moment: Moment | null;
}

export interface NewSession {
  readonly recording: Recording;
  /** Null: the title of the recording's origin. */
  readonly title: string | null;
  readonly moment: Moment | null;
}

export interface NewChange {
  readonly change: Change;
  /** The revision that it was made from. */
  readonly revision: number;
  readonly moment: Moment | null;
  readonly client: string | null;
}

export interface Watch {
  /** What happened after the revision asked for. Everything later goes to the listener: no gap, no repeat. */
  readonly backlog: readonly News[];
  stop(): void;
}

export interface SessionStore {
  /** The latest first. */
  list(): readonly Summary[];
  readonly watcherCount: number;
  create(wanted: NewSession): Promise<Result<SessionView, Failure>>;
  read(id: string): Promise<Result<SessionView, Failure>>;
  change(id: string, wanted: NewChange): Promise<Result<{ readonly revision: number }, Failure>>;
  move(id: string, moment: Moment, client: string | null): Promise<Result<null, Failure>>;
  remove(id: string): Promise<Result<null, Failure>>;
  /** `after`: the last revision that the watcher knows; null for none. */
  watch(id: string, after: number | null, listener: Listener): Promise<Result<Watch, Failure>>;
  /** Refuses what comes now, waits for what was begun, gives the folder free. */
  close(): Promise<void>;
}

export interface StoreDeps {
  readonly folder: string;
  readonly resolveOrigin: ResolveOrigin;
  readonly limits: Limits;
  readonly log: Log;
  /** ISO 8601. */
  readonly now: () => string;
}

/** What is known of every session without loading it. */
interface Known {
  readonly summary: Summary;
  /** Length of its file up to the end of its last good line. */
  readonly bytes: number;
  readonly isReadable: boolean;
}

interface Loaded {
  readonly session: Session;
  readonly judge: Judge;
  /** At least the length of the recording's text; measured again when it reaches the limit. */
  readonly textLength: number;
}

/** Opens a folder, mends what a kill has left, and sets aside what cannot be read. Fails when another lab uses it. */
export async function openStore(deps: StoreDeps): Promise<Result<SessionStore, Problem>> {
  const { folder, resolveOrigin, limits, log } = deps;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  if (!lock.ok) return lock;

  const files = sessionFiles(folder, resolveOrigin, log);
  const known = new Map<string, Known>();
  /** Most recently used last. */
  const loaded = new Map<string, Loaded>();
  const moments = new Map<string, Moment>();
  const watchers = createWatchers(limits);
  const turns = createTurns();
  let sessionsInMaking = 0;
  let isClosing = false;

  const inTurn = <T>(id: string, task: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> =>
    isClosing ? Promise.resolve(failed(STOPPING)) : turns.take(id, task);

  const readFileOf = async (id: string): Promise<Result<Session, Failure>> => {
    try {
      const found = await files.read(id);
      if (found.ok) {
        const { session, bytes, damage } = found.value;
        known.set(id, { summary: summaryOf(session, damage), bytes, isReadable: true });
        return ok(session);
      }
      const { problem, bytes, updatedAt } = found.error;
      const summary = { id, title: "(unreadable)", revision: 0, updatedAt, damage: problem };
      known.set(id, { summary, bytes, isReadable: false });
      return failed(invalid([problem], "session-unreadable"));
    } catch (error) {
      // Somebody deleted the file behind the lab's back.
      if (!isCode(error, "ENOENT")) throw error;
      known.delete(id);
      return failed(noSuchSession(id));
    }
  };

  for (const id of await files.ids()) await readFileOf(id);

  const load = async (id: string): Promise<Result<Loaded, Failure>> => {
    const entry = known.get(id);
    if (entry === undefined) return failed(noSuchSession(id));
    let here = loaded.get(id);
    if (here === undefined) {
      const read = await readFileOf(id);
      if (!read.ok) return read;
      const origin = resolveOrigin(read.value.recording.origin);
      if (!origin.ok) return failed(invalid(origin.error, "session-unreadable"));
      here = {
        session: read.value,
        judge: createJudge(origin.value),
        textLength: textLength(read.value.recording),
      };
    }
    hold(id, here);
    return ok(here);
  };

  const hold = (id: string, here: Loaded): void => {
    loaded.delete(id);
    loaded.set(id, here);
    // Sessions that nobody watches can be let go of: they are on the disk.
    for (const other of loaded.keys()) {
      if (loaded.size <= limits.loadedSessions) return;
      if (!watchers.has(other) && !turns.isBusy(other)) loaded.delete(other);
    }
  };

  const view = (id: string, session: Session): SessionView => ({
    ...present(known.get(id), "a loaded session is known").summary,
    recording: session.recording,
    moment: moments.get(id) ?? null,
  });

  const noRoomFor = (line: string): Failure | null => {
    const stored = [...known.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    return storageFull(limits, stored + Buffer.byteLength(line) + 1);
  };

  /** A failed write leaves the file as it was. A full disk is the user's to mend, anything else a fault of the lab. */
  const write = async (id: string, perform: () => Promise<number>): Promise<Result<number, Failure>> => {
    try {
      return ok(await perform());
    } catch (error) {
      // What is in memory may have gone ahead of the disk.
      loaded.delete(id);
      if (isCode(error, "ENOENT")) {
        known.delete(id);
        return failed(noSuchSession(id));
      }
      if (!["ENOSPC", "EDQUOT", "EFBIG"].some((code) => isCode(error, code))) throw error;
      log.error({ err: error }, "the disk is full");
      return failed(DISK_FULL);
    }
  };

  const makeSession = async (id: string, wanted: NewSession): Promise<Result<SessionView, Failure>> => {
    const { recording, moment } = wanted;
    const origin = resolveOrigin(recording.origin);
    if (!origin.ok) return failed(invalid(origin.error));
    const misplaced = moment === null ? null : momentProblem(recording, moment);
    if (misplaced !== null) return failed(invalid([misplaced]));
    const judge = createJudge(origin.value);
    const problem = await judge.recording(recording);
    if (problem !== null) return failed(invalid([under("recording", problem)], "action-refused"));
    const session: Session = {
      id,
      title: wanted.title ?? origin.value.title,
      revision: 0,
      updatedAt: deps.now(),
      recording,
      snapshotRevision: 0,
      changes: [],
    };
    const full = noRoomFor(snapshotLine(session));
    if (full !== null) return failed(full);
    const written = await write(id, () => files.write(session));
    if (!written.ok) return written;
    known.set(id, { summary: summaryOf(session, null), bytes: written.value, isReadable: true });
    if (moment !== null) moments.set(id, moment);
    hold(id, { session, judge, textLength: textLength(recording) });
    return ok(view(id, session));
  };

  const makeChange = async (
    id: string,
    { change, revision, moment, client }: NewChange,
  ): Promise<Result<{ readonly revision: number }, Failure>> => {
    const here = await load(id);
    if (!here.ok) return here;
    const { session, judge } = here.value;
    if (revision !== session.revision) return failed(staleRevision(session.revision, revision));
    const changed = applyChange(session.recording, change);
    if (!changed.ok) return failed(invalid([under("change", changed.error)]));
    const recording = changed.value;
    const wrong = sizeProblem(recording) ?? (moment === null ? null : momentProblem(recording, moment));
    if (wrong !== null) return failed(invalid([wrong]));
    const made: ChangeEntry = { revision: revision + 1, change, client, at: deps.now() };
    const line = changeLine(made);
    const length = grownLength(here.value.textLength + line.length, recording);
    const full = length > RECORDING_LIMITS.textLength ? recordingFull(length) : noRoomFor(line);
    if (full !== null) return failed(full);
    const problem = await judge.change(session.recording, change);
    if (problem !== null) return failed(invalid([under("change", problem)], "action-refused"));

    const { bytes, summary } = present(known.get(id), "a loaded session is known");
    const written = await write(id, () => files.append(id, bytes, line));
    if (!written.ok) return written;
    const next = withChange(session, made, recording);
    known.set(id, { summary: summaryOf(next, summary.damage), bytes: written.value, isReadable: true });
    loaded.set(id, { session: next, judge, textLength: length });
    watchers.tell(id, { kind: "change", revision: made.revision, change, client });
    const before = moments.get(id);
    if (moment !== null) {
      moments.set(id, moment);
      watchers.tell(id, { kind: "moment", moment, client });
    } else if (before !== undefined && momentProblem(recording, before) !== null) moments.delete(id);
    if (next.changes.length >= limits.changesKept) await compact(id, next);
    return ok({ revision: made.revision });
  };

  /** Writes a file anew as one snapshot. Watchers that come back from before it are given the snapshot. */
  const compact = async (id: string, session: Session): Promise<void> => {
    const short: Session = { ...session, snapshotRevision: session.revision, changes: [] };
    try {
      const bytes = await files.write(short);
      const { summary } = present(known.get(id), "a loaded session is known");
      known.set(id, { summary, bytes, isReadable: true });
      const here = loaded.get(id);
      if (here !== undefined) loaded.set(id, { ...here, session: short });
    } catch (error) {
      // The long file is still there and goes on; the next change tries again.
      log.warn({ session: id, err: error }, "could not write a session anew");
    }
  };

  return ok({
    list: () =>
      [...known.values()].map(({ summary }) => summary).toSorted((left, right) => laterFirst(left, right)),

    get watcherCount() {
      return watchers.count;
    },

    async create(wanted) {
      // Takes its place first, so that two at once cannot both have the last one.
      if (known.size + sessionsInMaking >= limits.sessions) return failed(tooManySessions(limits));
      sessionsInMaking += 1;
      try {
        const id = randomUUID();
        return await inTurn(id, () => makeSession(id, wanted));
      } finally {
        sessionsInMaking -= 1;
      }
    },

    read: (id) =>
      inTurn(id, async () => {
        const here = await load(id);
        return here.ok ? ok(view(id, here.value.session)) : here;
      }),

    change: (id, wanted) => inTurn(id, () => makeChange(id, wanted)),

    move: (id, moment, client) =>
      inTurn(id, async () => {
        const here = await load(id);
        if (!here.ok) return here;
        const misplaced = momentProblem(here.value.session.recording, moment);
        if (misplaced !== null) return failed(invalid([misplaced]));
        moments.set(id, moment);
        watchers.tell(id, { kind: "moment", moment, client });
        return ok(null);
      }),

    remove: (id) =>
      inTurn(id, async () => {
        if (!known.has(id)) return failed(noSuchSession(id));
        await files.remove(id);
        known.delete(id);
        loaded.delete(id);
        moments.delete(id);
        watchers.tell(id, { kind: "deleted" });
        return ok(null);
      }),

    watch: (id, after, listener) =>
      inTurn(id, async () => {
        const here = await load(id);
        if (!here.ok) return here;
        const stop = watchers.add(id, listener);
        if (!stop.ok) return stop;
        const moment = moments.get(id);
        const backlog: News[] = [...missed(here.value.session, after)];
        if (moment !== undefined) backlog.push({ kind: "moment", moment, client: null });
        return ok({ backlog, stop: stop.value });
      }),

    async close() {
      isClosing = true;
      await turns.settled();
      await lock.value.release();
    },
  });
}

function summaryOf({ id, title, revision, updatedAt }: Session, damage: Problem | null): Summary {
  return { id, title, revision, updatedAt, damage };
}

function laterFirst(left: Summary, right: Summary): number {
  if (left.updatedAt === right.updatedAt) return 0;
  return left.updatedAt < right.updatedAt ? 1 : -1;
}

function missed(session: Session, after: number | null): readonly News[] {
  const { revision, recording, title, snapshotRevision, changes } = session;
  if (after === null || after < snapshotRevision || after > revision)
    return [{ kind: "snapshot", revision, recording, title }];
  return changes
    .slice(after - snapshotRevision)
    .map((made) => ({ kind: "change", revision: made.revision, change: made.change, client: made.client }));
}

const textLength = (recording: Recording): number => JSON.stringify(recording).length;

/** An upper bound of a recording's text while it is far from the limit; near it, its length. */
function grownLength(bound: number, recording: Recording): number {
  return bound <= RECORDING_LIMITS.textLength ? bound : textLength(recording);
}

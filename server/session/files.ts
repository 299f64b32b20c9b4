// The files of a data folder: which there are, what each holds, and mending what a kill has left at its end. Lines that
// cannot be read are never thrown away: they move to a file beside the session's, and what came before them goes on.
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failed, ok, sentence, type Problem, type Result } from "../../shared/base/result.ts";
import type { Log } from "../log.ts";
import { appendLine, cutJournal, readJournal, syncFolder, UNFINISHED, writeWhole } from "./journal.ts";
import { isCode } from "./lock.ts";
import { restore, snapshotLine, type ResolveOrigin, type Session } from "./session.ts";

const SESSION_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
/** What stands behind the id in the name of a file that keeps the lines that could not be read. */
export const QUARANTINE = ".quarantine.jsonl";

export interface ReadFile {
  readonly session: Session;
  /** Length of the file up to the end of its last line. */
  readonly bytes: number;
  readonly damage: Problem | null;
}

/** A file of which nothing can be read; it is left as it is. */
export interface UnreadFile {
  readonly problem: Problem;
  readonly bytes: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export interface SessionFiles {
  /** Ids of all sessions; also clears away what was never finished. */
  ids(): Promise<readonly string[]>;
  read(id: string): Promise<Result<ReadFile, UnreadFile>>;
  /** Both return the file's new length. */
  write(session: Session): Promise<number>;
  append(id: string, length: number, line: string): Promise<number>;
  remove(id: string): Promise<void>;
}

export function sessionFiles(folder: string, resolveOrigin: ResolveOrigin, log: Log): SessionFiles {
  // Only ids that were found in the folder or made here come this far, so no name leads out of it.
  const fileOf = (id: string) => join(folder, `${id}.jsonl`);

  const quarantine = async (id: string, lines: readonly string[], fault: Problem): Promise<void> => {
    const file = `${id}${QUARANTINE}`;
    log.error(
      { session: id, problem: sentence(fault), lines: lines.length, file },
      "set aside lines that cannot be read",
    );
    const text = `${JSON.stringify({ problem: fault })}\n${lines.join("\n")}\n`;
    await writeFile(join(folder, file), text, { flag: "a", mode: 0o600, flush: true });
    await syncFolder(folder);
  };

  const damageOf = async (id: string): Promise<Problem | null> => {
    const file = `${id}${QUARANTINE}`;
    if (!(await exists(join(folder, file)))) return null;
    return {
      path: `${id}.jsonl`,
      expected: "a file in which every line can be read",
      got: "one whose later lines could not be",
      remedy: `What came before them is here. The others are in ${file} in the data folder; delete that file to be rid of this notice.`,
    };
  };

  return {
    async ids() {
      const names = await readdir(folder);
      for (const name of names) if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
      return names.flatMap((name) => SESSION_FILE.exec(name)?.[1] ?? []);
    },

    async read(id) {
      const file = fileOf(id);
      const { lines: whole, ends, torn } = await readJournal(file);
      // A kill may have cut off no more than the line feed: then the last entry is whole.
      const lines = torn === "" ? whole : [...whole, torn];
      const restored = restore(id, lines, resolveOrigin);
      if (!restored.ok) {
        log.error({ session: id, problem: sentence(restored.error) }, "a session cannot be read");
        const { mtime, size } = await stat(file);
        return failed({ problem: restored.error, bytes: size, updatedAt: mtime.toISOString() });
      }
      const { session, lines: good, fault } = restored.value;
      let bytes = ends[Math.min(good, ends.length) - 1] ?? 0;
      if (good > whole.length) bytes = await appendLine(file, bytes, torn);
      else if (fault !== null) {
        if (good === whole.length) log.warn({ session: id, torn: torn.length }, "dropped a torn last line");
        else await quarantine(id, lines.slice(good), fault);
        await cutJournal(file, bytes);
      }
      return ok({ session, bytes, damage: await damageOf(id) });
    },

    write: (session) => writeWhole(fileOf(session.id), `${snapshotLine(session)}\n`),

    append: (id, length, line) => appendLine(fileOf(id), length, line),

    async remove(id) {
      await rm(fileOf(id), { force: true });
      await rm(join(folder, `${id}${QUARANTINE}`), { force: true });
      await syncFolder(folder);
    },
  };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

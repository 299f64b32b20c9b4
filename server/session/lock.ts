// One writer for one folder. A lab that starts on a folder that another is using would write a second history into the same
// files, so the folder names the process that holds it; a process that is gone holds nothing.
import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";
import { parseJson } from "../../shared/base/json.ts";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";

export const LOCK_FILE = "lock.json";

const holderSchema = z.object({ pid: z.int().min(1), started: z.string().nullable(), claim: z.string() });
type Holder = z.infer<typeof holderSchema>;

export interface Lock {
  release(): Promise<void>;
}

export async function lockFolder(folder: string): Promise<Result<Lock, Problem>> {
  const file = join(folder, LOCK_FILE);
  const own: Holder = { pid: process.pid, started: await startOf(process.pid), claim: randomUUID() };
  for (;;) {
    if (await writeNew(file, JSON.stringify(own))) break;
    const text = await readIfThere(file);
    if (text === null) continue;
    const holder = readHolder(text);
    if (holder !== null && (await isAlive(holder)))
      return failed({
        path: "data folder",
        expected: "a folder that no other lab is using",
        got: `${folder}, which process ${holder.pid} is using`,
        remedy: "Stop that lab, or choose another folder with --data DIR.",
      });
    // Left by a process that is gone. Renaming is atomic, so of two that see it at once only one takes this file away.
    const left = `${file}.${own.claim}`;
    await rename(file, left).catch(ignoreMissing);
    // If it is not what was read, then another has locked the folder in between: give it back.
    if ((await readIfThere(left)) !== text) await link(left, file).catch(ignoreTaken);
    await rm(left, { force: true });
  }
  const now = await readIfThere(file);
  if (now === null || readHolder(now)?.claim !== own.claim) return lockFolder(folder);
  return ok({
    async release() {
      const held = await readIfThere(file);
      if (held !== null && readHolder(held)?.claim === own.claim) await rm(file, { force: true });
    },
  });
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

function readHolder(text: string): Holder | null {
  const json = parseJson(text);
  const holder = json.ok ? parseWith(holderSchema, json.value) : json;
  return holder.ok ? holder.value : null;
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
  // Numbers of processes are used again, in containers soon: it is the same process only when it started at the same time.
  const now = await startOf(pid);
  return now === null || started === null ? pid !== process.pid : now === started;
}

/** When a process started, as the kernel counts (boot and clock ticks since); null where that cannot be known. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // The second field is the name in parentheses and may hold anything; field 22 of the whole is the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${boot.trim()} ${fields[19] ?? ""}`;
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "EACCES")) return null;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isCode(error, "ENOENT")) throw error;
}

function ignoreTaken(error: unknown): void {
  if (!isCode(error, "EEXIST")) ignoreMissing(error);
}

export function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "code") === code;
}

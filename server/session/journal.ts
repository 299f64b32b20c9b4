// A file of lines that only grows: an append is on the disk before it is answered, and whatever a kill or a power cut leaves
// behind at the end is cut off before the next one. Who calls takes care that one file has one writer at a time.
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export interface Journal {
  /** Whole lines, without their ends. */
  readonly lines: readonly string[];
  /** Where each line ends, in bytes from the start of the file, its line feed included. */
  readonly ends: readonly number[];
  /** What stands behind the last line feed: the beginning of a line whose writing was cut short. */
  readonly torn: string;
}

export async function readJournal(file: string): Promise<Journal> {
  const bytes = await readFile(file);
  const lines: string[] = [];
  const ends: number[] = [];
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    lines.push(bytes.toString("utf8", start, at));
    start = at + 1;
    ends.push(start);
  }
  return { lines, ends, torn: bytes.toString("utf8", start) };
}

/**
 * Adds a line behind the first `length` bytes, cutting off what stands there, and returns the new length.
 * When it fails, the first `length` bytes are as they were.
 */
export async function appendLine(file: string, length: number, line: string): Promise<number> {
  const bytes = Buffer.from(`${line}\n`, "utf8");
  const handle = await open(file, "r+");
  try {
    const { size } = await handle.stat();
    // Cutting is only for what a failed write has left behind; a file that lost something must not be filled with zeros.
    if (size < length) throw new Error(`${file} holds ${size} bytes, ${length} were written`);
    if (size > length) await handle.truncate(length);
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, length + written);
      written += bytesWritten;
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return length + bytes.length;
}

/** Keeps the first `length` bytes. */
export async function cutJournal(file: string, length: number): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.truncate(length);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** The end of the names of files that were being written; a start removes what a kill has left of them. */
export const UNFINISHED = ".unfinished";

/** Writes a whole file so that it is there entirely or not at all, and returns its length in bytes. */
export async function writeWhole(file: string, text: string): Promise<number> {
  const bytes = Buffer.from(text, "utf8");
  const unfinished = `${file}${UNFINISHED}`;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
  return bytes.length;
}

/** Makes names durable: a rename or a removal is an entry of the folder. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs not.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Ending with npm: a program that npm runs for someone has no purpose without it.

/** How often the parent is looked for, in milliseconds. */
const LOOK_MS = 500;

/**
 * Calls back once, when npm, as the parent of this process, is gone. A Ctrl-C or a SIGTERM npm passes on; a SIGKILL
 * it cannot, and no signal tells of it. Does nothing where npm is not the parent: a program that was put in the
 * background on purpose outlives its shell.
 */
export function whenNpmIsGone(callback: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parentId = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parentId) return;
    clearInterval(look);
    callback();
  }, LOOK_MS);
  look.unref();
}

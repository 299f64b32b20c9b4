// The guardian: a process between the program that wants a cluster and the two servers that make one. It starts
// them, and when the program ends, in whatever way, it ends them and removes their folder. It needs no help from
// the program for that: the system closes the channel between the two even when the program was killed.
//
// Plain JavaScript on purpose. It is started by path with nothing but Node, from sources, from tests and from a
// bundle alike. guardian.ts is the other end of the channel and declares the messages.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
if (root === undefined || process.send === undefined) {
  console.error("Expected to be started by e2e/cluster/guardian.ts. Use `npm run cluster` instead.");
  process.exit(2);
}

// processes.ts recognises this name, and this process by its id, when it looks for what a crash left behind.
// mkdtemp makes it readable by this user alone, as the tokens in it require.
const folder = mkdtempSync(join(root, `epoch-lab-cluster-${process.pid}-`));

/** @type {Map<string, import("node:child_process").ChildProcess>} by program */
const running = new Map();
let ending = false;

/** @param {object} message */
function tell(message) {
  // The program may go at any moment; that it cannot be told is then no fault, and "disconnect" follows.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

/** @param {{ program: string, file: string, args: string[] }} order */
function start({ program, file, args }) {
  const log = openSync(join(folder, `${program}.log`), "a");
  // detached: a Ctrl-C in the terminal must reach the program alone, which then says what to do.
  const child = spawn(file, args, { cwd: folder, stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  running.set(program, child);
  child.once("spawn", () => tell({ kind: "started", program, id: child.pid }));
  child.once("error", (error) => {
    // Either it never ran, or a signal could not be delivered; only the first one ends it.
    if (child.pid !== undefined) return;
    running.delete(program);
    tell({ kind: "exited", program, how: error.message });
    if (ending) finish();
  });
  child.once("exit", (code, signal) => {
    running.delete(program);
    tell({ kind: "exited", program, how: signal === null ? `code ${code}` : signal });
    if (ending) finish();
  });
}

function end() {
  if (ending) return;
  ending = true;
  // Nothing in there is worth a clean shutdown, and SIGKILL also ends a server that is paused.
  for (const child of running.values()) child.kill("SIGKILL");
  finish();
}

function finish() {
  if (running.size > 0) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.exit(0);
}

process.on("message", (/** @type {any} */ order) => {
  if (ending) return;
  switch (order.kind) {
    case "start":
      start(order);
      break;
    case "signal":
      running.get(order.program)?.kill(order.signal);
      break;
    case "end":
      end();
      break;
    default:
      console.error(`Expected start, signal or end, got ${JSON.stringify(order.kind)}.`);
  }
});
process.on("disconnect", end);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, end);

tell({ kind: "ready", folder });

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lineOf, type Recording } from "../shared/trace/recording.ts";
import { append, emptyRecording, temporaryFolder, tick } from "./fixture/lab.ts";
import { watch } from "./fixture/watch.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The program as it is bundled for `npm start`, which starts faster than its sources. */
let program: string;
let removeProgram: () => Promise<void>;

beforeAll(async () => {
  const [built, removeBuilt] = await temporaryFolder();
  program = join(built, "child.mjs");
  removeProgram = removeBuilt;
  await build({
    entryPoints: [fileURLToPath(new URL("fixture/child.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  await symlink(join(root, "node_modules"), join(built, "node_modules"));
});
afterAll(() => removeProgram());

let folder: string;
let remove: () => Promise<void>;
let data: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  [folder, remove] = await temporaryFolder();
  data = join(folder, "data");
  await mkdir(join(folder, "web"));
  await writeFile(join(folder, "web", "index.html"), "<!doctype html><head></head><body></body>");
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await remove();
});

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has said on standard output. */
  said(): string;
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function launch(flags: readonly string[], web = join(folder, "web")): ChildProcess {
  const child = spawn(process.execPath, [program, root, web, ...flags], {
    cwd: root,
    env: { ...process.env, PORT: "", npm_config_port: "", EPOCH_LAB_DATA: data },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout?.setEncoding("utf8");
  child.stderr?.setEncoding("utf8");
  children.push(child);
  return child;
}

/** Runs until it ends by itself. */
async function run(flags: readonly string[], web?: string): Promise<Ended> {
  const child = launch(flags, web);
  const parts = { out: "", err: "" };
  child.stdout?.on("data", (text: string) => (parts.out += text));
  child.stderr?.on("data", (text: string) => (parts.err += text));
  await once(child, "close");
  return { code: child.exitCode, ...parts };
}

/** Starts it and waits for its address. */
async function serve(flags: readonly string[] = ["--port", "0"]): Promise<Running> {
  const child = launch(flags);
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (text: string) => {
      said += text;
      const found = /at (http:\S+)\/\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error("it ended before it listened")));
  });
  const page = await (await fetch(`${url}/`)).text();
  const token = /<meta name="epoch-lab-token" content="([\w-]{43})">/.exec(page)?.[1] ?? "";
  return {
    url,
    child,
    said: () => said,
    send: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { "X-Epoch-Lab-Token": token, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

async function create(lab: Running): Promise<string> {
  const created = await lab.send("POST", "/api/sessions", { recording: emptyRecording() });
  return String(Reflect.get((await created.json()) as object, "id"));
}

describe("the program", () => {
  it("prints its address in one line, serves, and stops in order though somebody watches", async () => {
    const lab = await serve();
    expect(lab.said()).toMatch(/^Epoch Lab is at http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const id = await create(lab);
    const watcher = await watch(`${lab.url}/api/sessions/${id}/events`);
    await watcher.until(({ events }) => events.length === 1);
    lab.child.kill("SIGTERM");
    await watcher.ended;
    if (lab.child.exitCode === null) await once(lab.child, "exit");
    expect([lab.child.exitCode, lab.child.signalCode]).toEqual([0, null]);
    // The folder is free again.
    expect(await readdir(data)).toEqual([`${id}.jsonl`]);
  });

  it("has another token after every start, and none of it in what it stores", async () => {
    const tokens = [];
    for (let round = 0; round < 2; round += 1) {
      const lab = await serve();
      tokens.push(/content="([\w-]{43})"/.exec(await (await fetch(`${lab.url}/`)).text())?.[1]);
      await create(lab);
      lab.child.kill("SIGINT");
      await once(lab.child, "exit");
    }
    expect(tokens[0]).not.toBe(tokens[1]);
    for (const name of await readdir(data))
      expect(await readFile(join(data, name), "utf8")).not.toContain(tokens[1]);
  });

  it("refuses a folder that another lab is using, and takes it over after a kill", async () => {
    const first = await serve();
    const second = await run(["--port", "0"]);
    expect(second.code).toBe(1);
    expect(second.err).toContain(`process ${first.child.pid} is using`);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const third = await serve();
    expect((await fetch(`${third.url}/health`)).status).toBe(200);
  });

  it("refuses a taken port in one sentence, without a stack", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const ended = await run(["--port", String(port)]);
    holder.close();
    expect([ended.code, ended.out]).toEqual([1, ""]);
    expect(ended.err).toBe(
      `port: expected a free port, got ${port}, which another program is using. ` +
        `Stop that program, or choose another port: --port ${port + 1}.\n`,
    );
  });

  const refusals: readonly {
    readonly why: string;
    readonly flags: () => readonly string[];
    readonly web?: () => string;
    readonly says: string;
  }[] = [
    { why: "an unknown flag", flags: () => ["--colour"], says: "got --colour" },
    {
      why: "a page that was not built",
      flags: () => ["--port", "0"],
      web: () => join(folder, "nowhere"),
      says: "npm run build",
    },
    {
      why: "a data folder that is a file",
      flags: () => ["--port", "0", "--data", join(folder, "web", "index.html")],
      says: "--data DIR",
    },
  ];
  for (const row of refusals)
    it(`refuses ${row.why} without a stack`, async () => {
      const ended = await run(row.flags(), row.web?.());
      expect([ended.code, ended.out]).toEqual([1, ""]);
      expect(ended.err).toContain(row.says);
      expect(ended.err).not.toMatch(/^\s+at /m);
    });
});

describe("a kill -9 amid appends", () => {
  it("loses nothing that was answered, time after time", async () => {
    let lab = await serve();
    const id = await create(lab);
    let answered = 0;
    for (let round = 1; round <= 3; round += 1) {
      const { child } = lab;
      const exited = once(child, "exit");
      // Appends one after the other until the process is gone; the kill comes from the side, while one is under way.
      const killAt = answered + 20 * round;
      for (;;) {
        const change = append(answered, tick(answered + 1));
        const sent = lab.send("POST", `/api/sessions/${id}/changes`, { revision: answered, change });
        if (answered === killAt) child.kill("SIGKILL");
        const status = await sent.then(
          (response) => response.status,
          () => "gone",
        );
        if (status !== 200) {
          expect(status).toBe("gone");
          break;
        }
        answered += 1;
      }
      await exited;
      expect(child.signalCode).toBe("SIGKILL");
      lab = await serve();
      const session = (await (await lab.send("GET", `/api/sessions/${id}`)).json()) as {
        readonly revision: number;
        readonly recording: Recording;
        readonly damage: unknown;
      };
      // The one under way when the kill came may have reached the disk, though its answer did not come back.
      expect([answered, answered + 1]).toContain(session.revision);
      expect(session.damage).toBeNull();
      expect(lineOf(session.recording, "main")).toEqual(
        Array.from({ length: session.revision }, (_, index) => tick(index + 1)),
      );
      answered = session.revision;
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINE_VERSION, lineOf, type Recording } from "../shared/trace/recording.ts";
import {
  append,
  emptyRecording,
  scriptedRecording,
  startLab,
  temporaryFolder,
  tick,
  type Answer,
  type Lab,
} from "./fixture/lab.ts";
import type { Limits } from "./limits.ts";

let lab: Lab;
let clean: () => Promise<void>;

beforeAll(async () => {
  const [folder, remove] = await temporaryFolder();
  lab = await startLab(folder);
  clean = async () => {
    await lab.stop();
    await remove();
  };
});
afterAll(() => clean());

async function newSession(recording: Recording = emptyRecording()): Promise<string> {
  const created = await lab.send("POST", "/api/sessions", { recording });
  expect(created.status).toBe(201);
  return String(created.body["id"]);
}

function expectProblem(answer: Answer, status: number, code: string): string {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(answer.body).toMatchObject({ type: `urn:epoch-lab:problem:${code}`, status });
  expect(answer.body["title"]).toMatch(/^[A-Z].+[^.]$/);
  expect(answer.body["detail"]).toMatch(/expected .+, got .+\. [A-Z].+\.$/);
  expect(answer.body["problems"]).toMatchObject([{ path: expect.any(String) }]);
  return answer.body["detail"] ?? "";
}

describe("sessions", () => {
  it("are made of a recording, read, listed, changed and deleted", async () => {
    const recording = scriptedRecording();
    const created = await lab.send("POST", "/api/sessions", {
      recording,
      moment: { branch: "main", cursor: 3 },
    });
    expect(created.status).toBe(201);
    const id = String(created.body["id"]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.headers.get("location")).toBe(`/api/sessions/${id}`);
    expect(created.body).toMatchObject({
      revision: 0,
      recording,
      moment: { branch: "main", cursor: 3 },
      damage: null,
    });
    expect(created.body["title"]).not.toBe("");

    const length = lineOf(recording, "main").length;
    const change = {
      revision: 0,
      change: append(length, tick(5)),
      moment: { branch: "main", cursor: length + 1 },
    };
    const changed = await lab.send("POST", `/api/sessions/${id}/changes`, change);
    expect([changed.status, changed.body]).toEqual([200, { revision: 1 }]);

    const read = await lab.send("GET", `/api/sessions/${id}`);
    expect(read.body).toMatchObject({ id, revision: 1, moment: { branch: "main", cursor: length + 1 } });
    expect(lineOf(read.body["recording"] as unknown as Recording, "main").at(-1)).toEqual(tick(5));

    const list = await lab.send("GET", "/api/sessions");
    expect(list.body).toMatchObject({ limit: 500 });
    expect(list.body["sessions"]).toContainEqual({
      id,
      title: created.body["title"],
      revision: 1,
      updatedAt: read.body["updatedAt"],
      damage: null,
    });

    expect((await lab.send("DELETE", `/api/sessions/${id}`)).status).toBe(204);
    expectProblem(await lab.send("GET", `/api/sessions/${id}`), 404, "session-not-found");
    expectProblem(await lab.send("DELETE", `/api/sessions/${id}`), 404, "session-not-found");
  });

  it("keep the title that they are given", async () => {
    const created = await lab.send("POST", "/api/sessions", {
      recording: emptyRecording(),
      title: "Monday's class",
    });
    expect(created.body["title"]).toBe("Monday's class");
  });

  it("take every kind of change", async () => {
    const id = await newSession();
    const branch = { id: "b1", name: "what if", parent: "main", forkAt: 1, actions: [tick(7)] };
    const changes = [
      append(0, tick(1), tick(2)),
      { kind: "fork", branch },
      { kind: "rename", branch: "b1", name: "as it was" },
      { kind: "append", branch: "b1", at: 2, actions: [tick(8)] },
      { kind: "shorten", branch: "b1", to: 2 },
      { kind: "shorten", branch: "main", to: 1 },
      { kind: "delete", branch: "b1" },
      append(1, tick(3)),
    ];
    for (const [revision, change] of changes.entries())
      expect((await lab.send("POST", `/api/sessions/${id}/changes`, { revision, change })).body).toEqual({
        revision: revision + 1,
      });
    const { body } = await lab.send("GET", `/api/sessions/${id}`);
    expect(body["recording"]).toMatchObject({ branches: [{ id: "main", actions: [tick(1), tick(3)] }] });
  });

  it("refuse a change made from an old revision, with the new one", async () => {
    const id = await newSession();
    const change = { revision: 0, change: append(0, tick(1)) };
    expect((await lab.send("POST", `/api/sessions/${id}/changes`, change)).status).toBe(200);
    const stale = await lab.send("POST", `/api/sessions/${id}/changes`, change);
    expect(expectProblem(stale, 409, "stale-revision")).toContain("expected 1, the newest, got 0");
    expect(stale.body["revision"]).toBe(1);
    expectProblem(
      await lab.send("POST", `/api/sessions/${id}/changes`, { ...change, revision: 9 }),
      409,
      "stale-revision",
    );
  });

  it("let exactly one of many that race for a revision win", async () => {
    const id = await newSession();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        lab.send("POST", `/api/sessions/${id}/changes`, { revision: 0, change: append(0, tick(index + 1)) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 409),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { body } = await lab.send("GET", `/api/sessions/${id}`);
    expect(body).toMatchObject({ revision: 1, recording: { branches: [{ actions: [tick(winner + 1)] }] } });
  });

  it("tell where the presenter is", async () => {
    const id = await newSession();
    await lab.send("POST", `/api/sessions/${id}/changes`, { revision: 0, change: append(0, tick(1)) });
    const moment = { branch: "main", cursor: 1 };
    expect((await lab.send("PUT", `/api/sessions/${id}/moment`, { moment })).status).toBe(204);
    expect((await lab.send("GET", `/api/sessions/${id}`)).body["moment"]).toEqual(moment);
    // The undo takes the moment away.
    await lab.send("POST", `/api/sessions/${id}/changes`, {
      revision: 1,
      change: { kind: "shorten", branch: "main", to: 0 },
    });
    expect((await lab.send("GET", `/api/sessions/${id}`)).body["moment"]).toBeNull();
  });
});

interface Refusal {
  readonly why: string;
  readonly path: string;
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE" | "GET";
  readonly body?: (id: string) => unknown;
  readonly status: number;
  readonly code: string;
  readonly says: string;
}

const recording = emptyRecording();
/** What cannot happen before somebody pauses a. */
const RESUME = { kind: "resume", node: "a" };
const create = (why: string, body: unknown, says: string, code = "invalid-input"): Refusal => ({
  why,
  path: "/api/sessions",
  method: "POST",
  body: () => body,
  status: code === "malformed-json" ? 400 : 422,
  code,
  says,
});
const change = (why: string, body: unknown, says: string, code = "invalid-input"): Refusal => ({
  ...create(why, body, says, code),
  path: "/api/sessions/ID/changes",
});

const refusals: readonly Refusal[] = [
  create("JSON that is none", '{"recording": oops}', 'line 1, column 15, got "o"', "malformed-json"),
  create("an empty body", "", "the end of the text", "malformed-json"),
  create("deep JSON", `${"[".repeat(100_000)}`, "at most 40 levels", "malformed-json"),
  create("a body of another shape", [], "type object"),
  create("a stray field", { recording, surprise: 1 }, "surprise"),
  create(
    "a title that is too long",
    { recording, title: "x".repeat(121) },
    "title: expected a length of at most 120",
  ),
  create("a blank title", { recording, title: " " }, "title"),
  create("another format", { recording: { ...recording, format: "x" } }, "recording.format"),
  create(
    "another engine",
    { recording: { ...recording, engine: 99 } },
    `expected ${ENGINE_VERSION}, the engine`,
  ),
  create(
    "an unknown scenario",
    { recording: { ...recording, origin: { kind: "scenario", scenario: "gone" } } },
    '"gone"',
  ),
  create("a moment that is not there", { recording, moment: { branch: "main", cursor: 1 } }, "moment.cursor"),
  create(
    "an action that cannot happen there",
    {
      recording: {
        ...recording,
        branches: [{ ...recording.branches[0], actions: [tick(1), RESUME] }],
      },
    },
    "recording.branches[0].actions[1]",
    "action-refused",
  ),
  change("a revision that is none", { revision: -1, change: append(0, tick(1)) }, "revision"),
  change("no change", { revision: 0 }, "change"),
  change("an unknown change", { revision: 0, change: { kind: "merge" } }, "change.kind"),
  change(
    "an action of a wrong shape",
    { revision: 0, change: append(0, { kind: "advance" }) },
    "change.actions[0].toMs",
  ),
  change(
    "an append that is not at the end",
    { revision: 0, change: append(3, tick(1)) },
    "the branch's length, 0",
  ),
  change("a branch that is not there", { revision: 0, change: { kind: "delete", branch: "b7" } }, '"b7"'),
  change(
    "an action that cannot happen, with its place and the reason",
    { revision: 0, change: append(0, tick(1), RESUME) },
    "a is not paused",
    "action-refused",
  ),
  change(
    "a fork with an action that cannot happen",
    {
      revision: 0,
      change: {
        kind: "fork",
        branch: { id: "b1", name: "x", parent: "main", forkAt: 0, actions: [{ kind: "crash", node: "zzz" }] },
      },
    },
    "change.branch.actions[0]",
    "action-refused",
  ),
  change(
    "a moment that the change does not reach",
    { revision: 0, change: append(0, tick(1)), moment: { branch: "main", cursor: 2 } },
    "0 to 1",
  ),
  change("a client that is no name", { revision: 0, change: append(0, tick(1)), client: "<b>" }, "client"),
  {
    ...create("a session that is not there", {}, "the id of a session"),
    path: "/api/sessions/0e0e0e0e-0000-4000-8000-000000000000/changes",
    body: () => ({ revision: 0, change: append(0, tick(1)) }),
    status: 404,
    code: "session-not-found",
  },
  {
    ...create("a moment of another branch", {}, "moment.branch"),
    path: "/api/sessions/ID/moment",
    method: "PUT",
    body: () => ({ moment: { branch: "b9", cursor: 0 } }),
  },
  {
    why: "a resumption from what is no revision",
    path: "/api/sessions/ID/events?after=yesterday",
    method: "GET",
    status: 400,
    code: "malformed-request",
    says: '"yesterday"',
  },
  {
    why: "events of a session that is not there",
    path: "/api/sessions/gone/events",
    method: "GET",
    status: 404,
    code: "session-not-found",
    says: '"gone"',
  },
  ...(
    [
      ["PATCH", "/api/sessions", "GET, HEAD, POST"],
      ["POST", "/api/sessions/ID", "GET, HEAD, DELETE"],
      ["GET", "/api/sessions/ID/changes", "POST"],
      ["POST", "/api/sessions/ID/moment", "PUT"],
      ["DELETE", "/api/sessions/ID/events", "GET, HEAD"],
      ["POST", "/health", "GET, HEAD"],
      ["POST", "/", "GET, HEAD"],
    ] as const
  ).map(([method, path, allow]): Refusal => ({
    why: `${method} of ${path}`,
    method,
    path,
    status: 405,
    code: "method-not-allowed",
    says: allow.replaceAll(", ", " or "),
  })),
  {
    why: "an unknown path of the interface",
    path: "/api/scenarios",
    method: "GET",
    status: 404,
    code: "not-found",
    says: "/api/scenarios",
  },
  {
    why: "an unknown path to post to",
    path: "/anything",
    method: "POST",
    status: 404,
    code: "not-found",
    says: "/anything",
  },
];

describe("the interface refuses", () => {
  for (const row of refusals)
    it(`${row.why}: ${row.status} ${row.code}`, async () => {
      const id = await newSession();
      const answer = await lab.send(row.method, row.path.replace("ID", id), row.body?.(id));
      expect(expectProblem(answer, row.status, row.code)).toContain(row.says);
      if (row.status === 405) expect(answer.headers.get("allow")?.replaceAll(", ", " or ")).toBe(row.says);
      // A refused change leaves no trace.
      expect((await lab.send("GET", `/api/sessions/${id}`)).body).toMatchObject({ revision: 0, recording });
    });

  const types: readonly { readonly why: string; readonly type: string | null; readonly encoding?: string }[] =
    [
      { why: "plain text, which any page could send", type: "text/plain" },
      { why: "a form", type: "application/x-www-form-urlencoded" },
      { why: "no type", type: null },
      { why: "another charset", type: "application/json; charset=utf-16" },
      { why: "a type that only begins like JSON", type: "application/json-seq" },
      { why: "a compressed body", type: "application/json", encoding: "gzip" },
    ];
  for (const row of types)
    it(`${row.why}: 415`, async () => {
      const answer = await fetch(`${lab.url}/api/sessions`, {
        method: "POST",
        headers: {
          "X-Epoch-Lab-Token": "a-token-of-this-test",
          ...(row.type === null ? {} : { "Content-Type": row.type }),
          ...(row.encoding === undefined ? {} : { "Content-Encoding": row.encoding }),
        },
        body: Buffer.from("{}"),
      });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ type: "urn:epoch-lab:problem:unsupported-media-type" });
    });

  it("a body beyond the limit: 413", async () => {
    const answer = await lab.send("POST", "/api/sessions", { recording, title: "x".repeat(1_100_000) });
    expect(expectProblem(answer, 413, "body-too-large")).toContain("at most 1048576 bytes");
  });
});

/** A lab of its own with a smaller limit. */
async function limited(limits: Partial<Limits>, use: (small: Lab) => Promise<void>): Promise<void> {
  const [folder, remove] = await temporaryFolder();
  const small = await startLab(folder, { limits });
  try {
    await use(small);
  } finally {
    await small.stop();
    await remove();
  }
}

describe("limits", () => {
  it("on sessions: a clear refusal, nothing is deleted, and room again after a deletion", () =>
    limited({ sessions: 2 }, async (small) => {
      const make = () => small.send("POST", "/api/sessions", { recording });
      const answers = await Promise.all([make(), make(), make(), make()]);
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).toBe(2);
      const refused = await make();
      expect(expectProblem(refused, 507, "too-many-sessions")).toContain("DELETE /api/sessions/");
      await small.send("DELETE", `/api/sessions/${String(made[0]?.body["id"])}`);
      expect((await make()).status).toBe(201);
    }));

  it("on what is stored in all", () =>
    limited({ storedBytes: 800 }, async (small) => {
      const first = await small.send("POST", "/api/sessions", { recording });
      const id = String(first.body["id"]);
      const long = Array.from({ length: 20 }, (_, index) => tick(index + 1));
      const grown = await small.send("POST", `/api/sessions/${id}/changes`, {
        revision: 0,
        change: append(0, ...long),
      });
      expect(expectProblem(grown, 507, "storage-full")).toContain("at most 800 bytes");
      // What does fit still can be done.
      const change = { revision: 0, change: append(0, tick(1)) };
      expect((await small.send("POST", `/api/sessions/${id}/changes`, change)).status).toBe(200);
    }));

  const rates = [
    { why: "reads", limits: { reads: 2 }, method: "GET", path: "/api/sessions" },
    { why: "changes", limits: { changes: 2 }, method: "DELETE", path: "/api/sessions/x" },
    { why: "moments", limits: { moments: 2 }, method: "PUT", path: "/api/sessions/x/moment" },
  ] as const;
  for (const row of rates)
    it(`on the rate of ${row.why}, with a time to come back`, () =>
      limited(row.limits, async (small) => {
        const send = () =>
          small.send(
            row.method,
            row.path,
            row.method === "PUT" ? { moment: { branch: "main", cursor: 0 } } : undefined,
          );
        const early = [(await send()).status, (await send()).status];
        expect(early).not.toContain(429);
        const refused = await send();
        expect(expectProblem(refused, 429, "too-many-requests")).toContain(`at most 2 ${row.why}`);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
        expect((await small.send("GET", "/health")).status).toBe(200);
      }));
});

describe("a fault of the lab", () => {
  it("is logged, answered without its inside, and the lab goes on", async () => {
    const [folder, remove] = await temporaryFolder();
    const broken = await startLab(folder, {
      pages: {
        files: (_request, _response, next) => next(),
        html: () => Promise.reject(new Error("the inside story")),
      },
    });
    const answer = await broken.send("GET", "/");
    expectProblem(answer, 500, "internal-error");
    expect(JSON.stringify(answer.body)).not.toContain("inside story");
    expect(broken.logged.join("\n")).toContain("request failed");
    expect((await broken.send("GET", "/health")).status).toBe(200);
    await broken.stop();
    await remove();
  });
});

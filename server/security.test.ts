import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyRecording, sendRaw, startLab, temporaryFolder, TOKEN, type Lab } from "./fixture/lab.ts";
import { builtPages } from "./http/pages.ts";
import { mayUpgrade } from "./security.ts";

let lab: Lab;
let clean: () => Promise<void>;

beforeAll(async () => {
  const [folder, remove] = await temporaryFolder();
  const web = join(folder, "web");
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(
    join(web, "index.html"),
    "<!doctype html><head><title>t</title></head><body>the page</body>",
  );
  await writeFile(join(web, "assets", "index-8f3a.js"), "export {};");
  await writeFile(join(web, "favicon.svg"), "<svg/>");
  await writeFile(join(folder, "secret.txt"), "the secret");
  const pages = await builtPages(web);
  if (!pages.ok) throw new Error(pages.error.got);
  lab = await startLab(join(folder, "data"), { pages: pages.value });
  clean = async () => {
    await lab.stop();
    await remove();
  };
});
afterAll(() => clean());

/** A request as text; `HOST` and `ORIGIN` stand for the lab's own. */
function request(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, ...headers, "Connection: close", "", ""]
    .join("\r\n")
    .replaceAll("HOST", `127.0.0.1:${lab.port}`)
    .replaceAll("PORT", String(lab.port));
}

interface Row {
  readonly why: string;
  readonly line: string;
  readonly headers: readonly string[];
  readonly status: number;
  readonly says?: string;
}

const BODY = JSON.stringify({ recording: emptyRecording() });
const POST = `POST /api/sessions`;
const JSON_HEADERS = ["Content-Type: application/json", "Content-Length: 2"];
const TOKEN_LINE = `X-Epoch-Lab-Token: ${TOKEN}`;

const rows: readonly Row[] = [
  { why: "its own address", line: "GET /health", headers: ["Host: HOST"], status: 200 },
  { why: "localhost", line: "GET /health", headers: ["Host: localhost:PORT"], status: 200 },
  {
    why: "LOCALHOST, since hosts have no case",
    line: "GET /health",
    headers: ["Host: LocalHost:PORT"],
    status: 200,
  },
  { why: "the IPv6 loopback", line: "GET /health", headers: ["Host: [::1]:PORT"], status: 200 },
  {
    why: "a name that a foreign page points here (DNS rebinding)",
    line: "GET /",
    headers: ["Host: evil.example:PORT"],
    status: 403,
    says: "forbidden-host",
  },
  { why: "the right name with another port", line: "GET /", headers: ["Host: 127.0.0.1:1"], status: 403 },
  { why: "the right name with no port", line: "GET /", headers: ["Host: 127.0.0.1"], status: 403 },
  { why: "a name that ends like ours", line: "GET /", headers: ["Host: notlocalhost:PORT"], status: 403 },
  {
    why: "a name that begins like ours",
    line: "GET /",
    headers: ["Host: localhost.evil.example:PORT"],
    status: 403,
  },
  { why: "a host with a user in it", line: "GET /", headers: ["Host: evil@127.0.0.1:PORT"], status: 403 },
  { why: "an empty host", line: "GET /", headers: ["Host: "], status: 403 },
  { why: "an unclosed bracket", line: "GET /", headers: ["Host: [::1"], status: 403 },
  { why: "bytes that are no host", line: "GET /", headers: ["Host: \u00ff%%\u00fe"], status: 403 },
  { why: "two hosts", line: "GET /", headers: ["Host: HOST", "Host: evil.example"], status: 403 },
  { why: "no host at all", line: "GET /", headers: [], status: 403, says: "0 Host headers" },
  {
    why: "a target with a host in it",
    line: "GET http://evil.example/",
    headers: ["Host: HOST"],
    status: 400,
  },
  {
    why: "a target that could be taken for a host",
    line: "GET //evil.example/",
    headers: ["Host: HOST"],
    status: 400,
  },
  {
    why: "a change by a page of another site",
    line: POST,
    headers: ["Host: HOST", "Origin: https://evil.example", TOKEN_LINE, ...JSON_HEADERS],
    status: 403,
    says: "forbidden-origin",
  },
  {
    why: "a change by a page of another local port",
    line: POST,
    headers: ["Host: HOST", "Origin: http://127.0.0.1:1", TOKEN_LINE, ...JSON_HEADERS],
    status: 403,
  },
  {
    why: "a change by a page that hides where it is from",
    line: POST,
    headers: ["Host: HOST", "Origin: null", TOKEN_LINE, ...JSON_HEADERS],
    status: 403,
  },
  {
    why: "a change by another name of ours than the one spoken to",
    line: POST,
    headers: ["Host: HOST", "Origin: http://localhost:PORT", TOKEN_LINE, ...JSON_HEADERS],
    status: 403,
  },
  {
    why: "a malformed origin",
    line: POST,
    headers: ["Host: HOST", "Origin: http://[::1", TOKEN_LINE, ...JSON_HEADERS],
    status: 403,
  },
  {
    why: "a form of another site, without the token",
    line: POST,
    headers: ["Host: HOST", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"],
    status: 403,
    says: "token-required",
  },
  {
    why: "a change with a wrong token",
    line: POST,
    headers: ["Host: HOST", "X-Epoch-Lab-Token: guess", ...JSON_HEADERS],
    status: 403,
    says: "Reload the page",
  },
  {
    why: "a change with the token in the URL instead",
    line: `POST /api/sessions?token=${TOKEN}`,
    headers: ["Host: HOST", ...JSON_HEADERS],
    status: 403,
  },
  {
    why: "a deletion without the token",
    line: "DELETE /api/sessions/x",
    headers: ["Host: HOST"],
    status: 403,
    says: "token-required",
  },
  {
    why: "reading by a page of another site, as browsers mark it",
    line: "GET /api/sessions",
    headers: ["Host: HOST", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"],
    status: 403,
  },
  {
    why: "reading by a page of another local port",
    line: "GET /api/sessions",
    headers: ["Host: HOST", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"],
    status: 403,
  },
  {
    why: "a script element of another site",
    line: "GET /assets/index-8f3a.js",
    headers: [
      "Host: HOST",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: no-cors",
      "Sec-Fetch-Dest: script",
    ],
    status: 403,
  },
  {
    why: "a frame of another site",
    line: "GET /",
    headers: [
      "Host: HOST",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: iframe",
    ],
    status: 403,
  },
  {
    why: "a link from another site opens the page",
    line: "GET /",
    headers: [
      "Host: HOST",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: document",
    ],
    status: 200,
  },
  {
    why: "but not the interface",
    line: "GET /api/sessions",
    headers: [
      "Host: HOST",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: document",
    ],
    status: 403,
  },
  {
    why: "a preflight gets no permission",
    line: "OPTIONS /api/sessions",
    headers: ["Host: HOST", "Origin: https://evil.example", "Access-Control-Request-Method: POST"],
    status: 403,
  },
  { why: "dot segments", line: "GET /../secret.txt", headers: ["Host: HOST"], status: 400 },
  { why: "encoded dot segments", line: "GET /%2e%2e/secret.txt", headers: ["Host: HOST"], status: 400 },
  { why: "half encoded dot segments", line: "GET /.%2E/secret.txt", headers: ["Host: HOST"], status: 400 },
  { why: "an encoded slash", line: "GET /..%2fsecret.txt", headers: ["Host: HOST"], status: 400 },
  { why: "a backslash", line: "GET /..\\secret.txt", headers: ["Host: HOST"], status: 400 },
  { why: "an encoded backslash", line: "GET /..%5csecret.txt", headers: ["Host: HOST"], status: 400 },
  {
    why: "a twice encoded path",
    line: "GET /%252e%252e%252fsecret.txt",
    headers: ["Host: HOST"],
    status: 404,
  },
  {
    why: "an over-long encoding",
    line: "GET /%c0%ae%c0%ae/secret.txt",
    headers: ["Host: HOST"],
    status: 400,
  },
  { why: "a null byte", line: "GET /index.html%00.js", headers: ["Host: HOST"], status: 400 },
  { why: "a percent sign with nothing behind it", line: "GET /100%", headers: ["Host: HOST"], status: 400 },
  {
    why: "a path within the assets that leads out",
    line: "GET /assets/../../secret.txt",
    headers: ["Host: HOST"],
    status: 400,
  },
  {
    why: "a session id that leads out",
    line: "GET /api/sessions/..%2f..%2fsecret",
    headers: ["Host: HOST"],
    status: 400,
  },
  {
    why: "a session id that is a path of words",
    line: "GET /api/sessions/a/b",
    headers: ["Host: HOST"],
    status: 404,
  },
  {
    why: "a URL beyond the limit",
    line: `GET /?${"a".repeat(41_000)}`,
    headers: ["Host: HOST"],
    status: 414,
  },
  {
    why: "headers beyond the limit",
    line: "GET /",
    headers: ["Host: HOST", `X-Long: ${"a".repeat(60_000)}`],
    status: 431,
    says: "headers-too-large",
  },
  { why: "what is not HTTP", line: "hello", headers: [], status: 400, says: "malformed-request" },
];

describe("the door answers", () => {
  for (const row of rows)
    it(`${row.why}: ${row.status}`, async () => {
      const answer = await sendRaw(lab.port, request(row.line, ...row.headers));
      expect(Number(answer.split(" ")[1])).toBe(row.status);
      expect(answer).not.toMatch(/access-control-allow/i);
      expect(answer).not.toContain("the secret");
      if (row.says !== undefined) expect(answer).toContain(row.says);
      if (row.status >= 400) {
        expect(answer).toMatch(/content-type: application\/problem\+json/i);
        // The page carries the token; no refusal does.
        expect(answer).not.toContain(TOKEN);
      }
    });

  it("goes on after all of them", async () => {
    expect((await lab.send("GET", "/health")).body).toMatchObject({ status: "ok", sessions: 0 });
  });

  it("logs none of the token", async () => {
    await lab.send("POST", "/api/sessions", "{");
    expect(lab.logged.join("\n")).not.toContain(TOKEN);
  });
});

describe("a change by the lab's own page", () => {
  const good: readonly Row[] = [
    { why: "with origin and token", line: POST, headers: ["Origin: http://HOST", TOKEN_LINE], status: 201 },
    { why: "without an origin, with the token", line: POST, headers: [TOKEN_LINE], status: 201 },
  ];
  for (const row of good)
    it(row.why, async () => {
      const headers = ["Host: HOST", ...row.headers, "Content-Type: application/json"];
      const text = request(row.line, ...headers, `Content-Length: ${Buffer.byteLength(BODY)}`) + BODY;
      expect(Number((await sendRaw(lab.port, text)).split(" ")[1])).toBe(row.status);
    });
});

describe("headers", () => {
  const paths = [
    "/",
    "/health",
    "/api/sessions",
    "/assets/index-8f3a.js",
    "/nothing/here.js",
    "/api/nothing",
  ];
  for (const path of paths)
    it(`of ${path} are strict`, async () => {
      const { headers } = await fetch(lab.url + path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const directive of [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        expect(policy.split(";")).toContain(directive);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
    });
});

describe("while developing", () => {
  it("scripts and styles may be inline and Vite's socket may be spoken to; nothing else is relaxed", async () => {
    const [folder, remove] = await temporaryFolder();
    const dev = await startLab(folder, { dev: true });
    const policy = (await fetch(dev.url)).headers.get("content-security-policy")?.split(";");
    const strict = (await fetch(lab.url)).headers.get("content-security-policy")?.split(";");
    expect(policy?.filter((directive) => !strict?.includes(directive))).toEqual([
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self' ws://localhost:* ws://127.0.0.1:*",
    ]);
    const refused = await sendRaw(dev.port, request("GET /", "Host: evil.example"));
    expect(refused).toContain("403 Forbidden");
    await dev.stop();
    await remove();
  });

  const upgrades: readonly {
    readonly why: string;
    readonly headers: readonly string[];
    readonly may: boolean;
  }[] = [
    {
      why: "the lab's own page",
      headers: ["Host", "127.0.0.1:4600", "Origin", "http://127.0.0.1:4600"],
      may: true,
    },
    {
      why: "a page of another site",
      headers: ["Host", "127.0.0.1:4600", "Origin", "https://evil.example"],
      may: false,
    },
    {
      why: "a page of another port",
      headers: ["Host", "127.0.0.1:4600", "Origin", "http://127.0.0.1:1"],
      may: false,
    },
    {
      why: "a rebound name",
      headers: ["Host", "evil.example:4600", "Origin", "http://evil.example:4600"],
      may: false,
    },
    { why: "no page at all", headers: ["Host", "127.0.0.1:4600"], may: false },
  ];
  for (const row of upgrades)
    it(`${row.why} ${row.may ? "may" : "may not"} open a socket`, () => {
      const [host, origin] = [row.headers[1], row.headers[3]];
      const headers = { host, ...(origin === undefined ? {} : { origin }) };
      const asked = { rawHeaders: [...row.headers], headers, socket: { localPort: 4600 } } as IncomingMessage;
      expect(mayUpgrade(asked)).toBe(row.may);
    });
});

describe("pages", () => {
  const pages: readonly {
    readonly why: string;
    readonly path: string;
    readonly cache: string;
    readonly holds: string;
  }[] = [
    { why: "the page carries the token and is kept nowhere", path: "/", cache: "no-store", holds: TOKEN },
    { why: "also under its file's name", path: "/index.html", cache: "no-store", holds: TOKEN },
    { why: "also for a path of its own", path: "/scenario/paused-leader", cache: "no-store", holds: TOKEN },
    {
      why: "an asset with a hash in its name is kept for ever",
      path: "/assets/index-8f3a.js",
      cache: "public, max-age=31536000, immutable",
      holds: "export {};",
    },
    { why: "another file is asked for again", path: "/favicon.svg", cache: "no-cache", holds: "<svg/>" },
  ];
  for (const row of pages)
    it(row.why, async () => {
      const answer = await sendRaw(
        lab.port,
        request(`GET ${row.path}`, "Host: HOST", "Accept: text/html,*/*"),
      );
      expect(answer).toContain("200 OK");
      expect(answer.toLowerCase()).toContain(`cache-control: ${row.cache}\r\n`);
      expect(answer).toContain(row.holds);
    });

  const missing = ["/assets/gone-1234.js", "/api/gone", "/health/gone", "/.env", "/assets/", "/gone.txt"];
  for (const path of missing)
    it(`${path} is not mistaken for a page`, async () => {
      const response = await fetch(lab.url + path, { headers: { Accept: "*/*" } });
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    });

  const scripts: readonly { readonly why: string; readonly headers: readonly string[] }[] = [
    { why: "wants JSON", headers: ["Accept: application/json"] },
    {
      why: "is no navigation",
      headers: ["Accept: text/html", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"],
    },
  ];
  for (const row of scripts)
    it(`a request for a path of the page that ${row.why} gets no page`, async () => {
      const answer = await sendRaw(lab.port, request("GET /scenario/x", "Host: HOST", ...row.headers));
      expect(answer).toContain("404 Not Found");
    });
});

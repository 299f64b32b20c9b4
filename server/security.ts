// Who may speak to the lab: the policy on one page. A server on loopback is within reach of every page in the user's
// browser, so where a request comes from is settled before it is routed.
//
//   target    a plain path: no absolute form, no dot segments, no encoded slashes
//   Host      exactly localhost, 127.0.0.1 or [::1] with the port it came in on; this ends DNS rebinding
//   Origin    when there is one, the lab's own
//   Sec-Fetch a browser that says "another site" is let through for opening a page and for nothing else
//   token     anything that changes state carries the random token of this start, which only the lab's own page can read
//   headers   no CORS, nothing from elsewhere, no frames; isolated, so that workers can share memory
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import helmet from "helmet";
import { failure, sendFailure, type Failure } from "./http/failure.ts";
import type { Limits } from "./limits.ts";

/** The header that carries the token; a page of another origin cannot set it without being asked about by the browser. */
export const TOKEN_HEADER = "x-epoch-lab-token";

/** A token for one start: 256 bits. */
export const newToken = (): string => randomBytes(32).toString("base64url");

export interface Policy {
  readonly token: string;
  readonly limits: Limits;
  /** Relaxes the content security policy for Vite's inline scripts, styles and its socket. Nothing else. */
  readonly dev: boolean;
}

export function secure(policy: Policy): readonly RequestHandler[] {
  return [
    securityHeaders(policy.dev),
    (request, response, next) => {
      const refused =
        refusedTarget(request, policy.limits) ??
        refusedHost(request) ??
        refusedOrigin(request) ??
        refusedSite(request) ??
        refusedToken(request, policy.token);
      if (refused === null) next();
      else sendFailure(response, refused);
    },
  ];
}

/** Whether a request to switch protocols comes from the lab's own page. Vite's socket in development asks for one. */
export function mayUpgrade(request: IncomingMessage): boolean {
  return (
    request.headers.origin !== undefined && refusedHost(request) === null && refusedOrigin(request) === null
  );
}

const isSafe = (request: IncomingMessage): boolean => request.method === "GET" || request.method === "HEAD";

function refusedTarget(request: IncomingMessage, limits: Limits): Failure | null {
  const target = request.url ?? "";
  if (target.length > limits.urlLength)
    return failure("url-too-long", {
      expected: `a URL of at most ${limits.urlLength} characters`,
      got: `${target.length}`,
      remedy: "Open the recording as a file instead of a link.",
    });
  const path = target.split("?", 1)[0] ?? "";
  if (/^\/(?!\/)/.test(path) && !/(?:^|\/)\.\.?(?:\/|$)|\\|%(?:2e|2f|5c|00)|%(?![0-9a-f]{2})/i.test(path))
    return null;
  return failure("malformed-request", {
    path: "URL",
    expected: "a plain path such as /api/sessions",
    got: JSON.stringify(path.slice(0, 100)),
    remedy: "Leave out dot segments, encoded slashes and the host.",
  });
}

/** The hosts that mean this server, as a Host header spells them. */
function ownHosts(request: IncomingMessage): readonly string[] {
  const port = request.socket.localPort;
  const names = ["localhost", "127.0.0.1", "[::1]"];
  const withPort = names.map((name) => `${name}:${port}`);
  return port === 80 ? [...withPort, ...names] : withPort;
}

function refusedHost(request: IncomingMessage): Failure | null {
  const given = request.rawHeaders.filter(
    (_, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === "host",
  );
  const hosts = ownHosts(request);
  const [host] = given;
  if (given.length === 1 && host !== undefined && hosts.includes(host.toLowerCase())) return null;
  return failure("forbidden-host", {
    path: "Host",
    expected: `one of ${hosts.join(", ")}`,
    got: given.length === 1 ? JSON.stringify(host?.slice(0, 100)) : `${given.length} Host headers`,
    remedy: "Open the lab at the address that it prints.",
  });
}

function refusedOrigin(request: IncomingMessage): Failure | null {
  const { origin } = request.headers;
  if (origin === undefined || origin.toLowerCase() === `http://${request.headers.host ?? ""}`.toLowerCase())
    return null;
  return failure("forbidden-origin", {
    path: "Origin",
    expected: `http://${request.headers.host ?? ""}`,
    got: JSON.stringify(origin.slice(0, 100)),
    remedy: "Only the lab's own page may do this; open it at the address that the lab prints.",
  });
}

function refusedSite(request: IncomingMessage): Failure | null {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return null;
  // A link on another page may open the lab: that is what permalinks are for. It may open a page, not the interface.
  const opensPage =
    request.method === "GET" &&
    request.headers["sec-fetch-mode"] === "navigate" &&
    request.headers["sec-fetch-dest"] === "document" &&
    !/^\/(?:api|health)(?:[/?]|$)/i.test(request.url ?? "");
  if (opensPage) return null;
  return failure("forbidden-origin", {
    path: "Sec-Fetch-Site",
    expected: "same-origin",
    got: JSON.stringify(String(site).slice(0, 100)),
    remedy: "Only the lab's own page may do this; open it at the address that the lab prints.",
  });
}

function refusedToken(request: IncomingMessage, token: string): Failure | null {
  if (isSafe(request)) return null;
  const given = request.headers[TOKEN_HEADER];
  if (typeof given === "string" && timingSafeEqual(digest(given), digest(token))) return null;
  return failure("token-required", {
    path: "X-Epoch-Lab-Token",
    expected: "the token that the lab's page carries",
    // Never the token itself: this answer may be logged.
    got: given === undefined ? "none" : "another",
    remedy: "Reload the page: the lab has a new token after every start.",
  });
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function securityHeaders(dev: boolean): RequestHandler {
  const inline = dev ? ["'unsafe-inline'"] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "script-src": ["'self'", ...inline],
        "style-src": ["'self'", ...inline],
        "img-src": ["'self'", "data:", "blob:"],
        "connect-src": ["'self'", ...(dev ? ["ws://localhost:*", "ws://127.0.0.1:*"] : [])],
        "worker-src": ["'self'"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
      },
    },
    crossOriginEmbedderPolicy: { policy: "require-corp" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
    // The lab speaks plain HTTP on loopback; browsers ignore this header there.
    strictTransportSecurity: false,
  });
}

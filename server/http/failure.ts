// Every answer that is not a success: a code, a sentence, and the problem details (RFC 9457) that they become.
import type { ErrorRequestHandler, Response } from "express";
import { sentence, type Problem } from "../../shared/base/result.ts";
import type { Log } from "../log.ts";

const KINDS = {
  "malformed-request": { status: 400, title: "The request cannot be read" },
  "malformed-json": { status: 400, title: "The body is not JSON" },
  "forbidden-host": { status: 403, title: "Unknown host" },
  "forbidden-origin": { status: 403, title: "Foreign origin" },
  "token-required": { status: 403, title: "The token of this start of the lab is needed" },
  "not-found": { status: 404, title: "Not found" },
  "session-not-found": { status: 404, title: "No such session" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  "stale-revision": { status: 409, title: "The session has moved on" },
  "session-unreadable": { status: 410, title: "The session's file cannot be read" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "url-too-long": { status: 414, title: "The URL is too long" },
  "unsupported-media-type": { status: 415, title: "Unsupported media type" },
  "invalid-input": { status: 422, title: "Invalid input" },
  "action-refused": { status: 422, title: "An action cannot happen there" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "headers-too-large": { status: 431, title: "The headers are too large" },
  "internal-error": { status: 500, title: "A fault of the lab" },
  "cluster-failed": { status: 502, title: "The cluster could not be used" },
  "too-many-watchers": { status: 503, title: "Too many watchers" },
  starting: { status: 503, title: "The lab is starting" },
  "shutting-down": { status: 503, title: "The lab is stopping" },
  "too-many-sessions": { status: 507, title: "Too many sessions" },
  "storage-full": { status: 507, title: "The storage is full" },
} as const;

export type FailureCode = keyof typeof KINDS;

export interface Failure {
  readonly code: FailureCode;
  /** At least one; the first gives the sentence. */
  readonly problems: readonly [Problem, ...Problem[]];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem details, such as the current revision. */
  readonly extras?: Readonly<Record<string, unknown>>;
}

export function failure(
  code: FailureCode,
  problem: {
    readonly path?: string;
    readonly expected: string;
    readonly got: string;
    readonly remedy: string;
  },
  more: Pick<Failure, "headers" | "extras"> = {},
): Failure {
  return { code, problems: [{ path: "", ...problem }], ...more };
}

/** A failure of problems that a parse returned. */
export function invalid(problems: readonly Problem[], code: FailureCode = "invalid-input"): Failure {
  const [first, ...rest] = problems;
  return {
    code,
    problems: [
      first ?? { path: "", expected: "valid input", got: "something else", remedy: "Correct it." },
      ...rest,
    ],
  };
}

/** The same problem as seen from outside a part of the input. */
export function under(path: string, problem: Problem): Problem {
  return { ...problem, path: problem.path === "" ? path : `${path}.${problem.path}` };
}

export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** One sentence with expected, got and remedy. */
  readonly detail: string;
  readonly problems: readonly Problem[];
}

export function problemDetails(from: Failure): ProblemDetails {
  const { status, title } = KINDS[from.code];
  return {
    type: `urn:epoch-lab:problem:${from.code}`,
    title,
    status,
    detail: sentence(from.problems[0]),
    problems: from.problems,
    ...from.extras,
  };
}

export function sendFailure(response: Response, from: Failure): void {
  const details = problemDetails(from);
  response.status(details.status).set(from.headers ?? {});
  response.set("Cache-Control", "no-store").type("application/problem+json").send(JSON.stringify(details));
}

/** What Express, its body reader and its file server throw, as failures; anything else is ours and is logged. */
export function failureHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const known = thrownFailure(error);
    if (known === null)
      log.error({ err: error, method: request.method, path: request.path }, "request failed");
    sendFailure(response, known ?? INTERNAL);
  };
}

const INTERNAL = failure("internal-error", {
  expected: "the lab to answer",
  got: "an error inside it",
  remedy: "The reason is in the lab's log; what was saved before is safe. Please report it.",
});

function thrownFailure(error: unknown): Failure | null {
  if (typeof error !== "object" || error === null) return null;
  const { type, status, message }: { type?: unknown; status?: unknown; message?: unknown } = error;
  if (type === "entity.too.large")
    return failure("body-too-large", {
      expected: `a body of at most ${String(Reflect.get(error, "limit"))} bytes`,
      got: describeLength(Reflect.get(error, "length")),
      remedy: "Delete branches that are not needed, or keep the recording as a file.",
    });
  if (type === "encoding.unsupported" || type === "charset.unsupported")
    return failure("unsupported-media-type", {
      expected: "an uncompressed body in UTF-8",
      got: String(message),
      remedy: "Send it as it is.",
    });
  if (typeof status === "number" && status >= 400 && status < 500)
    return failure(status === 404 || status === 403 ? "not-found" : "malformed-request", {
      expected: "a well-formed request",
      got: String(message),
      remedy: "Correct the request.",
    });
  return null;
}

function describeLength(length: unknown): string {
  return typeof length === "number" ? `${length} bytes` : "more";
}

// Calls to an API server as plain HTTPS: a whole answer within a deadline, or a stream of lines.
import http from "node:http";
import https from "node:https";
import { connectionProblem } from "./failure.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The server's Date header as Unix ms; null when absent. */
  readonly dateMs: number | null;
}

export interface CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Until the whole answer is there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A call that got no answer. */
export class NoAnswer extends Error {
  readonly failure: "timeout" | "connection";
  constructor(failure: "timeout" | "connection", detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/** Most that an answer, or one line of a stream, may hold; a Lease is some 600 bytes. */
const ANSWER_MAX = 4 * 1024 * 1024;

/** A stream that is silent for longer than this is taken for dead: an API server sends a bookmark about every minute. */
const SILENCE_MAX_MS = 150_000;

/** `auth`: what the kubeconfig says of certificates, credentials and the agent. */
export function sendCall(base: URL, auth: https.RequestOptions, options: CallOptions): Promise<Answer> {
  const { method, path, body, contentType = "application/json", timeoutMs, signal } = options;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = requestOn(base)(
      {
        ...addressed(base, auth, path),
        method,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...(auth.headers as Record<string, string> | undefined),
          Accept: "application/json",
          ...(text === undefined
            ? {}
            : { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(text)) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > ANSWER_MAX) sent.destroy(new NoAnswer("connection", "the answer is too large"));
          else chunks.push(chunk);
        });
        response.on("error", (error) => done(() => reject(broken(error))));
        response.on("end", () =>
          done(() => {
            const date = Date.parse(response.headers.date ?? "");
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString("utf8"),
              dateMs: Number.isNaN(date) ? null : date,
            });
          }),
        );
      },
    );
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer("timeout", `no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    sent.on("error", (error) => done(() => reject(broken(error))));
    sent.end(text);
  });
}

/** A GET whose answer goes on; lines are given as they come. Resolves when the stream ends. */
export function streamLines(
  base: URL,
  auth: https.RequestOptions,
  path: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly status: number }> {
  return new Promise((resolve, reject) => {
    const sent = requestOn(base)(
      {
        ...addressed(base, auth, path),
        method: "GET",
        signal,
        headers: { ...(auth.headers as Record<string, string> | undefined), Accept: "application/json" },
      },
      (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          rest += chunk;
          for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
            const line = rest.slice(0, end);
            rest = rest.slice(end + 1);
            if (line !== "") onLine(line);
          }
          if (rest.length > ANSWER_MAX)
            sent.destroy(new NoAnswer("connection", "a line of the watch is too long"));
        });
        response.on("error", (error) => reject(broken(error)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    sent.setTimeout(SILENCE_MAX_MS, () =>
      sent.destroy(new NoAnswer("timeout", `silent for ${SILENCE_MAX_MS / 1000} s`)),
    );
    sent.on("error", (error) => reject(broken(error)));
    sent.end();
  });
}

const requestOn = (base: URL): typeof https.request =>
  base.protocol === "http:" ? (http.request as typeof https.request) : https.request;

function addressed(base: URL, auth: https.RequestOptions, path: string): https.RequestOptions {
  return {
    ...auth,
    host: base.hostname.replace(/^\[|\]$/g, ""),
    port: base.port === "" ? (base.protocol === "http:" ? 80 : 443) : Number(base.port),
    path: `${base.pathname.replace(/\/$/, "")}${path}`,
  };
}

function broken(error: Error): Error {
  if (error instanceof NoAnswer) return error;
  return new NoAnswer("connection", connectionProblem(error).cause);
}

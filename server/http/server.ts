// The HTTP server with its bounds, before anything is routed.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Limits } from "../limits.ts";
import { failure, problemDetails, type Failure } from "./failure.ts";

/** A server that does not listen yet and routes nothing: add the app as its `request` listener. */
export function createHttpServer(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.urlLength + 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    // The app refuses a missing Host in the same words as a wrong one.
    requireHostHeader: false,
  });
  server.maxConnections = limits.watchers + 256;
  // What cannot even be parsed never reaches the app.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const details = problemDetails(error.code === "HPE_HEADER_OVERFLOW" ? TOO_LARGE : MALFORMED);
    const body = JSON.stringify(details);
    socket.end(
      [
        `HTTP/1.1 ${details.status} ${details.title}`,
        "Content-Type: application/problem+json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  });
  return server;
}

/** Answers whoever comes before the app is there: nobody is left waiting for ever. */
export function answerWhileStarting(_request: IncomingMessage, response: ServerResponse): void {
  const details = problemDetails(STARTING);
  response.writeHead(details.status, {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "Retry-After": "1",
    Connection: "close",
  });
  response.end(JSON.stringify(details));
}

const STARTING: Failure = failure("starting", {
  expected: "a lab that has started",
  got: "one that is opening its sessions",
  remedy: "Try again in a second.",
});

const TOO_LARGE: Failure = failure("headers-too-large", {
  expected: "a request line and headers of at most 56 KiB",
  got: "more",
  remedy: "Open the recording as a file instead of a link.",
});

const MALFORMED: Failure = failure("malformed-request", {
  expected: "an HTTP/1.1 request",
  got: "something else, or one that took too long",
  remedy: "Correct the request.",
});

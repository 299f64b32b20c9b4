// Plain calls to an API server, over node:https with its own certificate authority.
import { request as httpsRequest } from "node:https";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query, for example `/api/v1/namespaces?limit=1`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: `application/json`. A PATCH names its kind, for example `application/merge-patch+json`. */
  readonly contentType?: string;
  /** How long the whole call may take, in milliseconds. Default: 10 000. */
  readonly timeoutMs?: number;
}

export interface ApiResponse {
  readonly status: number;
  /** The parsed JSON, or the text where it is none (`/readyz` answers `ok`). */
  readonly body: unknown;
}

export type Api = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiAccess {
  /** For example `https://127.0.0.1:40001`. */
  readonly server: string;
  /** PEM. The only authority that is trusted. */
  readonly certificateAuthority: string;
  /** Absent: an anonymous call. */
  readonly token?: string;
}

/**
 * Calls as one user. Each call has a connection of its own, so that a server which was stopped and started again
 * is never spoken to over a dead one. Rejects when no answer came; any status is an answer.
 */
export function createApi({ server, certificateAuthority, token }: ApiAccess): Api {
  return ({ method, path, body, contentType = "application/json", timeoutMs = 10_000 }) =>
    new Promise((resolve, reject) => {
      const request = httpsRequest(new URL(path, server), {
        method,
        ca: certificateAuthority,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": contentType }),
        },
      });
      request.once("error", reject);
      request.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.once("error", reject);
        response.once("end", () => {
          const isJson = (response.headers["content-type"] ?? "").startsWith("application/json");
          try {
            resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
          } catch (error) {
            reject(error);
          }
        });
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

// Requests to the lab's server: with the token of this start, answers as data, refusals as sentences.
import * as z from "../shared/base/zod.ts";
import { sentence, type Problem } from "../shared/base/result.ts";

/** A refusal of the server, or no answer at all (`status` 0). */
export interface ApiFailure {
  readonly ok: false;
  readonly status: number;
  /** The last word of the problem's type, as in `stale-revision`; empty when there is none. */
  readonly type: string;
  readonly detail: string;
  readonly problems: readonly Problem[];
}
export type Answer<T> = { readonly ok: true; readonly value: T } | ApiFailure;

/** What a failure says to a user. */
export const failureText = ({ problems, detail }: ApiFailure): string =>
  problems.map(sentence).join(" ") || detail;

export const nothing = z.unknown();

const problemSchema = z.object({
  type: z.string().catch(""),
  title: z.string().catch(""),
  detail: z.string().catch(""),
  problems: z
    .array(z.object({ path: z.string(), expected: z.string(), got: z.string(), remedy: z.string() }))
    .catch([]),
});

const TOKEN = /<meta name="epoch-lab-token" content="([^"]+)"/;

/** A server on the same machine that has not answered by then does not answer. */
export const ANSWER_TIMEOUT_MS = 15_000;

export type Ask = <T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  schema: z.ZodType<T>,
  body?: unknown,
  /** How long to wait for the answer. Default {@link ANSWER_TIMEOUT_MS}. */
  timeoutMs?: number,
) => Promise<Answer<T>>;

export interface Http {
  readonly ask: Ask;
  /** Sends a request that outlives the page, and waits for no answer. */
  sendOnLeaving(method: "DELETE", path: string): void;
}

export function createHttp(page: Pick<Window, "document" | "fetch">): Http {
  let token = page.document.querySelector<HTMLMetaElement>('meta[name="epoch-lab-token"]')?.content ?? "";

  /** After a restart of the server the token is another one: the page itself brings the new one. */
  async function renewToken(): Promise<void> {
    const answer = await page.fetch("/", { headers: { Accept: "text/html" } });
    token = TOKEN.exec(await answer.text())?.[1] ?? token;
  }

  async function send(
    method: string,
    path: string,
    body: unknown,
    options: Pick<RequestInit, "signal" | "keepalive">,
  ): Promise<Response> {
    return page.fetch(path, {
      method,
      ...options,
      headers: {
        Accept: "application/json",
        ...(method === "GET" ? {} : { "X-Epoch-Lab-Token": token }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  const ask: Ask = async (method, path, schema, body, timeoutMs = ANSWER_TIMEOUT_MS) => {
    const options = { signal: AbortSignal.timeout(timeoutMs) };
    try {
      let response = await send(method, path, body, options);
      if (response.status === 403 && method !== "GET") {
        await renewToken();
        response = await send(method, path, body, options);
      }
      const json: unknown = response.status === 204 ? null : await response.json();
      if (!response.ok) return failureOf(response.status, json);
      const parsed = schema.safeParse(json);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : failureOf(response.status, { detail: "The server's answer is not what this page understands." });
    } catch (error) {
      console.info(error);
      return failureOf(0, { detail: "The lab's server does not answer. Is it still running?" });
    }
  };

  return {
    ask,
    sendOnLeaving(method, path) {
      send(method, path, undefined, { keepalive: true }).catch((error: unknown) => console.info(error));
    },
  };
}

function failureOf(status: number, json: unknown): ApiFailure {
  const parsed = problemSchema.safeParse(json);
  const { type, title, detail, problems } = parsed.success
    ? parsed.data
    : { type: "", title: "", detail: "", problems: [] };
  return {
    ok: false,
    status,
    type: type.split(/[:/]/).at(-1) ?? "",
    detail: detail !== "" ? detail : title !== "" ? title : `The server answered ${status}.`,
    problems,
  };
}

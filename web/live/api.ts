// The lab's server as the page sees it: requests with the token of this start, answers as data, refusals as sentences.
import * as z from "../../shared/base/zod.ts";
import type { Problem } from "../../shared/base/result.ts";
import type { Change } from "../../shared/trace/change.ts";
import type { Moment, Recording } from "../../shared/trace/recording.ts";

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

/** A session as the server tells it. The recording is data from outside: whoever opens it replays it first. */
export interface Session {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  readonly recording: unknown;
  readonly moment: Moment | null;
}

const momentSchema = z.object({ branch: z.string(), cursor: z.int().min(0) });
const sessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  revision: z.int().min(0),
  recording: z.unknown(),
  moment: momentSchema.nullable(),
});
const revisionSchema = z.object({ revision: z.int().min(0) });
const nothing = z.unknown();
const problemSchema = z.object({
  type: z.string().catch(""),
  title: z.string().catch(""),
  detail: z.string().catch(""),
  problems: z
    .array(z.object({ path: z.string(), expected: z.string(), got: z.string(), remedy: z.string() }))
    .catch([]),
});

export interface Api {
  create(recording: Recording, title: string, moment: Moment): Promise<Answer<Session>>;
  read(id: string): Promise<Answer<Session>>;
  remove(id: string): Promise<Answer<unknown>>;
  change(id: string, body: ChangeBody): Promise<Answer<{ readonly revision: number }>>;
  moment(id: string, moment: Moment, client: string): Promise<Answer<unknown>>;
}

export interface ChangeBody {
  readonly revision: number;
  readonly change: Change;
  readonly moment: Moment;
  readonly client: string;
}

const TOKEN = /<meta name="epoch-lab-token" content="([^"]+)"/;

export function createApi(page: Pick<Window, "document" | "fetch">): Api {
  let token = page.document.querySelector<HTMLMetaElement>('meta[name="epoch-lab-token"]')?.content ?? "";

  /** After a restart of the server the token is another one: the page itself brings the new one. */
  async function renewToken(): Promise<void> {
    const answer = await page.fetch("/", { headers: { Accept: "text/html" } });
    token = TOKEN.exec(await answer.text())?.[1] ?? token;
  }

  async function send(method: string, path: string, body: unknown): Promise<Response> {
    return page.fetch(path, {
      method,
      headers: {
        Accept: "application/json",
        ...(method === "GET" ? {} : { "X-Epoch-Lab-Token": token }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function ask<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
  ): Promise<Answer<T>> {
    try {
      let response = await send(method, path, body);
      if (response.status === 403 && method !== "GET") {
        await renewToken();
        response = await send(method, path, body);
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
  }

  const at = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;
  return {
    create: (recording, title, moment) =>
      ask("POST", "/api/sessions", sessionSchema, { recording, title, moment }),
    read: (id) => ask("GET", at(id), sessionSchema),
    remove: (id) => ask("DELETE", at(id), nothing),
    change: (id, body) => ask("POST", `${at(id)}/changes`, revisionSchema, body),
    moment: (id, moment, client) => ask("PUT", `${at(id)}/moment`, nothing, { moment, client }),
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

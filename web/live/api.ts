// The sessions of the lab's server as the page sees them.
import * as z from "../../shared/base/zod.ts";
import type { Change } from "../../shared/trace/change.ts";
import type { Moment, Recording } from "../../shared/trace/recording.ts";
import { createHttp, nothing, type Answer } from "../http.ts";

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

export function createApi(page: Pick<Window, "document" | "fetch">): Api {
  const { ask } = createHttp(page);
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

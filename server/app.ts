// The lab's server as a function: `createApp(deps)` wires policy, pages and sessions, and never listens.
//
// Every answer that is not a success is problem details (RFC 9457, `application/problem+json`):
//   { type, title, status, detail, problems?: [{ path, expected, got, remedy }], ...extras }
// `type` ends in a stable word (`urn:epoch-lab:problem:stale-revision`, `…:token-required`); `detail` is one sentence to show.
//
// The page finds the per-start token in `<meta name="epoch-lab-token" content="…">` of the HTML that this server sends;
// it goes into the header `X-Epoch-Lab-Token` of everything but GET. After a restart of the server the token is another
// (403 `token-required`): fetch `/` again, read the meta element, repeat the request once.
//
// | route                                | body                                  | success                                  | notable refusals            |
// |--------------------------------------|---------------------------------------|------------------------------------------|-----------------------------|
// | GET    /health                       |                                       | 200 { status, engine, sessions, watchers } |                           |
// | GET    /api/sessions                 |                                       | 200 { sessions: Summary[], limit }       |                             |
// | POST   /api/sessions                 | { recording, title?, moment? }        | 201 Session, header Location             | 413, 422, 507               |
// | GET    /api/sessions/:id             |                                       | 200 Session                              | 404, 410 unreadable file    |
// | DELETE /api/sessions/:id             |                                       | 204                                      | 404                         |
// | POST   /api/sessions/:id/changes     | { revision, change, moment?, client? } | 200 { revision }                        | 409 { revision }, 422       |
// | PUT    /api/sessions/:id/moment      | { moment, client? }                   | 204                                      | 404, 422                    |
// | GET    /api/sessions/:id/events      | ?after=REVISION or Last-Event-ID      | 200 text/event-stream                    | 404, 503 with Retry-After   |
// | …      /api/cluster…                 | see cluster/routes.ts                 |                                          | 502 cluster-failed          |
//
// Summary = { id, title, revision, updatedAt (ISO 8601), damage: Problem | null }
// Session = Summary & { recording: Recording, moment: Moment | null }
// change  = `Change` of shared/trace/change.ts; `revision` is the one the change was made from; the answer's is one more.
// client  = any id of your own, 1 to 64 letters, digits and dashes; comes back in the events, so that a tab knows its own.
//
// The event stream (EventSource reconnects and resumes by itself):
//   event: snapshot  id: REVISION  data: { revision, recording, title }
//                    first, when neither `after` nor Last-Event-ID is given or what follows it is no longer kept
//   event: change    id: REVISION  data: { revision, change, client }          in order, no gap, no repeat
//   event: moment    (no id)       data: { moment, client }                    where the presenter's cursor is; not kept
//   event: deleted   (no id)       data: {}                                    and the stream ends
//   : heartbeat      comment, every 15 s
import compression from "compression";
import express, { type Express } from "express";
import { ENGINE_VERSION } from "../shared/trace/recording.ts";
import type { ClusterState } from "./cluster/cluster.ts";
import { clusterRoutes } from "./cluster/routes.ts";
import { failureHandler } from "./http/failure.ts";
import { pageRoutes, type PageSource } from "./http/pages.ts";
import { createRates, onlyMethods } from "./http/routing.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./log.ts";
import { secure } from "./security.ts";
import { noSuchRoute, sessionRoutes } from "./session/routes.ts";
import type { ResolveOrigin } from "./session/session.ts";
import type { SessionStore } from "./session/store.ts";
import { createStreams } from "./session/stream.ts";

export interface AppDeps {
  readonly store: SessionStore;
  /** Which system a recording is of; `resolveOrigin` of the catalogue. */
  readonly resolveOrigin: ResolveOrigin;
  readonly pages: PageSource;
  /** The token of this start, see `newToken`. */
  readonly token: string;
  readonly limits: Limits;
  readonly log: Log;
  readonly cluster: ClusterState;
  /** Whether pages come through Vite, which needs a wider content security policy. */
  readonly dev: boolean;
}

export interface App {
  readonly handler: Express;
  /** Ends all event streams, so that a server can close. */
  closeStreams(): void;
}

export function createApp(deps: AppDeps): App {
  const { store, limits, token, log, dev } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", "simple");
  const streams = createStreams(store, limits);
  const rates = createRates(limits);

  app.use(...secure({ token, limits, dev }));
  // A compressed stream would hold events back.
  app.use(
    compression({
      filter: (request, response) =>
        !String(response.getHeader("Content-Type")).startsWith("text/event-stream") &&
        compression.filter(request, response),
    }),
  );
  app
    .route("/health")
    .get((_request, response) => {
      const [sessions, watchers] = [store.list().length, store.watcherCount];
      response
        .set("Cache-Control", "no-store")
        .json({ status: "ok", engine: ENGINE_VERSION, sessions, watchers });
    })
    .all(onlyMethods("GET", "HEAD"));
  app.use("/api", (_request, response, next) => {
    response.set("Cache-Control", "no-store");
    next();
  });
  app.use("/api", sessionRoutes({ ...deps, streams, rates }));
  app.use("/api", clusterRoutes({ cluster: deps.cluster, rates, limits }));
  app.use("/api", noSuchRoute);
  app.use(pageRoutes(deps.pages, token));
  app.use(noSuchRoute);
  app.use(failureHandler(log));
  return { handler: app, closeStreams: () => streams.close() };
}

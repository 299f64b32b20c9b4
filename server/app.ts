// The lab's server as a function: `createApp(deps)` wires policy, pages and sessions, and never listens.
//
// Every answer that is not a success is problem details (RFC 9457, `application/problem+json`):
//   { type, title, status, detail, problems?: [{ path, expected, got, remedy }], ...extras }
// `type` ends in a stable word (`…/stale-revision`, `…/token-required`); `detail` is one sentence to show.
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
export {};

// The sessions' interface: reads a request, asks the store, writes the answer.
import { Router, type RequestHandler, type Response } from "express";
import { failed, ok, type Result } from "../../shared/base/result.ts";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import { momentSchema, parseChange, parseRecording } from "../../shared/trace/codec.ts";
import { jsonBody } from "../http/body.ts";
import { failure, invalid, sendFailure, under, type Failure } from "../http/failure.ts";
import { onlyMethods, type Rates } from "../http/routing.ts";
import type { Limits } from "../limits.ts";
import type { ResolveOrigin } from "./session.ts";
import type { NewChange, NewSession, SessionStore } from "./store.ts";
import type { Streams } from "./stream.ts";

export interface SessionRoutesDeps {
  readonly store: SessionStore;
  readonly streams: Streams;
  readonly resolveOrigin: ResolveOrigin;
  readonly limits: Limits;
  readonly rates: Rates;
}

type Handler = RequestHandler<{ id: string }>;

export function sessionRoutes(deps: SessionRoutesDeps): Router {
  const { store, streams, resolveOrigin, limits, rates } = deps;
  const body = jsonBody(limits);
  const router = Router();

  const list: Handler = (_request, response) => {
    response.json({ sessions: store.list(), limit: limits.sessions });
  };

  const create: Handler = async (request, response) => {
    const wanted = parseNewSession(request.body, resolveOrigin, limits);
    const created = wanted.ok ? await store.create(wanted.value) : wanted;
    if (created.ok) response.status(201).location(`/api/sessions/${created.value.id}`);
    answer(response, created);
  };

  const read: Handler = async (request, response) => {
    answer(response, await store.read(request.params.id));
  };

  const remove: Handler = async (request, response) => {
    answer(response, await store.remove(request.params.id));
  };

  const change: Handler = async (request, response) => {
    const { id } = request.params;
    // The session says which system's actions these are.
    const session = await store.read(id);
    const wanted = session.ok
      ? parseNewChange(request.body, resolveOrigin, session.value.recording.origin)
      : session;
    answer(response, wanted.ok ? await store.change(id, wanted.value) : wanted);
  };

  const move: Handler = async (request, response) => {
    const wanted = parseWith(moveSchema, request.body);
    answer(
      response,
      wanted.ok
        ? await store.move(request.params.id, wanted.value.moment, wanted.value.client)
        : failed(invalid(wanted.error)),
    );
  };

  router
    .route("/sessions")
    .get(rates.reads, list)
    .post(rates.changes, ...body, create)
    .all(onlyMethods("GET", "HEAD", "POST"));
  router
    .route("/sessions/:id")
    .get(rates.reads, read)
    .delete(rates.changes, remove)
    .all(onlyMethods("GET", "HEAD", "DELETE"));
  router
    .route("/sessions/:id/changes")
    .post(rates.changes, ...body, change)
    .all(onlyMethods("POST"));
  router
    .route("/sessions/:id/moment")
    .put(rates.moments, ...body, move)
    .all(onlyMethods("PUT"));
  router.route("/sessions/:id/events").get(rates.reads, streams.handler).all(onlyMethods("GET", "HEAD"));
  return router;
}

function answer(response: Response, result: Result<unknown, Failure>): void {
  if (!result.ok) sendFailure(response, result.error);
  else if (result.value === null) response.status(204).end();
  else response.json(result.value);
}

const client = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "1 to 64 letters, digits and dashes")
  .nullable()
  .default(null);

const moveSchema = z.strictObject({ moment: momentSchema, client });

function parseNewSession(
  input: unknown,
  resolveOrigin: ResolveOrigin,
  { titleLength }: Limits,
): Result<NewSession, Failure> {
  const schema = z.strictObject({
    recording: z.unknown(),
    title: z.string().max(titleLength).regex(/\S/, "a title that is not blank").nullable().default(null),
    moment: momentSchema.nullable().default(null),
  });
  const parts = parseWith(schema, input);
  if (!parts.ok) return failed(invalid(parts.error));
  const { title, moment } = parts.value;
  const recording = parseRecording(parts.value.recording, resolveOrigin);
  if (!recording.ok) return failed(invalid(recording.error.map((problem) => under("recording", problem))));
  return ok({ recording: recording.value, title, moment });
}

const changeSchema = z.strictObject({
  revision: z.int().min(0),
  change: z.unknown(),
  moment: momentSchema.nullable().default(null),
  client,
});

function parseNewChange(
  input: unknown,
  resolveOrigin: ResolveOrigin,
  origin: Parameters<ResolveOrigin>[0],
): Result<NewChange, Failure> {
  const parts = parseWith(changeSchema, input);
  if (!parts.ok) return failed(invalid(parts.error));
  const resolved = resolveOrigin(origin);
  if (!resolved.ok) return failed(invalid(resolved.error, "session-unreadable"));
  const change = parseChange(parts.value.change, resolved.value.system);
  if (!change.ok) return failed(invalid(change.error.map((problem) => under("change", problem))));
  return ok({ ...parts.value, change: change.value });
}

/** For a path that no route has. */
export const noSuchRoute: RequestHandler = (request, response) => {
  sendFailure(
    response,
    failure("not-found", {
      path: "URL",
      expected: "a path of this lab",
      got: JSON.stringify(request.originalUrl.slice(0, 100)),
      remedy: "Start from /, or see the routes at the top of server/app.ts.",
    }),
  );
};

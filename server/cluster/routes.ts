// The cluster's routes. No route takes a server address or credentials: what cluster it is was said on the command line.
//
// | route                                 | body                    | success                                            |
// |---------------------------------------|-------------------------|----------------------------------------------------|
// | GET    /api/cluster                   |                         | 200 { kind: "off" }, { kind: "failed", problem } or { kind: "on", identity, preflight } |
// | POST   /api/cluster/preflight         |                         | 200 the same, checked anew                         |
// | POST   /api/cluster/runs              | { lock }                | 201 { run, lease, namespace }                      |
// | POST   /api/cluster/runs/:id/serve    | { call, after, request } | 200 { served, exchange, foreign }                 |
// | POST   /api/cluster/runs/:id/edit     | { call, after, edit }   | 200 { lease, foreign }                             |
// | GET    /api/cluster/runs/:id/lease    |                         | 200 { manifest } as the server has it now          |
// | GET    /api/cluster/runs/:id/events   | ?after=INDEX or Last-Event-ID | 200 text/event-stream: `foreign-write`, `closed` |
// | DELETE /api/cluster/runs/:id          |                         | 204; its Lease is deleted                          |
// | GET    /api/cluster/leftovers         |                         | 200 { leftovers }                                  |
// | POST   /api/cluster/leftovers         | { uids }                | 200 { deleted }                                    |
//
// `call` is a number of the page's own, another for every call: a call that is sent again under the same number, because its
// answer never came, is not made twice. `after` is the index of the last foreign write that the page has.
import { Router, type Request, type RequestHandler, type Response } from "express";
import { parseWith } from "../../shared/base/schema.ts";
import * as z from "../../shared/base/zod.ts";
import type { LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { leaseSchema } from "../../shared/systems/leadership/served.ts";
import { jsonBody } from "../http/body.ts";
import type { Limits } from "../limits.ts";
import { failure, invalid, sendFailure } from "../http/failure.ts";
import { onlyMethods, type Rates } from "../http/routing.ts";
import { ClusterFailure } from "./failure.ts";
import { parseJson } from "./leases.ts";
import type { ClusterState } from "./cluster.ts";
import type { ClusterRun } from "./run.ts";
import { NoAnswer } from "./transport.ts";

const body = leaseSchema.omit({ uid: true, resourceVersion: true }).extend({
  uid: z.string().max(100).exactOptional(),
  resourceVersion: z.string().max(100).exactOptional(),
});

const call = { call: z.int().min(0), after: z.int().min(0) };

const serveSchema = z.strictObject({
  ...call,
  request: z.discriminatedUnion("verb", [
    z.strictObject({ verb: z.literal("get"), name: z.string().max(253) }),
    z.strictObject({ verb: z.literal("create"), body }),
    z.strictObject({ verb: z.literal("update"), name: z.string().max(253), body }),
    z.strictObject({
      verb: z.literal("delete"),
      name: z.string().max(253),
      preconditions: z
        .strictObject({
          uid: z.string().max(100).exactOptional(),
          resourceVersion: z.string().max(100).exactOptional(),
        })
        .exactOptional(),
    }),
  ]),
});

const openSchema = z.strictObject({ lock: z.string().min(1).max(200) });
const editSchema = z.strictObject({
  ...call,
  edit: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("delete-lease") }),
    z.strictObject({ kind: z.literal("strip-annotation") }),
    z.strictObject({ kind: z.literal("edit-holder"), holder: z.string().max(120) }),
    z.strictObject({
      kind: z.literal("write"),
      lease: leaseSchema.pick({ annotations: true, labels: true, spec: true }),
    }),
  ]),
});
const uidsSchema = z.strictObject({ uids: z.array(z.string().max(100)).max(1000) });

export interface ClusterRoutesDeps {
  readonly cluster: ClusterState;
  readonly rates: Rates;
  readonly limits: Limits;
}

export function clusterRoutes({ cluster: state, rates, limits }: ClusterRoutesDeps): Router {
  const routes = Router();
  const json = jsonBody(limits);
  routes
    .route("/cluster")
    .get(rates.reads, (_request, response) => {
      response.json(state.kind === "on" ? { kind: "on", ...state.cluster.state() } : state);
    })
    .all(onlyMethods("GET", "HEAD"));
  if (state.kind !== "on") return routes;
  const { cluster } = state;

  routes
    .route("/cluster/preflight")
    .post(
      rates.changes,
      guarded(async (_request, response) => {
        await cluster.check();
        response.json({ kind: "on", ...cluster.state() });
      }),
    )
    .all(onlyMethods("POST"));
  routes
    .route("/cluster/leftovers")
    .get(
      rates.reads,
      guarded(async (_request, response) => {
        response.json({ leftovers: await cluster.runs().leftovers() });
      }),
    )
    .post(
      rates.changes,
      ...json,
      guarded(async (request, response) => {
        const parsed = parseWith(uidsSchema, request.body);
        if (!parsed.ok) return sendFailure(response, invalid(parsed.error));
        response.json({ deleted: await cluster.runs().deleteLeftovers(parsed.value.uids) });
      }),
    )
    .all(onlyMethods("GET", "HEAD", "POST"));
  routes
    .route("/cluster/runs")
    .post(
      rates.changes,
      ...json,
      guarded(async (request, response) => {
        const parsed = parseWith(openSchema, request.body);
        if (!parsed.ok) return sendFailure(response, invalid(parsed.error));
        const run = await cluster.runs().open(parsed.value.lock);
        const { namespace } = cluster.state().identity;
        response.status(201).json({ run: run.id, lease: run.lease.name, namespace });
      }),
    )
    .all(onlyMethods("POST"));

  const withRun = (
    work: (run: ClusterRun, request: Request, response: Response) => Promise<void>,
  ): RequestHandler =>
    guarded(async (request, response) => {
      const id = String(request.params["id"]);
      const run = cluster.runs().find(id);
      if (run === undefined)
        return sendFailure(
          response,
          failure("not-found", {
            path: "run",
            expected: "a run that is open",
            got: JSON.stringify(id),
            remedy: "Start a new cluster run: the lab's server may have been restarted.",
          }),
        );
      await work(run, request, response);
    });

  routes
    .route("/cluster/runs/:id")
    .delete(
      rates.changes,
      withRun(async (run, _request, response) => {
        await run.close();
        response.status(204).end();
      }),
    )
    .all(onlyMethods("DELETE"));
  routes
    .route("/cluster/runs/:id/serve")
    .post(
      rates.changes,
      ...json,
      withRun(async (run, request, response) => {
        const parsed = parseWith(serveSchema, request.body);
        if (!parsed.ok) return sendFailure(response, invalid(parsed.error));
        const { call: number, after, request: asked } = parsed.value;
        response.json(await once(run, number, () => run.serve(asked as LeaseRequest, after)));
      }),
    )
    .all(onlyMethods("POST"));
  routes
    .route("/cluster/runs/:id/edit")
    .post(
      rates.changes,
      ...json,
      withRun(async (run, request, response) => {
        const parsed = parseWith(editSchema, request.body);
        if (!parsed.ok) return sendFailure(response, invalid(parsed.error));
        const { call: number, after, edit } = parsed.value;
        response.json(await once(run, number, () => run.edit(edit, after)));
      }),
    )
    .all(onlyMethods("POST"));
  routes
    .route("/cluster/runs/:id/lease")
    .get(
      rates.reads,
      withRun(async (run, _request, response) => {
        const text = await run.show();
        response.json({ manifest: text === null ? null : parseJson(text) });
      }),
    )
    .all(onlyMethods("GET", "HEAD"));
  routes
    .route("/cluster/runs/:id/events")
    .get(
      rates.reads,
      withRun(async (run, request, response) => {
        const asked = request.headers["last-event-id"] ?? request.query["after"];
        const after = typeof asked === "string" && /^\d{1,9}$/.test(asked) ? Number(asked) : 0;
        response.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
        response.flushHeaders();
        const send = (name: string, data: unknown, id: number | null): void => {
          response.write(
            `event: ${name}\n${id === null ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`,
          );
        };
        const stop = run.listen(
          {
            foreign: (write) => send("foreign-write", write, write.index),
            closed(problem) {
              send("closed", { problem }, null);
              response.end();
            },
          },
          after,
        );
        const beat = setInterval(() => response.write(": heartbeat\n\n"), limits.heartbeatMs);
        beat.unref();
        response.on("close", () => {
          clearInterval(beat);
          stop();
        });
      }),
    )
    .all(onlyMethods("GET", "HEAD"));
  return routes;
}

const lastCalls = new WeakMap<ClusterRun, { readonly number: number; readonly result: Promise<unknown> }>();

/** Makes a call, or hands out what the same call came to when its answer did not reach the page. */
function once<T>(run: ClusterRun, number: number, make: () => Promise<T>): Promise<T> {
  const last = lastCalls.get(run);
  // What is kept under a number was made for the same route by the same page.
  if (last?.number === number) return last.result as Promise<T>;
  const result = make();
  lastCalls.set(run, { number, result });
  return result;
}

/** A cluster that fails becomes an answer with cause and remedy, never a stuck or broken page. */
function guarded(work: (request: Request, response: Response) => Promise<void>): RequestHandler {
  // Express 5 hands what a promise is rejected with to the failure handler.
  return async (request, response) => {
    try {
      await work(request, response);
    } catch (error) {
      const problem =
        error instanceof ClusterFailure
          ? error.problem
          : error instanceof NoAnswer
            ? {
                cause: `The API server gave no answer: ${error.message}.`,
                remedy: "Try again; in-memory runs work all the same.",
              }
            : null;
      if (problem === null) throw error;
      sendFailure(
        response,
        failure("cluster-failed", {
          path: "cluster",
          expected: "a cluster that can be used",
          got: problem.cause,
          remedy: problem.remedy,
        }),
      );
    }
  };
}

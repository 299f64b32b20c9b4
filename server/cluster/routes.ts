// The cluster's routes. No route takes a server address or credentials: what cluster it is was said on the command line.
//
// | route                             | body          | success                                               |
// |-----------------------------------|---------------|-------------------------------------------------------|
// | GET    /api/cluster               |               | 200 { kind: "off" }, { kind: "failed", problem } or { kind: "on", identity, preflight } |
// | POST   /api/cluster/preflight     |               | 200 the same, checked anew                            |
// | POST   /api/cluster/runs          | { lock }      | 201 { run, lease, namespace }                         |
// | POST   /api/cluster/runs/:id/serve | { request }  | 200 Served                                            |
// | POST   /api/cluster/runs/:id/edit | HandEdit      | 200 { lease }                                         |
// | GET    /api/cluster/runs/:id/lease |              | 200 { manifest } as the server has it now             |
// | GET    /api/cluster/runs/:id/events |             | 200 text/event-stream: `foreign-write` { lease }      |
// | DELETE /api/cluster/runs/:id      |               | 204; its Lease is deleted                             |
// | GET    /api/cluster/leftovers     |               | 200 { leftovers }                                     |
// | POST   /api/cluster/leftovers     | { uids }      | 200 { deleted }                                       |
import { Router, type Request, type RequestHandler, type Response } from "express";
import { parseWith, z } from "../../shared/base/schema.ts";
import type { LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { leaseSchema } from "../../shared/systems/leadership/served.ts";
import { jsonBody } from "../http/body.ts";
import type { Limits } from "../limits.ts";
import { failure, invalid, sendFailure } from "../http/failure.ts";
import { onlyMethods, type Rates } from "../http/routing.ts";
import { NoAnswer } from "./connect.ts";
import { ClusterFailure } from "./failure.ts";
import { parseJson } from "./leases.ts";
import type { ClusterState } from "./cluster.ts";
import type { ClusterRun } from "./runs.ts";

const body = leaseSchema.omit({ uid: true, resourceVersion: true }).extend({
  uid: z.string().max(100).exactOptional(),
  resourceVersion: z.string().max(100).exactOptional(),
});

const requestSchema = z.strictObject({
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
const editSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("delete-lease") }),
  z.strictObject({ kind: z.literal("strip-annotation") }),
  z.strictObject({ kind: z.literal("edit-holder"), holder: z.string().max(120) }),
]);
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
        const parsed = parseWith(requestSchema, request.body);
        if (!parsed.ok) return sendFailure(response, invalid(parsed.error));
        response.json(await run.serve(parsed.value.request as LeaseRequest));
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
        response.json({ lease: await run.edit(parsed.value) });
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
        response.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
        response.flushHeaders();
        const stop = run.onForeignWrite((lease) => {
          response.write(`event: foreign-write\ndata: ${JSON.stringify({ lease })}\n\n`);
        });
        const beat = setInterval(() => response.write(": heartbeat\n\n"), 15_000);
        beat.unref();
        request.on("close", () => {
          clearInterval(beat);
          stop();
        });
      }),
    )
    .all(onlyMethods("GET", "HEAD"));
  return routes;
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

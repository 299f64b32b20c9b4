// The cluster's routes as the page sees them.
import type { LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import * as z from "../../shared/base/zod.ts";
import type { LeaseEdit } from "../../shared/systems/leadership/onServer.ts";
import { leaseSchema, servedSchema } from "../../shared/systems/leadership/served.ts";
import { createHttp, nothing, type Answer } from "../http.ts";

const problemSchema = z.object({ cause: z.string(), remedy: z.string() });
const checkSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(["ok", "failed", "skipped"]),
  found: z.string(),
  remedy: z.string(),
});
const stateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({ kind: z.literal("failed"), problem: problemSchema }),
  z.object({
    kind: z.literal("on"),
    identity: z.object({ context: z.string(), server: z.string(), namespace: z.string() }),
    preflight: z.object({
      ready: z.boolean(),
      checks: z.array(checkSchema),
      version: z.string().nullable(),
    }),
  }),
]);
const openedSchema = z.object({ run: z.string(), lease: z.string(), namespace: z.string() });
const leftoverSchema = z.object({ name: z.string(), uid: z.string(), writtenAtMs: z.number().nullable() });
const exchangeSchema = z.object({
  method: z.string(),
  path: z.string(),
  request: z.unknown(),
  status: z.number().nullable(),
  answer: z.unknown(),
});
const foreignSchema = z.object({
  index: z.int().min(1),
  lease: leaseSchema.nullable(),
  whose: z.enum(["other", "own"]),
});
const servedCallSchema = z.object({
  served: servedSchema,
  exchange: exchangeSchema,
  foreign: z.array(foreignSchema),
});
const editedSchema = z.object({ lease: leaseSchema.nullable(), foreign: z.array(foreignSchema) });
const closedSchema = z.object({ problem: problemSchema.nullable() });

export type Check = z.infer<typeof checkSchema>;
export type ServerState = z.infer<typeof stateSchema>;
export type Identity = Extract<ServerState, { kind: "on" }>["identity"];
export type Opened = z.infer<typeof openedSchema>;
export type Leftover = z.infer<typeof leftoverSchema>;
/** A call as it went over the wire between the lab's server and the API server. */
export type Exchange = z.infer<typeof exchangeSchema>;
export type ForeignWrite = z.infer<typeof foreignSchema>;
export type ServedCall = z.infer<typeof servedCallSchema>;
export type Edited = z.infer<typeof editedSchema>;

/** A call's number, another for every call, and the last foreign write that is known here. */
export interface CallOrder {
  readonly call: number;
  readonly after: number;
}

export interface ClusterApi {
  state(): Promise<Answer<ServerState>>;
  check(): Promise<Answer<ServerState>>;
  leftovers(): Promise<Answer<{ readonly leftovers: readonly Leftover[] }>>;
  deleteLeftovers(uids: readonly string[]): Promise<Answer<{ readonly deleted: number }>>;
  open(lock: string): Promise<Answer<Opened>>;
  serve(run: string, order: CallOrder, request: LeaseRequest): Promise<Answer<ServedCall>>;
  edit(run: string, order: CallOrder, edit: LeaseEdit): Promise<Answer<Edited>>;
  /** The manifest as the API server has it now; null when there is none. */
  lease(run: string): Promise<Answer<{ readonly manifest?: unknown }>>;
  close(run: string): Promise<Answer<unknown>>;
  /** Ends a run while the page goes away. */
  closeOnLeaving(run: string): void;
  /** Tells foreign writes from now on. Returns how to stop. */
  listen(run: string, listener: RunListener): () => void;
}

export interface RunListener {
  foreign(write: ForeignWrite): void;
  /** The lab's server has ended the run, or does not know it any more. */
  ended(why: string): void;
}

/** Longer than the lab's server waits for the API server and for a credential plugin. */
const CALL_TIMEOUT_MS = 60_000;

export interface ApiPage extends Pick<Window, "document" | "fetch"> {
  readonly EventSource: typeof EventSource;
}

export function createClusterApi(page: ApiPage): ClusterApi {
  const { ask, sendOnLeaving } = createHttp(page);
  const at = (run: string, part = ""): string => `/api/cluster/runs/${encodeURIComponent(run)}${part}`;
  return {
    state: () => ask("GET", "/api/cluster", stateSchema),
    check: () => ask("POST", "/api/cluster/preflight", stateSchema, undefined, CALL_TIMEOUT_MS),
    leftovers: () =>
      ask(
        "GET",
        "/api/cluster/leftovers",
        z.object({ leftovers: z.array(leftoverSchema) }),
        undefined,
        CALL_TIMEOUT_MS,
      ),
    deleteLeftovers: (uids) =>
      ask("POST", "/api/cluster/leftovers", z.object({ deleted: z.int() }), { uids }, CALL_TIMEOUT_MS),
    open: (lock) => ask("POST", "/api/cluster/runs", openedSchema, { lock }, CALL_TIMEOUT_MS),
    serve: (run, order, request) =>
      ask("POST", at(run, "/serve"), servedCallSchema, { ...order, request }, CALL_TIMEOUT_MS),
    edit: (run, order, edit) =>
      ask("POST", at(run, "/edit"), editedSchema, { ...order, edit }, CALL_TIMEOUT_MS),
    lease: (run) =>
      ask("GET", at(run, "/lease"), z.object({ manifest: z.unknown() }), undefined, CALL_TIMEOUT_MS),
    close: (run) => ask("DELETE", at(run), nothing, undefined, CALL_TIMEOUT_MS),
    closeOnLeaving: (run) => sendOnLeaving("DELETE", at(run)),
    listen(run, listener) {
      const source = new page.EventSource(at(run, "/events"));
      source.addEventListener("foreign-write", (event: MessageEvent<string>) => {
        const parsed = foreignSchema.safeParse(JSON.parse(event.data));
        if (parsed.success) listener.foreign(parsed.data);
      });
      source.addEventListener("closed", (event: MessageEvent<string>) => {
        source.close();
        const parsed = closedSchema.safeParse(JSON.parse(event.data));
        const problem = parsed.success ? parsed.data.problem : null;
        listener.ended(problem === null ? "The run has ended." : `${problem.cause} ${problem.remedy}`);
      });
      source.addEventListener("error", () => {
        // The browser reconnects and resumes by itself, unless the server refused the stream.
        if (source.readyState === source.CLOSED)
          listener.ended("The lab's server does not know this run any more: it was restarted.");
      });
      return () => source.close();
    },
  };
}

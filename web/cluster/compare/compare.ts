// The same line in memory and on the server, request by request: what was asked, what was answered, and where they differ.
// Both sides are real runs: the left one is replayed here without what the server did, the right one is the recording.
import { serveHttp, type HttpRequest } from "../../../shared/protocol/lease/http.ts";
import type { LeaseRequest } from "../../../shared/protocol/lease/lease.ts";
import { toManifest } from "../../../shared/protocol/lease/manifest.ts";
import { objectYamlLines, type YamlLine, type YamlValue } from "../../../shared/protocol/lease/yaml.ts";
import type { LeadershipAction } from "../../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../../shared/systems/leadership/config.ts";
import type { RequestPurpose } from "../../../shared/systems/leadership/event.ts";
import { serverPart } from "../../../shared/systems/leadership/onServer.ts";
import type { Served } from "../../../shared/systems/leadership/served.ts";
import { leadership } from "../../../shared/systems/leadership/system.ts";
import type { LeadershipWorld } from "../../../shared/systems/leadership/world.ts";
import type { Exchange } from "../api.ts";
import { exchangeKey } from "../store.ts";

/** One call on one side. Bodies are objects as they were sent as JSON. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly request: YamlObject | null;
  /** Null: no answer came. */
  readonly code: number | null;
  readonly answer: YamlObject | null;
}

export interface ComparedCall {
  /** Place in the line of actions. */
  readonly index: number;
  /** Virtual time. */
  readonly at: number;
  readonly node: string;
  readonly purpose: RequestPurpose;
  /** Null where the run in memory went another way before. */
  readonly memory: Call | null;
  readonly server: Call;
  /** Whether the server's side is as it went over the wire; else it is told from the recording. */
  readonly isWire: boolean;
  readonly wallMs: number;
  /** Whether they agree in all that is not each server's own. */
  readonly isSame: boolean;
}

export interface Compared {
  readonly calls: readonly ComparedCall[];
  /** Why the run in memory could not follow to the end; null when it did. */
  readonly parted: string | null;
}

export type YamlObject = { readonly [key: string]: YamlValue };

const NAMESPACE = "epoch-lab";

/**
 * Compares a line that a server took part in with the same line in memory.
 * @param exchanges the calls as they went over the wire, as far as they are known
 */
export function compareLine(
  config: LeadershipConfig,
  actions: readonly LeadershipAction[],
  exchanges: ReadonlyMap<string, Exchange>,
): Compared {
  const calls: ComparedCall[] = [];
  let parted: string | null = null;
  let real = leadership.create(config);
  let model = real;
  for (const [index, action] of actions.entries()) {
    const served = action.kind === "deliver" ? action.served : undefined;
    const inMemory: LeadershipAction =
      action.kind === "deliver" ? { kind: "deliver", message: action.message } : action;
    parted ??= leadership.refusal(model, inMemory);
    if (action.kind === "deliver" && served !== undefined) {
      const part = serverPart(real, action);
      if (part?.kind === "request") {
        const modelPart = parted === null ? serverPart(model, inMemory) : null;
        const memory = modelPart?.kind === "request" ? callInMemory(model, modelPart.request) : null;
        const exchange = exchanges.get(exchangeKey(action.message, served));
        const server = exchange === undefined ? callAsRecorded(part.request, served) : callOf(exchange);
        calls.push({
          index,
          at: leadership.now(real),
          node: part.node,
          purpose: part.purpose,
          memory,
          server,
          isWire: exchange !== undefined,
          wallMs: served.doneAtMs - served.sentAtMs,
          isSame: memory !== null && isSameCall(memory, server),
        });
      }
    }
    // What a request without an answer did later has no counterpart in memory, where it had its answer.
    const isLate = action.kind === "foreign-write" && action.whose === "own";
    if (parted === null && !isLate) model = leadership.step(model, inMemory).world;
    real = leadership.step(real, action).world;
  }
  return { calls, parted };
}

/** A request as HTTP, as the register's own door takes it. */
function httpOf(request: LeaseRequest): HttpRequest & { readonly object: YamlObject | null } {
  switch (request.verb) {
    case "get":
      return { method: "GET", namespace: NAMESPACE, name: request.name, object: null };
    case "create": {
      const object = toManifest(request.body, { namespace: NAMESPACE });
      return { method: "POST", namespace: NAMESPACE, body: JSON.stringify(object), object };
    }
    case "update": {
      const object = toManifest(request.body, { namespace: NAMESPACE });
      return {
        method: "PUT",
        namespace: NAMESPACE,
        name: request.name,
        body: JSON.stringify(object),
        object,
      };
    }
    case "delete": {
      const object = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        ...(request.preconditions === undefined ? {} : { preconditions: request.preconditions }),
      };
      return {
        method: "DELETE",
        namespace: NAMESPACE,
        name: request.name,
        body: JSON.stringify(object),
        object,
      };
    }
  }
}

const pathOf = (name: string | undefined): string =>
  `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases${name === undefined ? "" : `/${name}`}`;

function callInMemory({ store }: LeadershipWorld, request: LeaseRequest): Call {
  const { object, ...http } = httpOf(request);
  const [, answer] = serveHttp(store, NAMESPACE, http);
  return {
    method: http.method,
    path: pathOf(http.name),
    request: object,
    code: answer.code,
    answer: answer.body as unknown as YamlObject,
  };
}

/** The server's side of a recording whose calls were made in another page. */
function callAsRecorded(request: LeaseRequest, served: Served): Call {
  const { object, method, name } = httpOf(request);
  const sent = { method, path: pathOf(name), request: object };
  if (served.kind === "unanswered") return { ...sent, code: null, answer: null };
  const { code, reason, message, lease } = served;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: code < 300 ? "Success" : "Failure",
    ...(message === "" ? {} : { message }),
    ...(reason === null ? {} : { reason }),
    code,
  };
  return {
    ...sent,
    code,
    answer: lease === null ? status : toManifest(lease, { namespace: NAMESPACE }),
  };
}

function callOf({ method, path, request, status, answer }: Exchange): Call {
  return { method, path, request: asObject(request), code: status, answer: asObject(answer) };
}

const asObject = (value: unknown): YamlObject | null =>
  typeof value === "object" && value !== null ? (value as YamlObject) : null;

// --- what differs --------------------------------------------------------------------------------------------------

/** `own`: each server's own, such as a uid. `other`: a difference that counts. */
export type LineMark = "same" | "own" | "other";

export interface MarkedLine extends YamlLine {
  readonly mark: LineMark;
}

/** Fields that each server has its own of; the lab's own label and name on a real one among them. */
const OWN =
  /^(metadata\.(name|namespace|uid|resourceVersion|creationTimestamp|labels|managedFields)|preconditions|details)(\W|$)/;

/** A body's lines, each against the other side's body. */
export function markLines(body: YamlObject | null, other: YamlObject | null): readonly MarkedLine[] {
  const lines = body === null ? [] : objectYamlLines(body);
  const texts = new Map<string, string[]>();
  for (const { path, text } of other === null ? [] : objectYamlLines(other))
    texts.set(path, [...(texts.get(path) ?? []), text]);
  // A message names the Lease, and each side calls it by its own name.
  const isMessageOwn = withoutNames(body?.["message"]) === withoutNames(other?.["message"]);
  return lines.map((line) => {
    if (texts.get(line.path)?.includes(line.text) === true) return { ...line, mark: "same" };
    const isOwn = OWN.test(line.path) || (line.path === "message" && isMessageOwn);
    return { ...line, mark: isOwn ? "own" : "other" };
  });
}

const withoutNames = (message: YamlValue): string =>
  typeof message === "string"
    ? message.replaceAll(/"[^"\s]*"/g, "…").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|uid-\d+/g, "…")
    : "";

function isSameCall(memory: Call, server: Call): boolean {
  const agree = (left: YamlObject | null, right: YamlObject | null): boolean =>
    [...markLines(left, right), ...markLines(right, left)].every(({ mark }) => mark !== "other");
  return (
    memory.method === server.method &&
    memory.code === server.code &&
    agree(memory.request, server.request) &&
    agree(memory.answer, server.answer)
  );
}

import { describe, expect, it } from "vitest";
import { serveLease } from "../../../shared/protocol/lease/register.ts";
import type { LeadershipAction } from "../../../shared/systems/leadership/action.ts";
import type { LeadershipConfig } from "../../../shared/systems/leadership/config.ts";
import { serverPart } from "../../../shared/systems/leadership/onServer.ts";
import type { Served } from "../../../shared/systems/leadership/served.ts";
import { leadership } from "../../../shared/systems/leadership/system.ts";
import { resolveOrigin } from "../../../shared/scenario/origin.ts";
import { exchangeKey } from "../store.ts";
import { compareLine, markLines } from "./compare.ts";

const origin = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
if (!origin.ok) throw new Error("the scenario is known");
const config = origin.value.config as LeadershipConfig;
const script = origin.value.script as readonly LeadershipAction[];

/** Plays the script, and what follows by itself, on a second register; `change` makes it answer otherwise. */
function recorded(change: (served: Served, call: number) => Served): readonly LeadershipAction[] {
  let world = leadership.create(config);
  let store: Parameters<typeof serveLease>[0] = { revision: 900, created: 70, leases: {} };
  let calls = 0;
  const actions: LeadershipAction[] = [];
  let follows = true;
  for (const wanted of script) {
    follows &&= leadership.refusal(world, wanted) === null;
    const scripted = follows ? wanted : leadership.next(world);
    if (scripted === null) break;
    const part = serverPart(world, scripted);
    let action = scripted;
    if (part?.kind === "request" && scripted.kind === "deliver") {
      const [next, outcome] = serveLease(store, part.request);
      store = next;
      calls += 1;
      const served: Served = {
        kind: "answered",
        sentAtMs: calls * 100,
        doneAtMs: calls * 100 + 7,
        code: outcome.code,
        reason: outcome.kind === "refused" ? outcome.reason : null,
        message: outcome.kind === "refused" ? outcome.message : "",
        lease: outcome.kind === "ok" ? outcome.lease : null,
      };
      action = { ...scripted, served: change(served, calls) };
    }
    world = leadership.step(world, action).world;
    actions.push(action);
  }
  return actions;
}

describe("a line in memory and on a server", () => {
  it("agrees where only versions and uids differ", () => {
    const { calls, parted } = compareLine(
      config,
      recorded((served) => served),
      new Map(),
    );
    expect(calls).toHaveLength(22);
    expect(calls.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(parted).toBeNull();
    expect(calls[1]).toMatchObject({
      node: "a",
      purpose: "create",
      wallMs: 7,
      isWire: false,
      memory: { method: "POST", code: 201, answer: { metadata: { uid: "uid-1" } } },
      server: { method: "POST", code: 201, answer: { metadata: { uid: "uid-71" } } },
    });
  });

  it("differs where the server answered otherwise, and tells where the run in memory could not follow", () => {
    const { calls, parted } = compareLine(
      config,
      recorded((served, call) =>
        call === 2 && served.kind === "answered"
          ? { ...served, code: 500, reason: "InternalError", message: "boom", lease: null }
          : served,
      ),
      new Map(),
    );
    expect(calls.find(({ isSame }) => !isSame)).toMatchObject({
      purpose: "create",
      memory: { code: 201 },
      server: { code: 500, answer: { kind: "Status", message: "boom" } },
    });
    expect(parted).not.toBeNull();
    expect(calls.at(-1)?.memory).toBeNull();
  });

  it("shows a call without an answer as none", () => {
    const { calls } = compareLine(
      config,
      recorded((served, call) =>
        call === 1
          ? { kind: "unanswered", sentAtMs: 1, doneAtMs: 10_001, failure: "timeout", detail: "none" }
          : served,
      ),
      new Map(),
    );
    expect(calls[0]).toMatchObject({ isSame: false, wallMs: 10_000, server: { code: null, answer: null } });
  });

  it("shows a call as it went over the wire, where that is known", () => {
    const actions = recorded((served) => served);
    const first = actions.find((action) => action.kind === "deliver" && action.served !== undefined);
    if (first?.kind !== "deliver" || first.served === undefined) throw new Error("a request was served");
    const exchange = {
      method: "GET",
      path: "/apis/coordination.k8s.io/v1/namespaces/team/leases/epoch-lab-1-orders",
      request: null,
      status: 404,
      answer: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'leases.coordination.k8s.io "epoch-lab-1-orders" not found',
        reason: "NotFound",
        details: { name: "epoch-lab-1-orders", group: "coordination.k8s.io", kind: "leases" },
        code: 404,
      },
    };
    const known = new Map([[exchangeKey(first.message, first.served), exchange]]);
    expect(compareLine(config, actions, known).calls[0]).toMatchObject({
      isWire: true,
      isSame: true,
      server: { path: exchange.path },
    });
  });
});

describe("a line of a body is marked:", () => {
  const rows: readonly {
    readonly why: string;
    readonly body: object;
    readonly other: object;
    readonly marks: readonly string[];
  }[] = [
    { why: "the same", body: { spec: { a: 1 } }, other: { spec: { a: 1 } }, marks: ["same", "same"] },
    { why: "another value", body: { spec: { a: 1 } }, other: { spec: { a: 2 } }, marks: ["same", "other"] },
    { why: "one that the other side lacks", body: { spec: { a: 1 } }, other: {}, marks: ["other", "other"] },
    {
      why: "a uid of its own",
      body: { metadata: { uid: "x" } },
      other: { metadata: { uid: "y" } },
      marks: ["same", "own"],
    },
    {
      why: "an annotation is not the server's own",
      body: { metadata: { annotations: { uid: "x" } } },
      other: { metadata: { annotations: { uid: "y" } } },
      marks: ["same", "same", "other"],
    },
    {
      why: "a message that names its own Lease, however it is folded",
      body: {
        message: `Operation cannot be fulfilled on leases "epoch-lab-1234567890-orders": it has been modified; try again`,
      },
      other: { message: `Operation cannot be fulfilled on leases "orders": it has been modified; try again` },
      marks: ["own", "own"],
    },
    { why: "another message", body: { message: 'no "a"' }, other: { message: 'not "a"' }, marks: ["other"] },
  ];
  for (const { why, body, other, marks } of rows)
    it(why, () => {
      const marked = markLines(
        body as Parameters<typeof markLines>[0],
        other as Parameters<typeof markLines>[0],
      );
      expect(marked.map(({ mark }) => mark)).toEqual(marks);
    });
});

// A real server in the register's place: its answers are recorded in the actions, compared, and replayed.
import { describe, expect, it } from "vitest";
import type { Lease, LeaseOutcome } from "../../protocol/lease/lease.ts";
import { serveLease } from "../../protocol/lease/register.ts";
import { compareOutcomes, contentOf, foreignDifference, outcomeOf, type Served } from "./served.ts";
import { leadership } from "./system.ts";
import type { LeadershipAction } from "./action.ts";
import { leaseOf, type LeadershipWorld } from "./world.ts";

const lease = (change: Partial<Lease> = {}, holder = "a"): Lease => ({
  name: "orders",
  uid: "real-uid",
  resourceVersion: "100",
  annotations: {},
  labels: {},
  spec: { holderIdentity: holder },
  ...change,
});
const good = (change: Partial<Lease> = {}, changed = true): LeaseOutcome => ({
  kind: "ok",
  code: 200,
  lease: lease(change),
  changed,
});
const conflict: LeaseOutcome = { kind: "refused", code: 409, reason: "Conflict", message: "" };

const rows: readonly {
  readonly why: string;
  readonly model: LeaseOutcome;
  readonly server: LeaseOutcome;
  readonly about: readonly string[];
}[] = [
  {
    why: "uid and resourceVersion are each server's own",
    model: good(),
    server: good({ uid: "other", resourceVersion: "7" }),
    about: [],
  },
  { why: "another outcome", model: good(), server: conflict, about: ["outcome"] },
  { why: "another content", model: good(), server: good({ annotations: { x: "1" } }), about: ["content"] },
  {
    why: "a resourceVersion that should have stood still",
    model: good({}, false),
    server: good({}, true),
    about: ["resourceVersion"],
  },
  { why: "the same refusal", model: conflict, server: conflict, about: [] },
];

describe("model and server are compared:", () => {
  for (const row of rows)
    it(row.why, () => {
      expect(compareOutcomes(row.model, row.server).map(({ about }) => about)).toEqual(row.about);
    });

  it("a foreign write is told by what it changed", () => {
    expect(foreignDifference(lease(), lease({}, "somebody"))).toBe("holderIdentity: a → somebody");
    expect(foreignDifference(lease(), null)).toBe("the Lease was deleted");
    expect(foreignDifference(lease(), lease({ uid: "new" }))).toContain("created again");
    expect(contentOf(null)).toBe("absent");
  });
});

/** Plays a world; every request is answered by `server`, as a driver would record it. */
function playOn(server: (world: LeadershipWorld, action: LeadershipAction) => Served, untilMs: number) {
  const config = leadership.parseConfig({ nodes: [{ id: "a" }, { id: "b" }] });
  if (!config.ok) throw new Error("the configuration is right");
  let world = leadership.create(config.value);
  const actions: LeadershipAction[] = [];
  const kinds: string[] = [];
  for (;;) {
    let action = leadership.next(world);
    if (action === null || (action.kind === "advance" && action.toMs > untilMs)) break;
    if (action.kind === "deliver") {
      const { message: id } = action;
      const message = world.messages.find((candidate) => candidate.id === id);
      if (message?.payload.kind === "lease-request") action = { ...action, served: server(world, action) };
    }
    expect(leadership.refusal(world, action)).toBeNull();
    const parsed = leadership.parseAction(JSON.parse(JSON.stringify(action)));
    expect(parsed.ok).toBe(true);
    const step = leadership.step(world, action);
    world = step.world;
    actions.push(action);
    kinds.push(...step.events.map((event) => event.kind));
  }
  return { world, actions, kinds, config: config.value };
}

/** A second register under other uids and resourceVersions, standing for a real server. */
function realServer() {
  let store = { revision: 500, created: 40, leases: {} } as Parameters<typeof serveLease>[0];
  return (world: LeadershipWorld, action: LeadershipAction): Served => {
    const message =
      action.kind === "deliver"
        ? world.messages.find((candidate) => candidate.id === action.message)
        : undefined;
    if (message?.payload.kind !== "lease-request") throw new Error("a request is served");
    const [next, outcome] = serveLease(store, message.payload.request);
    store = next;
    return {
      kind: "answered",
      sentAtMs: 1,
      doneAtMs: 2,
      code: outcome.code,
      reason: outcome.kind === "refused" ? outcome.reason : null,
      message: outcome.kind === "refused" ? outcome.message : "",
      lease: outcome.kind === "ok" ? outcome.lease : null,
    } as Served;
  };
}

describe("a cluster run", () => {
  it("agrees with a server that does as the register does, and carries the server's own versions", () => {
    const { world, kinds } = playOn(realServer(), 20_000);
    expect(kinds).not.toContain("model-diverged");
    expect(kinds).toContain("renewed");
    expect(Number(leaseOf(world)?.resourceVersion)).toBeGreaterThan(500);
    expect(leaseOf(world)?.uid).toBe("uid-41");
  });

  it("replays offline to the same world", () => {
    const { world, actions, config } = playOn(realServer(), 20_000);
    let again = leadership.create(config);
    for (const action of actions) again = leadership.step(again, action).world;
    expect(again).toEqual(world);
  });

  it("says when the server does something else, and goes on from it", () => {
    const server = realServer();
    let calls = 0;
    const { kinds } = playOn((world, action) => {
      calls += 1;
      const served = server(world, action);
      return calls === 4 && served.kind === "answered"
        ? { ...served, code: 500, reason: "InternalError", message: "boom", lease: null }
        : served;
    }, 20_000);
    expect(kinds.filter((kind) => kind === "model-diverged").length).toBeGreaterThan(0);
    expect(kinds.lastIndexOf("renewed")).toBeGreaterThan(kinds.indexOf("model-diverged"));
  });

  it("shows a server that gives no answer as an outcome", () => {
    const server = realServer();
    let calls = 0;
    const { kinds } = playOn((world, action) => {
      calls += 1;
      return calls === 5
        ? { kind: "unanswered", sentAtMs: 1, doneAtMs: 2, failure: "timeout", detail: "no answer within 5 s" }
        : server(world, action);
    }, 20_000);
    expect(kinds).toContain("request-unanswered");
    expect(kinds).toContain("call-given-up");
  });

  it("takes the recorded answer as the register would have given it", () => {
    const outcome = outcomeOf(
      { kind: "answered", sentAtMs: 0, doneAtMs: 0, code: 200, reason: null, message: "", lease: lease() },
      lease({ resourceVersion: "99" }),
    );
    expect(outcome).toMatchObject({ kind: "ok", changed: true });
  });
});

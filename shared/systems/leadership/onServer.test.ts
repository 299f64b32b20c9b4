import { describe, expect, it } from "vitest";
import type { LeadershipAction } from "./action.ts";
import { asScript, isOfServer, serverPart } from "./onServer.ts";
import type { Served } from "./served.ts";
import { leadership } from "./system.ts";
import type { LeadershipWorld } from "./world.ts";

const served: Served = { kind: "unanswered", sentAtMs: 1, doneAtMs: 2, failure: "timeout", detail: "" };
const lease = { name: "orders", uid: "u", resourceVersion: "1", annotations: {}, labels: {}, spec: {} };

/** A world in which a's first request is under way. */
function requested(): { readonly world: LeadershipWorld; readonly deliver: LeadershipAction } {
  const config = leadership.parseConfig({ nodes: [{ id: "a" }] });
  if (!config.ok) throw new Error("the configuration is right");
  let world = leadership.create(config.value);
  for (;;) {
    const action = leadership.next(world);
    if (action === null) throw new Error("a request is sent");
    if (action.kind === "deliver") return { world, deliver: action };
    world = leadership.step(world, action).world;
  }
}
function after(world: LeadershipWorld, ...actions: readonly LeadershipAction[]): LeadershipWorld {
  return actions.reduce((before, action) => leadership.step(before, action).world, world);
}

describe("a server performs", () => {
  const { world, deliver } = requested();
  const message = deliver.kind === "deliver" ? deliver.message : 0;
  const rows: readonly {
    readonly why: string;
    readonly world?: LeadershipWorld;
    readonly action: LeadershipAction;
    readonly part: object | null;
  }[] = [
    {
      why: "a request that reaches it",
      action: deliver,
      part: { kind: "request", node: "a", purpose: "read", request: { verb: "get" } },
    },
    {
      why: "one whose answer will be lost",
      world: after(world, { kind: "lose-answer", message }),
      action: deliver,
      part: { kind: "request" },
    },
    {
      why: "none that the lab answers itself",
      world: after(world, { kind: "refuse", message, code: 429 }),
      action: deliver,
      part: null,
    },
    {
      why: "none that meets a cut link",
      world: after(world, { kind: "cut", node: "a", to: "lease" }),
      action: deliver,
      part: null,
    },
    { why: "no passing of time", action: { kind: "advance", toMs: 1 }, part: null },
    {
      why: "an edit by hand",
      action: { kind: "edit-holder", holder: "x" },
      part: { kind: "edit", edit: { kind: "edit-holder", holder: "x" } },
    },
    {
      why: "what somebody else wrote, once more",
      action: { kind: "foreign-write", lease },
      part: { kind: "edit", edit: { kind: "write", lease: { annotations: {}, labels: {}, spec: {} } } },
    },
    {
      why: "what somebody else deleted, once more",
      action: { kind: "foreign-write", lease: null },
      part: { kind: "edit", edit: { kind: "delete-lease" } },
    },
  ];
  for (const row of rows)
    it(row.why, () => {
      const part = serverPart(row.world ?? world, row.action);
      if (row.part === null) expect(part).toBeNull();
      else expect(part).toMatchObject(row.part);
    });
});

describe("a line as a script", () => {
  const line: readonly LeadershipAction[] = [
    { kind: "deliver", message: 1, served },
    { kind: "deliver", message: 2 },
    { kind: "foreign-write", lease, whose: "own" },
    { kind: "foreign-write", lease },
  ];
  it("asks a server anew, and leaves out what a late request of its own did", () => {
    expect(asScript(line)).toEqual([
      { kind: "deliver", message: 1 },
      { kind: "deliver", message: 2 },
      { kind: "foreign-write", lease },
    ]);
    expect(isOfServer(line)).toBe(true);
    expect(isOfServer(asScript(line))).toBe(false);
  });
});

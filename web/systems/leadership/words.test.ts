import { describe, expect, it } from "vitest";
import { scenarios } from "../../../shared/scenario/catalogue.ts";
import { resolveOrigin } from "../../../shared/scenario/origin.ts";
import type { LeadershipAction } from "../../../shared/systems/leadership/action.ts";
import { leadership } from "../../../shared/systems/leadership/system.ts";
import type { LeadershipWorld } from "../../../shared/systems/leadership/world.ts";
import { nodeWords, type NodeWords } from "./words.ts";

/** The world after a scenario's script up to a time, and then some actions. */
function worldAt(
  scenario: string,
  untilMs: number,
  ...actions: readonly LeadershipAction[]
): LeadershipWorld {
  const origin = resolveOrigin({ kind: "scenario", scenario });
  if (!origin.ok) throw new Error(`${scenario} resolves`);
  let world = leadership.create(origin.value.config as LeadershipWorld["config"]);
  for (const action of origin.value.script as readonly LeadershipAction[]) {
    const next = leadership.step(world, action).world;
    if (next.now > untilMs) break;
    world = next;
  }
  for (const action of actions) world = leadership.step(world, action).world;
  return world;
}

interface Row {
  readonly why: string;
  readonly world: () => LeadershipWorld;
  readonly node: number;
  readonly says: Partial<Record<keyof NodeWords, RegExp | null>>;
}

const rows: readonly Row[] = [
  {
    why: "before its start",
    world: () => worldAt("paused-leader", -1),
    node: 0,
    says: {
      elector: /^Its process has not started yet\.$/,
      work: /^No guarded work\.$/,
      bridge: null,
      clock: null,
    },
  },
  {
    why: "a leader says when it must stop",
    world: () => worldAt("paused-leader", 3000),
    node: 0,
    says: { elector: /^Leads; stops at \d+\.\d\d s unless it renews\.$/, work: /^Next operation at 5\.60 s/ },
  },
  {
    why: "a follower says since when the Lease has not moved",
    world: () => worldAt("paused-leader", 10_500),
    node: 1,
    says: { elector: /^Has seen a-1's Lease unchanged for \d+\.\d\d s; judges it expired at 20\.90 s\.$/ },
  },
  {
    why: "a paused leader whose time is over",
    world: () => worldAt("paused-leader", 23_000),
    node: 0,
    says: {
      elector:
        /^Paused since 5\.60 s\. Leads in its own view; had to stop at \d+\.\d\d s without a renewal\.$/,
      work: /^Checked that it leads; the write under epoch 1 is still to be sent\.$/,
    },
  },
  {
    why: "a crashed process",
    world: () => worldAt("paused-leader", 3000, { kind: "crash", node: "a" }),
    node: 0,
    says: { elector: /^Its process is down\.$/ },
  },
  {
    why: "a clock that runs and stands wrong",
    world: () =>
      worldAt(
        "paused-leader",
        3000,
        { kind: "set-rate", node: "a", ratePermille: 1500 },
        { kind: "step-wall-clock", node: "a", byMs: -60_000 },
      ),
    node: 0,
    says: { clock: /^Clock runs at 1\.5 × true time, wall clock 60\.00 s behind\.$/ },
  },
  {
    why: "links that are cut and slow",
    world: () =>
      worldAt(
        "paused-leader",
        3000,
        { kind: "cut", node: "a", to: "lease" },
        { kind: "set-delay", node: "a", to: "sinks", delayMs: 2000 },
      ),
    node: 0,
    says: { links: /^Cut off from the Lease API\. Slowed down: 2\.00 s to the sinks each way\.$/ },
  },
  {
    why: "a bridge with what it holds",
    world: () => worldAt("route-handover", 4400),
    node: 0,
    says: { bridge: /^Bridge of epoch 1: 0 of 128 held\. 1 waits in the pipeline, stamped epoch 1\.$/ },
  },
];

describe("a node in words", () => {
  for (const { why, world, node, says } of rows)
    it(why, () => {
      const at = world();
      const state = at.nodes[node];
      if (state === undefined) throw new Error("the node is there");
      const words = nodeWords(at, state);
      for (const [part, pattern] of Object.entries(says)) {
        const said = words[part as keyof NodeWords];
        if (pattern === null) expect(said).toBeNull();
        else expect(said).toMatch(pattern as RegExp);
      }
    });

  it("has words all along every scenario", () => {
    for (const { id } of scenarios) {
      const origin = resolveOrigin({ kind: "scenario", scenario: id });
      if (!origin.ok) throw new Error(`${id} resolves`);
      let world = leadership.create(origin.value.config as LeadershipWorld["config"]);
      for (const [index, action] of (origin.value.script as readonly LeadershipAction[]).entries()) {
        world = leadership.step(world, action).world;
        if (index % 7 > 0) continue;
        for (const node of world.nodes) {
          const { elector, work } = nodeWords(world, node);
          expect(`${elector} ${work}`).not.toMatch(/undefined|NaN|null/);
        }
      }
    }
  });
});

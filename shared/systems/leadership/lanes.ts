// What the picture shows of a leadership world: lanes, the three bands of a node, and how each lane fares.
import { unreachable } from "../../base/assert.ts";
import { isFenced, judgeWrite, type Enforcement } from "../../protocol/sink/sink.ts";
import { leaseTerm } from "../../protocol/token/token.ts";
import { isGuarding } from "../../protocol/master/master.ts";
import { isWorking } from "../../protocol/work/work.ts";
import type { BandHead, BandReading, Lane, LaneCondition } from "../system.ts";
import type { LeadershipConfig } from "./config.ts";
import { LEASE_LANE, leaseOf, type LeadershipWorld, type NodeState } from "./world.ts";

const NODE_BANDS: readonly BandHead[] = [
  { id: "believes", letter: "B", meaning: "believes it leads" },
  { id: "lease", letter: "L", meaning: "the Lease says so" },
  { id: "sink", letter: "S", meaning: "the sink would accept" },
];

export function enforcementTitle(enforcement: Enforcement): string {
  switch (enforcement) {
    case "none":
      return "no fence";
    case "check-then-act":
      return "checks, then acts";
    case "memory":
      return "fence in memory";
    case "equality":
      return "equality only";
    case "idempotency-key":
      return "idempotency key";
    case "atomic":
      return "atomic fence";
    default:
      return unreachable(enforcement);
  }
}

export function leadershipLanes(config: LeadershipConfig): readonly Lane[] {
  const [first, ...others] = config.nodes.map((node): Lane => ({
    id: node.id,
    title: `node ${node.id}`,
    subtitle: node.profile,
    role: "process",
    bands: NODE_BANDS,
  }));
  return [
    ...(first === undefined ? [] : [first]),
    { id: LEASE_LANE, title: "Lease", subtitle: config.lock, role: "register", bands: [] },
    ...others,
    ...config.sinks.map((sink): Lane => ({
      id: sink.id,
      title: sink.id,
      subtitle: enforcementTitle(sink.enforcement),
      role: "sink",
      bands: [],
    })),
  ];
}

/** The sink whose judgement the third band shows: an atomic fence before another fence; -1 when none looks at tokens. */
export function decidingSink(config: LeadershipConfig): number {
  const atomic = config.sinks.findIndex((sink) => sink.enforcement === "atomic");
  return atomic >= 0 ? atomic : config.sinks.findIndex((sink) => isFenced(sink.enforcement));
}

export function leadershipBands(world: LeadershipWorld): readonly BandReading[] {
  const lease = leaseOf(world);
  const holder = lease?.spec.holderIdentity ?? "";
  const deciding = decidingSink(world.config);
  return world.nodes.flatMap((node, index) => {
    const authority = authorityOf(node);
    const believed = node.belief;
    const holds =
      lease !== null &&
      holder !== "" &&
      world.acquisition.node === index &&
      world.acquisition.incarnation === node.incarnation &&
      holder === node.identity;
    const sink = deciding < 0 ? undefined : world.sinks[deciding]?.sink;
    const accepted =
      authority !== null &&
      (sink === undefined || judgeWrite(sink, { token: authority.token, key: "" }) === "applied");
    return [
      reading(node.id, "believes", believed === null ? null : epoch(believed)),
      reading(
        node.id,
        "lease",
        holds
          ? {
              ordinal: world.acquisition.ordinal,
              label: (lease === null ? null : leaseTerm(lease)) ?? String(world.acquisition.ordinal),
            }
          : null,
      ),
      reading(node.id, "sink", accepted && authority !== null ? epoch(authority) : null),
    ];
  });
}

/** On whose authority the node would write now: its belief, or that of work that is still going on. */
function authorityOf(node: NodeState): { readonly acquisition: number; readonly token: string } | null {
  if (node.belief !== null) return node.belief;
  if (node.exchange !== null)
    return { acquisition: node.exchange.facts.acquisition, token: node.exchange.facts.epoch };
  return node.work.kind === "idle" ? null : node.work.authority;
}

const epoch = (authority: { readonly acquisition: number; readonly token: string }) => ({
  ordinal: authority.acquisition,
  label: authority.token,
});

const reading = (lane: string, band: string, value: BandReading["epoch"]): BandReading => ({
  lane,
  band,
  epoch: value,
});

export function leadershipConditions(world: LeadershipWorld): readonly LaneCondition[] {
  const lease = leaseOf(world);
  return [
    ...world.nodes.map((node, index): LaneCondition => ({
      lane: node.id,
      condition: node.status === "paused" ? "paused" : node.status === "running" ? "running" : "down",
      says: nodeSays(world, node, index),
    })),
    {
      lane: LEASE_LANE,
      condition: "running",
      says: lease === null ? "does not exist" : world.config.lock,
    },
    ...world.sinks.map((sink, index): LaneCondition => ({
      lane: sink.id,
      condition: "running",
      says: enforcementTitle(world.config.sinks[index]?.enforcement ?? "none"),
    })),
  ];
}

function nodeSays(world: LeadershipWorld, node: NodeState, index: number): string {
  if (node.status === "waiting") return "not started";
  if (node.status === "crashed") return "down";
  if (node.belief !== null) {
    const newest = world.acquisition.ordinal === node.belief.acquisition;
    const right = newest && world.acquisition.node === index;
    const label = node.belief.token === "" ? "" : `, epoch ${node.belief.token}`;
    return right ? `leads${label}` : "thinks it leads";
  }
  if (isWorking(node.work) || (node.consumer !== null && isGuarding(node.consumer.master)))
    return "stops its work";
  return node.ended ? "left the election" : "stands by";
}

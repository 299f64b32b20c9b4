// The configuration of the leadership system: the format that the lab's builder, `play` and permalinks share.
import { failed, ok, type Problem, type Result } from "../../base/result.ts";
import { parseWith } from "../../base/schema.ts";
import * as z from "../../base/zod.ts";
import type { ElectorProfile } from "../../protocol/elector/contract.ts";
import { ELECTOR_PROFILES, validateElector } from "../../protocol/elector/elector.ts";
import { ENFORCEMENTS, type Enforcement } from "../../protocol/sink/sink.ts";
import { TOKEN_SOURCES, type TokenSource } from "../../protocol/token/token.ts";
import { DEFAULT_WORK, type WorkConfig } from "../../protocol/work/work.ts";
import { DEFAULT_ROUTE, MASTER_VARIANTS, validateRoute, type RouteConfig } from "./route.ts";

/** Longest times that a configuration may name: one day. */
const DAY_MS = 86_400_000;
export const NODES_MAX = 7;
export const SINKS_MAX = 6;

const ms = z.int().min(0).max(DAY_MS);
const laneId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,15}$/, "1 to 16 lower-case letters, digits and dashes, a letter first");

/** A one-way delay: a message arrives at any moment from `minMs` to `maxMs` after it was sent; by itself, at `minMs`. */
export interface Delay {
  readonly minMs: number;
  readonly maxMs: number;
}

const delay = z
  .strictObject({ minMs: ms, maxMs: ms })
  .refine((value) => value.minMs <= value.maxMs, "minMs <= maxMs");

export interface ClockConfig {
  /** Wall clock ahead (or behind) of true time at the start, in ms. Default 0. */
  readonly offsetMs: number;
  /** How many of the node's milliseconds pass in a true second: 1000 is exact, 1100 a tenth too fast. Default 1000. */
  readonly ratePermille: number;
}

export interface NodeConfig {
  /** Name of the node and its lane. */
  readonly id: string;
  readonly profile: ElectorProfile;
  /** The holderIdentity, the same at every start. Null (default): unique per process start, as it should be. */
  readonly identity: string | null;
  /** When its process starts. Default 0. */
  readonly startMs: number;
  readonly timings: {
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
  };
  /** Give the Lease up when asked to stop. Default true. */
  readonly release: boolean;
  /** Draws for jitter in [0, 1), used in turn; empty for none. Only `client-go` draws. */
  readonly jitter: readonly number[];
  /** How long cancelled work may take before it is aborted; `epoch-lab` only. Default 2000. */
  readonly drainTimeoutMs: number;
  /** Fastest clock against slowest that the timings must bear; `epoch-lab` only. Default 1.05. */
  readonly clockRateBound: number;
  readonly clock: ClockConfig;
  /** A call to the Lease API that is not answered within this fails. 0: never. Default 5000, as client-go's own default. */
  readonly clientTimeoutMs: number;
  /** This node's own delay to the Lease API, each way; null: the network's. */
  readonly leaseDelay: Delay | null;
  /**
   * An ungated producer on this node, as `to("master:<lock>:<uri>")` is: it writes whether the node leads or not, without
   * a token. Null (default): none.
   */
  readonly producer: { readonly firstMs: number; readonly periodMs: number; readonly count: number } | null;
  /** This node's own delay to the sinks, each way; null: the network's. */
  readonly sinkDelay: Delay | null;
}

export interface SinkConfig {
  readonly id: string;
  readonly enforcement: Enforcement;
  /** Also applies each idempotency key only once. Default false. */
  readonly dedupe: boolean;
  /** `check-then-act` only: from the check to the act, at any moment in between. Default 50 to 50. */
  readonly act: Delay;
  /** The mark it starts with, as left by an earlier life. Default "0". */
  readonly mark: string;
}

/** What the leader does: a loop of operations, a route with a bridge, or nothing. */
export type WorkSettings =
  | ({ readonly kind: "loop" } & WorkConfig)
  | ({ readonly kind: "route" } & RouteConfig)
  | { readonly kind: "none" };

export interface LeadershipConfig {
  /** Name of the Lease: a DNS-1123 subdomain. */
  readonly lock: string;
  readonly token: TokenSource;
  readonly nodes: readonly NodeConfig[];
  readonly sinks: readonly SinkConfig[];
  readonly work: WorkSettings;
  readonly network: { readonly leaseDelay: Delay; readonly sinkDelay: Delay };
}

const node = z.strictObject({
  id: laneId,
  profile: z.enum(ELECTOR_PROFILES as [ElectorProfile, ...ElectorProfile[]]).default("epoch-lab"),
  identity: z.string().min(1).max(120).nullable().default(null),
  startMs: ms.default(0),
  timings: z
    .strictObject({
      leaseDurationMs: ms.default(15_000),
      renewDeadlineMs: ms.default(10_000),
      retryPeriodMs: ms.default(2000),
    })
    .prefault({}),
  release: z.boolean().default(true),
  jitter: z.array(z.number().min(0).lt(1)).max(64).default([]),
  drainTimeoutMs: ms.default(2000),
  clockRateBound: z.number().min(1).max(10).default(1.05),
  clock: z
    .strictObject({
      offsetMs: z.int().min(-DAY_MS).max(DAY_MS).default(0),
      ratePermille: z.int().min(100).max(10_000).default(1000),
    })
    .prefault({}),
  clientTimeoutMs: ms.default(5000),
  leaseDelay: delay.nullable().default(null),
  producer: z
    .strictObject({
      firstMs: ms,
      periodMs: ms.min(1).default(5000),
      count: z.int().min(1).max(1000).default(1),
    })
    .nullable()
    .default(null),
  sinkDelay: delay.nullable().default(null),
});

const sink = z.strictObject({
  id: laneId,
  enforcement: z.enum(ENFORCEMENTS as [Enforcement, ...Enforcement[]]),
  dedupe: z.boolean().default(false),
  act: delay.default({ minMs: 50, maxMs: 50 }),
  mark: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,39})$/, "a decimal of up to 40 digits")
    .default("0"),
});

const loop = z.strictObject({
  kind: z.literal("loop"),
  warmUpMs: ms.default(DEFAULT_WORK.warmUpMs),
  periodMs: ms.min(1).default(DEFAULT_WORK.periodMs),
  thinkMs: ms.default(DEFAULT_WORK.thinkMs),
  callTimeoutMs: ms.min(1).default(DEFAULT_WORK.callTimeoutMs),
  retry: z.boolean().default(DEFAULT_WORK.retry),
  claim: z.boolean().default(DEFAULT_WORK.claim),
  cleanupMs: ms.default(DEFAULT_WORK.cleanupMs),
  flush: z.boolean().default(DEFAULT_WORK.flush),
  operations: z.int().min(0).max(1000).default(DEFAULT_WORK.operations),
});

const route = z.strictObject({
  kind: z.literal("route"),
  uri: z.string().min(1).max(500).default(DEFAULT_ROUTE.uri),
  variant: z.enum(MASTER_VARIANTS).default(DEFAULT_ROUTE.variant),
  processMs: ms.default(DEFAULT_ROUTE.processMs),
  callTimeoutMs: ms.min(1).default(DEFAULT_ROUTE.callTimeoutMs),
  drainTimeoutMs: ms.default(DEFAULT_ROUTE.drainTimeoutMs),
  lingerMs: ms.default(DEFAULT_ROUTE.lingerMs),
  burst: z.int().min(1).max(1000).default(DEFAULT_ROUTE.burst),
});

export const leadershipSchema = z.strictObject({
  lock: z
    .string()
    .max(253)
    .regex(
      /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
      "a DNS-1123 subdomain, such as orders",
    )
    .default("orders"),
  token: z.enum(TOKEN_SOURCES as [TokenSource, ...TokenSource[]]).default("lease-annotation"),
  nodes: z.array(node).min(1).max(NODES_MAX),
  sinks: z.array(sink).min(0).max(SINKS_MAX).default([]),
  work: z
    .discriminatedUnion("kind", [loop, route, z.strictObject({ kind: z.literal("none") })])
    .prefault({ kind: "loop" }),
  network: z
    .strictObject({
      leaseDelay: delay.default({ minMs: 20, maxMs: 20 }),
      sinkDelay: delay.default({ minMs: 50, maxMs: 50 }),
    })
    .prefault({}),
});

/** A configuration as users write it: everything with a default may be left out. */
export type LeadershipInput = ReadonlyDeep<z.input<typeof leadershipSchema>>;

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

export function parseLeadershipConfig(input: unknown): Result<LeadershipConfig> {
  const parsed = parseWith<LeadershipConfig>(
    leadershipSchema as unknown as z.ZodType<LeadershipConfig>,
    input,
  );
  if (!parsed.ok) return parsed;
  const { work, lock } = parsed.value;
  const problems = [
    ...duplicates(parsed.value),
    ...refusedProfiles(parsed.value),
    ...(work.kind === "route" ? validateRoute(work, lock) : []),
  ];
  return problems.length > 0 ? failed(problems) : ok(parsed.value);
}

function duplicates(config: LeadershipConfig): readonly Problem[] {
  const seen = new Map<string, string>([["lease", "the Lease's own lane"]]);
  const problems: Problem[] = [];
  const take = (id: string, path: string) => {
    const before = seen.get(id);
    if (before !== undefined)
      problems.push({
        path,
        expected: "a name of its own for every lane",
        got: `"${id}", which is ${before}`,
        remedy: "Choose another name.",
      });
    seen.set(id, path);
  };
  config.nodes.forEach((item, index) => take(item.id, `nodes[${index}].id`));
  config.sinks.forEach((item, index) => take(item.id, `sinks[${index}].id`));
  return problems;
}

function refusedProfiles(config: LeadershipConfig): readonly Problem[] {
  return config.nodes.flatMap((item, index) =>
    validateElector({
      profile: item.profile,
      lock: config.lock,
      identity: item.identity ?? item.id,
      processId: item.id,
      timings: item.timings,
      release: item.release,
      stampTerm: config.token === "lease-annotation",
      jitter: item.jitter,
      drainTimeoutMs: item.drainTimeoutMs,
      clockRateBound: item.clockRateBound,
    }).map((problem) => ({ ...problem, path: `nodes[${index}].${problem.path}` })),
  );
}

import { describe, expect, it } from "vitest";
import type { ConsumerInput } from "../consumer.ts";
import type { MasterConfig } from "../contract.ts";
import { DEFAULT_MASTER } from "../master.ts";
import { DEFAULT_PLAN, type CreatePlan, type DelegatePlan } from "../plan.ts";
import { playConsumer, startPlay, type Played } from "../play.ts";

const lead = (epoch: string, acquisition = 1): ConsumerInput => ({
  kind: "leadership",
  change: "started",
  epoch,
  acquisition,
});
const lose: ConsumerInput = { kind: "leadership", change: "stopped" };
const raise = (epoch: string): ConsumerInput => ({ kind: "leadership", change: "epoch", epoch });

/** The outputs that tell the story, one short line each. */
function told(played: readonly Played[]): readonly string[] {
  return played.flatMap(({ t, output }) => {
    switch (output.kind) {
      case "phase":
        return [`${t} ${output.phase}`];
      case "exchange":
        return [`${t} exchange ${output.envelope} under "${output.epoch}"`];
      case "dropped":
        return [`${t} dropped ${output.envelopes.length} in ${output.where}: ${output.why}`];
      case "refused":
        return [`${t} refused ${output.envelope}: ${output.why}`];
      case "abort-exchange":
        return [`${t} abort-exchange ${output.envelope}`];
      case "finished":
        return [`${t} finished ${output.error === null ? "well" : output.error.message}`];
      case "work-stopped":
      case "leave-election":
      case "stop-returned":
        return [`${t} ${output.kind}`];
      case "note":
        return output.what === "aborted" || output.what === "cancel-seen" ? [`${t} ${output.what}`] : [];
      default:
        return [];
    }
  });
}

interface Row {
  readonly why: string;
  readonly plans?: readonly Partial<DelegatePlan>[];
  readonly creates?: readonly CreatePlan[];
  readonly config?: Partial<MasterConfig>;
  readonly processMs?: number;
  readonly inputs: readonly { readonly t: number; readonly input: ConsumerInput }[];
  readonly endMs: number;
  readonly told: readonly string[];
}

const start = { t: 0, input: { kind: "start" } as const };
const emits = { emitEveryMs: 100, emitCount: 2 };

const rows: readonly Row[] = [
  {
    why: "works under its epoch, and goes back to standby when leadership is lost",
    plans: [emits],
    inputs: [start, { t: 10, input: lead("7") }, { t: 500, input: lose }],
    endMs: 1000,
    told: [
      "0 standby",
      "10 starting",
      "10 active",
      '10 exchange 1 under "7"',
      '110 exchange 2 under "7"',
      "500 draining",
      "500 cancel-seen",
      "500 work-stopped",
      "500 standby",
    ],
  },
  {
    why: "says that work has stopped only after delegate, bridge and pipeline are through",
    plans: [{ emitCount: 1, burst: 3, lingerMs: 50 }],
    processMs: 100,
    inputs: [start, { t: 10, input: lead("7") }, { t: 20, input: lose }],
    endMs: 1000,
    told: [
      "0 standby",
      "10 starting",
      "10 active",
      '10 exchange 1 under "7"',
      "20 draining",
      "20 cancel-seen",
      '110 exchange 2 under "7"',
      '210 exchange 3 under "7"',
      "310 work-stopped",
      "310 standby",
    ],
  },
  {
    why: "bounds the whole of a stop by one drain timeout, and counts what it destroys",
    plans: [{ emitCount: 1, burst: 6, ignoreCancel: true }],
    config: { drainTimeoutMs: 100, bridgeCapacity: 1, pipelineCapacity: 2 },
    processMs: 1000,
    inputs: [start, { t: 10, input: lead("7") }, { t: 20, input: lose }],
    endMs: 2000,
    told: [
      "0 standby",
      "10 starting",
      "10 active",
      '10 exchange 1 under "7"',
      "20 draining",
      "120 aborted",
      "120 refused 6: aborted",
      "120 dropped 2 in bridge: drain-timeout",
      "120 dropped 2 in pipeline: drain-timeout",
      "120 abort-exchange 1",
      "120 work-stopped",
      "120 standby",
    ],
  },
  {
    why: "sees a loss during the backoff at once, and creates nothing any more",
    creates: ["io", "io", "ok"],
    config: { reconnect: { ...DEFAULT_MASTER.reconnect, initialDelayMs: 1000 } },
    inputs: [start, { t: 10, input: lead("7") }, { t: 500, input: lose }],
    endMs: 9000,
    told: ["0 standby", "10 starting", "10 starting", "500 work-stopped", "500 standby"],
  },
  {
    why: "waits as long as the policy says: 100, 200, 400 ms",
    creates: ["io", "io", "io", "ok"],
    inputs: [start, { t: 10, input: lead("7") }],
    endMs: 9000,
    told: [
      "0 standby",
      ...["10", "10", "110", "110", "310", "310", "710"].map((t) => `${t} starting`),
      "710 active",
    ],
  },
  {
    why: "fills the budget anew for each acquisition",
    creates: ["io", "io", "ok"],
    config: { reconnect: { ...DEFAULT_MASTER.reconnect, maxAttempts: 2, initialDelayMs: 1000 } },
    inputs: [start, { t: 0, input: lead("7") }, { t: 500, input: lose }, { t: 600, input: lead("8", 2) }],
    endMs: 2000,
    told: [
      "0 standby",
      "0 starting",
      "0 starting",
      "500 work-stopped",
      "500 standby",
      "600 starting",
      "600 starting",
      "1600 starting",
      "1600 active",
    ],
  },
  {
    why: "gives up with an error when the budget is used up, and leaves the election",
    creates: ["io"],
    config: { reconnect: { ...DEFAULT_MASTER.reconnect, maxAttempts: 2 } },
    inputs: [start, { t: 0, input: lead("7") }],
    endMs: 9000,
    told: [
      "0 standby",
      "0 starting",
      "0 starting",
      "100 starting",
      "100 leave-election",
      "100 failed",
      "100 finished scripted endpoint failure",
    ],
  },
  {
    why: "does not count failures that are far apart: after long work the budget is full",
    plans: [{ failMs: 20_000, failKind: "io" }],
    config: { reconnect: { ...DEFAULT_MASTER.reconnect, maxAttempts: 2 } },
    inputs: [start, { t: 0, input: lead("7") }],
    endMs: 62_000,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      ...[20_000, 40_100, 60_200].flatMap((t) => [
        `${t} draining`,
        `${t} starting`,
        `${t + 100} starting`,
        `${t + 100} active`,
      ]),
    ],
  },
  {
    why: "with retries off it tries once",
    creates: ["io", "ok"],
    config: { reconnect: { ...DEFAULT_MASTER.reconnect, enabled: false } },
    inputs: [start, { t: 0, input: lead("7") }],
    endMs: 9000,
    told: ["0 standby", "0 starting", "0 leave-election", "0 failed", "0 finished scripted endpoint failure"],
  },
  {
    why: "does not try again what can never work",
    plans: [{ startError: "permanent", startMs: 30 }],
    inputs: [start, { t: 0, input: lead("7") }],
    endMs: 9000,
    told: [
      "0 standby",
      "0 starting",
      "30 draining",
      "30 leave-election",
      "30 failed",
      "30 finished scripted start failure",
    ],
  },
  {
    why: "takes a clean end for what it is: the work is done until the next acquisition",
    plans: [{ ...emits, endWhenDone: true }],
    inputs: [start, { t: 0, input: lead("7") }, { t: 1000, input: lose }, { t: 1100, input: lead("8", 2) }],
    endMs: 5000,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      '100 exchange 2 under "7"',
      "100 draining",
      "100 standby",
      "1000 work-stopped",
      "1000 standby",
      "1100 starting",
      "1100 active",
      '1100 exchange 3 under "8"',
      '1200 exchange 4 under "8"',
      "1200 draining",
      "1200 standby",
    ],
  },
  {
    why: "an error while it is stopped ends nothing: the node can lead again",
    plans: [{ cancelError: "permanent" }, emits],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lose }, { t: 60, input: lead("8", 2) }],
    endMs: 100,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      "50 draining",
      "50 cancel-seen",
      "50 work-stopped",
      "50 standby",
      "60 starting",
      "60 active",
      '60 exchange 1 under "8"',
    ],
  },
  {
    why: "a raised epoch gives a new bridge at once, and the old envelopes keep their stamp",
    plans: [{ emitCount: 1, burst: 2 }],
    processMs: 100,
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: raise("9") }],
    endMs: 350,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      "50 draining",
      "50 cancel-seen",
      "50 starting",
      "50 active",
      '100 exchange 2 under "7"',
      '200 exchange 3 under "9"',
      '300 exchange 4 under "9"',
    ],
  },
  {
    why: "hears nothing new in the same leadership told twice",
    plans: [emits],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lead("7") }],
    endMs: 200,
    told: ["0 standby", "0 starting", "0 active", '0 exchange 1 under "7"', '100 exchange 2 under "7"'],
  },
  {
    why: "lost and won again at one instant is lost and won again, even under the same epoch",
    plans: [emits],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lose }, { t: 50, input: lead("7", 2) }],
    endMs: 100,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      "50 draining",
      "50 cancel-seen",
      "50 work-stopped",
      "50 standby",
      "50 starting",
      "50 active",
      '50 exchange 2 under "7"',
    ],
  },
  {
    why: "won again while it still drains: the old work ends first, and is reported, then the new work starts",
    plans: [{ lingerMs: 500 }, emits],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lose }, { t: 60, input: lead("8", 2) }],
    endMs: 600,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      "50 draining",
      "50 cancel-seen",
      "550 work-stopped",
      "550 starting",
      "550 active",
      '550 exchange 1 under "8"',
    ],
  },
  {
    why: "drains background work like any other",
    plans: [{ style: "background", lingerMs: 200 }],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lose }],
    endMs: 600,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      "50 draining",
      "50 cancel-seen",
      "250 work-stopped",
      "250 standby",
    ],
  },
  {
    why: "watches work that was not handed over by its sender, and does not start it again and again",
    plans: [{ style: "detached", ...emits }],
    inputs: [start, { t: 0, input: lead("7") }, { t: 500, input: lose }],
    endMs: 600,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      '100 exchange 2 under "7"',
      "500 draining",
      "500 cancel-seen",
      "500 work-stopped",
      "500 standby",
    ],
  },
  {
    why: "stamps nothing where there is no epoch",
    plans: [{ emitCount: 1 }],
    inputs: [start, { t: 0, input: lead("") }],
    endMs: 100,
    told: ["0 standby", "0 starting", "0 active", '0 exchange 1 under ""'],
  },
  {
    why: "a cancelled route leaves its bridge at once; the election is left after the work in hand",
    plans: [{ emitCount: 1, burst: 4, lingerMs: 20, flush: 1 }],
    config: { pipelineCapacity: 1 },
    processMs: 100,
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: { kind: "cancel-route" } }],
    endMs: 1000,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      "50 dropped 2 in bridge: route-cancelled",
      "50 draining",
      "50 cancel-seen",
      "70 refused 5: closed",
      '100 exchange 2 under "7"',
      "200 leave-election",
      "200 finished",
      "200 finished well",
    ],
  },
  {
    why: "a stop drains everything before the election is left",
    plans: [{ emitCount: 1, burst: 2, lingerMs: 20, flush: 1 }],
    processMs: 100,
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: { kind: "stop" } }],
    endMs: 1000,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      "50 draining",
      "50 cancel-seen",
      '100 exchange 2 under "7"',
      '200 exchange 3 under "7"',
      "300 leave-election",
      "300 finished",
      "300 finished well",
      "300 stop-returned",
    ],
  },
  {
    why: "the elector's own limit ends everything by force",
    plans: [{ emitCount: 1, burst: 2, ignoreCancel: true }],
    processMs: 1000,
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: lose }, { t: 90, input: { kind: "abort" } }],
    endMs: 2000,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      '0 exchange 1 under "7"',
      "50 draining",
      "90 aborted",
      "90 dropped 1 in pipeline: aborted",
      "90 abort-exchange 1",
      "90 work-stopped",
      "90 standby",
    ],
  },
  {
    why: "answers a loss that it never heard the beginning of",
    inputs: [start, { t: 50, input: lose }],
    endMs: 100,
    told: ["0 standby", "50 work-stopped"],
  },
  {
    why: "an election that is gone ends the consumer with an error, after its work has stopped",
    plans: [{ lingerMs: 30 }],
    inputs: [start, { t: 0, input: lead("7") }, { t: 50, input: { kind: "leadership", change: "closed" } }],
    endMs: 200,
    told: [
      "0 standby",
      "0 starting",
      "0 active",
      "50 draining",
      "50 cancel-seen",
      "80 work-stopped",
      "80 leave-election",
      "80 failed",
      "80 finished nothing more will be heard of the election",
    ],
  },
];

describe("the epoch-lab consumer", () => {
  for (const row of rows)
    it(row.why, () => {
      const config = { ...DEFAULT_MASTER, ...row.config };
      const plans = (row.plans ?? []).map((plan) => ({ ...DEFAULT_PLAN, ...plan }));
      const play = startPlay(config, { creates: row.creates ?? [], plans }, row.processMs ?? 0);
      const [, played] = playConsumer(play, row.inputs, row.endMs);
      expect(told(played)).toEqual(row.told);
    });
});

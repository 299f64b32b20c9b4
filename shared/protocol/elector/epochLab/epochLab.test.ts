// What the shared rows do not ask: validation with its numbers, and calls that are bounded whatever the server answers.
import { describe, expect, it } from "vitest";
import { sentence } from "../../../base/result.ts";
import { emptyStore, serveLease } from "../../lease/register.ts";
import type { ElectorConfig, ElectorInput, ElectorOutput } from "../contract.ts";
import { createEpochLab, stepEpochLab } from "./epochLab.ts";
import { safetyMarginMs, validateEpochLab } from "./validate.ts";

const config: ElectorConfig = {
  profile: "epoch-lab",
  lock: "orders",
  identity: "a-1",
  processId: "a-1",
  timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 },
  release: true,
  stampTerm: true,
  jitter: [],
  drainTimeoutMs: 2000,
  clockRateBound: 1.05,
};

const refused: readonly {
  readonly why: string;
  readonly change: Partial<ElectorConfig>;
  readonly says: RegExp;
}[] = [
  {
    why: "a lease that is no whole number of seconds",
    change: { timings: { ...config.timings, leaseDurationMs: 15_500 } },
    says: /whole number of seconds.*15500 ms.*Use 16000 ms/,
  },
  {
    why: "a deadline that one failed attempt uses up",
    change: { timings: { ...config.timings, retryPeriodMs: 6000 } },
    says: /2 x retryPeriod <= renewDeadline.*12000 ms > 10000 ms/,
  },
  {
    why: "a drain that outlasts the lease",
    change: { drainTimeoutMs: 5000 },
    says: /clockRateBound x \(renewDeadline \+ drainTimeout\) < leaseDuration.*15750 ms >= 15000 ms.*16000 ms/,
  },
  {
    why: "clocks further apart than the margin bears",
    change: { clockRateBound: 1.25 },
    says: /1.25 x \(10000 \+ 2000\) ms = 15000 ms >= 15000 ms/,
  },
];

describe("epoch-lab refuses", () => {
  for (const row of refused)
    it(row.why, () => {
      expect(
        validateEpochLab({ ...config, ...row.change })
          .map(sentence)
          .join(" "),
      ).toMatch(row.says);
    });

  it("nothing of its defaults, and states their margin", () => {
    expect(validateEpochLab(config)).toEqual([]);
    expect(safetyMarginMs(config)).toBe(2400);
  });
});

/** Runs an elector alone against a register that refuses every update with a code, for a minute. */
function runAgainst(
  code: number,
  reason: "Conflict" | "InternalError",
): { readonly calls: number; readonly stoppedAtMs: number | null } {
  let elector = createEpochLab(config);
  let store = emptyStore;
  let now = 0;
  let calls = 0;
  let stoppedAtMs: number | null = null;
  const timers = new Map<string, number>();
  const feed = (input: ElectorInput): void => {
    const [next, outputs] = stepEpochLab(elector, input);
    elector = next;
    for (const output of outputs) perform(output);
  };
  const at = () => ({ monotonicMs: now, wallMs: now });
  const perform = (output: ElectorOutput): void => {
    switch (output.kind) {
      case "set-timer":
        timers.set(output.timer, output.dueMs);
        return;
      case "clear-timer":
        timers.delete(output.timer);
        return;
      case "stop-work":
        stoppedAtMs ??= now;
        return feed({ kind: "work-stopped", at: at() });
      case "call": {
        calls += 1;
        if (calls > 500) throw new Error("the elector calls without end");
        if (output.request.verb === "update")
          return feed({
            kind: "answer",
            call: output.call,
            at: at(),
            result: { kind: "refused", code, reason, message: "" },
          });
        const [next, outcome] = serveLease(store, output.request);
        store = next;
        return feed({ kind: "answer", call: output.call, at: at(), result: outcome });
      }
      default:
        return;
    }
  };
  feed({ kind: "start", at: at() });
  while (now < 60_000) {
    const [timer, dueMs] = [...timers].toSorted((left, right) => left[1] - right[1])[0] ?? ["", 60_000];
    now = Math.max(now, dueMs);
    timers.delete(timer);
    if (now < 60_000) feed({ kind: "timer", timer, at: at() });
  }
  return { calls, stoppedAtMs };
}

describe("epoch-lab's calls are bounded", () => {
  it("when every renewal conflicts though the Lease is its own: it steps down at its deadline", () => {
    const { calls, stoppedAtMs } = runAgainst(409, "Conflict");
    expect(stoppedAtMs).toBe(10_000);
    expect(calls).toBeLessThan(150);
  });

  it("when every renewal fails: one attempt in a retry period, then it steps down", () => {
    const { calls, stoppedAtMs } = runAgainst(500, "InternalError");
    expect(stoppedAtMs).toBe(10_000);
    expect(calls).toBeLessThan(80);
  });
});

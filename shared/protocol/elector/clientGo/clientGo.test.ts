// What the rows of ../rows and the transcripts under e2e/oracle do not reach: inputs out of turn, terms, and the key.
import { describe, expect, it } from "vitest";
import { TERM_ANNOTATION, type Lease } from "../../lease/lease.ts";
import type { ElectorConfig, ElectorInput, ElectorOutput } from "../contract.ts";
import { createClientGo, stepClientGo, type ClientGoElector } from "./clientGo.ts";
import { encodeClientGo } from "./encode.ts";

const config: ElectorConfig = {
  profile: "client-go",
  lock: "lock",
  identity: "a",
  processId: "a-1",
  timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 },
  release: false,
  stampTerm: false,
  jitter: [],
  drainTimeoutMs: 2000,
  clockRateBound: 1.05,
};

const instant = (ms: number) => ({ monotonicMs: ms, wallMs: ms });

const lease = (holderIdentity: string, version: string, annotations: Lease["annotations"] = {}): Lease => ({
  name: "lock",
  uid: "1",
  resourceVersion: version,
  annotations,
  labels: {},
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: 0,
    renewTime: 0,
    leaseTransitions: 3,
  },
});

const start = (ms: number): ElectorInput => ({ kind: "start", at: instant(ms) });
const cancel = (ms: number): ElectorInput => ({ kind: "cancel", at: instant(ms) });
const timer = (name: string, ms: number): ElectorInput => ({ kind: "timer", timer: name, at: instant(ms) });
const answered = (call: number, value: Lease, ms: number): ElectorInput => ({
  kind: "answer",
  call,
  result: { kind: "ok", code: 200, lease: value, changed: true },
  at: instant(ms),
});
const refused = (call: number, code: number, ms: number): ElectorInput => ({
  kind: "answer",
  call,
  result: { kind: "refused", code, reason: "Conflict", message: "" },
  at: instant(ms),
});

function drive(
  inputs: readonly ElectorInput[],
  settings: Partial<ElectorConfig> = {},
): readonly [ClientGoElector, readonly ElectorOutput[]] {
  return inputs.reduce<readonly [ClientGoElector, readonly ElectorOutput[]]>(
    ([elector], input) => stepClientGo(elector, input),
    [createClientGo({ ...config, ...settings }), []],
  );
}

const leading: readonly ElectorInput[] = [
  start(0),
  answered(1, lease("", "5"), 10),
  answered(2, lease("a", "6"), 20),
];

interface Row {
  readonly why: string;
  readonly inputs: readonly ElectorInput[];
  readonly settings?: Partial<ElectorConfig>;
  /** The kinds of what the last input put out. */
  readonly outputs: readonly ElectorOutput["kind"][];
  readonly kind: ClientGoElector["kind"];
}

const rows: readonly Row[] = [
  {
    why: "cancelled before its start, it makes no attempt",
    inputs: [cancel(0), start(5)],
    outputs: ["stopped-leading", "ended"],
    kind: "ended",
  },
  {
    why: "a second start is ignored",
    inputs: [start(0), start(5)],
    outputs: [],
    kind: "acquiring",
  },
  {
    why: "the answer to a call that is not open is ignored",
    inputs: [...leading, answered(2, lease("rival", "9"), 30)],
    outputs: [],
    kind: "resting",
  },
  {
    why: "a timer of another place is ignored",
    inputs: [...leading, timer("tick", 30)],
    outputs: [],
    kind: "resting",
  },
  {
    why: "what happens to the work is nothing to it",
    inputs: [...leading, { kind: "work-stopped", at: instant(30) }],
    outputs: [],
    kind: "resting",
  },
  {
    why: "a refusal as stale is unknown to it",
    inputs: [...leading, { kind: "refused-as-stale", mark: "9", at: instant(30) }],
    outputs: [],
    kind: "resting",
  },
  {
    why: "winning reports, starts, and asks to renew at once",
    inputs: leading,
    outputs: ["new-leader", "started-leading", "set-timer"],
    kind: "resting",
  },
  {
    why: "cancelled while it releases after a deadline, it cancels its work at once and goes on releasing",
    inputs: [...leading, timer("renew", 20), timer("deadline", 10_020), cancel(10_030)],
    settings: { release: true },
    outputs: ["stop-work"],
    kind: "releasing",
  },
  {
    why: "its work is not cancelled a second time when the release is over",
    inputs: [
      ...leading,
      timer("renew", 20),
      timer("deadline", 10_020),
      cancel(10_030),
      timer("release", 20_020),
    ],
    settings: { release: true },
    outputs: ["give-up", "stopped-leading", "ended"],
    kind: "ended",
  },
  {
    why: "after a create that failed there is no Lease to write on: the next attempt reads first",
    inputs: [
      ...leading,
      timer("renew", 20),
      refused(3, 409, 30),
      refused(4, 404, 40),
      refused(5, 409, 50),
      timer("tick", 2020),
    ],
    outputs: ["call"],
    kind: "renewing",
  },
  {
    why: "a cancelled fast write is followed by a read that is given up at once",
    inputs: [...leading, timer("renew", 20), cancel(30)],
    outputs: [
      "stop-work",
      "give-up",
      "call",
      "give-up",
      "clear-timer",
      "clear-timer",
      "stopped-leading",
      "ended",
    ],
    kind: "ended",
  },
];

describe("the client-go machine", () => {
  for (const { why, inputs, settings, outputs, kind } of rows)
    it(why, () => {
      const [elector, out] = drive(inputs, settings);
      expect(out.map((output) => output.kind)).toEqual(outputs);
      expect(elector.kind).toBe(kind);
    });
});

interface TermRow {
  readonly why: string;
  readonly stored: Lease["annotations"];
  readonly written: string;
}

const terms: readonly TermRow[] = [
  { why: "a missing term counts as 0", stored: {}, written: "1" },
  { why: "a malformed term counts as 0", stored: { [TERM_ANNOTATION]: "seven" }, written: "1" },
  { why: "the next one", stored: { [TERM_ANNOTATION]: "9" }, written: "10" },
  {
    why: "of any size",
    stored: { [TERM_ANNOTATION]: "99999999999999999999999" },
    written: "100000000000000000000000",
  },
];

describe("a stamping lock's term", () => {
  for (const { why, stored, written } of terms)
    it(why, () => {
      const annotations = { ...stored, other: "kept" };
      const [, out] = drive([start(0), answered(1, lease("", "5", annotations), 10)], { stampTerm: true });
      const [call] = out;
      if (call?.kind !== "call" || call.request.verb !== "update") throw new Error("It did not write");
      expect(call.request.body.annotations).toEqual({ other: "kept", [TERM_ANNOTATION]: written });
    });

  it("is left alone by a lock that does not stamp", () => {
    const [, out] = drive([start(0), answered(1, lease("", "5", { [TERM_ANNOTATION]: "9" }), 10)]);
    const [call] = out;
    if (call?.kind !== "call" || call.request.verb !== "update") throw new Error("It did not write");
    expect(call.request.body.annotations).toEqual({ [TERM_ANNOTATION]: "9" });
  });
});

function keyOf(elector: ClientGoElector, nowMs: number, stored?: Lease | null): string {
  const parts: (number | string)[] = [];
  encodeClientGo(elector, (part) => parts.push(part), nowMs, stored);
  return parts.join(" ");
}

/** A whole life as a leader, from an instant on; the key after each input. */
function keysOf(fromMs: number): readonly string[] {
  const inputs: readonly ElectorInput[] = [
    start(fromMs),
    answered(1, stampedAt(fromMs, "", "5"), fromMs + 10),
    answered(2, stampedAt(fromMs, "a", "6"), fromMs + 20),
    timer("renew", fromMs + 20),
    refused(3, 500, fromMs + 40),
    refused(4, 500, fromMs + 60),
    timer("tick", fromMs + 2020),
    timer("deadline", fromMs + 10_020),
    answered(7, stampedAt(fromMs, "a", "6"), fromMs + 10_050),
  ];
  const keys: string[] = [];
  let elector = createClientGo({ ...config, release: true });
  for (const input of inputs) {
    [elector] = stepClientGo(elector, input);
    keys.push(keyOf(elector, input.at.monotonicMs));
  }
  return keys;
}

function stampedAt(ms: number, holder: string, version: string): Lease {
  const stored = lease(holder, version);
  return { ...stored, spec: { ...stored.spec, acquireTime: ms * 1000, renewTime: ms * 1000 } };
}

describe("the key of a client-go elector", () => {
  it("does not depend on when a life began", () => {
    expect(keysOf(3_600_000)).toEqual(keysOf(0));
  });

  it("tells every step of a life from the others", () => {
    const keys = keysOf(0);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("tells a copy that is current from one that is stale", () => {
    const [elector] = drive(leading);
    expect(keyOf(elector, 20, lease("a", "6"))).not.toBe(keyOf(elector, 20, lease("a", "7")));
  });

  it("with the stored Lease at hand does not grow with its versions", () => {
    const [before] = drive(leading);
    const [after] = drive([...leading.slice(0, 2), answered(2, lease("a", "106"), 20)]);
    expect(keyOf(after, 20, lease("a", "106"))).toBe(keyOf(before, 20, lease("a", "6")));
  });

  it("forgets how long ago an observed record expired, but not how long it is still valid", () => {
    const [elector] = drive([start(0), answered(1, lease("rival", "5"), 10)]);
    if (elector.kind !== "waiting") throw new Error("It does not wait");
    const waitingAt = (ms: number): string => keyOf({ ...elector, raw: null, retryMs: ms + 500 }, ms, null);
    expect(waitingAt(30_000)).toBe(waitingAt(20_000));
    expect(waitingAt(4000)).not.toBe(waitingAt(5000));
  });
});

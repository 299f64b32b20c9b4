// Driving a branch: one call at a time, everything recorded in the server's order, nothing sent twice.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyStore, findLease, serveLease } from "../../shared/protocol/lease/register.ts";
import type { Lease, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import type { LeadershipAction } from "../../shared/systems/leadership/action.ts";
import { asScript } from "../../shared/systems/leadership/onServer.ts";
import { lineOf, MAIN_BRANCH } from "../../shared/trace/recording.ts";
import type { Answer } from "../http.ts";
import { setDriver } from "../state/driver.ts";
import { act, change, goTo, hereOf, initialChoice, step, toEnd, undo, useLab } from "../state/store.ts";
import type { CallOrder, ClusterApi, RunListener, ServedCall } from "./api.ts";
import { drive, type Driving } from "./drive.ts";
import { outcomesOf } from "./outcomes.ts";
import { useCluster } from "./store.ts";

const BRANCH = "b1";
const IDENTITY = { context: "fake", server: "https://server", namespace: "tests" };

interface Bench {
  readonly driving: Driving;
  /** The calls that reached the server, as `verb number`. */
  readonly calls: readonly string[];
  readonly ends: readonly string[];
  /** Somebody else writes; `told`: the watch says so at once. */
  write(change: (lease: Lease) => Lease, told: boolean): void;
  /** The next calls of the page get no answer from the lab's own server, though it may have made them. */
  loseAnswers(count: number): void;
  /** The next call is refused by the lab's server. */
  refuseNext(status: number, detail: string): void;
  /** From now on calls wait until they are let go. */
  hold(): void;
  letGo(): void;
  settled(): Promise<void>;
}

let bench: Bench;

function createBench(): Bench {
  let store = emptyStore;
  const calls: string[] = [];
  const ends: string[] = [];
  const made = new Map<number, ServedCall>();
  let listener: RunListener | null = null;
  let foreign: ServedCall["foreign"] = [];
  let lost = 0;
  let refusal: Answer<never> | null = null;
  let waiting: Promise<void> | null = null;
  let release: (() => void) | null = null;
  let index = 0;
  const lock = "orders";

  function make({ call, after }: CallOrder, request: LeaseRequest): ServedCall {
    const before = made.get(call);
    if (before !== undefined) return before;
    calls.push(`${request.verb} ${call}`);
    const [next, outcome] = serveLease(store, request);
    store = next;
    const answered = {
      served: {
        kind: "answered" as const,
        sentAtMs: call * 10,
        doneAtMs: call * 10 + 1,
        code: outcome.code,
        reason: outcome.kind === "refused" ? outcome.reason : null,
        message: outcome.kind === "refused" ? outcome.message : "",
        lease: outcome.kind === "ok" ? outcome.lease : null,
      },
      exchange: { method: "GET", path: "", request: null, status: outcome.code, answer: null },
      foreign: foreign.filter((write) => write.index > after),
    } as ServedCall;
    made.set(call, answered);
    return answered;
  }
  async function answer<T>(work: () => T): Promise<Answer<T>> {
    await waiting;
    if (refusal !== null) {
      const refused = refusal;
      refusal = null;
      return refused;
    }
    const value = work();
    if (lost === 0) return { ok: true, value };
    lost -= 1;
    return failure(0, "no answer");
  }
  const unused = (): never => {
    throw new Error("not called while driving");
  };
  const api: ClusterApi = {
    state: unused,
    check: unused,
    leftovers: unused,
    deleteLeftovers: unused,
    open: unused,
    close: unused,
    closeOnLeaving: unused,
    serve: (_run, order, request) => answer(() => make(order, request)),
    edit: (_run, order) =>
      answer(() => {
        const { served } = make(order, { verb: "delete", name: lock });
        return { lease: served.kind === "answered" ? served.lease : null, foreign: [] };
      }),
    lease: () => Promise.resolve({ ok: true, value: { manifest: null } }),
    listen(_run, told) {
      listener = told;
      return () => (listener = null);
    },
  };
  const driving = drive({
    api,
    run: { id: "r", branch: BRANCH, script: useCluster.getState().run?.script ?? [] },
    onEnd: (why) => ends.push(why),
    onReset: () => ends.push("reset"),
    pauseMs: () => Promise.resolve(),
  });
  return {
    driving,
    calls,
    ends,
    write(edit, told) {
      const lease = findLease(store, lock);
      if (lease === null) throw new Error("there is a Lease");
      const [next] = serveLease(store, { verb: "update", name: lock, body: edit(lease) });
      store = next;
      index += 1;
      const write = { index, lease: findLease(store, lock), whose: "other" } as ServedCall["foreign"][number];
      foreign = [...foreign, write];
      if (told) listener?.foreign(write);
    },
    loseAnswers: (count) => void (lost = count),
    refuseNext: (status, detail) => void (refusal = failure(status, detail)),
    hold() {
      waiting = new Promise((resolve) => (release = resolve));
    },
    letGo() {
      release?.();
      waiting = null;
    },
    async settled() {
      for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
    },
  };
}

const failure = (status: number, detail: string): Answer<never> => ({
  ok: false,
  status,
  type: "",
  detail,
  problems: [],
});

/** The line of the cluster run. */
const line = (): readonly LeadershipAction[] =>
  lineOf(useLab.getState().recording, BRANCH) as readonly LeadershipAction[];
const kinds = (): readonly string[] => hereOf(useLab.getState()).run.events.map(({ kind }) => kind);

beforeEach(() => {
  useLab.setState(initialChoice(), true);
  const script = asScript(lineOf(useLab.getState().recording, MAIN_BRANCH) as readonly LeadershipAction[]);
  change(
    {
      kind: "fork",
      branch: { id: BRANCH, name: "on the cluster", parent: MAIN_BRANCH, forkAt: 0, actions: [] },
    },
    0,
    BRANCH,
  );
  useCluster.setState({
    run: {
      id: "r",
      lease: "epoch-lab-r-orders",
      identity: IDENTITY,
      branch: BRANCH,
      script,
      at: 0,
      calling: null,
      manifest: undefined,
      replay: null,
    },
  });
  bench = createBench();
  setDriver(bench.driving);
});
afterEach(() => {
  bench.driving.stop();
  setDriver(null);
  useCluster.setState({ run: null });
});

/** Steps until so many calls were made. */
async function stepToCalls(count: number): Promise<void> {
  for (let turn = 0; turn < 200 && bench.calls.length < count; turn += 1) {
    step();
    await bench.settled();
  }
  expect(bench.calls).toHaveLength(count);
}

describe("a step on the cluster", () => {
  it("performs the request that it serves, and records what came of it", async () => {
    await stepToCalls(2);
    expect(bench.calls).toEqual(["get 1", "create 2"]);
    const served = line().filter((action) => action.kind === "deliver" && action.served !== undefined);
    expect(served).toHaveLength(2);
    expect(kinds()).not.toContain("model-diverged");
    expect(useLab.getState().moment).toEqual({ branch: BRANCH, cursor: line().length });
  });

  it("is not sent twice while it is out, and the page goes on", async () => {
    bench.hold();
    step();
    step();
    await bench.settled();
    expect(step()).toBe(true);
    while (useCluster.getState().run?.calling === null) {
      step();
      await bench.settled();
    }
    const before = line().length;
    step();
    expect(act([{ kind: "pause", node: "a" } as LeadershipAction], "pause a")).toBe(false);
    expect(useLab.getState().notice?.text).toMatch(/One thing at a time/);
    goTo(0);
    bench.letGo();
    await bench.settled();
    expect(bench.calls).toEqual(["get 1"]);
    expect(line().length).toBe(before + 1);
    // Whoever has gone elsewhere meanwhile is left there.
    expect(useLab.getState().moment.cursor).toBe(0);
  });

  it("follows its script, and says where it cannot", async () => {
    await stepToCalls(3);
    const { run } = useCluster.getState();
    expect(run?.at).toBe(line().length);
    expect(act([{ kind: "crash", node: "a" } as LeadershipAction], "crash a")).toBe(true);
    await bench.settled();
    for (let turn = 0; turn < 30 && useCluster.getState().run?.at !== null; turn += 1) {
      step();
      await bench.settled();
    }
    expect(useCluster.getState().run?.at).toBeNull();
    expect(bench.ends).toEqual([]);
  });
});

describe("what others write", () => {
  const edit = (lease: Lease): Lease => ({ ...lease, annotations: {} });

  it("is recorded when the watch tells it, and the run goes on from it", async () => {
    await stepToCalls(2);
    bench.write(edit, true);
    expect(line().at(-1)).toMatchObject({ kind: "foreign-write", lease: { annotations: {} } });
    expect(useLab.getState().notice?.text).toMatch(/Somebody else writes the Lease.*leader-term: 1 → absent/);
    await stepToCalls(3);
    expect(kinds()).not.toContain("model-diverged");
  });

  it("is recorded before the call that it came before, once", async () => {
    await stepToCalls(2);
    bench.write(edit, false);
    await stepToCalls(4);
    const writes = line().flatMap(({ kind }, index) => (kind === "foreign-write" ? [index] : []));
    expect(writes).toHaveLength(1);
    expect(line()[(writes[0] ?? 0) + 1]).toMatchObject({ kind: "deliver", served: { kind: "answered" } });
    expect(kinds()).not.toContain("model-diverged");
  });

  it("waits while a call is out", async () => {
    await stepToCalls(2);
    bench.hold();
    for (let turn = 0; turn < 20 && useCluster.getState().run?.calling === null; turn += 1) {
      step();
      await bench.settled();
    }
    const before = line().length;
    bench.write(edit, true);
    expect(line().length).toBe(before);
    bench.letGo();
    await bench.settled();
    expect(line().filter(({ kind }) => kind === "foreign-write")).toHaveLength(1);
  });
});

describe("trouble", () => {
  it("of the lab's own server: the call is sent again under its number, and made once", async () => {
    await stepToCalls(1);
    bench.loseAnswers(2);
    await stepToCalls(2);
    expect(bench.calls).toEqual(["get 1", "create 2"]);
    expect(kinds()).not.toContain("model-diverged");
    expect(bench.ends).toEqual([]);
  });

  it("that lasts ends the run, since what became of the call is not known", async () => {
    bench.loseAnswers(20);
    for (let turn = 0; turn < 20 && bench.ends.length === 0; turn += 1) {
      step();
      await bench.settled();
    }
    expect(bench.ends[0]).toMatch(/whether its last request was made is not known/);
  });

  it("of the cluster is said, and nothing is recorded", async () => {
    bench.refuseNext(502, "The cluster could not be used.");
    const before = bench.calls.length;
    for (let turn = 0; turn < 20 && useLab.getState().notice === null; turn += 1) {
      step();
      await bench.settled();
    }
    expect(useLab.getState().notice).toEqual({ kind: "error", text: "The cluster could not be used." });
    expect(bench.calls.length).toBe(before);
    await stepToCalls(1);
  });

  it("of a run that the server does not know ends it", async () => {
    bench.refuseNext(404, "No such run.");
    for (let turn = 0; turn < 20 && bench.ends.length === 0; turn += 1) {
      step();
      await bench.settled();
    }
    expect(bench.ends).toEqual(["No such run."]);
  });

  it("of another recording in its place ends it without a word", () => {
    useLab.setState(initialChoice());
    expect(bench.ends).toEqual([""]);
  });
});

describe("the past of a run on the cluster", () => {
  it("forks in memory, named so", async () => {
    await stepToCalls(3);
    const before = bench.calls.length;
    goTo(3);
    act([{ kind: "cancel", node: "a" } as LeadershipAction], "ask a to stop");
    step();
    await bench.settled();
    const { recording, moment } = useLab.getState();
    expect(recording.branches.at(-1)?.name).toBe("what if, in memory: ask a to stop");
    expect(moment.branch).not.toBe(BRANCH);
    expect(bench.calls.length).toBe(before);
  });

  it("cannot be undone", async () => {
    await stepToCalls(2);
    goTo(3);
    act([{ kind: "cancel", node: "a" } as LeadershipAction], "ask a to stop");
    useLab.setState({ moment: { branch: BRANCH, cursor: 0 } });
    toEnd();
    await stepToCalls(3);
    const { length } = line();
    undo();
    expect(line().length).toBe(length);
    expect(bench.ends).toEqual([]);
  });

  it("goes on in memory in a fork once the run is over", async () => {
    await stepToCalls(2);
    const { length } = line();
    bench.driving.stop();
    setDriver(null);
    expect(step()).toBe(true);
    expect(line().length).toBe(length);
    expect(useLab.getState().recording.branches.at(-1)?.name).toBe("what if, in memory: it goes on");
  });
});

describe("a replay", () => {
  it("plays the script to its end and finds every answer as recorded", async () => {
    const recorded = outcomesOf(
      hereOf({ recording: useLab.getState().recording, moment: { branch: MAIN_BRANCH, cursor: 0 } }).run
        .events,
    );
    bench.driving.replay("as scripted", recorded);
    for (let turn = 0; turn < 100 && useCluster.getState().run?.replay?.state !== "done"; turn += 1)
      await bench.settled();
    expect(useCluster.getState().run?.replay).toEqual({
      of: "as scripted",
      state: "done",
      compared: recorded.length,
      total: recorded.length,
      first: null,
    });
  });

  it("tells the first answer that differs", async () => {
    const recorded = outcomesOf(
      hereOf({ recording: useLab.getState().recording, moment: { branch: MAIN_BRANCH, cursor: 0 } }).run
        .events,
    ).map((outcome, number) => (number === 3 ? { ...outcome, says: "500 InternalError" } : outcome));
    bench.driving.replay("as scripted", recorded);
    for (let turn = 0; turn < 100 && useCluster.getState().run?.replay?.state !== "done"; turn += 1)
      await bench.settled();
    const replay = useCluster.getState().run?.replay;
    expect(replay?.first).toMatchObject({ number: 4, what: expect.stringContaining("500 InternalError") });
    expect(replay?.compared).toBe(recorded.length);
  });
});

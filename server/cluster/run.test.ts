// A run on a fake API server: what it may touch, whose write is whose and in which order, and what it leaves behind.
import { describe, expect, it, vi } from "vitest";
import type { Lease, LeaseBody, LeaseRequest } from "../../shared/protocol/lease/lease.ts";
import { fakeServer, onlyLease, type FakeServer } from "../fixture/cluster.ts";
import type { ClusterRun, ForeignWrite } from "./run.ts";
import { createRuns, IDLE_MAX_MS, RUNS_MAX, type ClusterRuns } from "./runs.ts";

const LOCK = "orders";
const body = (holder: string, change: Partial<LeaseBody> = {}): LeaseBody => ({
  name: LOCK,
  annotations: { "camel.io/leader-term": "1" },
  labels: {},
  spec: { holderIdentity: holder, leaseDurationSeconds: 15 },
  ...change,
});
const get: LeaseRequest = { verb: "get", name: LOCK };
const create = (holder = "a"): LeaseRequest => ({ verb: "create", body: body(holder) });
const update = (lease: Lease, holder: string): LeaseRequest => ({
  verb: "update",
  name: LOCK,
  body: body(holder, { uid: lease.uid, resourceVersion: lease.resourceVersion }),
});

interface Bench {
  readonly server: FakeServer;
  readonly runs: ClusterRuns;
  readonly run: ClusterRun;
  readonly told: ForeignWrite[];
  /** What was told about the run's end. */
  readonly ends: unknown[];
  tick(byMs: number): void;
}

async function openRun(): Promise<Bench> {
  let clock = 1000;
  const server = fakeServer();
  const runs = createRuns(server.connection, () => (clock += 1));
  const run = await runs.open(LOCK);
  const told: ForeignWrite[] = [];
  const ends: unknown[] = [];
  run.listen({ foreign: (write) => told.push(write), closed: (why) => ends.push(why) }, 0);
  await server.settled();
  return { server, runs, run, told, ends, tick: (byMs) => void (clock += byMs) };
}

async function served(run: ClusterRun, request: LeaseRequest, after = 0) {
  const { served: outcome, foreign } = await run.serve(request, after);
  if (outcome.kind !== "answered") throw new Error("an answer came");
  return { ...outcome, foreign };
}

async function created({ run }: Bench): Promise<Lease> {
  const { lease } = await served(run, create());
  if (lease === null) throw new Error("the Lease is there");
  return lease;
}

describe("a run's own Lease", () => {
  it("has the prefix and the label there, and the run's own name and no label in the run", async () => {
    const bench = await openRun();
    const lease = await created(bench);
    const real = onlyLease(bench.server);
    expect(real.name).toBe(`epoch-lab-${bench.run.id}-${LOCK}`);
    expect(real.labels).toEqual({
      "app.kubernetes.io/managed-by": "epoch-lab",
      "epoch-lab/run": bench.run.id,
    });
    expect(lease).toMatchObject({ name: LOCK, labels: {}, uid: real.uid });
  });

  it("is shown as it went over the wire, under its real name", async () => {
    const { run } = await openRun();
    const { exchange } = await run.serve(create(), 0);
    expect(exchange).toMatchObject({
      method: "POST",
      status: 201,
      request: { metadata: { name: run.lease.name } },
      answer: { kind: "Lease", metadata: { name: run.lease.name } },
    });
  });

  it("takes one call per request", async () => {
    const bench = await openRun();
    const lease = await created(bench);
    const before = bench.server.calls.length;
    await served(bench.run, update(lease, "b"));
    expect(bench.server.calls.slice(before)).toEqual([`PUT ${bench.run.lease.name}`]);
  });

  it("is deleted when the run is closed, and nothing of others is", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.create({ metadata: { name: "kube-controller-manager" } });
    await bench.run.close();
    expect(bench.server.names()).toEqual(["kube-controller-manager"]);
    expect(bench.ends).toEqual([null]);
    expect(bench.runs.find(bench.run.id)).toBeUndefined();
  });
});

describe("somebody else's write", () => {
  it("is told when the watch sees it, in the run's terms", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.merge(bench.run.lease.name, { metadata: { annotations: null } });
    expect(bench.told).toMatchObject([{ index: 1, whose: "other", lease: { name: LOCK, annotations: {} } }]);
  });

  it("is not the run's own", async () => {
    const bench = await openRun();
    const lease = await created(bench);
    await served(bench.run, update(lease, "b"));
    await bench.run.edit({ kind: "strip-annotation" }, 0);
    await bench.run.edit({ kind: "delete-lease" }, 0);
    await bench.server.settled();
    expect(bench.told).toEqual([]);
  });

  it("comes with the answer that shows it, when the watch is late, and once", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.holdWatch();
    bench.server.merge(bench.run.lease.name, { spec: { holderIdentity: "somebody" } });
    const answer = await served(bench.run, get);
    expect(answer.foreign).toMatchObject([{ index: 1, lease: { spec: { holderIdentity: "somebody" } } }]);
    bench.server.releaseWatch();
    expect(bench.told).toHaveLength(1);
  });

  const surprises: readonly {
    readonly why: string;
    readonly act: (server: FakeServer, name: string) => void;
    readonly code: number;
    readonly holder: string | null;
  }[] = [
    {
      why: "a write explains a conflict that the run did not expect",
      act: (server, name) => server.merge(name, { spec: { holderIdentity: "somebody" } }),
      code: 409,
      holder: "somebody",
    },
    { why: "a deletion explains it", act: (server, name) => server.remove(name), code: 409, holder: null },
  ];
  for (const row of surprises)
    it(`comes before the call: ${row.why}`, async () => {
      const bench = await openRun();
      const lease = await created(bench);
      bench.server.holdWatch();
      row.act(bench.server, bench.run.lease.name);
      const answer = await served(bench.run, update(lease, "b"));
      expect(answer.code).toBe(row.code);
      expect(answer.foreign.map((write) => write.lease?.spec.holderIdentity ?? null)).toEqual([row.holder]);
      bench.server.releaseWatch();
      expect(bench.told).toHaveLength(1);
    });

  it("is no surprise when the run wrote with an old version itself", async () => {
    const bench = await openRun();
    const old = await created(bench);
    await served(bench.run, update(old, "b"));
    const before = bench.server.calls.length;
    expect((await served(bench.run, update(old, "c"))).code).toBe(409);
    expect(bench.server.calls.length).toBe(before + 1);
  });

  it("is found by a new list when the watch had a gap", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.holdWatch();
    bench.server.merge(bench.run.lease.name, { spec: { holderIdentity: "missed" } });
    bench.server.endWatches("410");
    await vi.waitFor(() =>
      expect(bench.told).toMatchObject([{ lease: { spec: { holderIdentity: "missed" } } }]),
    );
  });

  it("is told again to whoever comes back, from where it was", async () => {
    const bench = await openRun();
    await created(bench);
    for (const holder of ["x", "y", "z"])
      bench.server.merge(bench.run.lease.name, { spec: { holderIdentity: holder } });
    const again: number[] = [];
    bench.run.listen({ foreign: ({ index }) => again.push(index), closed: () => undefined }, 1);
    expect(again).toEqual([2, 3]);
    expect((await served(bench.run, get, 2)).foreign.map(({ index }) => index)).toEqual([3]);
  });

  it("is the run's own when a request that got no answer was committed", async () => {
    const bench = await openRun();
    const lease = await created(bench);
    bench.server.failNext("after");
    const { served: outcome } = await bench.run.serve(update(lease, "b"), 0);
    expect(outcome).toMatchObject({ kind: "unanswered", failure: "timeout" });
    expect(bench.told).toMatchObject([{ whose: "own", lease: { spec: { holderIdentity: "b" } } }]);
  });
});

describe("what is not the run's", () => {
  const replaced: readonly { readonly why: string; readonly act: (bench: Bench) => void }[] = [
    {
      why: "a Lease of its name that was there before it",
      act: ({ server, run }) =>
        server.create({ metadata: { name: run.lease.name }, spec: { holderIdentity: "x" } }),
    },
    {
      why: "a Lease whose label somebody took away",
      act: ({ server, run }) => {
        server.create({
          metadata: {
            name: run.lease.name,
            labels: { "app.kubernetes.io/managed-by": "epoch-lab", "epoch-lab/run": run.id },
          },
        });
        server.merge(run.lease.name, { metadata: { labels: { "epoch-lab/run": null } } });
      },
    },
    {
      why: "a Lease of another run under its name",
      act: ({ server, run }) =>
        server.create({
          metadata: {
            name: run.lease.name,
            labels: { "app.kubernetes.io/managed-by": "epoch-lab", "epoch-lab/run": "other" },
          },
        }),
    },
  ];
  for (const { why, act } of replaced)
    for (const isSeen of [true, false])
      it(`is neither written nor deleted: ${why}, ${isSeen ? "seen" : "not seen"} by the watch`, async () => {
        const bench = await openRun();
        if (!isSeen) bench.server.holdWatch();
        act(bench);
        const before = bench.server.lease(bench.run.lease.name);
        const writes: readonly LeaseRequest[] = [
          create("a"),
          ...(before === null ? [] : [update(before, "a")]),
          { verb: "delete", name: LOCK },
        ];
        for (const request of writes)
          await expect(bench.run.serve(request, 0)).rejects.toThrow(/does not carry the lab's label/);
        await expect(bench.run.edit({ kind: "delete-lease" }, 0)).rejects.toThrow(/label/);
        await bench.run.close();
        expect(bench.server.lease(bench.run.lease.name)).toEqual(before);
      });
});

describe("an edit by hand", () => {
  const edits: readonly {
    readonly why: string;
    readonly edit: Parameters<ClusterRun["edit"]>[0];
    readonly lease: object | null;
  }[] = [
    { why: "deletes", edit: { kind: "delete-lease" }, lease: null },
    { why: "strips the term", edit: { kind: "strip-annotation" }, lease: { annotations: {} } },
    {
      why: "sets the holder",
      edit: { kind: "edit-holder", holder: "me" },
      lease: { spec: { holderIdentity: "me", leaseDurationSeconds: 15 } },
    },
    {
      why: "writes what a recording has",
      edit: { kind: "write", lease: { annotations: { x: "1" }, labels: {}, spec: { leaseTransitions: 3 } } },
      lease: { annotations: { x: "1" }, spec: { leaseTransitions: 3 } },
    },
  ];
  for (const { why, edit, lease } of edits)
    it(why, async () => {
      const bench = await openRun();
      await created(bench);
      const edited = await bench.run.edit(edit, 0);
      if (lease === null) expect(edited.lease).toBeNull();
      else expect(edited.lease).toMatchObject(lease);
      expect(bench.server.names()).toHaveLength(lease === null ? 0 : 1);
    });

  it("needs a Lease", async () => {
    const { run } = await openRun();
    await expect(run.edit({ kind: "delete-lease" }, 0)).rejects.toThrow(/There is no Lease/);
  });

  it("makes one when a recording has one", async () => {
    const bench = await openRun();
    await bench.run.edit({ kind: "write", lease: { annotations: {}, labels: {}, spec: {} } }, 0);
    expect(onlyLease(bench.server).name).toBe(bench.run.lease.name);
    expect(bench.told).toEqual([]);
  });
});

describe("runs", () => {
  it("are bounded", async () => {
    const runs = createRuns(fakeServer().connection, () => 0);
    for (let count = 0; count < RUNS_MAX; count += 1) await runs.open(LOCK);
    await expect(runs.open(LOCK)).rejects.toThrow(/open already.*Close one/);
    await runs.close();
    await runs.open(LOCK);
  });

  it("are bounded when they are opened side by side", async () => {
    const runs = createRuns(fakeServer().connection, () => 0);
    const opened = await Promise.allSettled(Array.from({ length: RUNS_MAX + 3 }, () => runs.open(LOCK)));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(RUNS_MAX);
  });

  it("find what a crash left by the label and the prefix, and delete what is asked for, as it was", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.create({ metadata: { name: "epoch-lab-old-orders", labels: LABEL } });
    bench.server.create({ metadata: { name: "epoch-lab-old-bills", labels: LABEL } });
    bench.server.create({ metadata: { name: "epoch-lab-unlabelled" } });
    bench.server.create({ metadata: { name: "somebody-elses", labels: LABEL } });
    const left = await bench.runs.leftovers();
    expect(left.map(({ name }) => name)).toEqual(["epoch-lab-old-orders", "epoch-lab-old-bills"]);
    expect(await bench.runs.deleteLeftovers([left[0]?.uid ?? "", "unknown"])).toBe(1);
    expect(bench.server.names()).not.toContain("epoch-lab-old-orders");
    expect(bench.server.names()).toHaveLength(4);
  });

  it("whose page is gone are closed after a while, and their Leases with them", async () => {
    const bench = await openRun();
    const lonely = await bench.runs.open("lonely");
    await lonely.serve({ verb: "create", body: { ...body("a"), name: "lonely" } }, 0);
    await created(bench);
    bench.tick(IDLE_MAX_MS + 1);
    await bench.runs.closeIdle();
    expect(bench.server.names()).toEqual([bench.run.lease.name]);
    await expect(lonely.serve(get, 0)).rejects.toThrow(/This run is over/);
  });

  it("name what could not be deleted", async () => {
    const bench = await openRun();
    await created(bench);
    bench.server.failNext("before");
    expect(await bench.runs.close()).toEqual([bench.run.lease.name]);
    expect(bench.ends).toEqual([{ cause: "The lab ended this run.", remedy: expect.any(String) }]);
  });

  it("tell an outcome for every answer of the server", async () => {
    const bench = await openRun();
    bench.server.failNext(401);
    expect(await served(bench.run, get)).toMatchObject({ code: 401, reason: "Unauthorized", lease: null });
    bench.server.failNext("before");
    expect((await bench.run.serve(get, 0)).served).toMatchObject({
      kind: "unanswered",
      failure: "connection",
    });
  });
});

const LABEL = { "app.kubernetes.io/managed-by": "epoch-lab" };

import { describe, expect, it } from "vitest";
import type { LeaseBody, LeaseOutcome, LeaseRequest } from "./lease.ts";
import { emptyStore, replacePatched, serveLease, type LeaseStore } from "./register.ts";

const body: LeaseBody = {
  name: "orders",
  annotations: { term: "1" },
  labels: {},
  spec: { holderIdentity: "node-1" },
};

function play(store: LeaseStore, ...requests: readonly LeaseRequest[]): LeaseStore {
  return requests.reduce((current, request) => serveLease(current, request)[0], store);
}

const create = (name: string): LeaseRequest => ({ verb: "create", body: { ...body, name } });
const remove = (name: string): LeaseRequest => ({ verb: "delete", name });
const held = play(emptyStore, create("orders"));

/** The contract plays over HTTP; these are the promises to the engine, which calls the register directly. */
describe("serveLease", () => {
  const sameStore: readonly { readonly why: string; readonly request: LeaseRequest; readonly ok: boolean }[] =
    [
      { why: "a get", request: { verb: "get", name: "orders" }, ok: true },
      {
        why: "an update of identical content",
        request: {
          verb: "update",
          name: "orders",
          body: { ...body, annotations: { term: "1" }, resourceVersion: "1" },
        },
        ok: true,
      },
      {
        why: "a conflict",
        request: { verb: "update", name: "orders", body: { ...body, resourceVersion: "9" } },
        ok: false,
      },
      {
        why: "an invalid update",
        request: {
          verb: "update",
          name: "orders",
          body: { ...body, resourceVersion: "1", spec: { leaseDurationSeconds: 0 } },
        },
        ok: false,
      },
      { why: "a create of a taken name", request: create("orders"), ok: false },
      { why: "a delete of an absent name", request: remove("absent"), ok: false },
      {
        why: "a delete whose precondition does not hold",
        request: { verb: "delete", name: "orders", preconditions: { resourceVersion: "9" } },
        ok: false,
      },
    ];
  for (const { why, request, ok } of sameStore)
    it(`returns the very same store after ${why}`, () => {
      const [store, outcome] = serveLease(held, request);
      expect(store).toBe(held);
      expect(outcome.kind).toBe(ok ? "ok" : "refused");
      if (outcome.kind === "ok") expect(outcome.changed).toBe(false);
    });

  it("shares what an update leaves alone", () => {
    const both = play(held, create("other"));
    const [store] = serveLease(both, {
      verb: "update",
      name: "orders",
      body: { ...body, annotations: { term: "1" }, resourceVersion: "1", spec: { holderIdentity: "node-2" } },
    });
    expect(store.leases["other"]).toBe(both.leases["other"]);
    expect(store.leases["orders"]?.annotations).toBe(both.leases["orders"]?.annotations);
  });

  it("counts versions across all Leases, and a delete counts too", () => {
    const store = play(held, create("other"), remove("other"), create("other"));
    expect(store.revision).toBe(4);
    expect(store.leases["other"]?.resourceVersion).toBe("4");
    expect(store.leases["orders"]?.resourceVersion).toBe("1");
  });

  it("gives a name that was deleted and created again another uid", () => {
    const again = play(held, remove("orders"), create("orders"));
    expect([held.leases["orders"]?.uid, again.leases["orders"]?.uid]).toEqual(["uid-1", "uid-2"]);
  });

  it("leaves the store that it was given as it was", () => {
    const before = JSON.stringify(held);
    play(
      held,
      { verb: "update", name: "orders", body: { ...body, resourceVersion: "1", spec: {} } },
      remove("orders"),
    );
    expect(JSON.stringify(held)).toBe(before);
  });

  it("answers a delete with no Lease", () => {
    const [, outcome] = serveLease(held, remove("orders"));
    expect(outcome).toEqual({ kind: "ok", code: 200, lease: null, changed: true } satisfies LeaseOutcome);
  });
});

describe("replacePatched", () => {
  it("creates nothing where there is nothing to patch", () => {
    const [store, outcome] = replacePatched(emptyStore, body);
    expect(store).toBe(emptyStore);
    expect(outcome).toMatchObject({ code: 404, reason: "NotFound" });
  });
});

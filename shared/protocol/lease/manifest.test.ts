import { describe, expect, it } from "vitest";
import type { Lease } from "./lease.ts";
import { decodeLease, leaseOfManifest, toManifest } from "./manifest.ts";

const lease: Lease = {
  name: "orders",
  uid: "uid-1",
  resourceVersion: "12",
  annotations: { "camel.io/leader-term": "7", "a/b": "1" },
  labels: {},
  spec: {
    holderIdentity: "",
    leaseDurationSeconds: 15,
    acquireTime: 1_796_112_000_000_000,
    renewTime: 1_796_112_002_000_001,
    leaseTransitions: 0,
  },
};

describe("toManifest", () => {
  it("writes the object as the API server does: order of keys, times as text, no empty maps", () => {
    expect(
      JSON.stringify(toManifest(lease, { namespace: "shop", creationTimestamp: "2026-12-01T08:00:00Z" })),
    ).toBe(
      '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"orders","namespace":"shop","uid":"uid-1",' +
        '"resourceVersion":"12","creationTimestamp":"2026-12-01T08:00:00Z","annotations":{"a/b":"1","camel.io/leader-term":"7"}},' +
        '"spec":{"holderIdentity":"","leaseDurationSeconds":15,"acquireTime":"2026-12-01T08:00:00.000000Z",' +
        '"renewTime":"2026-12-01T08:00:02.000001Z","leaseTransitions":0}}',
    );
  });

  it("leaves out what is absent: an empty holder is there, no holder is not", () => {
    expect(toManifest({ name: "orders", annotations: {}, labels: {}, spec: {} })).toEqual({
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { name: "orders" },
      spec: {},
    });
  });
});

describe("leaseOfManifest", () => {
  it("gives back the Lease that was written", () => {
    expect(leaseOfManifest(toManifest(lease, { namespace: "shop" }))).toEqual({ ok: true, value: lease });
  });

  it("passes over what a server adds", () => {
    const { metadata, ...rest } = toManifest(lease);
    const served = {
      ...rest,
      metadata: {
        ...metadata,
        creationTimestamp: "2026-12-01T08:00:00Z",
        managedFields: [{ manager: "lab" }],
      },
    };
    expect(leaseOfManifest(served)).toEqual({ ok: true, value: lease });
  });

  it("says what is missing of a Lease that no server stored", () => {
    const { uid: _uid, ...sent } = lease;
    expect(leaseOfManifest(toManifest(sent))).toEqual({
      ok: false,
      error: "Expected a Lease as a server stores it, with uid and resourceVersion, got one without.",
    });
  });
});

describe("decodeLease", () => {
  it("takes an empty uid and an empty resourceVersion for absent, and names the namespace", () => {
    const decoded = decodeLease({
      metadata: { name: "orders", namespace: "shop", uid: "", resourceVersion: "" },
    });
    expect(decoded).toEqual({
      kind: "decoded",
      body: { name: "orders", annotations: {}, labels: {}, spec: {} },
      namespace: "shop",
      generateName: null,
      creationTimestamp: null,
      warnings: [],
    });
  });
});

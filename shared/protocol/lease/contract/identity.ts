// Rows about PUT on a Lease that is not there, or is another one of the same name.
import {
  HELD,
  held,
  NEW_HOLDER,
  MODIFIED,
  post,
  put,
  refused,
  refusedAbsent,
  remove,
  uidOf,
  versionOf,
  type ContractRow,
} from "./row.ts";

/** Deletes the row's Lease and creates it again, so that the same name has another uid. */
const recreate = [
  { send: remove(), expect: { code: 200, fate: "gone" } },
  { send: post(HELD), expect: { code: 201, fate: "appeared" } },
] as const;

export const IDENTITY_ROWS: readonly ContractRow[] = [
  {
    why: "PUT to an absent name without a uid creates it, annotations and all",
    steps: [
      {
        send: put(HELD),
        expect: { code: 201, fate: "appeared", spec: HELD.spec, annotations: HELD.metadata.annotations },
      },
    ],
  },
  {
    why: "PUT to an absent name creates it whatever resourceVersion the body names",
    given: HELD,
    steps: [
      { send: remove(), expect: { code: 200, fate: "gone" } },
      {
        send: put((seen) => held({ resourceVersion: versionOf(seen.first) })),
        expect: { code: 201, fate: "appeared", spec: HELD.spec },
      },
    ],
  },
  {
    why: "PUT to an absent name with the old uid creates nothing",
    given: HELD,
    steps: [
      { send: remove(), expect: { code: 200, fate: "gone" } },
      {
        send: put((seen) => held({ uid: uidOf(seen.first), resourceVersion: versionOf(seen.first) })),
        expect: refusedAbsent(409, "Conflict", "Precondition failed: UID in precondition"),
      },
    ],
  },
  {
    why: "PUT to an absent name with a version that is no number creates nothing",
    steps: [
      {
        send: put(held({ resourceVersion: "abc" })),
        expect: refusedAbsent(500, null, 'strconv.ParseUint: parsing "abc"'),
      },
    ],
  },
  {
    why: "PUT to an absent name of an invalid Lease creates nothing",
    steps: [
      {
        send: put({ spec: { leaseDurationSeconds: 0 } }),
        expect: refusedAbsent(422, "Invalid", "spec.leaseDurationSeconds"),
      },
    ],
  },
  {
    why: "PUT with the old uid after delete and recreate conflicts, even with the new version",
    given: HELD,
    steps: [
      ...recreate,
      {
        send: put((seen) => held({ uid: uidOf(seen.first), resourceVersion: versionOf(seen.now) })),
        expect: refused(409, "Conflict", "Precondition failed: UID in precondition"),
      },
    ],
  },
  {
    why: "PUT without a uid and with the old version after delete and recreate conflicts",
    given: HELD,
    steps: [
      ...recreate,
      {
        send: put((seen) => held({ resourceVersion: versionOf(seen.first) })),
        expect: refused(409, "Conflict", MODIFIED),
      },
    ],
  },
  {
    why: "PUT without a uid and with the new version takes over the recreated Lease",
    given: HELD,
    steps: [
      ...recreate,
      {
        send: put((seen) => ({ metadata: { resourceVersion: versionOf(seen.now) }, spec: NEW_HOLDER })),
        expect: { code: 200, fate: "moved", spec: NEW_HOLDER },
      },
    ],
  },
  {
    why: "a uid that does not match is told before a version that is no number",
    given: HELD,
    steps: [
      {
        send: put(held({ uid: "made-up", resourceVersion: "abc" })),
        expect: refused(409, "Conflict", "Precondition failed: UID in precondition: made-up"),
      },
    ],
  },
  {
    why: "an empty uid is no precondition",
    given: HELD,
    steps: [
      {
        send: put((seen) => held({ uid: "", resourceVersion: versionOf(seen.now) })),
        expect: { code: 200, fate: "still" },
      },
    ],
  },
  {
    why: "PUT into an absent namespace names the namespace",
    steps: [
      {
        send: put(HELD, { namespace: "absent" }),
        expect: refusedAbsent(404, "NotFound", 'namespaces "namespace-that-is-absent" not found'),
      },
    ],
  },
  {
    why: "PUT into an absent namespace with a uid conflicts before the namespace is missed",
    steps: [
      {
        send: put(held({ uid: "made-up" }), { namespace: "absent" }),
        expect: refusedAbsent(409, "Conflict", "Precondition failed: UID in precondition: made-up"),
      },
    ],
  },
];

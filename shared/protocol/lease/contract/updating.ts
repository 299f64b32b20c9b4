// Rows about PUT on a Lease that is there: optimistic concurrency, and what is never judged.
import {
  HELD,
  held,
  NEW_HOLDER,
  MODIFIED,
  MUST_BE_SPECIFIED,
  put,
  putBack,
  refused,
  versionOf,
  type ContractRow,
} from "./row.ts";

export const UPDATING_ROWS: readonly ContractRow[] = [
  {
    why: "PUT with the current resourceVersion replaces: new version, same uid",
    given: HELD,
    steps: [
      {
        send: putBack(NEW_HOLDER),
        expect: { code: 200, fate: "moved", spec: { ...HELD.spec, ...NEW_HOLDER } },
      },
    ],
  },
  {
    why: "PUT without a uid keeps the uid",
    given: HELD,
    steps: [
      {
        send: put((seen) => ({ metadata: { resourceVersion: versionOf(seen.now) }, spec: NEW_HOLDER })),
        expect: { code: 200, fate: "moved", spec: NEW_HOLDER },
      },
    ],
  },
  {
    why: "PUT with an old resourceVersion conflicts",
    given: HELD,
    steps: [
      { send: putBack(NEW_HOLDER), expect: { code: 200, fate: "moved" } },
      {
        send: put((seen) => held({ resourceVersion: versionOf(seen.first) })),
        expect: refused(409, "Conflict", MODIFIED),
      },
    ],
  },
  {
    why: "PUT with a future resourceVersion conflicts",
    given: HELD,
    steps: [
      { send: put(held({ resourceVersion: "999999999" })), expect: refused(409, "Conflict", MODIFIED) },
    ],
  },
  {
    why: "a resourceVersion is compared as a number: leading zeros change nothing",
    given: HELD,
    steps: [
      {
        send: put((seen) => ({
          metadata: { resourceVersion: `00${versionOf(seen.now)}` },
          spec: NEW_HOLDER,
        })),
        expect: { code: 200, fate: "moved", spec: NEW_HOLDER },
      },
    ],
  },
  {
    why: "there is no unconditional PUT: without a resourceVersion it is invalid",
    given: HELD,
    steps: [{ send: put(HELD), expect: refused(422, "Invalid", MUST_BE_SPECIFIED) }],
  },
  {
    why: "PUT with resourceVersion 0 is as one without",
    given: HELD,
    steps: [
      { send: put(held({ resourceVersion: "0" })), expect: refused(422, "Invalid", MUST_BE_SPECIFIED) },
    ],
  },
  ...[
    ["abc", 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ["-1", 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ["18446744073709551616", 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ].map(([resourceVersion = "", message = ""]): ContractRow => ({
    why: `PUT with resourceVersion ${resourceVersion} is a fault of the server`,
    given: HELD,
    steps: [{ send: put(held({ resourceVersion })), expect: refused(500, null, message) }],
  })),
  {
    why: "PUT of what is stored writes nothing: the resourceVersion stands still",
    given: HELD,
    steps: [
      { send: putBack({}), expect: { code: 200, fate: "still", answered: HELD.spec } },
      {
        send: put((seen) => held({ resourceVersion: versionOf(seen.now) })),
        expect: { code: 200, fate: "still" },
      },
    ],
  },
  {
    why: "PUT of the same content with keys in another order, or an instant in another zone, writes nothing",
    given: {
      metadata: { annotations: { a: "1", b: "2" } },
      spec: { renewTime: "2026-12-01T08:00:00.000000Z" },
    },
    steps: [
      {
        send: put((seen) => ({
          metadata: { resourceVersion: versionOf(seen.now), annotations: { b: "2", a: "1" }, labels: {} },
          spec: { renewTime: "2026-12-01T10:00:00.000000+02:00", holderIdentity: null },
        })),
        expect: { code: 200, fate: "still" },
      },
    ],
  },
  {
    why: "an empty holder is not an absent one: the PUT writes",
    given: {},
    steps: [
      {
        send: putBack({ holderIdentity: "" }),
        expect: { code: 200, fate: "moved", spec: { holderIdentity: "" } },
      },
    ],
  },
  {
    why: "a change of one label moves the version",
    given: HELD,
    steps: [
      {
        send: put((seen) => held({ resourceVersion: versionOf(seen.now), labels: { app: "other" } })),
        expect: { code: 200, fate: "moved", spec: HELD.spec },
      },
    ],
  },
  {
    why: "PUT replaces: annotations that it leaves out are gone",
    given: HELD,
    steps: [
      {
        send: put((seen) => ({ metadata: { resourceVersion: versionOf(seen.now) }, spec: HELD.spec })),
        expect: { code: 200, fate: "moved", annotations: {} },
      },
    ],
  },
  {
    why: "no history is judged: transitions may fall and the holder may be emptied",
    given: HELD,
    steps: [
      {
        send: putBack({ leaseTransitions: 1, holderIdentity: "" }),
        expect: {
          code: 200,
          fate: "moved",
          spec: { ...HELD.spec, leaseTransitions: 1, holderIdentity: "" },
        },
      },
    ],
  },
  {
    why: "no time is judged: a renewal may lie decades before the last one",
    given: HELD,
    steps: [
      { send: putBack({ renewTime: "1999-12-31T23:59:59.999999Z" }), expect: { code: 200, fate: "moved" } },
    ],
  },
  {
    why: "PUT whose name differs from the address is refused",
    given: HELD,
    steps: [
      {
        send: put((seen) => held({ name: "another", resourceVersion: versionOf(seen.now) })),
        expect: refused(
          400,
          "BadRequest",
          "the name of the object (another) does not match the name on the URL",
        ),
      },
    ],
  },
  {
    why: "PUT without a name is refused",
    given: HELD,
    steps: [
      {
        send: put((seen) => held({ name: "", resourceVersion: versionOf(seen.now) })),
        expect: refused(400, "BadRequest", "was undeterminable: name must be provided"),
      },
    ],
  },
  {
    why: "PUT whose namespace differs from the address is refused",
    given: HELD,
    steps: [
      {
        send: put((seen) => held({ namespace: "another", resourceVersion: versionOf(seen.now) })),
        expect: refused(400, "BadRequest", "the namespace of the provided object does not match"),
      },
    ],
  },
  {
    why: "an old version is told before an invalid value",
    given: HELD,
    steps: [
      {
        send: put({ metadata: { resourceVersion: "1" }, spec: { leaseDurationSeconds: 0 } }),
        expect: refused(409, "Conflict", MODIFIED),
      },
    ],
  },
];

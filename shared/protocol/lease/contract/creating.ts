// Rows about POST and GET: a new name, one that exists, one that does not.
import { get, HELD, post, postText, put, refused, refusedAbsent, type ContractRow } from "./row.ts";

export const CREATING_ROWS: readonly ContractRow[] = [
  {
    why: "POST of a new name creates it",
    steps: [
      { send: post(HELD), expect: { code: 201, fate: "appeared", spec: HELD.spec, answered: HELD.spec } },
    ],
  },
  {
    why: "POST of a name that exists is refused",
    given: HELD,
    steps: [{ send: post(HELD), expect: refused(409, "AlreadyExists", "already exists") }],
  },
  {
    why: "POST drops a uid that the body brings",
    steps: [
      { send: post({ metadata: { uid: "made-up" } }), expect: { code: 201, fate: "appeared" } },
      {
        send: put({ metadata: { uid: "made-up" } }),
        expect: refused(409, "Conflict", "Precondition failed: UID in precondition: made-up"),
      },
    ],
  },
  {
    why: "POST with a resourceVersion is a fault of the server, even where the name is taken",
    given: HELD,
    steps: [
      {
        send: post({ metadata: { resourceVersion: "5" } }),
        expect: refused(500, null, "resourceVersion should not be set on objects to be created"),
      },
    ],
  },
  {
    why: "POST with a resourceVersion that is no number drops it",
    steps: [
      { send: post({ metadata: { resourceVersion: "abc" } }), expect: { code: 201, fate: "appeared" } },
    ],
  },
  {
    why: "POST without a name is refused",
    steps: [
      {
        send: postText('{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{},"spec":{}}'),
        expect: refusedAbsent(
          422,
          "Invalid",
          "metadata.name: Required value: name or generateName is required",
        ),
      },
    ],
  },
  {
    why: "POST into a namespace that is absent names the namespace",
    steps: [
      {
        send: post(HELD, { namespace: "absent" }),
        expect: refusedAbsent(404, "NotFound", 'namespaces "namespace-that-is-absent" not found'),
      },
    ],
  },
  {
    why: "POST to an absent namespace is looked at for the namespace before the values",
    steps: [
      {
        send: post({ spec: { leaseDurationSeconds: 0 } }, { namespace: "absent" }),
        expect: refusedAbsent(404, "NotFound", "namespaces"),
      },
    ],
  },
  {
    why: "POST whose namespace differs from the address is refused",
    steps: [
      {
        send: post({ metadata: { namespace: "another" } }),
        expect: refusedAbsent(400, "BadRequest", "the namespace of the provided object does not match"),
      },
    ],
  },
  {
    why: "GET of an absent name is not found",
    steps: [{ send: get(), expect: refusedAbsent(404, "NotFound", "leases.coordination.k8s.io") }],
  },
  {
    why: "GET in an absent namespace names the Lease and not the namespace",
    steps: [
      {
        send: get({ namespace: "absent" }),
        expect: refusedAbsent(404, "NotFound", "leases.coordination.k8s.io"),
      },
    ],
  },
  {
    why: "a Lease may be called constructor",
    name: "constructor",
    steps: [
      { send: get(), expect: refusedAbsent(404, "NotFound", '"constructor" not found') },
      { send: post(HELD), expect: { code: 201, fate: "appeared", spec: HELD.spec } },
    ],
  },
];

// Rows about DELETE: preconditions in the body, and what the body does to the query.
import {
  HELD,
  refused,
  refusedAbsent,
  remove,
  uidOf,
  versionOf,
  type ContractRow,
  type Seen,
} from "./row.ts";

export const DELETING_ROWS: readonly ContractRow[] = [
  {
    why: "DELETE removes, and answers a Status",
    given: HELD,
    steps: [{ send: remove(), expect: { code: 200, fate: "gone" } }],
  },
  {
    why: "DELETE of an absent name is not found, whatever the preconditions",
    steps: [
      { send: remove(), expect: refusedAbsent(404, "NotFound", "not found") },
      {
        send: remove({ preconditions: { uid: "made-up" } }),
        expect: refusedAbsent(404, "NotFound", "not found"),
      },
    ],
  },
  {
    why: "DELETE with a uid that does not match conflicts",
    given: HELD,
    steps: [
      {
        send: remove({ preconditions: { uid: "made-up" } }),
        expect: refused(
          409,
          "Conflict",
          "the UID in the precondition (made-up) does not match the UID in record",
        ),
      },
    ],
  },
  {
    why: "DELETE with a resourceVersion that does not match conflicts",
    given: HELD,
    steps: [
      {
        send: remove({ preconditions: { resourceVersion: "1" } }),
        expect: refused(
          409,
          "Conflict",
          "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record",
        ),
      },
    ],
  },
  {
    why: "DELETE compares the resourceVersion as text, unlike PUT",
    given: HELD,
    steps: [
      {
        send: remove((seen: Seen) => ({ preconditions: { resourceVersion: `00${versionOf(seen.now)}` } })),
        expect: refused(409, "Conflict", "does not match the ResourceVersion in record"),
      },
    ],
  },
  {
    why: "an empty text is a precondition of a DELETE",
    given: HELD,
    steps: [
      {
        send: remove({ preconditions: { uid: "" } }),
        expect: refused(409, "Conflict", "the UID in the precondition () does not match"),
      },
      {
        send: remove({ preconditions: { resourceVersion: "" } }),
        expect: refused(409, "Conflict", "the ResourceVersion in the precondition () does not match"),
      },
    ],
  },
  {
    why: "DELETE with both preconditions met removes",
    given: HELD,
    steps: [
      {
        send: remove((seen: Seen) => ({
          kind: "DeleteOptions",
          apiVersion: "v1",
          preconditions: { uid: uidOf(seen.now), resourceVersion: versionOf(seen.now) },
        })),
        expect: { code: 200, fate: "gone" },
      },
    ],
  },
  {
    why: "DELETE with dryRun in the query removes nothing",
    given: HELD,
    steps: [{ send: remove(undefined, { query: { dryRun: "All" } }), expect: { code: 200, fate: "still" } }],
  },
  {
    why: "DELETE with dryRun in the body removes nothing",
    given: HELD,
    steps: [{ send: remove({ dryRun: ["All"] }), expect: { code: 200, fate: "still" } }],
  },
  {
    why: "the body of a DELETE takes the place of its query: dryRun beside a body removes",
    given: HELD,
    steps: [
      {
        send: remove((seen: Seen) => ({ preconditions: { uid: uidOf(seen.now) } }), {
          query: { dryRun: "All" },
        }),
        expect: { code: 200, fate: "gone" },
      },
    ],
  },
  {
    why: "DELETE with preconditions in the query ignores them",
    given: HELD,
    steps: [
      {
        send: remove(undefined, { query: { "preconditions.uid": "made-up" } }),
        expect: { code: 200, fate: "gone" },
      },
    ],
  },
  ...[
    ["a broken body", "{", "json parse error: unexpected end of JSON input"],
    ["the Lease as its body", '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease"}', "no kind"],
    [
      "a number as uid",
      '{"preconditions":{"uid":5}}',
      "cannot unmarshal number into Go struct field Preconditions.preconditions.uid",
    ],
    [
      "a text as dryRun",
      '{"dryRun":"All"}',
      "cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string",
    ],
  ].map(([what = "", body = "", message = ""]): ContractRow => ({
    why: `DELETE with ${what} is refused`,
    given: HELD,
    steps: [{ send: remove(body), expect: refused(400, "BadRequest", message) }],
  })),
  {
    why: "DELETE with an unknown dryRun is refused",
    given: HELD,
    steps: [
      {
        send: remove({ dryRun: ["Some"] }),
        expect: refused(
          422,
          "Invalid",
          'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]',
        ),
      },
    ],
  },
];

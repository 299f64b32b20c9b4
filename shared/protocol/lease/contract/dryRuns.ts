// Rows about dry runs of POST and PUT.
import {
  HELD,
  held,
  NEW_HOLDER,
  MODIFIED,
  post,
  postText,
  put,
  putBack,
  refused,
  refusedAbsent,
  type ContractRow,
} from "./row.ts";

export const DRY_RUN_ROWS: readonly ContractRow[] = [
  {
    why: "PUT with dryRun answers the would-be object and stores nothing",
    given: HELD,
    steps: [
      {
        send: putBack(NEW_HOLDER, { query: { dryRun: "All" } }),
        expect: { code: 200, fate: "still", spec: HELD.spec, answered: { ...HELD.spec, ...NEW_HOLDER } },
      },
    ],
  },
  {
    why: "PUT with dryRun and an old version conflicts",
    given: HELD,
    steps: [
      {
        send: put(held({ resourceVersion: "1" }), { query: { dryRun: "All" } }),
        expect: refused(409, "Conflict", MODIFIED),
      },
    ],
  },
  {
    why: "POST with dryRun creates nothing",
    steps: [
      {
        send: post(HELD, { query: { dryRun: "All" } }),
        expect: { code: 201, fate: "absent", answered: HELD.spec },
      },
    ],
  },
  {
    why: "POST with dryRun of a name that exists is refused",
    given: HELD,
    steps: [
      {
        send: post(HELD, { query: { dryRun: "All" } }),
        expect: refused(409, "AlreadyExists", "already exists"),
      },
    ],
  },
  {
    why: "POST with dryRun does not notice a resourceVersion that it would refuse",
    steps: [
      {
        send: post({ metadata: { resourceVersion: "5" } }, { query: { dryRun: "All" } }),
        expect: { code: 201, fate: "absent" },
      },
    ],
  },
  {
    why: "POST with dryRun is validated",
    steps: [
      {
        send: post({ spec: { leaseDurationSeconds: 0 } }, { query: { dryRun: "All" } }),
        expect: refusedAbsent(422, "Invalid", "must be greater than 0"),
      },
    ],
  },
  {
    why: "PUT with dryRun to an absent name creates nothing",
    steps: [{ send: put(HELD, { query: { dryRun: "All" } }), expect: { code: 201, fate: "absent" } }],
  },
  {
    why: "an unknown dryRun is refused before the body is looked at",
    steps: [
      {
        send: postText("{", { query: { dryRun: "Some" } }),
        expect: refusedAbsent(
          422,
          "Invalid",
          'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]',
        ),
      },
    ],
  },
];

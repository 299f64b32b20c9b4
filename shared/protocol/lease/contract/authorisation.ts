// Rows about who may do what. Only a real server knows users.
import { get, HELD, postText, refused, refusedAbsent, type ContractRow } from "./row.ts";

const NO_USERS = {
  register: "server",
  because: "the in-memory register knows no users, so it cannot refuse one",
} as const;

export const AUTHORISATION_ROWS: readonly ContractRow[] = [
  {
    why: "a known user without a permission is forbidden",
    only: NO_USERS,
    given: HELD,
    steps: [{ send: get({ as: "stranger" }), expect: refused(403, "Forbidden", "cannot get resource") }],
  },
  {
    why: "a token that nobody issued is unauthorised",
    only: NO_USERS,
    given: HELD,
    steps: [{ send: get({ as: "bad-token" }), expect: refused(401, "Unauthorized", "Unauthorized") }],
  },
  {
    why: "no token at all is the user system:anonymous, who is forbidden",
    only: NO_USERS,
    given: HELD,
    steps: [{ send: get({ as: "anonymous" }), expect: refused(403, "Forbidden", "system:anonymous") }],
  },
  {
    why: "permission is looked at before anything else of a request",
    only: NO_USERS,
    steps: [
      {
        send: postText("{", { as: "stranger" }),
        expect: refusedAbsent(403, "Forbidden", "cannot create resource"),
      },
    ],
  },
];

// Rows about twenty clients at once.
import { HELD, post, put, putBack, remove, type ContractRow } from "./row.ts";

export const RACE_ROWS: readonly ContractRow[] = [
  {
    why: "of 20 concurrent POSTs of one name, one wins",
    steps: [
      {
        race: (seen, client) => post({ spec: { holderIdentity: `node-${client}` } })(seen),
        clients: 20,
        tally: { 201: 1, 409: 19 },
        fate: "appeared",
      },
    ],
  },
  {
    why: "of 20 concurrent PUTs of one resourceVersion, one wins",
    given: HELD,
    steps: [
      {
        race: (seen, client) => putBack({ holderIdentity: `rival-${client}` })(seen),
        clients: 20,
        tally: { 200: 1, 409: 19 },
        fate: "moved",
      },
    ],
  },
  {
    why: "of 20 concurrent PUTs to an absent name, one creates and none overwrites",
    steps: [
      {
        race: (seen, client) =>
          put({ metadata: { resourceVersion: "1" }, spec: { holderIdentity: `node-${client}` } })(seen),
        clients: 20,
        tally: { 201: 1, 409: 19 },
        fate: "appeared",
      },
    ],
  },
  {
    why: "of 20 concurrent DELETEs, one removes",
    given: HELD,
    steps: [{ race: (seen) => remove()(seen), clients: 20, tally: { 200: 1, 404: 19 }, fate: "gone" }],
  },
  {
    why: "20 concurrent PUTs of what is stored all succeed and write nothing",
    given: HELD,
    steps: [{ race: (seen) => putBack({})(seen), clients: 20, tally: { 200: 20 }, fate: "still" }],
  },
];

// The contract of a Lease register: one table, kept by the in-memory register and by a real API server
// alike. Every row was seen on kube-apiserver 1.36 before it was written down; where the two differ, the
// register is mended.
import { AUTHORISATION_ROWS } from "./authorisation.ts";
import { BODY_ROWS } from "./bodies.ts";
import { CREATING_ROWS } from "./creating.ts";
import { DELETING_ROWS } from "./deleting.ts";
import { DRY_RUN_ROWS } from "./dryRuns.ts";
import { IDENTITY_ROWS } from "./identity.ts";
import { JSON_PATCH_ROWS } from "./jsonPatches.ts";
import { MERGE_PATCH_ROWS } from "./mergePatches.ts";
import { RACE_ROWS } from "./races.ts";
import type { ContractRow } from "./row.ts";
import { STRICTNESS_ROWS, TEXT_ROWS } from "./texts.ts";
import { TIME_ROWS } from "./times.ts";
import { UPDATING_ROWS } from "./updating.ts";

/** All rows. */
export const CONTRACT: readonly ContractRow[] = [
  ...CREATING_ROWS,
  ...UPDATING_ROWS,
  ...IDENTITY_ROWS,
  ...DELETING_ROWS,
  ...DRY_RUN_ROWS,
  ...RACE_ROWS,
  ...AUTHORISATION_ROWS,
  ...BODY_ROWS,
  ...STRICTNESS_ROWS,
  ...TEXT_ROWS,
  ...TIME_ROWS,
  ...MERGE_PATCH_ROWS,
  ...JSON_PATCH_ROWS,
];

/** The rows that can be played against one of the two. The others carry the reason why not. */
export const rowsFor = (register: "memory" | "server"): readonly ContractRow[] =>
  CONTRACT.filter((row) => row.only === undefined || row.only.register === register);

// Where a run of `npm test` leaves what it found, for the count at the end and for whoever looks afterwards.
import { fileURLToPath } from "node:url";
import { z } from "zod";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const REPORTS = `${ROOT}.reports`;

/** `stages.json`: the stages that ran, in order. */
export const stageRecords = z.array(z.object({ name: z.string(), ok: z.boolean(), seconds: z.number() }));
export type StageRecord = z.infer<typeof stageRecords>[number];

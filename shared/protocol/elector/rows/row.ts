// A row of the elector table: one plot, one question, and what each profile answers.
import type { Plot, Run } from "./bench.ts";

export interface Row {
  /** What the row shows, as client-go does it. */
  readonly why: string;
  readonly plot: Plot;
  /** The question, put to the run of either profile. Its answer is plain data. */
  readonly measure: (run: Run) => unknown;
  readonly clientGo: unknown;
  /** What `epoch-lab` must answer on the very same plot. */
  readonly epochLab: unknown;
}

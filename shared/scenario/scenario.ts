// A scenario is a claim: a question in plain words, a configuration, a script, and the verdicts it must end in.
import type { BaseAction, SystemId } from "../systems/system.ts";

/** One line of a script. Between its lines the world goes on by itself (`System.next`). */
export type ScriptLine<Action extends BaseAction = BaseAction, World = never> =
  /** Let things happen until virtual time `untilMs`; everything due up to and including it happens. */
  | { readonly untilMs: number }
  /** Let things happen until just after the n-th event (default the first) from here on that fits every given field. */
  | { readonly untilEvent: Readonly<Record<string, string | number | boolean>>; readonly nth?: number }
  /** Do this now. A function picks the action from the world, for message ids that a script cannot know. */
  | { readonly act: Action | ((world: World) => Action) };

/** Asked before the run goes past a moment: the answer is locked, then the step shows. */
export interface Prediction {
  /** Shown when the cursor is about to pass the first event that fits. */
  readonly beforeEvent: Readonly<Record<string, string | number | boolean>>;
  readonly nth?: number;
  readonly question: string;
  readonly options: readonly string[];
  /** Index into `options`. */
  readonly answer: number;
  /** What happened and why, shown after the step. */
  readonly because: string;
}

/** Expected verdicts by invariant id: `holds`/`broken` for always, `reached`/`not-reached` for sometimes. */
export type ExpectedVerdicts = Readonly<Record<string, "holds" | "broken" | "reached" | "not-reached">>;

export interface Scenario<Config = unknown, Action extends BaseAction = BaseAction, World = never> {
  /** Stable name for URLs and the command line: lower-case with dashes. */
  readonly id: string;
  readonly system: SystemId;
  readonly title: string;
  /** The question in plain words. */
  readonly question: string;
  /** Two or three sentences that set the scene. */
  readonly story: string;
  /** Catalogue section. */
  readonly section: string;
  readonly config: Config;
  readonly script: readonly ScriptLine<Action, World>[];
  readonly predictions: readonly Prediction[];
  readonly verdicts: ExpectedVerdicts;
  readonly shows: string;
  readonly doesNotShow: string;
  /** Where the cursor stands when it is opened; default the start. A moment just before the first interesting thing. */
  readonly openAtMs?: number;
}

// What the user chose, and the named acts that change it. Everything else is derived.
import { create } from "zustand";
import { sentence, type Problem } from "../../shared/base/result.ts";
import { FIRST_SCENARIO } from "../../shared/scenario/catalogue.ts";
import type { Origin as OriginParts } from "../../shared/scenario/origin.ts";
import type { BaseAction } from "../../shared/systems/system.ts";
import { applyChange, BRANCH_NAME_MAX, type Change } from "../../shared/trace/change.ts";
import {
  findBranch,
  lineOf,
  MAIN_BRANCH,
  newRecording,
  type Moment,
  type Origin,
  type Recording,
} from "../../shared/trace/recording.ts";
import type { ReplayFailure } from "../../shared/trace/run.ts";
import {
  cursorOf,
  lineRun,
  originOf,
  questions,
  sharedLength,
  stepBack,
  stepForward,
  violations,
  type Asked,
  type LabRun,
} from "./derive.ts";
import { currentDriver, driverOf, forkName, isRecord, keepDriven, sharedPath } from "./driver.ts";
import { DEFAULT_PREFERENCES, type Answer, type Pace, type Preferences, type Theme } from "./preferences.ts";

export type View = "picture" | "table";
/** Which panel a screen shows that has no room for all. */
export type Panel = "picture" | "story" | "state" | "next";
export type Dialog = "help" | "compare" | "share";

export interface Notice {
  readonly kind: "info" | "error";
  readonly text: string;
}

/** Why a link, file or session was not opened, and what of it can be. */
export interface Refusal {
  /** What was to be opened, as in "This link". */
  readonly what: string;
  readonly problems: readonly Problem[];
  readonly replay: (ReplayFailure & { readonly branch: string }) | null;
  /** What replays of it; null when nothing does. */
  readonly salvage: Recording | null;
}

interface Snapshot {
  readonly recording: Recording;
  readonly moment: Moment;
}

export interface Chosen extends Preferences, Snapshot {
  readonly playing: boolean;
  readonly presenter: boolean;
  readonly view: View;
  readonly panel: Panel;
  readonly dialog: Dialog | null;
  /** The prediction that is being asked: its index in the scenario. */
  readonly asking: number | null;
  /** The event that is looked at; null for those of the last step. */
  readonly selected: number | null;
  readonly notice: Notice | null;
  readonly refusal: Refusal | null;
  /** Before the last changes, newest last. */
  readonly undoable: readonly Snapshot[];
  /** The branch that the present one is compared with. */
  readonly comparedWith: string | null;
}

const UNDO_MAX = 200;
/** Natural steps without an event, at most, before a step gives up waiting for one. */
const QUIET_MAX = 1000;

/** The recording of a scenario as scripted, or of a configuration with nothing chosen yet. */
export function freshRecording(origin: Origin): Recording {
  const parts = originOf(newRecording(origin, []));
  const recording = newRecording(origin, parts.ok ? parts.value.script : []);
  if (origin.kind === "scenario") return recording;
  return { ...recording, branches: recording.branches.map((branch) => ({ ...branch, name: "your run" })) };
}

export function initialChoice(): Chosen {
  const recording = freshRecording({ kind: "scenario", scenario: FIRST_SCENARIO });
  return {
    ...DEFAULT_PREFERENCES,
    recording,
    moment: { branch: MAIN_BRANCH, cursor: openingCursor(recording) },
    playing: false,
    presenter: false,
    view: "picture",
    panel: "picture",
    dialog: null,
    asking: null,
    selected: null,
    notice: null,
    refusal: null,
    undoable: [],
    comparedWith: null,
  };
}

export const useLab = create<Chosen>()(() => initialChoice());

const set = useLab.setState;
const get = useLab.getState;

export interface Here {
  readonly origin: OriginParts;
  readonly run: LabRun;
  readonly recording: Recording;
  readonly moment: Moment;
}

/** The run that is looked at. Whatever is in the store replays: it was checked when it was opened. */
export function hereOf({ recording, moment }: Snapshot): Here {
  const origin = originOf(recording);
  if (!origin.ok)
    throw new Error(`An unchecked recording was opened: ${origin.error.map(sentence).join(" ")}`);
  return {
    origin: origin.value,
    run: lineRun(origin.value, recording, moment.branch).run,
    recording,
    moment,
  };
}

const here = (): Here => hereOf(get());
const lengthOf = (run: LabRun): number => run.worlds.length - 1;

/** Where a scenario stands when it is opened. */
export function openingCursor(recording: Recording): number {
  const origin = originOf(recording);
  const openAtMs = origin.ok ? (origin.value.scenario?.openAtMs ?? 0) : 0;
  if (!origin.ok || openAtMs === 0) return 0;
  const { run } = lineRun(origin.value, recording, MAIN_BRANCH);
  const { system } = origin.value;
  return Math.max(
    0,
    run.worlds.findLastIndex((world) => system.now(world) <= openAtMs),
  );
}

// --- opening ------------------------------------------------------------------------------------------------------

/** Replaces what the lab shows. Precondition: it replays; see `opening.ts`. */
export function show(recording: Recording, moment: Moment | null): void {
  set({
    recording,
    moment: moment ?? { branch: MAIN_BRANCH, cursor: openingCursor(recording) },
    playing: false,
    asking: null,
    selected: null,
    undoable: [],
    comparedWith: null,
    notice: null,
    refusal: null,
  });
}

export const openScenario = (scenario: string): void =>
  show(freshRecording({ kind: "scenario", scenario }), null);

export const refuse = (refusal: Refusal): void => set({ refusal, playing: false });
export const say = (kind: Notice["kind"], text: string): void => set({ notice: { kind, text } });
export const dismiss = (): void => set({ notice: null, refusal: null });

// --- moving -------------------------------------------------------------------------------------------------------

export function goTo(cursor: number): void {
  const { moment, run } = here();
  const bounded = Math.max(0, Math.min(cursor, lengthOf(run)));
  if (bounded === moment.cursor && get().selected === null && get().asking === null) return;
  set({ moment: { ...moment, cursor: bounded }, selected: null, asking: null, notice: null });
}

/** To just after the event. */
export function goToEvent(seq: number): void {
  goTo(cursorOf(here().run, seq));
  set({ selected: seq });
}

/** The question that must be answered or skipped before the next step, if there is one. */
export function pendingQuestion(): Asked | null {
  const { answers } = get();
  const { origin, run, moment } = here();
  if (origin.scenario === null) return null;
  const from = run.eventEnds[moment.cursor] ?? 0;
  const to = run.eventEnds[stepForward(run, moment.cursor)] ?? 0;
  const { id } = origin.scenario;
  return (
    questions(origin, run).find(
      ({ seq, index }) => seq >= from && seq < to && answers[answerKey(id, index)] === undefined,
    ) ?? null
  );
}

export const answerKey = (scenario: string, index: number): string => `${scenario}/${index}`;

/** Locks an answer, or skips the question with null, and steps. */
export function answer(index: number, choice: number | null): void {
  const { origin } = here();
  if (origin.scenario === null) return;
  const key = answerKey(origin.scenario.id, index);
  set(({ answers }) => ({ answers: { ...answers, [key]: { choice } satisfies Answer }, asking: null }));
  step();
}

/** Puts the scenario's questions back, to be asked again. */
export function forgetAnswers(scenario: string): void {
  set(({ answers }) => ({
    answers: Object.fromEntries(Object.entries(answers).filter(([key]) => !key.startsWith(`${scenario}/`))),
  }));
}

/**
 * One step: along the line to the next thing that can be seen; at its end, what happens by itself. A question that waits
 * for its answer holds it up. False when nothing moved.
 */
export function step(): boolean {
  const question = pendingQuestion();
  if (question !== null) {
    set({ asking: question.index, playing: false });
    return false;
  }
  const { run, moment } = here();
  if (moment.cursor < lengthOf(run)) {
    goTo(stepForward(run, moment.cursor));
    const moved = here().moment.cursor;
    // The rest of the line was time alone: go on with what happens by itself.
    if ((run.eventEnds[moved] ?? 0) > (run.eventEnds[moment.cursor] ?? 0)) return true;
  }
  return goOn();
}

/** At the end of a line: lets what is due happen until something can be seen. */
function goOn(): boolean {
  const { origin, run, moment, recording } = here();
  const driver = driverOf(moment.branch);
  if (driver !== null) return driver.goOn();
  const { system } = origin;
  let world = run.worlds.at(-1);
  const actions: BaseAction[] = [];
  for (let quiet = 0; quiet < QUIET_MAX; quiet += 1) {
    const action = system.next(world);
    if (action === null) break;
    const stepped = system.step(world, action);
    world = stepped.world;
    actions.push(action);
    if (stepped.events.length > 0) break;
  }
  if (actions.length === 0) {
    set({ playing: false });
    say("info", "Nothing is left to happen by itself. Choose what could happen next, or break something.");
    return false;
  }
  if (isRecord(recording, moment.branch)) return fork("it goes on", actions);
  const at = lineOf(recording, moment.branch).length;
  return change({ kind: "append", branch: moment.branch, at, actions }, at + actions.length);
}

export function back(): void {
  const { run, moment } = here();
  goTo(stepBack(run, moment.cursor));
}

export const toStart = (): void => goTo(0);
export const toEnd = (): void => goTo(lengthOf(here().run));

/** To the next (1) or previous (-1) event that broke an invariant, seen from the cursor. */
export function toViolation(direction: 1 | -1): void {
  const { origin, run, moment } = here();
  const end = run.eventEnds[moment.cursor] ?? 0;
  const found = violations(origin, run);
  // Behind the cursor, those of the step that it stands on are not before it.
  const from = run.eventEnds[stepBack(run, moment.cursor)] ?? 0;
  const seq = direction === 1 ? found.find((at) => at >= end) : found.findLast((at) => at < from);
  if (seq === undefined)
    return say(
      "info",
      direction === 1 ? "No violation follows on this line." : "No violation comes before this.",
    );
  set({ playing: false });
  goToEvent(seq);
}

// --- acting -------------------------------------------------------------------------------------------------------

/** Does something here. In the past of a line this forks: the new branch goes on from this moment, the old one stays. */
export function act(actions: readonly BaseAction[], label: string): boolean {
  const { origin, run, moment, recording } = here();
  const { system } = origin;
  let world = run.worlds[moment.cursor];
  for (const action of actions) {
    const refusal = system.refusal(world, action);
    if (refusal !== null) {
      say("error", `This cannot happen now. ${refusal}`);
      return false;
    }
    world = system.step(world, action).world;
  }
  set({ playing: false, asking: null });
  const at = lengthOf(run);
  const driver = driverOf(moment.branch);
  if (moment.cursor === at && driver !== null) return driver.act(actions, label);
  if (moment.cursor === at && !isRecord(recording, moment.branch))
    return change({ kind: "append", branch: moment.branch, at, actions }, at + actions.length);
  if (moment.cursor < at && sharedPath(run.actions.slice(moment.cursor), actions) === actions.length) {
    // It is what the line does anyway.
    goTo(moment.cursor + actions.length);
    return true;
  }
  return fork(`what if: ${label}`, actions);
}

/** A new branch from this moment. */
export function fork(name: string, actions: readonly BaseAction[]): boolean {
  const { moment, recording } = get();
  const branch = {
    id: freeBranchId(recording),
    name: forkName(recording, moment.branch, name).slice(0, BRANCH_NAME_MAX),
    parent: moment.branch,
    forkAt: moment.cursor,
    actions,
  };
  return change({ kind: "fork", branch }, moment.cursor + actions.length, branch.id);
}

export function freeBranchId(recording: Recording): string {
  let number = recording.branches.length;
  while (findBranch(recording, `b${number}`) !== undefined) number += 1;
  return `b${number}`;
}

export function forkHere(): void {
  const { recording } = get();
  fork(`branch ${recording.branches.length}`, []);
}

/** Applies a change to the recording, so that it can be undone. */
export function change(what: Change, cursor: number, branch?: string): boolean {
  const { recording, moment, undoable } = get();
  const changed = applyChange(recording, what);
  if (!changed.ok) {
    say("error", sentence(changed.error));
    return false;
  }
  set({
    recording: changed.value,
    moment: { branch: branch ?? moment.branch, cursor },
    undoable: [...undoable.slice(1 - UNDO_MAX), { recording, moment }],
    selected: null,
    notice: null,
  });
  return true;
}

export function undo(): void {
  const { undoable, recording } = get();
  const last = undoable.at(-1);
  if (last === undefined) return say("info", "Nothing to undo.");
  set({
    ...last,
    recording: keepDriven(last.recording, recording),
    undoable: undoable.slice(0, -1),
    selected: null,
    asking: null,
    playing: false,
    comparedWith: null,
  });
}

/** Back to how it was opened: one branch, as scripted. It can be undone. */
export function reset(): void {
  currentDriver()?.reset();
  const { recording, moment, undoable } = get();
  const fresh = freshRecording(recording.origin);
  set({
    recording: fresh,
    moment: { branch: MAIN_BRANCH, cursor: openingCursor(fresh) },
    undoable: [...undoable.slice(1 - UNDO_MAX), { recording, moment }],
    playing: false,
    asking: null,
    selected: null,
    comparedWith: null,
    notice: null,
  });
}

export function chooseBranch(branch: string): void {
  const { recording, moment } = get();
  const from = lineOf(recording, moment.branch);
  const to = lineOf(recording, branch);
  // Where both lines still agree the moment is the same; beyond it, the new line is shown from where it parts.
  const shared = sharedLength(from, to);
  const cursor = moment.cursor <= shared ? moment.cursor : Math.min(Math.max(shared, 0), to.length);
  set({ moment: { branch, cursor }, selected: null, asking: null, playing: false });
}

export function renameBranch(branch: string, name: string): boolean {
  const { moment } = get();
  return change({ kind: "rename", branch, name }, moment.cursor);
}

export function deleteBranch(branch: string): boolean {
  const { recording, moment } = get();
  const gone = findBranch(recording, branch);
  const stays = moment.branch !== branch;
  const done = change(
    { kind: "delete", branch },
    stays ? moment.cursor : Math.min(moment.cursor, gone?.forkAt ?? 0),
    stays ? moment.branch : (gone?.parent ?? MAIN_BRANCH),
  );
  if (done && get().comparedWith === branch) set({ comparedWith: null });
  return done;
}

export const compareWith = (branch: string | null): void => set({ comparedWith: branch });

// --- looking ------------------------------------------------------------------------------------------------------

export const select = (seq: number | null): void => set({ selected: seq });
export const setPlaying = (playing: boolean): void => set({ playing });
export const setPace = (pace: Pace): void => set({ pace });
export const setSpeed = (speed: number): void => set({ speed });
export const setTheme = (theme: Theme): void => set({ theme });
export const setPresenter = (presenter: boolean): void => set({ presenter });
export const setView = (view: View): void => set({ view });
export const setPanel = (panel: Panel): void => set({ panel });
export const setDialog = (dialog: Dialog | null): void => set({ dialog });

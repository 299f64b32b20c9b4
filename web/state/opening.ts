// The one way into the lab for what comes from outside: a link, a file, a session, a configuration. It is replayed to its end
// before it is shown; what cannot be replayed is refused with its place and reason, and the lab stays as it was.
import type { Problem, Result } from "../../shared/base/result.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { decodeRecording } from "../../shared/trace/codec.ts";
import { decodePermalink, recordingOf } from "../../shared/trace/permalink.ts";
import { MAIN_BRANCH, lineOf, type Moment, type Recording } from "../../shared/trace/recording.ts";
import { lineRun, originOf } from "./derive.ts";
import { freshRecording, refuse, show, type Refusal } from "./store.ts";

/** Null when every branch replays. */
export function refusalOf(recording: Recording, what: string): Refusal | null {
  const origin = originOf(recording);
  if (!origin.ok) return { what, problems: origin.error, replay: null, salvage: null };
  for (const branch of recording.branches) {
    const { failure } = lineRun(origin.value, recording, branch.id);
    if (failure !== null)
      return {
        what,
        problems: [],
        replay: { ...failure, branch: branch.name },
        salvage: cutAt(recording, branch.id, failure.index),
      };
  }
  return null;
}

/** The recording with a branch cut before an action, and without the branches that forked from beyond it. */
function cutAt(recording: Recording, id: string, index: number): Recording | null {
  const dropped = new Set<string>();
  const branches = recording.branches.flatMap((branch) => {
    const parent = branch.parent ?? "";
    if (branch.id === id)
      return [{ ...branch, actions: branch.actions.slice(0, Math.max(0, index - branch.forkAt)) }];
    if (dropped.has(parent) || (parent === id && branch.forkAt > index)) {
      dropped.add(branch.id);
      return [];
    }
    return [branch];
  });
  const cut = { ...recording, branches };
  // Other branches may fail as well; each is cut in its turn.
  const again = refusalOf(cut, "");
  return again === null ? cut : again.salvage;
}

/** Shows a recording if all of it replays, else refuses it. True when it is shown. */
export function openRecording(recording: Recording, moment: Moment | null, what: string): boolean {
  const refusal = refusalOf(recording, what);
  if (refusal !== null) {
    refuse(refusal);
    return false;
  }
  show(recording, moment);
  return true;
}

const refuseProblems = (what: string, problems: readonly Problem[]): false => {
  refuse({ what, problems, replay: null, salvage: null });
  return false;
};

export function openFileText(text: string, what: string): boolean {
  const parsed = decodeRecording(text, resolveOrigin);
  return parsed.ok ? openRecording(parsed.value, null, what) : refuseProblems(what, parsed.error);
}

/** Opens the text of a permalink. */
export function openPermalink(text: string): boolean {
  const what = "This link";
  const link = decodePermalink(text);
  if (!link.ok) return refuseProblems(what, [link.error]);
  const origin = resolveOrigin(link.value.origin);
  if (!origin.ok) return refuseProblems(what, origin.error);
  const recording: Result<Recording> = recordingOf(link.value, origin.value.script, resolveOrigin);
  return recording.ok
    ? openRecording(recording.value, link.value.moment, what)
    : refuseProblems(what, recording.error);
}

/** Opens a scenario by name; `cursor` is a place on its own line, null for where it opens. */
export function openScenarioLink(scenario: string, cursor: number | null): boolean {
  const recording = freshRecording({ kind: "scenario", scenario });
  const length = lineOf(recording, MAIN_BRANCH).length;
  const refusal = refusalOf(recording, "This link");
  if (refusal !== null) return refuseProblems(refusal.what, refusal.problems);
  if (cursor !== null && cursor > length)
    return refuseProblems("This link", [
      {
        path: "at",
        expected: `a moment of this scenario, 0 to ${length}`,
        got: String(cursor),
        remedy: "Open the scenario without it and step to the moment that you look for.",
      },
    ]);
  return openRecording(recording, cursor === null ? null : { branch: MAIN_BRANCH, cursor }, "This link");
}

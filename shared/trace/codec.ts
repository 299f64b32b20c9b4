// A recording as a file: what is written is stable text, what is read is checked to the last action before anything runs it.
import { unreachable } from "../base/assert.ts";
import { parseJson } from "../base/json.ts";
import { failed, ok, type Problem, type Result } from "../base/result.ts";
import { parseWith, shown } from "../base/schema.ts";
import * as z from "../base/zod.ts";
import type { BaseAction } from "../systems/system.ts";
import { BRANCH_ID, BRANCH_NAME_MAX, type Change } from "./change.ts";
import {
  ENGINE_VERSION,
  lineOf,
  MAIN_BRANCH,
  RECORDING_FORMAT,
  type Branch,
  type Moment,
  type Origin,
  type Recording,
} from "./recording.ts";

/** What a recording may hold at most; the same in a file, a permalink and a session. */
export const RECORDING_LIMITS = {
  /** Length of the text of a file, in characters. */
  textLength: 2 * 1024 * 1024,
  branches: 64,
  /** Actions of all branches together. */
  actions: 100_000,
  /** Length of the title of a configuration, in characters. */
  titleLength: 120,
} as const;

/** Problems listed for one recording; more would not help anybody to mend it. */
const PROBLEMS_MAX = 10;

/** Gives the parser of actions for an origin, or says what is unknown about it. `resolveOrigin` fits. */
export type ParserOf<Action extends BaseAction = BaseAction> = (
  origin: Origin,
) => Result<{ readonly system: { parseAction(input: unknown): Result<Action> } }>;

export const originSchema: z.ZodType<Origin> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("scenario"), scenario: z.string().min(1).max(80) }),
  z.strictObject({
    kind: z.literal("config"),
    // Which systems there are is known by whoever resolves the origin.
    system: z.string().min(1).max(40) as unknown as z.ZodType<(Origin & { kind: "config" })["system"]>,
    title: z.string().min(1).max(RECORDING_LIMITS.titleLength),
    config: z.unknown(),
  }),
]) as z.ZodType<Origin>;

const actionSchema: z.ZodType<BaseAction> = z.looseObject({ kind: z.string().min(1).max(60) });

/** A branch's own parts; how branches hang together is checked apart. */
export const branchSchema: z.ZodType<Branch> = z.strictObject({
  id: z.string().regex(BRANCH_ID, "1 to 40 lower-case letters, digits and dashes"),
  name: z.string().max(BRANCH_NAME_MAX).regex(/\S/, "a name that is not blank"),
  parent: z.string().max(40).nullable(),
  forkAt: z.int().min(0).max(RECORDING_LIMITS.actions),
  actions: z.array(actionSchema).max(RECORDING_LIMITS.actions),
});

export const momentSchema: z.ZodType<Moment> = z.strictObject({
  branch: z.string().min(1).max(40),
  cursor: z.int().min(0),
});

const partsSchema = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  engine: z.literal(ENGINE_VERSION),
  origin: originSchema,
  branches: z.array(branchSchema).min(1).max(RECORDING_LIMITS.branches),
});

/** Reads the text of a recording file. */
export function decodeRecording<Action extends BaseAction>(
  text: string,
  parserOf: ParserOf<Action>,
): Result<Recording<Action>> {
  if (text.length > RECORDING_LIMITS.textLength)
    return failed([
      {
        path: "",
        expected: `a recording of at most ${RECORDING_LIMITS.textLength} characters`,
        got: String(text.length),
        remedy: "Delete branches that are not needed and export it again.",
      },
    ]);
  const parsed = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  return parsed.ok ? parseRecording(parsed.value, parserOf) : failed([parsed.error]);
}

/** Checks a recording that was already read from JSON (of bounded depth, see {@link parseJson}). */
export function parseRecording<Action extends BaseAction>(
  input: unknown,
  parserOf: ParserOf<Action>,
): Result<Recording<Action>> {
  const other = otherFormat(input);
  if (other !== null) return failed([other]);
  const parts = parseWith(partsSchema, input);
  if (!parts.ok) return failed(parts.error.slice(0, PROBLEMS_MAX));
  const { origin, branches } = parts.value;
  const wrong = familyProblem(branches) ?? sizeProblem(parts.value);
  if (wrong !== null) return failed([wrong]);
  const parser = parserOf(origin);
  if (!parser.ok) return failed(parser.error.slice(0, PROBLEMS_MAX));
  const parsed = parseBranches(branches, parser.value.system);
  return parsed.ok
    ? ok({ format: RECORDING_FORMAT, engine: ENGINE_VERSION, origin, branches: parsed.value })
    : parsed;
}

/** Format and engine come first: with another of either, nothing else that could be said is of use. */
function otherFormat(input: unknown): Problem | null {
  const fields: { format?: unknown; engine?: unknown } =
    typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  if (fields.format !== RECORDING_FORMAT)
    return {
      path: "format",
      expected: `"${RECORDING_FORMAT}"`,
      got: shown(fields.format),
      remedy: "Choose a file that was exported as a recording.",
    };
  return engineProblem(fields.engine);
}

/** A recording of another engine would replay to other worlds; it is refused with both numbers. */
export function engineProblem(engine: unknown): Problem | null {
  if (engine === ENGINE_VERSION) return null;
  const isNewer = typeof engine === "number" && engine > ENGINE_VERSION;
  return {
    path: "engine",
    expected: `${ENGINE_VERSION}, the engine of this lab`,
    got: shown(engine),
    remedy: isNewer
      ? "Update this lab, or open it with the lab that wrote it."
      : "Open it with the lab that wrote it, or record the run again here: its rules have changed since.",
  };
}

/** How branches hang together: the main one first, every other forking from an earlier one at a moment that it has. */
export function familyProblem(branches: readonly Branch[]): Problem | null {
  const lengths = new Map<string, number>();
  for (const [index, branch] of branches.entries()) {
    const at = (field: string) => `branches[${index}].${field}`;
    if ((index === 0) !== (branch.id === MAIN_BRANCH))
      return {
        path: at("id"),
        expected: index === 0 ? `"${MAIN_BRANCH}", which comes first` : "an id that is not taken",
        got: shown(branch.id),
        remedy: "Every recording has one main branch, and it is the first.",
      };
    if (lengths.has(branch.id))
      return {
        path: at("id"),
        expected: "an id that is not taken",
        got: shown(branch.id),
        remedy: "Give every branch an id of its own.",
      };
    const parentLength = branch.parent === null ? 0 : lengths.get(branch.parent);
    if ((branch.parent === null) !== (index === 0) || parentLength === undefined)
      return {
        path: at("parent"),
        expected: index === 0 ? "null for the main branch" : "the id of a branch that comes before it",
        got: shown(branch.parent),
        remedy: "Put parents before the branches that fork from them.",
      };
    if (branch.forkAt > parentLength)
      return {
        path: at("forkAt"),
        expected: `a whole number from 0 to ${parentLength}`,
        got: String(branch.forkAt),
        remedy: "A branch forks from a moment that its parent has.",
      };
    lengths.set(branch.id, branch.forkAt + branch.actions.length);
  }
  return null;
}

/** Actions as the system itself reads them; the first problems, with their places. */
export function parseActions<Action extends BaseAction>(
  actions: readonly unknown[],
  system: { parseAction(input: unknown): Result<Action> },
  path: string,
): Result<readonly Action[]> {
  const problems: Problem[] = [];
  const parsed: Action[] = [];
  for (const [index, input] of actions.entries()) {
    const action = system.parseAction(input);
    if (action.ok) parsed.push(action.value);
    else
      for (const problem of action.error)
        problems.push({
          ...problem,
          path: `${path}[${index}]${problem.path === "" ? "" : `.${problem.path}`}`,
        });
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems.length === 0 ? ok(parsed) : failed(problems.slice(0, PROBLEMS_MAX));
}

function parseBranches<Action extends BaseAction>(
  branches: readonly Branch[],
  system: { parseAction(input: unknown): Result<Action> },
): Result<readonly Branch<Action>[]> {
  const parsed: Branch<Action>[] = [];
  for (const [index, branch] of branches.entries()) {
    const actions = parseActions(branch.actions, system, `branches[${index}].actions`);
    if (!actions.ok) return actions;
    parsed.push({ ...branch, actions: actions.value });
  }
  return ok(parsed);
}

const changeSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("append"),
    branch: z.string().min(1).max(40),
    at: z.int().min(0),
    actions: z.array(actionSchema).min(1).max(RECORDING_LIMITS.actions),
  }),
  z.strictObject({ kind: z.literal("fork"), branch: branchSchema }),
  z.strictObject({ kind: z.literal("rename"), branch: z.string().min(1).max(40), name: z.string().max(400) }),
  z.strictObject({ kind: z.literal("delete"), branch: z.string().min(1).max(40) }),
  z.strictObject({ kind: z.literal("shorten"), branch: z.string().min(1).max(40), to: z.int().min(0) }),
]);

/** Checks a change's own parts, its actions included. Whether it fits a recording is `applyChange`'s question. */
export function parseChange<Action extends BaseAction>(
  input: unknown,
  system: { parseAction(input: unknown): Result<Action> },
): Result<Change<Action>> {
  const parsed = parseWith(changeSchema, input);
  if (!parsed.ok) return failed(parsed.error.slice(0, PROBLEMS_MAX));
  const change = parsed.value;
  switch (change.kind) {
    case "append": {
      const actions = parseActions(change.actions, system, "actions");
      return actions.ok ? ok({ ...change, actions: actions.value }) : actions;
    }
    case "fork": {
      const actions = parseActions(change.branch.actions, system, "branch.actions");
      return actions.ok ? ok({ ...change, branch: { ...change.branch, actions: actions.value } }) : actions;
    }
    case "rename":
    case "delete":
    case "shorten":
      return ok(change);
    default:
      return unreachable(change);
  }
}

/** Null while a recording stays within {@link RECORDING_LIMITS}. */
export function sizeProblem(recording: Recording): Problem | null {
  const { branches } = recording;
  const actions = branches.reduce((total, branch) => total + branch.actions.length, 0);
  const over =
    branches.length > RECORDING_LIMITS.branches
      ? { what: "branches", most: RECORDING_LIMITS.branches, got: branches.length }
      : actions > RECORDING_LIMITS.actions
        ? { what: "actions in all branches together", most: RECORDING_LIMITS.actions, got: actions }
        : null;
  return over === null
    ? null
    : {
        path: "branches",
        expected: `at most ${over.most} ${over.what}`,
        got: String(over.got),
        remedy: "Delete branches that are not needed.",
      };
}

/** Null when the recording has this moment. */
export function momentProblem(recording: Recording, moment: Moment): Problem | null {
  if (!recording.branches.some((branch) => branch.id === moment.branch))
    return {
      path: "moment.branch",
      expected: `one of ${recording.branches.map((branch) => branch.id).join(", ")}`,
      got: shown(moment.branch),
      remedy: "Choose a moment of a branch that the recording has.",
    };
  const length = lineOf(recording, moment.branch).length;
  if (moment.cursor <= length) return null;
  return {
    path: "moment.cursor",
    expected: `a whole number from 0 to ${length}`,
    got: String(moment.cursor),
    remedy: "Choose a moment that the branch has.",
  };
}

/** Stable text with a line for each action, so that two files differ where the recordings do. */
export function encodeRecording(recording: Recording): string {
  const { format, engine, origin, branches } = recording;
  return `{
  "format": ${JSON.stringify(format)},
  "engine": ${engine},
  "origin": ${canonical(origin)},
  "branches": [${branches.map((branch) => `\n    ${encodeBranch(branch)}`).join(",")}
  ]
}
`;
}

function encodeBranch({ id, name, parent, forkAt, actions }: Branch): string {
  const lines = actions.map((action) => `\n        ${canonical(action)}`).join(",");
  return `{
      "id": ${JSON.stringify(id)},
      "name": ${JSON.stringify(name)},
      "parent": ${JSON.stringify(parent)},
      "forkAt": ${forkAt},
      "actions": [${lines}${lines === "" ? "" : "\n      "}]
    }`;
}

/** JSON that does not depend on the order in which keys were set: `kind` first, then by name. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => keyOrder(left, right)))
      : part,
  );
}

function keyOrder(left: string, right: string): number {
  if (left === right) return 0;
  if (left === "kind" || right === "kind") return left === "kind" ? -1 : 1;
  return left < right ? -1 : 1;
}

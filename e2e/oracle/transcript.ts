// A transcript of the oracle: one JSON object a line.
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";
import { parseJson } from "./schedule.ts";

/** What happened, without its time. */
export type Happening =
  | { readonly ev: "request" | "gave-up"; readonly node: string; readonly verb: string }
  | {
      readonly ev: "commit";
      readonly node: string;
      readonly verb: string;
      readonly rv: number;
      readonly holder: string;
      readonly transitions: number;
      readonly duration: number;
    }
  | { readonly ev: "answer"; readonly node: string; readonly verb: string; readonly code: number }
  | { readonly ev: "started" | "stopped" | "cancel"; readonly node: string }
  | { readonly ev: "new-leader"; readonly node: string; readonly id: string }
  | { readonly ev: "config-error"; readonly node: string; readonly error: string }
  | { readonly ev: "end" };

export interface Line {
  readonly atMs: number;
  readonly happening: Happening;
}

const FIELDS: Readonly<Record<Happening["ev"], Readonly<Record<string, "string" | "number">>>> = {
  request: { node: "string", verb: "string" },
  "gave-up": { node: "string", verb: "string" },
  commit: {
    node: "string",
    verb: "string",
    rv: "number",
    holder: "string",
    transitions: "number",
    duration: "number",
  },
  answer: { node: "string", verb: "string", code: "number" },
  started: { node: "string" },
  stopped: { node: "string" },
  cancel: { node: "string" },
  "new-leader": { node: "string", id: "string" },
  "config-error": { node: "string", error: "string" },
  end: {},
};

const isKind = (ev: unknown): ev is Happening["ev"] => typeof ev === "string" && Object.hasOwn(FIELDS, ev);

/** A line as text, its fields always in the same order, so that equal lines are equal texts. */
export function lineText({ atMs, happening }: Line): string {
  return JSON.stringify({ t: atMs / 1000, ...ordered(happening) });
}

/** A happening as text. */
export const happeningText = (happening: Happening): string => JSON.stringify(ordered(happening));

function ordered(happening: Happening): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>(Object.entries(happening));
  const names = ["ev", ...Object.keys(FIELDS[happening.ev])];
  return Object.fromEntries(names.map((name) => [name, values.get(name)]));
}

export function parseTranscript(text: string): Result<readonly Line[]> {
  const problems: Problem[] = [];
  const lines: Line[] = [];
  for (const [index, row] of text.split("\n").entries()) {
    if (row.trim() === "") continue;
    const line = parseLine(row, `line ${index + 1}`);
    if (line.ok) lines.push(line.value);
    else problems.push(...line.error);
  }
  return problems.length === 0 ? ok(lines) : failed(problems);
}

function parseLine(row: string, path: string): Result<Line> {
  const refused = (expected: string, got: unknown): Result<Line> =>
    failed([
      { path, expected, got: JSON.stringify(got) ?? "nothing", remedy: "Record the transcript again." },
    ]);
  const parsed = parseJson(row);
  if (!parsed.ok)
    return failed(
      parsed.error.map((problem) => ({
        ...problem,
        path: `${path}, ${problem.path.replace("line 1, ", "")}`,
        remedy: "Record the transcript again: the line may be torn.",
      })),
    );
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return refused("a JSON object", parsed.value);
  const { t, ...values } = parsed.value as Record<string, unknown>;
  const { ev } = values;
  if (typeof t !== "number" || !(t >= 0)) return refused("a time `t` in seconds", t);
  if (!isKind(ev)) return refused(`an \`ev\` of ${Object.keys(FIELDS).join(", ")}`, ev);
  const fields = FIELDS[ev];
  for (const [name, type] of Object.entries(fields))
    if (typeof values[name] !== type) return refused(`a ${type} \`${name}\` in ${ev}`, values[name]);
  const unknown = Object.keys(values).find((name) => name !== "ev" && !Object.hasOwn(fields, name));
  if (unknown !== undefined) return refused(`only known fields in ${ev}`, unknown);
  return ok({ atMs: Math.round(t * 1000), happening: values as unknown as Happening });
}

// Schemas at the edge, and their errors in the words of a Problem.
import type * as z from "./zod.ts";
import { failed, ok, type Problem, type Result } from "./result.ts";

/** Parses with a schema; every issue becomes a {@link Problem} with path, expected, got and remedy. */
export function parseWith<T>(schema: z.ZodType<T>, input: unknown): Result<T> {
  const parsed = schema.safeParse(input);
  return parsed.success
    ? ok(parsed.data)
    : failed(parsed.error.issues.flatMap((issue) => problemsOf(issue, input)));
}

/** `nodes[0].id` for `["nodes", 0, "id"]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined),
    input,
  );
}

/** A value as a user would recognise it, cut to a readable length. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  // A function or a symbol has no JSON.
  const text = JSON.stringify(value) ?? `a ${typeof value}`;
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

function problemsOf(issue: z.core.$ZodIssue, input: unknown): readonly Problem[] {
  const got = shown(valueAt(input, issue.path));
  const at = (problem: Omit<Problem, "path" | "got">, more: Partial<Problem> = {}): Problem => ({
    path: pathText(issue.path),
    got,
    ...problem,
    ...more,
  });
  switch (issue.code) {
    case "invalid_type":
      return [at({ expected: `a value of type ${issue.expected}`, remedy: "Correct the value." })];
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: pathText([...issue.path, key]),
        expected: "only documented keys",
        got: shown(key),
        remedy: "Remove it, or correct its spelling.",
      }));
    case "too_small":
      return [
        at({
          expected: `${issue.origin === "number" || issue.origin === "int" ? "" : "a length of "}at least ${String(issue.minimum)}`,
          remedy: "Raise it.",
        }),
      ];
    case "too_big":
      return [
        at({
          expected: `${issue.origin === "number" || issue.origin === "int" ? "" : "a length of "}at most ${String(issue.maximum)}`,
          remedy: "Lower it.",
        }),
      ];
    case "invalid_value":
      return [
        at({
          expected: `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`,
          remedy: "Choose one of them.",
        }),
      ];
    case "invalid_union": {
      const closest = issue.errors.toSorted((left, right) => left.length - right.length)[0];
      if (closest === undefined || closest.length === 0)
        return [at({ expected: "one of the documented forms", remedy: "Correct the value." })];
      return closest.flatMap((inner) =>
        problemsOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, input),
      );
    }
    default:
      return [at({ expected: issue.message, remedy: "Correct the value." })];
  }
}

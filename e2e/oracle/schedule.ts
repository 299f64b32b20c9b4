// A schedule of the oracle: which nodes run, with which timings, and what goes wrong with their requests.
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";

/** Applies to the calls of one node that start in [from, to). Of several that apply, the last one counts. */
export interface Fault {
  readonly node: string;
  /** Seconds since the start of the schedule. */
  readonly from: number;
  readonly to: number;
  /** `get`, `create`, `update` or `*`. */
  readonly verb: string;
  /** Seconds before the server acts. */
  readonly delay: number;
  /** Seconds from the server's act to its answer. */
  readonly late: number;
  /** `request`: the server never acts. `answer`: it acts and never answers. */
  readonly lose: string;
  /** Answer with this error and commit nothing; 0 for none. */
  readonly code: number;
}

export interface NodePlan {
  readonly id: string;
  /** All in seconds. */
  readonly start: number;
  readonly lease: number;
  readonly deadline: number;
  readonly retry: number;
  /** When its context is cancelled; 0 for never. */
  readonly releaseAt: number;
  /** ReleaseOnCancel. */
  readonly release: boolean;
}

export interface Schedule {
  readonly name: string;
  readonly nodes: readonly NodePlan[];
  readonly faults: readonly Fault[];
  /** When every context is cancelled, in seconds. */
  readonly until: number;
}

/** Reads a file of schedules: a JSON array, its fields as Go's decoder takes them. */
export function parseSchedules(text: string): Result<readonly Schedule[]> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const problems: Problem[] = [];
  const reader = new FieldReader(problems);
  const schedules = reader
    .items(parsed.value, "")
    .map((item, index) => readSchedule(reader, item, `[${index}]`));
  const names = schedules.map(({ name }) => name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      problems.push({
        path: `[${index}].Name`,
        expected: "a name of its own, because the transcript is found by it",
        got: `${JSON.stringify(name)} a second time`,
        remedy: "Rename one of the two.",
      });
  return problems.length === 0 ? ok(schedules) : failed(problems);
}

/** JSON.parse whose error names line and column. */
export function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position)).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    return failed([
      {
        path: `line ${before.length}, column ${column}`,
        expected: "JSON",
        got: text.trim() === "" ? "an empty text" : message,
        remedy: "Correct the text there.",
      },
    ]);
  }
}

function readSchedule(reader: FieldReader, input: unknown, path: string): Schedule {
  const fields = reader.fields(input, path, ["Name", "Nodes", "Faults", "Until"]);
  const schedule: Schedule = {
    name: reader.text(fields, "Name"),
    nodes: reader.list(fields, "Nodes").map(([item, at]) => readNode(reader, item, at)),
    faults: reader.list(fields, "Faults").map(([item, at]) => readFault(reader, item, at)),
    until: reader.number(fields, "Until"),
  };
  if (schedule.name === "" || /[/\\]/.test(schedule.name))
    reader.refuse({
      path: `${path}.Name`,
      expected: "a file name, without slashes",
      got: JSON.stringify(schedule.name),
      remedy: "Give the schedule a name: its transcript is NAME.jsonl.",
    });
  return schedule;
}

function readNode(reader: FieldReader, input: unknown, path: string): NodePlan {
  const names = ["ID", "Start", "Lease", "Deadline", "Retry", "ReleaseAt", "Release"];
  const fields = reader.fields(input, path, names);
  return {
    id: reader.text(fields, "ID"),
    start: reader.number(fields, "Start"),
    lease: reader.number(fields, "Lease"),
    deadline: reader.number(fields, "Deadline"),
    retry: reader.number(fields, "Retry"),
    releaseAt: reader.number(fields, "ReleaseAt"),
    release: reader.flag(fields, "Release"),
  };
}

function readFault(reader: FieldReader, input: unknown, path: string): Fault {
  const names = ["node", "from", "to", "verb", "delay", "late", "lose", "code"];
  const fields = reader.fields(input, path, names);
  return {
    node: reader.text(fields, "node"),
    from: reader.number(fields, "from"),
    to: reader.number(fields, "to"),
    verb: reader.text(fields, "verb"),
    delay: reader.number(fields, "delay"),
    late: reader.number(fields, "late"),
    lose: reader.text(fields, "lose"),
    code: reader.whole(fields, "code"),
  };
}

interface Fields {
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** Reads as Go's encoding/json does: field names in any case, an absent or null field is its zero value. */
class FieldReader {
  readonly #problems: Problem[];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  refuse(problem: Problem): void {
    this.#problems.push(problem);
  }

  fields(input: unknown, path: string, names: readonly string[]): Fields {
    const values = new Map<string, unknown>();
    if (input === null) return { path, values };
    if (typeof input !== "object" || Array.isArray(input)) {
      this.#wrongType(path, "an object", input);
      return { path, values };
    }
    for (const [key, value] of Object.entries(input)) {
      const name = names.find((candidate) => candidate.toLowerCase() === key.toLowerCase());
      if (name === undefined)
        this.refuse({
          path: `${path}.${key}`,
          expected: `one of the fields ${names.join(", ")}`,
          got: `a field ${JSON.stringify(key)}`,
          remedy: "Remove it, or correct its spelling.",
        });
      else if (value !== null) values.set(name, value);
    }
    return { path, values };
  }

  items(input: unknown, path: string): readonly unknown[] {
    if (input === null) return [];
    if (Array.isArray(input)) return input as readonly unknown[];
    this.#wrongType(path, "an array", input);
    return [];
  }

  list(fields: Fields, name: string): readonly (readonly [unknown, string])[] {
    const path = `${fields.path}.${name}`;
    return this.items(fields.values.get(name) ?? null, path).map((item, index) => [
      item,
      `${path}[${index}]`,
    ]);
  }

  text(fields: Fields, name: string): string {
    return this.#typed(fields, name, "a string", (value) => typeof value === "string", "");
  }

  number(fields: Fields, name: string): number {
    return this.#typed(fields, name, "a number", (value) => typeof value === "number", 0);
  }

  whole(fields: Fields, name: string): number {
    return this.#typed(fields, name, "a whole number", (value) => Number.isSafeInteger(value), 0);
  }

  flag(fields: Fields, name: string): boolean {
    return this.#typed(fields, name, "true or false", (value) => typeof value === "boolean", false);
  }

  #typed<T>(fields: Fields, name: string, expected: string, fits: (value: unknown) => boolean, zero: T): T {
    const value = fields.values.get(name);
    if (value === undefined) return zero;
    if (fits(value)) return value as T;
    this.#wrongType(`${fields.path}.${name}`, expected, value);
    return zero;
  }

  #wrongType(path: string, expected: string, value: unknown): void {
    this.refuse({
      path,
      expected,
      got: JSON.stringify(value).slice(0, 60),
      remedy: "Correct the value.",
    });
  }
}

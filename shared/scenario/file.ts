// A configuration file, as `play` and `explore` take it and as the lab's builder exports it: a system's configuration, a
// script if something is to be done to it, and the verdicts that are expected.
//
//   { "system": "leadership", "title": "Two replicas", "config": { "nodes": [{ "id": "a" }, { "id": "b" }] },
//     "script": [{ "untilMs": 5000 }, { "act": { "kind": "pause", "node": "a" } }, { "untilMs": 30000 }],
//     "expect": { "one-believer": "broken" } }
import { failed, ok, type Problem, type Result } from "../base/result.ts";
import { parseWith } from "../base/schema.ts";
import * as z from "../base/zod.ts";
import { leadershipInvariants } from "../invariant/catalogue.ts";
import type { Invariant } from "../invariant/invariant.ts";
import type { BaseAction, System } from "../systems/system.ts";
import type { LeadershipConfig } from "../systems/leadership/config.ts";
import { leadership } from "../systems/leadership/system.ts";
import type { ExpectedVerdicts, ScriptLine } from "./scenario.ts";

const fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const fileSchema = z.strictObject({
  system: z.literal("leadership").default("leadership"),
  title: z.string().max(120).default("Your own configuration"),
  config: z.unknown(),
  /** Default: a minute of undisturbed time. */
  script: z
    .array(
      z.union([
        z.strictObject({ untilMs: z.int().min(0).max(86_400_000) }),
        z.strictObject({ untilEvent: fields, nth: z.int().min(1).max(10_000).default(1) }),
        z.strictObject({ act: z.unknown() }),
      ]),
    )
    .max(1000)
    .default([{ untilMs: 60_000 }]),
  expect: z.record(z.string(), z.enum(["holds", "broken", "reached", "not-reached"])).default({}),
});

/** What a configuration file asks for. */
export interface PlayFile {
  readonly system: System<unknown, unknown, BaseAction>;
  readonly title: string;
  readonly config: unknown;
  readonly script: readonly ScriptLine[];
  readonly expect: ExpectedVerdicts;
  readonly invariants: readonly Invariant[];
}

export function parsePlayFile(input: unknown): Result<PlayFile> {
  const parsed = parseWith(fileSchema, input);
  if (!parsed.ok) return parsed;
  const { title, config: rawConfig, script: rawScript, expect } = parsed.value;
  const config = leadership.parseConfig(rawConfig);
  const problems: Problem[] = config.ok ? [] : config.error.map((problem) => under("config", problem));
  const script = rawScript.map((line, index): ScriptLine => {
    if (!("act" in line)) return line;
    const action = leadership.parseAction(line.act);
    if (action.ok) return { act: action.value };
    problems.push(...action.error.map((problem) => under(`script[${index}].act`, problem)));
    return { untilMs: 0 };
  });
  if (!config.ok || problems.length > 0) return failed(problems);
  const invariants = leadershipInvariants(config.value as LeadershipConfig);
  for (const id of Object.keys(expect))
    if (!invariants.some((invariant) => invariant.id === id))
      problems.push({
        path: `expect.${id}`,
        expected: `one of ${invariants.map((invariant) => invariant.id).join(", ")}`,
        got: JSON.stringify(id),
        remedy: "Correct the name of the invariant.",
      });
  if (problems.length > 0) return failed(problems);
  return ok({
    system: leadership as never,
    title,
    config: config.value,
    script,
    expect,
    invariants,
  });
}

function under(path: string, problem: Problem): Problem {
  return { ...problem, path: problem.path === "" ? path : `${path}.${problem.path}` };
}

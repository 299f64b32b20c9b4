// `timer:<name>?period=1000`: the delegate that sends an envelope now and then.
import { failed, ok, type Problem, type Result } from "../../base/result.ts";
import { DEFAULT_PLAN, type DelegatePlan } from "./plan.ts";
import type { ComponentUri } from "./uri.ts";

const KNOWN = ["period", "delay", "repeatCount"] as const;
const LONGEST_MS = 86_400_000;

/**
 * The plan of a timer, counting from the start of each life anew. `period` (default 1000) is from tick to tick,
 * `delay` (default 0) from the start to the first one; after `repeatCount` ticks (default: no end) it ends by itself.
 * @param how what a URI does not say: envelopes per tick, and how long it takes to end once it is cancelled.
 */
export function timerPlan(
  uri: ComponentUri,
  how: Partial<Pick<DelegatePlan, "burst" | "lingerMs">> = {},
): Result<DelegatePlan> {
  const problems: Problem[] = [];
  const refuse = (path: string, expected: string, got: string, remedy: string): void => {
    problems.push({ path, expected, got, remedy });
  };
  if (uri.scheme !== "timer") refuse("scheme", "a timer", `"${uri.scheme}"`, "Write timer:name?period=1000.");
  if (uri.path.trim() === "") refuse("path", "a name for the timer", "none", "Write timer:name.");
  for (const key of Object.keys(uri.query))
    if (!KNOWN.some((known) => known === key))
      refuse(key, `one of ${KNOWN.join(", ")}`, `"${key}"`, "Correct its spelling, or leave it out.");
  const read = (key: (typeof KNOWN)[number], least: number, otherwise: number): number => {
    const text = uri.query[key];
    if (text === undefined) return otherwise;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (value < least || value > LONGEST_MS)
      refuse(key, `a whole number from ${least} to ${LONGEST_MS}`, `"${text}"`, `Write ${key}=1000.`);
    return value;
  };
  const emitEveryMs = read("period", 1, 1000);
  const emitFirstMs = read("delay", 0, 0);
  const repeats = uri.query["repeatCount"] !== undefined;
  const emitCount = repeats ? read("repeatCount", 0, 0) : null;
  if (problems.length > 0) return failed(problems);
  return ok({ ...DEFAULT_PLAN, emitFirstMs, emitEveryMs, emitCount, endWhenDone: repeats, ...how });
}

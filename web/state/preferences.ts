// What the browser remembers for this user alone, and never puts into a link: looks, pace, and answers to predictions.
import * as z from "../../shared/base/zod.ts";

const KEY = "epoch-lab";

export type Theme = "system" | "light" | "dark";
/** `event`: one step a beat. `timed`: as timed, with quiet stretches folded. */
export type Pace = "event" | "timed";
export const SPEEDS: readonly number[] = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64];

/** A locked answer to a prediction; `choice` is null for a skipped one. */
export interface Answer {
  readonly choice: number | null;
}

export interface Preferences {
  readonly theme: Theme;
  readonly pace: Pace;
  readonly speed: number;
  /** By `scenario/index`. */
  readonly answers: Readonly<Record<string, Answer>>;
}

export const DEFAULT_PREFERENCES: Preferences = { theme: "system", pace: "event", speed: 1, answers: {} };

const schema = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system"),
  pace: z.enum(["event", "timed"]).catch("event"),
  speed: z
    .number()
    .refine((value) => SPEEDS.includes(value))
    .catch(1),
  answers: z.record(z.string(), z.object({ choice: z.int().min(0).nullable() })).catch({}),
});

/** Reads what was kept; whatever cannot be read counts as never chosen. */
export function readPreferences(storage: Pick<Storage, "getItem"> | null): Preferences {
  let text: string | null = null;
  try {
    text = storage?.getItem(KEY) ?? null;
  } catch (error) {
    // A browser that forbids storage throws on every access: the lab works without.
    console.info("Preferences cannot be read", error);
  }
  if (text === null) return DEFAULT_PREFERENCES;
  let input: unknown = null;
  try {
    input = JSON.parse(text);
  } catch (error) {
    console.info("Preferences are damaged and start anew", error);
  }
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : DEFAULT_PREFERENCES;
}

export function writePreferences(storage: Pick<Storage, "setItem"> | null, preferences: Preferences): void {
  try {
    storage?.setItem(KEY, JSON.stringify(preferences));
  } catch (error) {
    console.info("Preferences cannot be kept", error);
  }
}

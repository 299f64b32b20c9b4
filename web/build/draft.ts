// A configuration while it is being written: any plain data, changed at paths such as `nodes[0].timings.retryPeriodMs`.
// What is wrong with it is the schema's to say; the form only shows it in its place.
import type { Problem } from "../../shared/base/result.ts";

export type Draft = unknown;
export type Key = string | number;

/** `nodes[0].id` to `["nodes", 0, "id"]`. */
export function keysOf(path: string): readonly Key[] {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? (name ?? "") : Number(index),
  );
}

export function getAt(draft: Draft, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    draft,
  );
}

/** The draft with another value at a path; what does not exist on the way is made. */
export function setAt(draft: Draft, path: string, value: unknown): Draft {
  return put(draft, keysOf(path), value);
}

function put(at: unknown, keys: readonly Key[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list: unknown[] = Array.isArray(at) ? [...(at as unknown[])] : [];
    list[key] = put(list[key], rest, value);
    return list;
  }
  const object: Readonly<Record<string, unknown>> =
    typeof at === "object" && at !== null && !Array.isArray(at) ? (at as Record<string, unknown>) : {};
  return { ...object, [key]: put(object[key], rest, value) };
}

export function listAt(draft: Draft, path: string): readonly unknown[] {
  const value = getAt(draft, path);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A text that a draft holds at a path; another where it holds none. */
export function textAt(draft: Draft, path: string, otherwise: string): string {
  const value = getAt(draft, path);
  return typeof value === "string" && value !== "" ? value : otherwise;
}

/** What a number field holds: a number where the text is one, else the text itself for the schema to refuse. */
export function numberOf(text: string): number | string {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

/** The problems at a path or below it. */
export const problemsAt = (problems: readonly Problem[], path: string): readonly Problem[] =>
  problems.filter(
    (problem) =>
      problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`),
  );

/** A name that no other entry of a list has: the wanted one, or it with a number. */
export function freeName(taken: readonly unknown[], wanted: readonly string[]): string {
  const free = wanted.find((name) => !taken.includes(name));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.includes(`${wanted[0] ?? "x"}-${number}`)) number += 1;
  return `${wanted[0] ?? "x"}-${number}`;
}

/**
 * Draws for jitter from a seed, each in [0, 1) with four digits: the same seed gives the same draws everywhere, and the
 * configuration holds the draws themselves. (mulberry32, by Tommy Ettinger, in the public domain.)
 */
export function drawsOf(seed: number, count: number): readonly number[] {
  let state = seed >>> 0;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * 10_000) / 10_000;
  });
}

// The Go toolchain: whether there is one that can build what go.mod pins.
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import type { Environment } from "./binaries.ts";

export type Go =
  | { readonly kind: "usable"; readonly version: string }
  /** `problem` is the part of a sentence that says what is wrong. */
  | { readonly kind: "unusable"; readonly problem: string };

/** Go's answer to `go env`, as far as it matters here. */
export interface GoAnswer {
  /** For example `go1.26.8`. */
  readonly version: string;
  /** For example `local`, `auto` or `go1.26.0+auto`. */
  readonly toolchain: string;
}

/** Compares `1.26.8` with `1.26.0` number by number; a missing part counts as 0. */
function atLeast(version: string, wanted: string): boolean {
  const parts = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
  const [have, need] = [parts(version), parts(wanted)];
  for (let index = 0; index < Math.max(have.length, need.length); index++) {
    const difference = (have[index] ?? 0) - (need[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/**
 * Whether this Go can build a module that asks for `wanted`. An older Go from 1.21 on fetches the newer one
 * by itself, unless GOTOOLCHAIN forbids it.
 */
export function judgeGo(answer: GoAnswer, wanted: string): Go {
  const version = answer.version.replace(/^go/, "");
  if (atLeast(version, wanted)) return { kind: "usable", version };
  const mayFetch = /(^|\+)(auto|path)$/.test(answer.toolchain) && atLeast(version, "1.21");
  if (mayFetch) return { kind: "usable", version };
  const why = atLeast(version, "1.21") ? ` and GOTOOLCHAIN=${answer.toolchain} forbids fetching another` : "";
  return { kind: "unusable", problem: `Go is ${version}${why}, where ${wanted} is needed` };
}

/** Asks the `go` of PATH. Any failure to run it counts as there being none. */
export async function findGo(environment: Environment, wanted: string): Promise<Go> {
  try {
    // Outside the module's folder, or Go would switch toolchains before it answers.
    const { stdout } = await promisify(execFile)("go", ["env", "GOVERSION", "GOTOOLCHAIN"], {
      cwd: tmpdir(),
      env: { ...environment },
      timeout: 20_000,
    });
    const [version = "", toolchain = ""] = stdout.split("\n").map((line) => line.trim());
    return judgeGo({ version, toolchain }, wanted);
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { kind: "unusable", problem: absent ? "there is no Go" : `Go does not run (${detail})` };
  }
}

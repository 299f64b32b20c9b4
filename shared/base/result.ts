// What a parse returns: the value, or the problems in words a user can act on.

/** One thing wrong with input: where, what was expected, what was found, and how to mend it. */
export interface Problem {
  /** Where: a path such as `nodes[0].timings.renewDeadlineMs`, or empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  readonly remedy: string;
}

export type Result<T, E = readonly Problem[]> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const failed = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** One sentence for a problem: `nodes[0].id: expected …, got …. Remedy.` */
export function sentence(problem: Problem): string {
  const where = problem.path === "" ? "" : `${problem.path}: `;
  return `${where}expected ${problem.expected}, got ${problem.got}. ${problem.remedy}`;
}

// Beliefs that cannot be false, and unions that must be exhausted.

/**
 * States a belief about the program itself. A failure is a fault of the engine, never of the user's input:
 * input is parsed at the edge and answered with a {@link Result}.
 * @throws Error naming the claim.
 */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`The engine broke its own claim: ${claim}`);
}

/** The value, where its absence would be a fault of the engine. */
export function present<T>(value: T | null | undefined, claim: string): T {
  assert(value !== null && value !== undefined, claim);
  return value;
}

/** Ends every switch over a union: adding a member without handling it does not compile. */
export function unreachable(value: never): never {
  throw new Error(`The engine met a case it does not know: ${JSON.stringify(value)}`);
}

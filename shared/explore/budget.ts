// How many faults of each kind a path may use, counted in one number.

export interface Budgets {
  readonly names: readonly string[];
  readonly limits: readonly number[];
  /** What one use of each adds to the number. */
  readonly weights: readonly number[];
}

/** More combinations than a state's one number can hold. */
export const COMBINATIONS_MAX = 0x7fff_ffff;

/** `limits` by name; names with 0 are left out, since nothing is allowed that is not named. */
export function planBudgets(limits: Readonly<Record<string, number>>): Budgets {
  const names = Object.keys(limits)
    .filter((name) => (limits[name] ?? 0) > 0)
    .toSorted();
  const weights: number[] = [];
  let weight = 1;
  for (const name of names) {
    weights.push(weight);
    weight *= (limits[name] ?? 0) + 1;
  }
  return { names, limits: names.map((name) => limits[name] ?? 0), weights };
}

/** How many numbers {@link spend} can give. */
export const combinations = (limits: Readonly<Record<string, number>>): number =>
  Object.values(limits).reduce((product, limit) => product * (limit + 1), 1);

/** The number after one more use of budget `index`, or -1 when there is none left. */
export function spend(budgets: Budgets, spent: number, index: number): number {
  const weight = budgets.weights[index] ?? 1;
  const limit = budgets.limits[index] ?? 0;
  return Math.floor(spent / weight) % (limit + 1) < limit ? spent + weight : -1;
}

export const hasLeft = (budgets: Budgets, spent: number, index: number): boolean =>
  spend(budgets, spent, index) >= 0;

/** How many of each were used. */
export function spentByName(budgets: Budgets, spent: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    budgets.names.map((name, index) => [
      name,
      Math.floor(spent / (budgets.weights[index] ?? 1)) % ((budgets.limits[index] ?? 0) + 1),
    ]),
  );
}

// Small tools for figures: repeat, and report medians.

/** How often something happens per second, measured over `forMs` after a warm-up of the same length. */
export function perSecond(forMs: number, batch: () => number): number {
  const run = (): number => {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < forMs) count += batch();
    return (count * 1000) / (performance.now() - start);
  };
  run();
  return Math.round(run());
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

// Compares two samples of durations: overlap, its z-score, quantiles.

/**
 * The chance that a value of one sample is below one of the other, ties counted half: 0.5 where nothing tells them apart,
 * 0 or 1 where a single measurement does.
 *
 * @see Mann and Whitney, On a test of whether one of two random variables is stochastically larger than the other (1947)
 */
export function overlap(one: readonly number[], other: readonly number[]): number {
  const sorted = other.toSorted((a, b) => a - b);
  let above = 0;
  for (const value of one) {
    const [from, to] = [placeOf(value, sorted, false), placeOf(value, sorted, true)];
    above += sorted.length - to + (to - from) / 2;
  }
  return above / (one.length * other.length);
}

/**
 * How many standard deviations the {@link overlap} is from 0.5, which two samples of one distribution have. Beyond 3 either
 * way chance hardly explains it; below 0 the first sample has the greater values.
 *
 * @see Mann and Whitney, as above: the normal approximation, without a correction for ties
 */
export function zScore(one: readonly number[], other: readonly number[]): number {
  const [n, m] = [one.length, other.length];
  return (overlap(one, other) - 0.5) * Math.sqrt((12 * n * m) / (n + m + 1));
}

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** How many values stand before `value`; with `orEqual` those equal to it count too. */
function placeOf(value: number, sorted: readonly number[], orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (orEqual && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Statistics of measured samples: quantiles, medians, and the overlap of two samples.

/**
 * The probability that a value of one sample is below one of the other, ties counted half: 0.5 for indistinguishable samples,
 * 0 or 1 where a single measurement distinguishes them.
 *
 * @see Mann and Whitney, On a test of whether one of two random variables is stochastically larger than the other (1947)
 */
export function overlap(one: readonly number[], other: readonly number[]): number {
  const sorted = other.toSorted((a, b) => a - b);
  let above = 0;
  for (const value of one) {
    const [from, to] = [rankOf(value, sorted, false), rankOf(value, sorted, true)];
    above += sorted.length - to + (to - from) / 2;
  }
  return above / (one.length * other.length);
}

/**
 * The distance of {@link overlap} from 0.5 in standard deviations. Beyond 3 either way it is hardly by chance; below 0 the
 * first sample has the greater values.
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

/** The item with the median of `value`, whole, so that its figures belong together. @throws Error for an empty list */
export function medianBy<Item>(items: readonly Item[], value: (item: Item) => number): Item {
  const sorted = items.toSorted((one, other) => value(one) - value(other));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error('no round was run');
  return median;
}

/** The mean, with its standard error, in percent: `97.8 ± 1.5 %`. @param shares at least two, 1 for 100 % */
export function meanShare(shares: readonly number[]): string {
  const mean = sum(shares) / shares.length;
  const squares = sum(shares.map((share) => (share - mean) ** 2));
  const error = Math.sqrt(squares / (shares.length - 1) / shares.length);
  return `${(mean * 100).toFixed(1)} ± ${(error * 100).toFixed(1)} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The number of values below `value`; with `orEqual` also those equal to it. */
function rankOf(value: number, sorted: readonly number[], orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (orEqual && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

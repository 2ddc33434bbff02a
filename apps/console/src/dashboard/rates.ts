// Rates between two readings of the metrics.
import { type Sample, sum } from './metrics-text.js';

export interface Reading {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** How many a minute. Undefined where a process was restarted, so that its counters began again. */
export function perMinute(
  from: Reading,
  to: Reading,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const difference = sum(to.samples, name, labels) - sum(from.samples, name, labels);
  const minutes = (to.at - from.at) / 60_000;
  return difference < 0 || minutes <= 0 ? undefined : difference / minutes;
}

/**
 * A quantile of a histogram, between the bounds of its bucket as if values were spread evenly in it. Undefined where nothing
 * was counted.
 * @param name without `_bucket`
 */
export function quantileOf(
  from: Reading,
  to: Reading,
  name: string,
  quantile: number,
): number | undefined {
  const counts = cumulativeCounts(from, to, name);
  const total = counts.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const rank = quantile * total;
  const at = counts.findIndex(({ count }) => count >= rank);
  const { bound = 0, count = 0 } = counts[at] ?? {};
  const below = counts[at - 1] ?? { bound: 0, count: 0 };
  if (bound === Number.POSITIVE_INFINITY) return below.bound;
  if (count === below.count) return bound;
  return below.bound + (bound - below.bound) * ((rank - below.count) / (count - below.count));
}

interface Bucket {
  readonly bound: number;
  readonly count: number;
}

function cumulativeCounts(from: Reading, to: Reading, name: string): readonly Bucket[] {
  const bounds = new Set(
    to.samples
      .filter((sample) => sample.name === `${name}_bucket`)
      .map(({ labels }) => labels['le']),
  );
  return [...bounds]
    .filter((le) => le !== undefined)
    .map((le) => ({
      bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
      count:
        sum(to.samples, `${name}_bucket`, { le }) - sum(from.samples, `${name}_bucket`, { le }),
    }))
    .toSorted((a, b) => a.bound - b.bound);
}

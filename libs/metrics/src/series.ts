// Counters and histograms that are cheap to count with. prom-client looks a series up by a text made of its labels, which
// costs several times as much as everything else that is done for a count.

/** The most labels of a metric. */
export type Labels =
  readonly [] | readonly [string] | readonly [string, string] | readonly [string, string, string];

export class CounterSeries {
  value = 0;

  inc(by = 1): void {
    this.value += by;
  }
}

export class HistogramSeries {
  sum = 0;
  /** Observations by bucket, each in one; the last is above all bounds. */
  readonly counts: number[];

  /** @param bounds upper bounds, ascending */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += value;
  }
}

/** The series of a metric, by the values of its labels. */
export class Family<S> {
  readonly #series = new Map<string, Map<string, Map<string, S>>>();

  constructor(
    private readonly labels: Labels,
    private readonly create: () => S,
  ) {
    // A metric without labels has its series from the start.
    if (labels.length === 0) this.of();
  }

  /** The series with these values, in the order of the labels. A new one starts at 0. */
  of(first = '', second = '', third = ''): S {
    return this.#series.get(first)?.get(second)?.get(third) ?? this.#add(first, second, third);
  }

  /** The series of these values of the only label, by value. They exist from the start, at 0. */
  each<V extends string>(values: readonly V[]): Readonly<Record<V, S>> {
    const series = values.map((value) => [value, this.of(value)] as const);
    return Object.fromEntries(series) as Record<V, S>;
  }

  /** All series, with their labels. */
  *entries(): Iterable<readonly [labels: Record<string, string>, series: S]> {
    for (const [first, seconds] of this.#series) {
      for (const [second, thirds] of seconds) {
        for (const [third, series] of thirds) {
          const values = [first, second, third];
          yield [
            Object.fromEntries(this.labels.map((name, at) => [name, values[at] ?? ''])),
            series,
          ];
        }
      }
    }
  }

  #add(first: string, second: string, third: string): S {
    const seconds = this.#series.get(first) ?? new Map<string, Map<string, S>>();
    const thirds = seconds.get(second) ?? new Map<string, S>();
    const series = this.create();
    this.#series.set(first, seconds.set(second, thirds.set(third, series)));
    return series;
  }
}

// The metrics of a process, in the formats of Prometheus. The library prom-client is used in this folder alone.
import { AggregatorRegistry, Gauge, type Metric, Registry } from 'prom-client';
import type { EventChannel } from '@tessera/runtime';
import { CounterSeries, Family, HistogramSeries, type Labels } from './series.js';

/** How the values of several workers become one; default the sum. */
type Aggregation = 'sum' | 'max' | 'min' | 'first';

interface GaugeOptions<L extends string> {
  /** Values must be bounded by the code or the settings, never by callers. */
  readonly labels?: readonly L[];
  readonly aggregation?: Aggregation;
  /** Sets the values at each reading. */
  readonly read?: (gauge: Gauge<L>) => void;
}

interface HistogramOptions {
  /** As those of a gauge. */
  readonly labels?: Labels;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** A value as prom-client writes it. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A metric as docs/metrics.md lists it. */
export interface MetricDescription {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** In bytes: what `/metrics` answers with. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export class Metrics {
  readonly #registry = new Registry();
  readonly #descriptions: MetricDescription[] = [];
  readonly #subscriptions: (() => void)[] = [];

  get descriptions(): readonly MetricDescription[] {
    return this.#descriptions;
  }

  /**
   * @param name `tessera_…_total`
   * @param read sets the values at each reading, where they are counted elsewhere
   */
  counter(
    name: string,
    help: string,
    labels: Labels = [],
    read?: (family: Family<CounterSeries>) => void,
  ): Family<CounterSeries> {
    const family = new Family(labels, () => new CounterSeries());
    this.#describe('counter', name, labels);
    this.#register({ name, help, type: 'counter' }, () => {
      read?.(family);
      return Array.from(family.entries(), ([own, { value }]) => ({ labels: own, value }));
    });
    return family;
  }

  gauge<L extends string>(
    name: string,
    help: string,
    { read, labels = [], aggregation = 'sum' }: GaugeOptions<L> = {},
  ): Gauge<L> {
    this.#describe('gauge', name, labels);
    const gauge: Gauge<L> = new Gauge({
      name,
      help,
      labelNames: [...labels],
      aggregator: aggregation,
      registers: [this.#registry],
      collect: () => read?.(gauge),
    });
    return gauge;
  }

  histogram(
    name: string,
    help: string,
    { labels = [], buckets }: HistogramOptions,
  ): Family<HistogramSeries> {
    const family = new Family(labels, () => new HistogramSeries(buckets));
    this.#describe('histogram', name, labels);
    this.#register({ name, help, type: 'histogram' }, () =>
      Array.from(family.entries(), ([own, series]) =>
        histogramSamples(name, own, { series, buckets }),
      ).flat(),
    );
    return family;
  }

  /** Calls the subscriber for each event, until {@link close}. It must not throw. */
  observe<E extends object>(channel: EventChannel<E>, subscriber: (event: E) => void): void {
    this.#subscriptions.push(channel.subscribe(subscriber));
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const end of this.#subscriptions.splice(0)) end();
  }

  /** All metrics, in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** In a worker: answers the primary process when it collects metrics. */
  answerPrimary(): void {
    AggregatorRegistry.setRegistries([this.#registry]);
    openAggregator();
  }

  #describe(type: string, name: string, labels: readonly string[]): void {
    this.#descriptions.push({ name, type, labels });
  }

  /** Registers an object with the one method that the registry calls, as prom-client's own aggregation does. */
  #register(
    metric: Readonly<Record<'name' | 'help' | 'type', string>>,
    read: () => Sample[],
  ): void {
    const aggregator = 'sum';
    const get = () => Promise.resolve({ ...metric, aggregator, values: read() });
    this.#registry.registerMetric({ ...metric, aggregator, get } as unknown as Metric);
  }
}

/** Buckets count all observations up to their bound. */
function histogramSamples(
  name: string,
  labels: Readonly<Record<string, string>>,
  { series, buckets }: { readonly series: HistogramSeries; readonly buckets: readonly number[] },
): Sample[] {
  let count = 0;
  const counted = series.counts.map((each, index): Sample => {
    count += each;
    const le = buckets[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...counted,
    { metricName: `${name}_sum`, labels, value: series.sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/**
 * In a primary process: reads the metrics of its workers, aggregated, and its own. The names of both must differ.
 * @returns a function that rejects when a worker does not answer in 5 s
 */
export function clusterText(own: Metrics): () => Promise<string> {
  const aggregator = openAggregator();
  return async () => {
    const texts = await Promise.all([aggregator.clusterMetrics(), own.text()]);
    return texts.filter((text) => text !== '').join('\n');
  };
}

/** The constructor adds the listeners for messages between the primary process and its workers. */
function openAggregator(): AggregatorRegistry<typeof METRICS_TYPE> {
  return new AggregatorRegistry();
}

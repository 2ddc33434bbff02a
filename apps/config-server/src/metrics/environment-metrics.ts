import type { Metrics } from '@tessera/metrics';
import { backendReads } from '../backends/backend-events.js';
import { environmentsServed } from '../environment/environment-events.js';

const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];

export function countEnvironments(metrics: Metrics): void {
  const environments = metrics
    .counter(
      'tessera_config_environments_total',
      'Environments for callers, by whether they were in memory.',
      ['cache'],
    )
    .each(['hit', 'miss']);
  const reads = metrics.counter(
    'tessera_config_backend_reads_total',
    'Queries to backends, by outcome.',
    ['backend', 'outcome'],
  );
  const duration = metrics.histogram(
    'tessera_config_backend_read_duration_seconds',
    'Duration of queries to backends.',
    { labels: ['backend'], buckets: DURATIONS },
  );
  const lastSuccess = metrics.gauge(
    'tessera_config_backend_success_timestamp_seconds',
    'The last query that a backend answered, in seconds since 1970.',
    { labels: ['backend'] },
  );
  metrics.observe(environmentsServed, ({ isCached }) => {
    environments[isCached ? 'hit' : 'miss'].inc();
  });
  metrics.observe(backendReads, ({ backend, outcome, milliseconds }) => {
    reads.of(backend, outcome).inc();
    duration.of(backend).observe(milliseconds / 1_000);
    if (outcome === 'success') lastSuccess.setToCurrentTime({ backend });
  });
}

// The metrics of the process and of Node, named as in prom-client. Its own set observes each garbage collection, which costs too
// much under load.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { maxOpenFiles } from '@tessera/runtime';
import type { Metrics } from './metrics.js';

const NANOSECONDS = 1e9;
const DELAY_RESOLUTION_MS = 20;

type Value = readonly [name: string, help: string, read: () => number];

const MEMORY: readonly Value[] = [
  ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
  ['nodejs_heap_size_total_bytes', 'Size of the heap.', () => process.memoryUsage().heapTotal],
  ['nodejs_heap_size_used_bytes', 'Objects in the heap.', () => process.memoryUsage().heapUsed],
  [
    'nodejs_external_memory_bytes',
    'Memory that objects of the heap have outside of it.',
    () => process.memoryUsage().external,
  ],
];

const LINUX: readonly Value[] = [
  ['process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length],
  ['process_max_fds', 'Limit of open file descriptors.', maxOpenFiles],
];

export function countProcess(metrics: Metrics): void {
  metrics.counter('process_cpu_seconds_total', 'CPU time of user and system.', [], (family) => {
    const { user, system } = process.cpuUsage();
    family.of().value = (user + system) / 1_000_000;
  });
  const started = metrics.gauge('process_start_time_seconds', 'Start, in seconds since 1970.', {
    aggregation: 'min',
  });
  started.set(performance.timeOrigin / 1_000);
  for (const [name, help, read] of process.platform === 'linux' ? [...MEMORY, ...LINUX] : MEMORY) {
    metrics.gauge(name, help, { read: (gauge) => gauge.set(read()) });
  }
  countEventLoopDelay(metrics);
}

/** Of the time since the last reading. Gauges are read in this order, so the last one begins anew. */
function countEventLoopDelay(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  const help = 'Delay of the event loop since the last reading';
  metrics.gauge('nodejs_eventloop_lag_p50_seconds', `${help}: the median.`, {
    aggregation: 'max',
    read: (gauge) => gauge.set(delay.percentile(50) / NANOSECONDS),
  });
  metrics.gauge('nodejs_eventloop_lag_p99_seconds', `${help}: the 99th percentile.`, {
    aggregation: 'max',
    read: (gauge) => gauge.set(delay.percentile(99) / NANOSECONDS),
  });
  metrics.gauge('nodejs_eventloop_lag_max_seconds', `${help}: the longest.`, {
    aggregation: 'max',
    read(gauge) {
      gauge.set(delay.max / NANOSECONDS);
      delay.reset();
    },
  });
}

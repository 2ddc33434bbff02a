import type { Metrics } from '@tessera/metrics';
import { serviceEvents } from '@tessera/services';

/** The counts of a pool of connections, as `pg` has them. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** @param pool undefined until the application has one */
export function countConnections(metrics: Metrics, pool: () => PoolCounts | undefined): void {
  metrics.gauge(
    'tessera_database_connections',
    'Connections to the database by state, and callers that wait for one.',
    {
      labels: ['state'],
      read(gauge) {
        const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool() ?? {};
        gauge.set({ state: 'used' }, totalCount - idleCount);
        gauge.set({ state: 'idle' }, idleCount);
        gauge.set({ state: 'waiting' }, waitingCount);
      },
    },
  );
}

export function countServices(metrics: Metrics): void {
  const services = metrics.gauge('tessera_services', 'Registered services in memory.', {
    aggregation: 'max',
  });
  const loads = metrics
    .counter(
      'tessera_service_loads_total',
      'Loads of all registered services, and failed readings of the database.',
      ['outcome'],
    )
    .each(['loaded', 'failed']);
  const current = metrics.gauge(
    'tessera_services_current_timestamp_seconds',
    'When the services in memory were last those of the database, in seconds since 1970; the oldest of several processes.',
    { aggregation: 'min' },
  );
  metrics.observe(serviceEvents, (event) => {
    if (event.type === 'current') {
      current.setToCurrentTime();
      return;
    }
    loads[event.type].inc();
    if (event.type === 'loaded') services.set(event.services);
  });
}

import type { Metrics } from '@tessera/metrics';
import { batchEvents, ticketEvents } from '@tessera/tickets';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100];
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function countTickets(metrics: Metrics): void {
  const granted = metrics.counter('tessera_tickets_granted_total', 'Tickets granted.', ['kind']);
  const validated = metrics.counter('tessera_tickets_validated_total', 'Tickets validated.', [
    'kind',
  ]);
  const refused = metrics.counter(
    'tessera_tickets_refused_total',
    'Tickets that were not granted or not validated, by the code of the reason.',
    ['operation', 'kind', 'reason'],
  );
  metrics.observe(ticketEvents, (event) => {
    switch (event.type) {
      case 'granted':
        granted.of(event.kind).inc();
        break;
      case 'validated':
        validated.of(event.kind).inc();
        break;
      case 'refused':
        refused.of(event.operation, event.kind, event.reason).inc();
        break;
      case 'ended':
    }
  });
}

export function countBatches(metrics: Metrics): void {
  const size = metrics.histogram(
    'tessera_statement_batch_size',
    'Requests that shared one statement of the ticket registry.',
    { labels: ['statement'], buckets: BATCH_SIZES },
  );
  const duration = metrics.histogram(
    'tessera_statement_duration_seconds',
    'Duration of these statements, with the wait for a connection.',
    { labels: ['statement'], buckets: DURATIONS },
  );
  const failures = metrics.counter(
    'tessera_statement_failures_total',
    'Statements of the ticket registry that failed.',
    ['statement'],
  );
  for (const statement of ['grant', 'consume']) failures.of(statement);
  metrics.observe(batchEvents, ({ statement, size: requests, milliseconds, outcome }) => {
    size.of(statement).observe(requests);
    duration.of(statement).observe(milliseconds / 1_000);
    if (outcome === 'failure') failures.of(statement).inc();
  });
}

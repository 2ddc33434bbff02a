import type { Metrics } from '@tessera/metrics';
import { batchEvents, ticketEvents } from '@tessera/tickets';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100];
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function countTickets(metrics: Metrics): void {
  const granted = metrics
    .counter('tessera_tickets_granted_total', 'Tickets granted.', ['kind'])
    .each(['TGT', 'PGT', 'ST', 'PT']);
  const validated = metrics
    .counter('tessera_tickets_validated_total', 'Tickets validated.', ['kind'])
    .each(['ST', 'PT']);
  const refused = metrics.counter(
    'tessera_tickets_refused_total',
    'Tickets that were not granted or not validated, by the code of the reason.',
    ['operation', 'kind', 'reason'],
  );
  metrics.observe(ticketEvents, (event) => {
    switch (event.type) {
      case 'granted':
        granted[event.kind].inc();
        break;
      case 'validated':
        validated[event.kind].inc();
        break;
      case 'refused':
        refused.of(event.operation, event.kind, event.reason).inc();
        break;
      case 'ended':
    }
  });
}

const STATEMENTS = ['create-session', 'grant', 'consume', 'confirm-logout'] as const;

export function countBatches(metrics: Metrics): void {
  const sizes = metrics
    .histogram(
      'tessera_statement_batch_size',
      'Requests that shared one statement of the ticket registry.',
      { labels: ['statement'], buckets: BATCH_SIZES },
    )
    .each(STATEMENTS);
  const durations = metrics
    .histogram(
      'tessera_statement_duration_seconds',
      'Duration of these statements, with the wait for a connection.',
      { labels: ['statement'], buckets: DURATIONS },
    )
    .each(STATEMENTS);
  const failures = metrics
    .counter('tessera_statement_failures_total', 'Statements of the ticket registry that failed.', [
      'statement',
    ])
    .each(STATEMENTS);
  metrics.observe(batchEvents, ({ statement, size, milliseconds, outcome }) => {
    sizes[statement].observe(size);
    durations[statement].observe(milliseconds / 1_000);
    if (outcome === 'failure') failures[statement].inc();
  });
}

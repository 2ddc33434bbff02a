import type { Metrics } from '@tessera/metrics';
import { EventChannel } from '@tessera/runtime';
import type { LogoutEvent } from '../logout/logout-events.js';

export function countLogoutMessages(metrics: Metrics): void {
  const sent = metrics
    .counter(
      'tessera_logout_messages_total',
      'Logout messages: delivered, retried later, failed for good, or dropped since the service is gone.',
      ['outcome'],
    )
    .each(['delivered', 'retried', 'failed', 'dropped']);
  const waiting = metrics.gauge(
    'tessera_logout_messages_waiting',
    'Logout messages in the queue of all nodes, and those that failed for good in the last 30 days.',
    { labels: ['queue'], aggregation: 'max' },
  );
  // The code of single logout is loaded only where it is on.
  const logoutEvents = new EventChannel<LogoutEvent>('tessera:logout-messages');
  metrics.observe(logoutEvents, (event) => {
    if (event.type === 'sent') {
      sent[event.outcome].inc();
    } else {
      waiting.set({ queue: 'pending' }, event.pending);
      waiting.set({ queue: 'failed' }, event.failed);
    }
  });
}

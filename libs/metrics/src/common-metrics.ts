// The metrics that both applications have: build, reloads of the settings, Vault, uses of keys, the audit trail.
import type { AuditWriterEvent } from '@tessera/audit';
import { reloadEvents } from '@tessera/config';
import { cipherEvents } from '@tessera/crypto';
import { EventChannel, productVersion } from '@tessera/runtime';
import type { DroppedSpansEvent } from '@tessera/tracing';
import type { LeaseEvent } from '@tessera/vault';
import type { Metrics } from './metrics.js';

export function countBuild(metrics: Metrics, application: string): void {
  const build = metrics.gauge('tessera_build_info', 'Always 1; the labels name the build.', {
    labels: ['application', 'version', 'node_version'],
    aggregation: 'first',
  });
  const { node } = process.versions;
  build.set({ application, version: productVersion(), node_version: node }, 1);
}

/** Of all processes of the node, in the process that leads reloads. */
export function countReloads(metrics: Metrics): void {
  const reloads = metrics
    .counter(
      'tessera_settings_reloads_total',
      'Reloads of the settings. A rejected one changed nothing.',
      ['outcome'],
    )
    .each(['changed', 'unchanged', 'rejected']);
  metrics.observe(reloadEvents, ({ outcome }) => reloads[outcome].inc());
}

export function countCiphers(metrics: Metrics): void {
  const operations = metrics.counter(
    'tessera_cipher_operations_total',
    'Values encrypted or decrypted with the configured keys.',
    ['operation', 'outcome'],
  );
  metrics.observe(cipherEvents, ({ operation, outcome }) =>
    operations.of(operation, outcome).inc(),
  );
}

export function countVaultLeases(metrics: Metrics): void {
  const expiries = new Map<object, number>();
  metrics.gauge(
    'tessera_vault_lease_seconds',
    'Time until the token of Vault expires, the shortest of several; none without such a token.',
    {
      aggregation: 'min',
      read(gauge) {
        gauge.remove();
        if (expiries.size > 0) {
          gauge.set((Math.min(...expiries.values()) - performance.now()) / 1_000);
        }
      },
    },
  );
  const renewals = metrics.counter(
    'tessera_vault_renewals_total',
    'Renewals of the token of Vault, logins instead of a renewal, and failures of both.',
    ['outcome'],
  );
  // The library of Vault is loaded only where it is used.
  const leaseEvents = new EventChannel<LeaseEvent>('tessera:vault-leases');
  metrics.observe(leaseEvents, ({ holder, type, timeLeft }) => {
    if (type === 'closed' || timeLeft === undefined || timeLeft === Infinity) {
      expiries.delete(holder);
    } else {
      expiries.set(holder, performance.now() + timeLeft);
    }
    if (type !== 'used' && type !== 'closed') renewals.of(type).inc();
  });
}

export function countDroppedSpans(metrics: Metrics): void {
  const dropped = metrics
    .counter('tessera_spans_dropped_total', 'Spans of traces that were lost, by the reason.', [
      'reason',
    ])
    .each(['queue-full', 'export-failed', 'shutdown']);
  // The library of traces is loaded only where it is used.
  const droppedSpans = new EventChannel<DroppedSpansEvent>('tessera:dropped-spans');
  metrics.observe(droppedSpans, ({ reason, spans }) => dropped[reason].inc(spans));
}

const WRITE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

export function countAuditWrites(metrics: Metrics): void {
  const events = metrics
    .counter(
      'tessera_audit_events_total',
      'Events of the audit trail that were written, or lost because the database was unavailable for too long.',
      ['outcome'],
    )
    .each(['written', 'lost']);
  const waiting = metrics.gauge(
    'tessera_audit_events_waiting',
    'Events of the audit trail that wait for the database, as of the last write.',
  );
  const duration = metrics.histogram(
    'tessera_audit_write_duration_seconds',
    'Duration of the statements that write batches of events.',
    { buckets: WRITE_SECONDS },
  );
  // The library of the audit trail is loaded only where it is on.
  const writes = new EventChannel<AuditWriterEvent>('tessera:audit-writes');
  metrics.observe(writes, (event) => {
    if (event.type !== 'postponed') events[event.type].inc(event.events);
    waiting.set(event.waiting);
    if (event.type === 'written') duration.of().observe(event.milliseconds / 1_000);
  });
}

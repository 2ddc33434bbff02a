import { passwordHashingEvents } from '@tessera/crypto';
import type { Metrics } from '@tessera/metrics';
import { loginEvents } from '../authentication/login-events.js';

const WAITS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function countLogins(metrics: Metrics): void {
  const logins = metrics.counter(
    'tessera_logins_total',
    'Logins by their outcome, and by the handler that accepted: none for the other outcomes.',
    ['entry_point', 'handler', 'outcome'],
  );
  metrics.observe(loginEvents, ({ entryPoint, handler = 'none', outcome }) =>
    logins.of(entryPoint, handler, outcome).inc(),
  );
}

export function countPasswordHashes(metrics: Metrics): void {
  const waiting = metrics.gauge(
    'tessera_password_hashes_waiting',
    'Password hashes that wait for their turn.',
  );
  const running = metrics.gauge(
    'tessera_password_hashes_running',
    'Password hashes under computation.',
  );
  const refused = metrics.counter(
    'tessera_password_hashes_refused_total',
    'Password hashes refused because too many waited.',
  );
  const wait = metrics.histogram(
    'tessera_password_hash_wait_seconds',
    'Time that a password hash waited for its turn.',
    { buckets: WAITS },
  );
  metrics.observe(passwordHashingEvents, (event) => {
    switch (event.type) {
      case 'queued':
        waiting.inc();
        break;
      case 'started':
        waiting.dec();
        running.inc();
        wait.of().observe(event.waited / 1_000);
        break;
      case 'finished':
        running.dec();
        break;
      case 'refused':
        waiting.dec();
        refused.of().inc();
    }
  });
}

// Opens several backends together, and closes them.
import { loggerFor } from '@tessera/logging';
import type { EnvironmentBackend } from './environment-backend.js';

const log = loggerFor('config-server');

/** All backends, in their order. When one cannot be opened, the others are closed again. */
export async function openAll<B extends EnvironmentBackend>(
  opening: readonly Promise<B>[],
): Promise<readonly B[]> {
  const opened = await Promise.allSettled(opening);
  const backends = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return backends;
  await closeAll(backends);
  throw failed.reason;
}

/** Closes all of them; errors are logged. */
export async function closeAll(backends: readonly EnvironmentBackend[]): Promise<void> {
  for (const backend of backends.toReversed()) {
    await backend.close?.().catch((error: unknown) => {
      log.warn({ error, backend: backend.name }, 'closing failed');
    });
  }
}

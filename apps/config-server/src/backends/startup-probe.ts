// Owns the question that every backend is asked once when the server starts, so that the log tells of one that cannot answer
// before a client does.
import { loggerFor } from '@tessera/logging';
import { BackendError } from './backend-error.js';
import type { EnvironmentBackend, EnvironmentQuery } from './environment-backend.js';

const log = loggerFor('config-server');

/** What all applications share, where the backend looks by default. */
const QUESTION: EnvironmentQuery = {
  applications: ['application'],
  profiles: ['default'],
  label: undefined,
};

/**
 * Never fails, and answers nothing.
 *
 * @param backends that tell by themselves when they are away
 * @param closing from when on faults are expected
 */
export async function probeBackends(
  backends: readonly EnvironmentBackend[],
  closing: AbortSignal,
): Promise<void> {
  const asking = backends.map(async (backend) => {
    try {
      await backend.find(QUESTION);
    } catch (error) {
      const isTold = error instanceof BackendError && error.isTemporary;
      if (isTold || closing.aborted) return;
      log.warn({ backend: backend.name, error }, 'a backend cannot say what applications share');
    }
  });
  await Promise.all(asking);
}

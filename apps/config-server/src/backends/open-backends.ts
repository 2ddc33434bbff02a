// Opens the backends that the settings name. The code of `git`, `vault` and `postgres` is loaded only when it is named.
import { loggerFor } from '@tessera/logging';
import type { SharedDatabase } from '../database/shared-database.js';
import type { BackendName, ConfigServerSettings } from '../settings/config-server-settings.js';
import type { EnvironmentBackend } from './environment-backend.js';
import { NativeBackend } from './native/native-backend.js';

const log = loggerFor('config-server');

type OpenBackend = (
  settings: ConfigServerSettings,
  database: Pick<SharedDatabase, 'open'>,
  isFirst: boolean,
) => Promise<EnvironmentBackend>;

const OPEN: Readonly<Record<BackendName, OpenBackend>> = {
  native: ({ native }) => Promise.resolve(new NativeBackend(native.options())),
  git: async ({ git, environment }, _database, isFirst) => {
    const { GitBackend } = await import('./git/git-backend.js');
    return GitBackend.open(
      git.options(environment.whenUnavailable === 'last-known-good'),
      !isFirst,
    );
  },
  vault: async ({ vault }) => {
    const { openVaultBackend } = await import('./vault/open-vault-backend.js');
    return openVaultBackend(vault);
  },
  postgres: async ({ postgres }, database) => {
    const { openPostgresBackend } = await import('./postgres/open-postgres-backend.js');
    return openPostgresBackend(database, postgres.defaultLabel);
  },
};

/**
 * In the order of the settings. When one cannot be opened, the others are closed again.
 *
 * @param isFirst whether no application of this process has started before
 */
export async function openBackends(
  settings: ConfigServerSettings,
  database: Pick<SharedDatabase, 'open'>,
  isFirst: boolean,
): Promise<readonly EnvironmentBackend[]> {
  const opened = await Promise.allSettled(
    settings.backendNames.map((name) => OPEN[name](settings, database, isFirst)),
  );
  const backends = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return backends;
  await closeBackends(backends);
  throw failed.reason;
}

/** Closes all of them; errors are logged. */
export async function closeBackends(backends: readonly EnvironmentBackend[]): Promise<void> {
  for (const backend of backends.toReversed()) {
    await backend.close?.().catch((error: unknown) => {
      log.warn({ error, backend: backend.name }, 'closing failed');
    });
  }
}

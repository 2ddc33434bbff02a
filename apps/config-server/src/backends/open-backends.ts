// Opens the backends that the settings name. The code of `git`, `vault` and `postgres` is loaded only when it is named.
import type { SharedDatabase } from '../database/shared-database.js';
import type { BackendName, ConfigServerSettings } from '../settings/config-server-settings.js';
import type { EnvironmentBackend } from './environment-backend.js';
import { NativeBackend } from './native/native-backend.js';
import { openAll } from './open-all.js';

type OpenBackend = (
  settings: ConfigServerSettings,
  database: Pick<SharedDatabase, 'open'>,
  isFirst: boolean,
) => Promise<EnvironmentBackend>;

const OPEN: Readonly<Record<BackendName, OpenBackend>> = {
  native: ({ native }) => Promise.resolve(new NativeBackend(native.options())),
  git: async ({ git, environment }, _database, isFirst) => {
    const { openGitBackend } = await import('./git/open-git-backend.js');
    return openGitBackend(git, environment.whenUnavailable === 'last-known-good', !isFirst);
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
export function openBackends(
  settings: ConfigServerSettings,
  database: Pick<SharedDatabase, 'open'>,
  isFirst: boolean,
): Promise<readonly EnvironmentBackend[]> {
  return openAll(settings.backendNames.map((name) => OPEN[name](settings, database, isFirst)));
}

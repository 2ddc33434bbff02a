// Owns opening the backends that settings name. The code of the others is not loaded, but for the directory's.
import { loggerFor } from '@tessera/logging';
import type { Reload } from '@tessera/reload';
import type { LiveSettings } from '@tessera/settings';
import type { ConfigServerSettings } from '../settings.js';
import type { BackendName, EnvironmentBackend } from './environment-backend.js';
import { NativeBackend } from './native/native-backend.js';

const log = loggerFor('config-server');

type Opening = (
  settings: ConfigServerSettings,
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload,
) => Promise<EnvironmentBackend>;

const OPENINGS: Readonly<Record<BackendName, Opening>> = {
  native: ({ native }) => Promise.resolve(new NativeBackend(native.options())),
  git: async ({ git, environment }) => {
    const { GitBackend } = await import('./git/git-backend.js');
    return GitBackend.open(git.options(environment.whenUnavailable === 'last-known-good'));
  },
  vault: async ({ vault }) => {
    const { openVaultBackend } = await import('./vault/open-vault-backend.js');
    return openVaultBackend(vault);
  },
  postgres: async (_settings, live, reload) => {
    const { openPostgresBackend } = await import('./postgres/open-postgres-backend.js');
    return openPostgresBackend(live, reload);
  },
};

/** In the order of the settings, some of which they follow. Where one cannot be opened, those that were are closed again. */
export async function openBackends(
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload,
): Promise<readonly EnvironmentBackend[]> {
  const settings = live.current;
  const opened = await Promise.allSettled(
    settings.backendNames.map((name) => OPENINGS[name](settings, live, reload)),
  );
  const backends = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return backends;
  await closeBackends(backends);
  throw failed.reason;
}

/** One that fails does not keep the others open. */
export async function closeBackends(backends: readonly EnvironmentBackend[]): Promise<void> {
  for (const backend of backends.toReversed()) {
    await backend.close?.().catch((error: unknown) => {
      log.warn({ error, backend: backend.name }, 'closing failed');
    });
  }
}

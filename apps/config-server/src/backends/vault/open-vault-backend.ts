// Owns the making of the backend `vault` from its settings. Loaded only where settings name that backend.
import { childEnvironment } from '@tessera/runtime';
import { openVault } from '@tessera/vault';
import type { VaultBackendSettings } from '../../settings/vault-backend-settings.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { VaultBackend } from './vault-backend.js';

/**
 * Reads files; asks Vault nothing yet, so that one which is away keeps no server from starting.
 *
 * @param settings that their own check has nothing against
 * @throws VaultError VAULT_ENVIRONMENT_UNSAFE, VAULT_FILE_UNREADABLE
 */
export async function openVaultBackend(
  settings: VaultBackendSettings,
  environment: Readonly<Record<string, string | undefined>> = childEnvironment({}),
): Promise<EnvironmentBackend> {
  const client = await openVault(settings.access, environment);
  const keyValues = client.keyValues({ mount: settings.mount, version: settings.version });
  return new VaultBackend({
    read: (path) => keyValues.read(path),
    close: () => client.close(),
  });
}

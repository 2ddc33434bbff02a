// Opens the backend `vault` from its settings. Loaded only if it is configured.
import { childEnvironment } from '@tessera/runtime';
import { openVault } from '@tessera/vault';
import type { VaultBackendSettings } from '../../settings/vault-backend-settings.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { VaultBackend } from './vault-backend.js';

/**
 * Reads the files of its settings. Sends no request to Vault, so that the server starts while Vault is unavailable.
 *
 * @param settings without violations
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

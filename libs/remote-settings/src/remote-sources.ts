// Owns which remote sources there are, and their order.
import type { SettingsSource } from '@tessera/settings';
import { ConfigServerSource } from './config-server/config-server-source.js';
import { VaultSource } from './vault/vault-source.js';

/** The strongest first. Each does nothing unless settings say where its server is. */
export function remoteSources(): readonly SettingsSource[] {
  return [new VaultSource(), new ConfigServerSource()];
}

// The settings sources beyond this machine: Vault and the config server.
export { ConfigServerClientSettings } from './config-server/config-server-client-settings.js';
export { programSettings, type Program } from './program-settings.js';
export { remoteSources } from './program-settings.js';
export { VaultSettings } from './vault/vault-settings.js';
export { credentialsIn, MOUNT_PATH, vaultViolations } from './vault/vault-rules.js';

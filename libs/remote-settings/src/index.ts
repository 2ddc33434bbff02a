// The sources of settings beyond this machine.
export { ConfigServerClientSettings } from './config-server/config-server-client-settings.js';
export { programSettings, type Program } from './program-settings.js';
export { remoteSources } from './remote-sources.js';
export { VaultSettings } from './vault/vault-settings.js';
export { credentialsIn, MOUNT_PATH, vaultComplaints } from './vault/vault-rules.js';

// Settings: reading them (settings), from Vault and config servers (remote), and reloading them (reload).
export * from './reload/index.js';
export * from './remote/index.js';
export * from './settings/index.js';

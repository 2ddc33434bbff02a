// The public face of the library that asks Vault for secrets.
export type { KeyValues, KeyValuesOptions, SecretData } from './key-values.js';
export type { AppRole, CertificateRole, KubernetesRole } from './logins.js';
export { openVault, type VaultAccess } from './open-vault.js';
export type { SettingsFile } from './settings-file.js';
export type { VaultClient } from './vault-client.js';
export { SettingsFileError, VaultError, VaultRefusal, type VaultErrorCode } from './vault-error.js';

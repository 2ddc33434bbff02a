// The public API of the Vault library.
export type { KeyValues, KeyValuesOptions, SecretData } from './key-values.js';
export type { LeaseEvent } from './lease-events.js';
export type { AppRole, CertificateRole, KubernetesRole } from './logins.js';
export type { SettingsFile } from './settings-file.js';
export { openVault, type VaultAccess, type VaultClient } from './vault-client.js';
export {
  SettingsFileError,
  VaultError,
  VaultRefusedError,
  type VaultErrorCode,
} from './vault-error.js';

// The public face of the library that asks Vault for secrets.
export { AppRoleLogin, type AppRole } from './app-role-login.js';
export { refuseUnsafeEnvironment } from './environment.js';
export type { KeyValues, KeyValuesOptions, SecretData } from './key-values.js';
export { fixedToken, tokenFile, type LogIn, type Login, type TokenProvider } from './tokens.js';
export { VaultClient, type VaultOptions } from './vault-client.js';
export { VaultError, type VaultErrorCode } from './vault-error.js';

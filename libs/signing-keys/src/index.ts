// The keys that sign tokens of OpenID Connect: stored, sealed, replaced.
export { type SigningAlgorithm, type SigningKey } from './signing-key.js';
export { SigningKeyError, type SigningKeyErrorCode } from './signing-key-error.js';
export { SigningKeys } from './signing-keys.js';
export { SigningKeysModule } from './signing-keys.module.js';

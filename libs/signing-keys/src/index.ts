// The keys that sign tokens of OpenID Connect: stored, sealed, replaced.
export { openKeySealing, type KeySealing } from './key-sealing.js';
export { readKeystore, type KeystoreFile } from './keystore-file.js';
export { type SigningAlgorithm, type SigningKey } from './signing-key.js';
export {
  importSigningKeys,
  removeSigningKey,
  rotateSigningKeys,
  USABLE_IN,
} from './signing-key-changes.js';
export { SigningKeyStore, type StoredSigningKey } from './signing-key-store.js';
export { SigningKeys } from './signing-keys.js';
export { SigningKeysModule } from './signing-keys.module.js';

// Random ids, digests, password hashing, and the keys and ciphers of protected values.
export { DEFAULT_ARGON2_PARAMETERS, type Argon2Parameters } from './argon2-hash.js';
export type { Cipher } from './ciphers/cipher.js';
export { EnvelopeCipher } from './ciphers/envelope-cipher.js';
export { JasyptCipher, type JasyptOptions } from './ciphers/jasypt/jasypt-cipher.js';
export { SpringRsaCipher, type SpringRsaOptions } from './ciphers/spring-rsa-cipher.js';
export { SpringTextCipher, type SpringTextOptions } from './ciphers/spring-text-cipher.js';
export {
  cipherEvents,
  passwordHashingEvents,
  type CipherEvent,
  type PasswordHashingEvent,
} from './crypto-events.js';
export { CryptoError, type CryptoErrorCode } from './crypto-error.js';
export { equalsInConstantTime, sha256 } from './digest.js';
export {
  ensureKeyFile,
  type EnvelopeKey,
  type KeyFile,
  newKeyFile,
  parseEnvelopeKey,
  readGuardedFile,
  readKeyFile,
  writeKeyFile,
} from './keys/key-file.js';
export { KeyRing, type WeakKey } from './keys/key-ring.js';
export {
  encryptionKeyFirst,
  looksLikeKeyStore,
  readKeyStore,
  type StoredKey,
} from './keys/key-store.js';
export { looksLikePem, privateKeyOfPem } from './keys/pem-key.js';
export {
  envelopeRingKey,
  formOf,
  type PasswordFormat,
  type PasswordKey,
  passwordRingKey,
  type RingKey,
  rsaRingKey,
  type TextForm,
} from './keys/ring-key.js';
export { selectorsOf, selectorsOfBytes, type Selected } from './keys/selectors.js';
export { PasswordHashing, type PasswordHashingOptions } from './password-hashing.js';
export { randomId } from './random-id.js';
export { WorkQueue } from './work-queue.js';

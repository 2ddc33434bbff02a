// Random ids, digests and password hashing, and the queue that bounds such work; the keys and ciphers of protected values.
export { DEFAULT_ARGON2_PARAMETERS, type Argon2Parameters } from './argon2-hash.js';
export type { Cipher } from './ciphers/cipher.js';
export { JasyptCipher, type JasyptOptions } from './ciphers/jasypt/jasypt-cipher.js';
export { SpringRsaCipher, type SpringRsaOptions } from './ciphers/spring-rsa-cipher.js';
export { SpringTextCipher, type SpringTextOptions } from './ciphers/spring-text-cipher.js';
export { CryptoError, type CryptoErrorCode } from './crypto-error.js';
export { equalsInConstantTime, sha256 } from './digest.js';
export { readGuardedFile } from './keys/guarded-file.js';
export { readKeyFile, writeKeyFile, type KeyFile } from './keys/key-file.js';
export { newKeyFile, type EnvelopeKey } from './keys/key-line.js';
export { KeyRing, type WeakKey } from './keys/key-ring.js';
export {
  encryptingFirst,
  looksLikeKeyStore,
  readKeyStore,
  type StoredKey,
} from './keys/key-store.js';
export { looksLikePem, privateKeyOfPem } from './keys/pem-key.js';
export {
  envelopeRingKey,
  passwordRingKey,
  rsaRingKey,
  type PasswordFormat,
  type PasswordKey,
  type RingKey,
} from './keys/ring-key.js';
export { selectorsOf, selectorsOfBytes, type Selected } from './keys/selectors.js';
export { formOf, type TextForm } from './keys/text-form.js';
export { PasswordHashing, type PasswordHashingOptions } from './password-hashing.js';
export { randomId } from './random-id.js';
export { WorkQueue } from './work-queue.js';

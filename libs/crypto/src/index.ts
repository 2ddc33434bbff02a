// Random ids, digests and password hashing.
export { DEFAULT_ARGON2_PARAMETERS, type Argon2Parameters } from './argon2-hash.js';
export type { CryptoError, CryptoErrorCode } from './crypto-error.js';
export { equalsInConstantTime, sha256 } from './digest.js';
export { PasswordHashing, type PasswordHashingOptions } from './password-hashing.js';
export { randomId } from './random-id.js';

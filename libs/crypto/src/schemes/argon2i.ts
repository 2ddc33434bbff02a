// Argon2i in PHC string format, version 19, within the bounds of argon2id.
import { argon2Parameters, verifyArgon2 } from '../argon2-hash.js';
import type { PasswordScheme } from './password-scheme.js';

/** @see RFC 9106 */
export const argon2i: PasswordScheme = (hash) =>
  argon2Parameters(hash, 'argon2i') && ((password) => verifyArgon2(hash, password));

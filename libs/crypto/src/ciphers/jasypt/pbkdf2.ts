// The derivation of PKCS #5 version 2, in Node's thread pool. The initialization vector is stored.
import { pbkdf2 as deriveBits } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordDerivation } from './password-derivation.js';

const derive = promisify(deriveBits);

/** @see RFC 8018 §5.2, §6.2 */
export function pbkdf2(digest: string): PasswordDerivation {
  return {
    encode: (password) => Buffer.from(password, 'utf8'),
    derive: async ({ password, salt, iterations, keyBytes }) => ({
      key: await derive(password, salt, iterations, keyBytes, digest),
    }),
  };
}

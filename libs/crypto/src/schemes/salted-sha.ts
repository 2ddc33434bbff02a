// Salted digests of LDAP directories: {SSHA}, {SSHA256}, {SSHA512}.
import { hash as digestOf, timingSafeEqual } from 'node:crypto';
import { bytesOfBase64 } from '../strict-decoding.js';
import type { PasswordScheme } from './password-scheme.js';

const SALTED_SHA = /^\{SSHA-?(|256|512)\}(\S+)$/i;

const DIGESTS = new Map([
  ['', { algorithm: 'sha1', bytes: 20 }],
  ['256', { algorithm: 'sha256', bytes: 32 }],
  ['512', { algorithm: 'sha512', bytes: 64 }],
]);
const MAX_SALT = 64;

/**
 * The scheme in braces, in any case, and Base64 of the digest followed by the salt.
 *
 * A salt is required: rainbow tables reveal most passwords of `{SHA}` and `{MD5}`.
 */
export const saltedSha: PasswordScheme = (hash) => {
  const [, size = '', encoded = ''] = SALTED_SHA.exec(hash) ?? [];
  const { algorithm, bytes } = DIGESTS.get(size) ?? { algorithm: '', bytes: Infinity };
  const value = bytesOfBase64(encoded);
  if (!value || value.length <= bytes || value.length > bytes + MAX_SALT) {
    return undefined;
  }
  const [digest, salt] = [value.subarray(0, bytes), value.subarray(bytes)];
  return (password) => {
    const computed = digestOf(algorithm, Buffer.concat([password, salt]), 'buffer');
    return Promise.resolve(timingSafeEqual(computed, digest));
  };
};

// Owns how long RSA keys have to be: to be used at all, and to write new values. Reading them is others' affair.
import type { KeyObject } from 'node:crypto';
import { CryptoError } from '../crypto-error.js';

const LEAST_BITS = 1024;
const LEAST_BITS_TO_WRITE = 2048;

/**
 * The same key, where Spring's RSA cipher can use it. OpenSSL itself works with 512 bits, too.
 *
 * @param source what the message is about: a path, or words such as `the key`
 * @throws CryptoError KEY_UNUSABLE for another kind of key, or fewer than 1024 bits
 */
export function usableRsaKey(key: KeyObject, source: string): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') {
    throw new CryptoError('KEY_UNUSABLE', `${source} is no RSA key`);
  }
  const bits = bitsOf(key);
  if (bits >= LEAST_BITS) return key;
  const message = `${source} is an RSA key of ${bits} bits: it must have ${LEAST_BITS} at least`;
  throw new CryptoError('KEY_UNUSABLE', message);
}

/**
 * The bits of an RSA key that may read old values, and is too short for new ones; `undefined` of others.
 *
 * @see NIST SP 800-131A Rev. 2 §6: fewer than 2048 bits are disallowed for key transport
 */
export function weakBitsOf(key: KeyObject): number | undefined {
  const bits = bitsOf(key);
  return bits < LEAST_BITS_TO_WRITE ? bits : undefined;
}

function bitsOf({ asymmetricKeyDetails: details }: KeyObject): number {
  return details?.modulusLength ?? 0;
}

// The derivations of PKCS #5 version 1: the standard's own, and what the JDK made of it for Triple DES.
import { hash } from 'node:crypto';
import { iterateDigest } from './iterated-digest.js';
import type { DerivationRequest, DerivedKey, PasswordDerivation } from './password-derivation.js';

/**
 * Digests password and salt. Of a password outside Latin-1 the low byte of each UTF-16 unit counts,
 * as in Bouncy Castle; the JDK takes ASCII alone.
 *
 * @see RFC 8018 §5.1, §6.1
 */
export function pbkdf1(digest: 'md5' | 'sha1'): PasswordDerivation {
  const next = (bytes: Buffer): Buffer => hash(digest, bytes, 'buffer');
  return {
    encode: latin1,
    derive: async ({ password, salt, iterations, ...sizes }) =>
      keyThenIv(await iterateDigest(Buffer.concat([password, salt]), iterations, next), sizes),
  };
}

/** PBEWithMD5AndTripleDES of the JDK: each half of the salt gives half of key and vector. */
export const tripleDesOfJdk: PasswordDerivation = {
  encode: latin1,
  derive: async ({ password, salt, iterations, ...sizes }) => {
    const next = (bytes: Buffer): Buffer => hash('md5', Buffer.concat([bytes, password]), 'buffer');
    const halves = distinctHalves(salt).map((half) => iterateDigest(half, iterations, next));
    return keyThenIv(Buffer.concat(await Promise.all(halves)), sizes);
  },
};

function latin1(password: string): Buffer {
  return Buffer.from(password, 'latin1');
}

function keyThenIv(
  bytes: Buffer,
  { keyBytes, ivBytes }: Pick<DerivationRequest, 'keyBytes' | 'ivBytes'>,
): DerivedKey {
  return { key: bytes.subarray(0, keyBytes), iv: bytes.subarray(keyBytes, keyBytes + ivBytes) };
}

/** Of equal halves the first is turned around, so that not both give the same. */
function distinctHalves(salt: Buffer): readonly Buffer[] {
  const first = salt.subarray(0, 4);
  const second = salt.subarray(4);
  return first.equals(second) ? [Buffer.from(first.toReversed()), second] : [first, second];
}

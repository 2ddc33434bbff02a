import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { usableRsaKey, weakBitsOf } from './rsa-strength.js';

function rsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey;
}

describe('an RSA key', () => {
  test.each<[string, () => KeyObject, string]>([
    [
      'of 512 bits',
      () => rsaKey(512),
      'a.pem is an RSA key of 512 bits: it must have 1024 at least',
    ],
    [
      'of 1023 bits',
      () => rsaKey(1023),
      'a.pem is an RSA key of 1023 bits: it must have 1024 at least',
    ],
    [
      'for signatures alone',
      () => generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey,
      'a.pem is no RSA key',
    ],
    [
      'that is one of an elliptic curve',
      () => generateKeyPairSync('ed25519').privateKey,
      'a.pem is no RSA key',
    ],
  ])('%s is refused', (_what, key, message) => {
    const fault = { code: 'KEY_UNUSABLE', message };
    expect(() => usableRsaKey(key(), 'a.pem')).toThrow(expect.objectContaining(fault));
  });

  test.each([
    [1024, 1024],
    [2047, 2047],
    [2048, undefined],
  ])('of %i bits is usable, and weak for its bits: %j', (bits, weakBits) => {
    const key = rsaKey(bits);
    expect(usableRsaKey(key, 'a.pem')).toBe(key);
    expect(weakBitsOf(key)).toBe(weakBits);
  });
});

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { requireUsableRsaKey, sshPublicKey, weakBitsOf } from './rsa-key.js';

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
      'a.pem is not an RSA key',
    ],
    [
      'that is one of an elliptic curve',
      () => generateKeyPairSync('ed25519').privateKey,
      'a.pem is not an RSA key',
    ],
  ])('%s is refused', (_what, key, message) => {
    const fault = { code: 'KEY_UNUSABLE', message };
    expect(() => requireUsableRsaKey(key(), 'a.pem')).toThrow(expect.objectContaining(fault));
  });

  test.each([
    [1024, 1024],
    [2047, 2047],
    [2048, undefined],
  ])('of %i bits is usable, and weak for its bits: %j', (bits, weakBits) => {
    const key = rsaKey(bits);
    expect(requireUsableRsaKey(key, 'a.pem')).toBe(key);
    expect(weakBitsOf(key)).toBe(weakBits);
  });
});

const VECTORS = new Map(cipherVectors('rsa').map(({ pem, pub }) => [pem, pub]));

describe('a public key for ssh', () => {
  test.each([...VECTORS])('is that of the Java server for %.0s%s', (pem, pub) => {
    const key = createPrivateKey(pem);
    expect(sshPublicKey(key, 'application')).toBe(pub);
    expect(sshPublicKey(createPublicKey(key), 'application')).toBe(pub);
  });

  test('is not made from another kind of key', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const make = () => sshPublicKey(publicKey, 'application');
    expect(make).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });
});

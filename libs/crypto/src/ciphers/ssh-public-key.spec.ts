import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { sshPublicKey } from './ssh-public-key.js';

const VECTORS = new Map(cipherVectors('rsa').map(({ pem, pub }) => [pem, pub]));

describe('a public key for ssh', () => {
  test.each([...VECTORS])('is what the Java server answers for %.0s%s', (pem, pub) => {
    const key = createPrivateKey(pem);
    expect(sshPublicKey(key, 'application')).toBe(pub);
    expect(sshPublicKey(createPublicKey(key), 'application')).toBe(pub);
  });

  test('is not made of another kind of key', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const make = () => sshPublicKey(publicKey, 'application');
    expect(make).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });
});

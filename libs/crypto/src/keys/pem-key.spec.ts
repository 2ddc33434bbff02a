import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { looksLikePem, privateKeyOfPem } from './pem-key.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ENCRYPTED = { cipher: 'aes-256-cbc', passphrase: 'Mellon' } as const;
const PKCS1 = pemOf(privateKey, { type: 'pkcs1' });
const PKCS8 = pemOf(privateKey, { type: 'pkcs8' });
const ENCRYPTED_PKCS1 = pemOf(privateKey, { type: 'pkcs1', ...ENCRYPTED });
const ENCRYPTED_PKCS8 = pemOf(privateKey, { type: 'pkcs8', ...ENCRYPTED });

function pemOf(key: KeyObject, options: object): string {
  return key.export({ ...options, format: 'pem' } as { type: 'pkcs8'; format: 'pem' }).toString();
}

function otherKey(type: 'small' | 'ec'): string {
  const pair =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 512 });
  return pemOf(pair.privateKey, { type: 'pkcs8' });
}

describe('a private key in PEM', () => {
  test.each([
    ['no PEM', 'Mellon', 'is not a private key in PEM'],
    ['a block without an end', PKCS8.slice(0, -40), 'is not a private key in PEM'],
    ['a public key', pemOf(publicKey, { type: 'spki' }), 'is public: the private key is needed'],
    ['a public key of OpenSSH', 'ssh-rsa AAAA me', 'is public: the private key is needed'],
    ['a block of other bytes', PKCS8.replace('MII', 'AII'), 'cannot be read as a private key'],
    ['a text of a megabyte', PKCS8.padStart(1_000_000), 'is longer than any key'],
    ['an EC key', otherKey('ec'), 'is not an RSA key'],
    [
      'an RSA key of 512 bits',
      otherKey('small'),
      'is an RSA key of 512 bits: it must have 1024 at least',
    ],
    ['two keys without a choice', `${PKCS8}${PKCS1}`, 'holds 2 private keys: leave the one to use'],
    ['an encrypted key', ENCRYPTED_PKCS8, 'is encrypted, and no passphrase is given'],
    ['an encrypted key of PKCS#1', ENCRYPTED_PKCS1, 'is encrypted, and no passphrase is given'],
  ])('is not %s', (_what, text, message) => {
    const fault = { code: 'KEY_UNUSABLE', message: `the key ${message}` };
    expect(() => privateKeyOfPem(text, 'the key')).toThrow(expect.objectContaining(fault));
  });

  test.each([
    ['PKCS#1', ENCRYPTED_PKCS1],
    ['PKCS#8', ENCRYPTED_PKCS8],
  ])('is not opened by another passphrase, which the error does not quote: %s', (_what, text) => {
    let thrown: unknown;
    try {
      privateKeyOfPem(text, 'a.pem', 'Friend');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: 'a.pem cannot be read as a private key, or the passphrase is wrong',
    });
    expect(inspect(thrown)).not.toContain('Friend');
  });

  test.each([
    ['PKCS#1', PKCS1, undefined],
    ['PKCS#8', PKCS8, undefined],
    ['PKCS#8, whatever the passphrase of others', PKCS8, 'Friend'],
    ['encrypted PKCS#1', ENCRYPTED_PKCS1, 'Mellon'],
    ['encrypted PKCS#8', ENCRYPTED_PKCS8, 'Mellon'],
    ['lines that YAML has folded', PKCS8.replaceAll('\n', ' '), undefined],
    ['lines that are gone', PKCS1.replaceAll('\n', ''), undefined],
    ['line ends that are written out', PKCS8.replaceAll('\n', '\\n'), undefined],
    ['line ends of Windows', PKCS8.replaceAll('\n', '\r\n'), undefined],
    [
      'a comment in front and a certificate behind',
      `Bag: a\n${PKCS8}-----BEGIN CERTIFICATE-----`,
      undefined,
    ],
  ])('is read from %s', (_what, text, passphrase) => {
    expect(privateKeyOfPem(text, 'the key', passphrase).equals(privateKey)).toBe(true);
  });

  test('is distinguished from a password', () => {
    expect(looksLikePem(PKCS1)).toBe(true);
    expect(looksLikePem('ssh-rsa AAAA')).toBe(true);
    expect(looksLikePem('a -----password-----')).toBe(false);
  });
});

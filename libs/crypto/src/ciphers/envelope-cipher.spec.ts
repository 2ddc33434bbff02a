import { describe, expect, test } from '@jest/globals';
import { conformsToCipher } from './cipher.conformance.js';
import { deriveKey, EnvelopeCipher, keyId, kidOf } from './envelope-cipher.js';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
// An empty value, by AESGCM of Python's package `cryptography`. Four bits of the last letter are unused.
const NOTHING = 'v1.k1.CgsMDQ4PEBESExQVzLmKpy0Xi7-JA_QNFb1ZgQ';
const HELLO = Buffer.from('hello');

describe('the envelope', () => {
  conformsToCipher({
    open: () => Promise.resolve(new EnvelopeCipher(KEY, 'k1')),
    openAnother: () => Promise.resolve(new EnvelopeCipher(Buffer.alloc(32), 'k1')),
    isAuthenticated: true,
    runs: 100,
  });

  test.each([
    ['hello', 'v1.k1.EBESExQVFhcYGRobFZv0eibttSvN2Gzrcs6Yi2gNLCw7'],
    ['', NOTHING],
  ])('decrypts «%s» from Python', async (plain, text) => {
    expect((await new EnvelopeCipher(KEY, 'k1').decrypt(text)).toString()).toBe(plain);
  });

  test('decrypts into memory of its own, not into the pool that Node shares among small buffers', async () => {
    const cipher = new EnvelopeCipher(KEY, 'k1');
    const plain = await cipher.decrypt(await cipher.encrypt(HELLO));
    expect(plain.buffer.byteLength).toBe(HELLO.length);
  });

  test.each([
    ['in Base64 instead of Base64url', NOTHING.replaceAll('-', '+').replaceAll('_', '/')],
    ['with non-zero unused bits', NOTHING.replace(/Q$/, 'R')],
  ])('is refused %s', async (_what, text) => {
    expect(text).not.toBe(NOTHING);
    const reading = new EnvelopeCipher(KEY, 'k1').decrypt(text);
    await expect(reading).rejects.toMatchObject({ code: 'TEXT_UNDECRYPTABLE' });
  });

  test.each([0, 1, 2, 3, 16, 100])('of %i bytes has 28 more, in Base64url', async (length) => {
    const text = await new EnvelopeCipher(KEY, 'Key_1-a').encrypt(Buffer.alloc(length));
    const digits = /^v1\.Key_1-a\.([A-Za-z0-9_-]+)$/.exec(text)?.[1] ?? '';
    expect(Buffer.from(digits, 'base64url')).toHaveLength(length + 28);
  });

  test.each([
    ['another key id', (text: string) => text.replace('v1.k1.', 'v1.k2.')],
    ['no key id', (text: string) => text.replace('v1.k1.', '')],
    ['another version', (text: string) => text.replace('v1.', 'v2.')],
    ['padding', (text: string) => `${text}=`],
    ['white space behind', (text: string) => `${text}\n`],
    ['white space within', (text: string) => `${text.slice(0, 20)} ${text.slice(20)}`],
  ])('is refused with %s', async (_what, change) => {
    const cipher = new EnvelopeCipher(KEY, 'k1');
    const text = change(await cipher.encrypt(HELLO));
    await expect(cipher.decrypt(text)).rejects.toMatchObject({ code: 'TEXT_UNDECRYPTABLE' });
  });

  test('is refused under another key id with the same key', async () => {
    const text = await new EnvelopeCipher(KEY, 'k1').encrypt(HELLO);
    const renamed = new EnvelopeCipher(KEY, 'k2').decrypt(text.replace('k1', 'k2'));
    await expect(renamed).rejects.toMatchObject({ code: 'TEXT_UNDECRYPTABLE' });
  });

  test.each([
    ['a key of 31 bytes', Buffer.alloc(31), 'k'],
    ['a key of 33 bytes', Buffer.alloc(33), 'k'],
    ['an empty key id', KEY, ''],
    ['a key id of 65 letters', KEY, 'k'.repeat(65)],
    ['a key id with a full stop', KEY, 'a.b'],
    ['a key id with a line end', KEY, 'a\n'],
  ])('cannot be made with %s', (_what, key, kid) => {
    const make = () => new EnvelopeCipher(key, kid);
    expect(make).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });
});

describe('the key id of a text', () => {
  test.each([
    ['v1.k1.abc', 'k1'],
    [`v1.${'k'.repeat(64)}.`, 'k'.repeat(64)],
    [`v1.${'k'.repeat(65)}.abc`, undefined],
    ['v2.k1.abc', undefined],
    ['v1..abc', undefined],
    ['v1.k1', undefined],
    [' v1.k1.abc', undefined],
    ['AAAA', undefined],
    ['', undefined],
  ])('of «%s» is %s', (text, kid) => {
    expect(kidOf(text)).toBe(kid);
  });
});

describe('a key from a password', () => {
  // Computed with Python's hashlib.scrypt.
  test('is scrypt\u2019s with N = 2^15, r = 8 and p = 1', async () => {
    const key = await deriveKey('p\u00e4ss', 'salt');
    expect(key.toString('hex')).toBe(
      '309bdb7192a4d2c6bd9849ebf41f349065004cb9578d7a73d410ec6e3063e1fc',
    );
  });

  test('is the same for every normal form of the password', async () => {
    expect(await deriveKey('pa\u0308ss', 'salt')).toEqual(await deriveKey('p\u00e4ss', 'salt'));
  });
});

describe('the id of a key', () => {
  test('is short, stable and different for another key', () => {
    expect(keyId(KEY)).toBe('aed6de1b');
    expect(keyId(Buffer.alloc(32))).not.toBe(keyId(KEY));
  });
});

import { describe, expect, test } from '@jest/globals';
import { array, assert, boolean, nat, property, record, string, uint8Array } from 'fast-check';
import {
  ALGORITHM,
  jksOf,
  PASSWORD,
  signedJks,
  text,
  uint32,
  type JksEntry,
} from '../../../../test/support/jks.js';
import { looksLikeJks, privateKeysOfJks, type JksKey } from './jks.js';

const CUT_OFF = 'a.jks is no key store of Java: it is cut off';

function read(store: Buffer, ...keys: readonly string[]): readonly JksKey[] {
  return privateKeysOfJks(store, 'a.jks', { store: PASSWORD, keys: [...keys, PASSWORD] });
}

function errorOf(store: Buffer): unknown {
  try {
    return read(store);
  } catch (error) {
    return error;
  }
}

const KEY = Buffer.from('a private key, of more than forty bytes as all are');
const ENTRY: JksEntry = { alias: 'a', key: KEY };

describe('a JKS key store', () => {
  test('gives its private keys in their order, of any length, without certificates', () => {
    const entries = array(
      record(
        { alias: string({ maxLength: 20 }), key: uint8Array({ maxLength: 300 }) },
        { requiredKeys: ['alias'] },
      ),
      { maxLength: 5 },
    );
    assert(
      property(entries, boolean(), (given, isOld) => {
        const found = read(jksOf(given, { version: isOld ? 1 : 2 }));
        const expected = given.flatMap(({ key }) => (key ? [Buffer.from(key)] : []));
        expect(found.map(({ pkcs8 }) => pkcs8)).toEqual(expected);
      }),
    );
  });

  test('shows no unprintable characters of an alias', () => {
    const aliases = ['config-2026 ä', 'a\n\u202eb'];
    const store = jksOf(aliases.map((alias) => ({ alias, key: KEY })));
    expect(read(store).map(({ alias }) => alias)).toEqual(['config-2026 ä', 'a??b']);
  });

  test('gives keys of the password of the store, or of their own', () => {
    const own = jksOf([ENTRY], { keyPassword: 'pä€' });
    expect(read(own, 'pä€')).toEqual([{ alias: 'a', pkcs8: KEY }]);
    expect(read(jksOf([ENTRY]), 'another')).toEqual([{ alias: 'a', pkcs8: KEY }]);
    expect(errorOf(own)).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: 'a.jks holds a key with another password: a',
    });
  });

  test.each([
    ['of another version', jksOf([], { version: 3 }), 'version 3 is unknown'],
    [
      'with an entry of another kind',
      signedJks(
        Buffer.concat([jksOf([]).subarray(0, 8), uint32(1), uint32(3), text('a'), Buffer.alloc(8)]),
      ),
      'an entry has the unknown tag 3',
    ],
    [
      'with a key of another algorithm',
      jksOf([ENTRY], { algorithm: '300b06092a864886f70d010503' }),
      'a key is encrypted by another algorithm',
    ],
    ['with a key that is no DER', jksOf([ENTRY], { algorithm: '0500' }), 'a key is malformed'],
    [
      'with a key that is too short',
      jksOf([ENTRY], { algorithm: `${ALGORITHM}0401aa` }),
      'a key is cut off',
    ],
    ['with a length beyond its end', jksOf([ENTRY], { algorithm: '30ff' }), 'it is cut off'],
    [
      'with a length without digits',
      jksOf([ENTRY], { algorithm: '3080' }),
      'a key is encrypted by another algorithm',
    ],
  ])('%s is refused', (_what, store, reason) => {
    expect(errorOf(store)).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `a.jks is no key store of Java: ${reason}`,
    });
  });

  test('is refused where it is cut off, wherever that is', () => {
    const whole = jksOf([ENTRY, { alias: 'b' }]).subarray(0, -20);
    for (let end = 0; end < whole.length; end += 1) {
      expect(errorOf(signedJks(whole.subarray(0, end)))).toHaveProperty('message', CUT_OFF);
    }
  });

  test('is refused where a byte is changed, and under another password', () => {
    const store = jksOf([ENTRY]);
    const refusal = {
      code: 'KEY_UNUSABLE',
      message: 'a.jks cannot be opened: it is damaged, or the password is wrong',
    };
    assert(
      property(nat(store.length - 1), nat(254), (at, by) => {
        const changed = Buffer.from(store);
        changed[at] = ((changed[at] ?? 0) + 1 + by) % 256;
        expect(errorOf(changed)).toMatchObject(refusal);
      }),
    );
    expect(errorOf(Buffer.alloc(0))).toMatchObject(refusal);
    expect(() => privateKeysOfJks(store, 'a.jks', { store: 'x', keys: [PASSWORD] })).toThrow(
      refusal.message,
    );
  });

  test('of any bytes gives keys or an error', () => {
    assert(
      property(uint8Array({ maxLength: 200 }), nat(2), (bytes, count) => {
        const head = [0xfeedfeed, 2, count].map(uint32);
        const found = errorOf(signedJks(Buffer.concat([...head, bytes])));
        if (count === 0) expect(found).toEqual([]);
        else if (!Array.isArray(found)) expect(found).toHaveProperty('code', 'KEY_UNUSABLE');
      }),
    );
  });

  test.each([
    ['feedfeed', true],
    ['feedfeed00', true],
    ['feedfe', false],
    ['cececece', false],
    ['', false],
  ])('begins with its number: %s: %s', (digits, expected) => {
    expect(looksLikeJks(Buffer.from(digits, 'hex'))).toBe(expected);
  });
});

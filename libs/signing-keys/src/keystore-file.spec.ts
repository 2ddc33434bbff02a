import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ecJwk, rsaJwk } from '../../../test/support/signing-keys.js';
import { readKeystore } from './keystore-file.js';
import { thumbprint } from './signing-key.js';

const okp = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

const RSA = rsaJwk();
const EC = ecJwk();
const PUBLIC = { kty: 'RSA', n: RSA.n, e: RSA.e };
const WITHOUT_PRIMES = { ...PUBLIC, d: RSA.d };

const read = (...keys: readonly object[]) => readKeystore(JSON.stringify({ keys }));

describe('a key for RS256 or ES256 is read under its id', () => {
  test.each<[string, object, object]>([
    ['an RSA key', { ...RSA, kid: 'a' }, { ...RSA, kid: 'a', alg: 'RS256', use: 'sig' }],
    [
      'an RSA key with all that Apereo CAS writes',
      { ...RSA, kid: 'cas-1', use: 'sig', alg: 'RS256', state: 0 },
      { ...RSA, kid: 'cas-1', alg: 'RS256', use: 'sig' },
    ],
    [
      'an RSA key as in the documentation of Apereo CAS, without its primes',
      { ...WITHOUT_PRIMES, kid: 'cas', use: 'sig', state: 0 },
      { ...RSA, kid: 'cas', alg: 'RS256', use: 'sig' },
    ],
    ['a key of P-256', { ...EC, kid: 'b' }, { ...EC, kid: 'b', alg: 'ES256', use: 'sig' }],
    ['one without an id', EC, { ...EC, kid: thumbprint(EC), alg: 'ES256', use: 'sig' }],
  ])('%s', (_, key, expected) => {
    expect(read(key)).toEqual({ keys: [{ key: expected, isCurrent: true }], skipped: [] });
  });

  test('the former one of Apereo CAS is not current', () => {
    const { keys } = read({ ...RSA, kid: 'now', state: 0 }, { ...EC, kid: 'old', state: 2 });
    expect(keys.map(({ key, isCurrent }) => [key.kid, isCurrent])).toEqual([
      ['now', true],
      ['old', false],
    ]);
  });
});

test.each<[string, object, string]>([
  ['a key for encryption', { ...RSA, use: 'enc' }, 'it is for encryption'],
  ['another curve', ecJwk('P-384'), 'it is neither an RSA key nor an EC key of P-256'],
  ['another kind', okp, 'it is neither an RSA key nor an EC key of P-256'],
  ['a secret', { kty: 'oct', k: 'c2VjcmV0' }, 'it is neither an RSA key nor an EC key of P-256'],
  ['another algorithm', { ...RSA, alg: 'RS512' }, 'its algorithm is not RS256'],
  [
    'the next one of Apereo CAS',
    { ...RSA, state: 1 },
    'it is for the future, and has signed nothing',
  ],
  ['a public key', PUBLIC, 'it has no private part'],
  ['a short one', rsaJwk(1024), 'it is shorter than 2048 bits'],
  ['a key that is slightly shorter', rsaJwk(2040), 'it is shorter than 2048 bits'],
])('%s is skipped, with the reason', (_, key, reason) => {
  expect(read({ ...key, kid: 'x' }, { ...EC, kid: 'other' })).toMatchObject({
    keys: [{ key: { kid: 'other' } }],
    skipped: [{ kid: 'x', reason }],
  });
});

const SET = 'it must be a JSON Web Key Set: {"keys": […]}';
const INVALID = 'the private key x is incomplete or invalid';

test.each<[string, string, string]>([
  ['no JSON', 'c2VjcmV0', 'it is not JSON; decrypt an encrypted keystore first'],
  ['another value', '"c2VjcmV0"', SET],
  ['a list', JSON.stringify([RSA]), SET],
  ['a single key', JSON.stringify(RSA), SET],
  ['a key that is none', '{"keys": ["c2VjcmV0"]}', SET],
  ['an incomplete RSA key', keysText({ ...RSA, q: undefined }), INVALID],
  ['an RSA key of two', keysText({ ...rsaJwk(), n: RSA.n }), INVALID],
  ['an RSA key of two, without primes', keysText({ ...WITHOUT_PRIMES, d: rsaJwk().d }), INVALID],
  ['an RSA key whose exponent is a number', keysText({ ...RSA, d: 42 }), INVALID],
  ['an RSA key with d alone, which is zero', keysText({ ...WITHOUT_PRIMES, d: 'AA' }), INVALID],
  ['an incomplete EC key', keysText({ ...EC, y: undefined }), INVALID],
  ['an EC key of two', keysText({ ...ecJwk(), d: EC.d }), INVALID],
  [
    'an id with a control character',
    keysText({ ...EC, kid: 'a\u0007' }),
    'the id of a key must have 1 to 200 printable characters',
  ],
  [
    'an id that is a number',
    keysText({ ...EC, kid: 7 }),
    'the id of a key must have 1 to 200 printable characters',
  ],
  ['two keys of an id', keysText(EC, RSA), 'it has two keys with the id x'],
])('%s is refused, and not repeated', (_, text, message) => {
  let error: unknown;
  try {
    readKeystore(text);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ code: 'KEYSTORE_INVALID', message });
  expect(error).not.toHaveProperty('cause');
});

function keysText(...keys: readonly object[]): string {
  return JSON.stringify({ keys: keys.map((key) => ({ kid: 'x', ...key })) });
}

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkEntry, type ImportEntry } from './import-entry.js';

const HASH = 'a usable hash';
const check = (entry: Partial<ImportEntry>) =>
  checkEntry({ position: 'item 1', name: 'alice', ...entry }, (hash) => hash === HASH);

describe('checkEntry', () => {
  test.each<[string, string, Partial<ImportEntry>]>([
    ['no name', 'name', { name: undefined }],
    ['a name that is a number', 'name', { name: 7 }],
    ['a name with white space outside', 'name', { name: ' alice' }],
    ['an empty password', 'password', { password: '' }],
    ['a password that is a number', 'password', { password: 12345 }],
    ['a password beside a hash', 'password', { password: 'x', passwordHash: HASH }],
    ['a hash that is not understood', 'passwordHash', { passwordHash: '$2b$10$xyz' }],
    ['a hash that is empty', 'passwordHash', { passwordHash: '' }],
    ['a hash that is no text', 'passwordHash', { passwordHash: null }],
    ['disabled as a text', 'disabled', { disabled: 'yes' }],
    ['disabled as null', 'disabled', { disabled: null }],
    ['an expiry that is no date', 'expires', { expires: 'tomorrow' }],
    ['an expiry that is a number', 'expires', { expires: 0 }],
    ['attributes in a list', 'attributes', { attributes: ['x'] }],
    ['attributes as null', 'attributes', { attributes: null }],
    ['an attribute that is a number', 'attributes', { attributes: { age: 7 } }],
    ['an attribute with a null among its values', 'attributes', { attributes: { a: ['x', null] } }],
    ['an attribute without name', 'attributes', { attributes: { '': 'x' } }],
    ['an attribute of hashes', 'attributes', { attributes: { ntHash: 'x' } }],
    ['a control character in a value', 'attributes', { attributes: { a: 'x\u0007' } }],
  ])('finds %s, as a violation of %s', (_what, field, entry) => {
    expect(check(entry)).toEqual([
      { position: 'item 1', field, reason: expect.stringMatching(/./) },
    ]);
  });

  test('finds all violations of an entry', () => {
    const violations = check({ name: '', password: '', disabled: 1, expires: '', attributes: 1 });
    expect(Array.isArray(violations) && violations.map(({ field }) => field)).toEqual([
      'name',
      'password',
      'disabled',
      'expires',
      'attributes',
    ]);
  });

  test('reads a whole entry', () => {
    const entry = {
      name: 'Ju\u0308rgen',
      password: ' x ',
      disabled: false,
      expires: '2027-06-30',
      attributes: { mail: 'a@example.org', memberOf: ['x', 'y'], none: [] },
    };
    expect(check(entry)).toEqual({
      position: 'item 1',
      name: 'J\u00fcrgen',
      password: ' x ',
      passwordHash: undefined,
      disabled: false,
      expiresAt: new Date('2027-06-30T00:00:00Z'),
      attributes: { mail: ['a@example.org'], memberOf: ['x', 'y'], none: [] },
    });
  });

  test.each([null, 'never'])('reads an expiry of %p as never', (expires) => {
    expect(check({ expires })).toMatchObject({ expiresAt: null });
  });

  test('never throws, and never quotes a password or a hash', () => {
    const secret = fc.string({ minLength: 12 });
    fc.assert(
      fc.property(secret, fc.anything(), fc.anything(), (password, name, other) => {
        const entry = { name, password: [password], passwordHash: password, disabled: other };
        expect(JSON.stringify(check(entry))).not.toContain(JSON.stringify(password).slice(1, -1));
      }),
    );
  });
});

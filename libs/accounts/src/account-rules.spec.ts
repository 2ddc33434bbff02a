import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import {
  accountName,
  attributesViolation,
  holdsPassword,
  storedAccountName,
} from './account-rules.js';

describe('accountName', () => {
  test.each([
    ['nothing', ''],
    ['white space alone', ' '],
    ['white space before', ' alice'],
    ['white space behind', 'alice\u00a0'],
    ['a NUL', 'al\0ice'],
    ['a line end', 'alice\r\n'],
    ['an escape', '\u001b[31malice'],
    ['a control of Latin-1', 'al\u0085ice'],
    ['a line separator', 'al\u2028ice'],
    ['half a surrogate pair', 'alice\ud83d'],
    ['an override of the direction', 'al\u202eice'],
    ['an isolate of the direction', 'alice\u2066'],
    ['an Arabic letter mark', 'alice\u061c'],
    ['a space without width', 'ali\u200bce'],
    ['a joiner of another script', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a soft hyphen', 'ali\u00adce'],
    ['a byte order mark', '\ufeffalice'],
    ['a variation selector', 'alice\ufe0f'],
    ['a tag', 'alice\u{e0061}'],
    ['a combining grapheme joiner', 'ali\u034fce'],
    ['an empty letter', 'ali\u3164ce'],
    ['an empty pattern of Braille', 'ali\u2800ce'],
    ['a space that does not break', 'alice\u00a0b'],
    ['256 characters', 'a'.repeat(256)],
    ['256 characters beyond the first plane', '\u{1f600}'.repeat(256)],
    ['a mebibyte', 'a'.repeat(1_048_576)],
  ])('refuses %s', (_what, text) => {
    expect(accountName(text)).toBeUndefined();
  });

  test.each([
    ['as it is', 'alice', 'alice'],
    ['with inner space', 'Alice de B', 'Alice de B'],
    ['in its case', 'ALICE', 'ALICE'],
    ['in NFC', 'Ju\u0308rgen', 'J\u00fcrgen'],
    ['of 255 characters', '\u{1f600}'.repeat(255), '\u{1f600}'.repeat(255)],
    ['of another script', '\u0645\u06cc\u062e\u0648\u0627\u0647\u0645', undefined],
    ['like a property of objects', '__proto__', '__proto__'],
  ])('keeps a name %s', (_what, text, name = text) => {
    expect(accountName(text)).toBe(name);
  });

  test('is the same for every normal form, and for what it returned', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const name = accountName(text);
        expect(accountName(text.normalize('NFD'))).toBe(name);
        expect(name === undefined || accountName(name) === name).toBe(true);
        expect(name ?? storedAccountName(text)).toBe(storedAccountName(text));
      }),
    );
  });
});

describe('attributesViolation', () => {
  test.each([
    ['an empty name', { '': ['x'] }],
    ['a name with a control character', { 'ma\til': ['x'] }],
    ['a name of 256 characters', { ['a'.repeat(256)]: ['x'] }],
    ['a NUL in a value', { mail: ['x', 'y\0'] }],
    ['an escape in a value', { mail: ['\u001b[31m'] }],
    ['half a surrogate pair in a value', { mail: ['\ude00'] }],
  ])('finds %s', (_what, attributes) => {
    expect(attributesViolation(attributes)).toMatch(/attribute/);
  });

  test('lets everything else pass', () => {
    const address = ['1 High St\r\nTown', '\t', '', '<&>"\'', '\u{1f600}'];
    expect(attributesViolation({ address, 'display name': [] })).toBeUndefined();
  });
});

describe('an attribute that services must never receive, by its name', () => {
  test.each([
    'password',
    'Passwd',
    'pass-word',
    'userPassword',
    'userPassword;binary',
    'sambaNTPassword',
    'pwdHistory',
    'unicodePwd',
    'PWD',
    'pass',
    'user_pass',
    'passphrase',
    'passwordHash',
    'password_expires_hash',
    'ntHash',
    'NTHASH',
    'nt_hash',
    'ipaNTHash',
    'lmhash',
    'hashNT',
    'ntHash2',
    'hash',
    'Hashes',
    'krb5Key',
    'krbPrincipalKey',
  ])('%s is one', (name) => {
    expect(holdsPassword(name)).toBe(true);
    expect(attributesViolation({ mail: ['x'], [name]: ['secret'] })).toMatch(
      new RegExp(`^attribute ${name} .*passwords`),
    );
    expect(attributesViolation({ [name]: ['secret'] })).not.toContain('secret');
  });

  test.each([
    'passport',
    'passNumber',
    'compass',
    'hashtag',
    'HASHTAG',
    'hashedOn',
    'passwordExpires',
    'password_expiration_time',
    'passwordLastChanged',
    'pwdLastSet',
    'pwdChangedTime',
    'krbLastPwdChange',
    'krbPrincipalName',
    'sshPublicKey',
    'secretary',
    'mail',
  ])('%s is none', (name) => {
    expect(attributesViolation({ [name]: ['x'] })).toBeUndefined();
  });

  test('can be removed where it is kept', () => {
    expect(attributesViolation({ userPassword: [] })).toBeUndefined();
  });
});

describe('a value that is the hash of a password', () => {
  test.each([
    '{SSHA}50P9mkUNKXOBVdEsypbvTzqenXRzYWx0c2FsdA==',
    '{sha}2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
    '{CRYPT}.fXCUsKEnw6pD',
    '$1$aaaaaaaa$VLlMQOPFpUGeYaTnhxlG./',
    '$apr1$aaaaaaaa$VLlMQOPFpUGeYaTnhxlG./',
    '$2y$10$fXCUsKEnw6pDGabTENjOZ.an5TU0ZJH3gCl8ArWoyEOgQkkBLZrES',
    '$6$aaaaaaaa$VLlMQOPFpUGeYaTnhxlGVLlMQOPFpUGeYaTnhxlG',
    '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$q90132rFwP9mO3h',
    '$pbkdf2-sha256$i=1000$c29tZXNhbHQ$q90132rFwP9mO3h',
    'pbkdf2_sha256$1000$salt$q90132rFwP9mO3hq90132rFwP9mO3h',
  ])('%s is refused, and not repeated', (value) => {
    const violation = attributesViolation({ credential: ['x', value] });
    expect(violation).toMatch(/^attribute credential: .*hash of a password/);
    expect(violation).not.toContain(value);
  });

  test.each(['$5', '$2$ off everything', '{0}cn=x', '{SHA}', '{AD5E1C2A-0000-4000-8000-00000000}'])(
    '%s is none',
    (value) => {
      expect(attributesViolation({ credential: [value] })).toBeUndefined();
    },
  );
});

import { describe, expect, test } from '@jest/globals';
import { assert, property } from 'fast-check';
import { EqualityFilter, FilterParser } from 'ldapts';
import { anyText } from '../../../test/support/any-text.js';
import { fillDn, fillFilter } from './name-templates.js';

describe('a name in a filter', () => {
  test.each([
    ['a star', '*', String.raw`\2a`],
    ['a filter', ')(uid=*', String.raw`\29\28uid=\2a`],
    ['an escape', String.raw`\2a`, String.raw`\5c2a`],
    ['a NUL', 'a\0', String.raw`a\00`],
    ['letters of any script', 'Jürgen 猫', 'Jürgen 猫'],
    ['a pattern of replacing', '$&$1{username}', '$&$1{username}'],
  ])('is escaped where it holds %s', (_what, name, escaped) => {
    const filter = fillFilter('(|(uid={username})(cn={username}))', name);
    expect(filter).toBe(`(|(uid=${escaped})(cn=${escaped}))`);
  });

  test('is compared as a whole, whatever it is', () => {
    assert(
      property(anyText(), (name) => {
        const filter = FilterParser.parseString(fillFilter('(uid={username})', name));
        expect(filter).toBeInstanceOf(EqualityFilter);
        expect(filter).toMatchObject({ attribute: 'uid', value: name });
      }),
    );
  });
});

// logins.spec.ts tests that a server decodes the escapes.
describe('a name in the name of an entry', () => {
  test.each([
    ['another entry', 'a,ou=admins', String.raw`a\2cou\3dadmins`],
    ['a second value', 'a+cn=b', String.raw`a\2bcn\3db`],
    ['quotes', '"a"', String.raw`\22a\22`],
    ['an escape', String.raw`\2c`, String.raw`\5c2c`],
    ['brackets and semicolons', '<a;>', String.raw`\3ca\3b\3e`],
    ['white space outside', '  a  ', String.raw`\20 a \20`],
    ['one space alone', ' ', String.raw`\20`],
    ['spaces alone', '   ', String.raw`\20 \20`],
    ['the sign of hexadecimal', '#61#', String.raw`\2361#`],
    ['a NUL', 'a\0', String.raw`a\00`],
    ['letters of any script', 'Jürgen O’Neil 猫', 'Jürgen O’Neil 猫'],
    ['a pattern of replacing', '$&$1{username}', '$&$1{username}'],
  ])('is escaped where it holds %s', (_what, name, escaped) => {
    expect(fillDn('uid={username},dc=org', name)).toBe(`uid=${escaped},dc=org`);
  });

  test('leaves no unescaped character that ends the value', () => {
    assert(
      property(anyText(), (name) => {
        const value = fillDn('{username}', name);
        expect(value.replaceAll(/\\[0-9a-f]{2}/g, 'x')).not.toMatch(/["+,;<=>\\\0]|^[ #]| $/);
      }),
    );
  });
});

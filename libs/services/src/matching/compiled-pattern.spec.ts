import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { valuePattern } from './compiled-pattern.js';

describe('a value pattern that is invalid is refused, with the reason', () => {
  test.each([
    ['admin(', 'is not an RE2 pattern: missing closing ): admin('],
    ['(?=admin).*', 'is not an RE2 pattern: invalid or unsupported Perl syntax: (?='],
    ['(a)\\1', 'is not an RE2 pattern: invalid escape sequence: \\1'],
    ['a{1000}'.repeat(3), 'is too large a pattern: split it, or repeat less'],
  ])('%s', (pattern, message) => {
    expect(() => valuePattern(pattern)).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID', message }),
    );
  });
});

describe('a value pattern matches whole values, with regard to case', () => {
  test.each([
    ['admin', 'Admin', false],
    ['admin', 'administrator', false],
    ['admin', 'no admin', false],
    ['admin|root', 'admin-root', false],
    ['^admin$', 'admin\n', false],
    ['admin', '', false],
    ['k', '\u212a', false],
    ['admin', 'admin', true],
    ['admin|root', 'root', true],
    ['(?i)admin', 'ADMIN', true],
    ['cn=admins,.*', 'cn=admins,ou=groups,dc=example', true],
  ])('%j on %j: %j', (pattern, value, expected) => {
    expect(valuePattern(pattern).matches(value)).toBe(expected);
  });

  test('a word matches itself alone', () => {
    const word = fc.stringMatching(/^\w{1,20}$/);
    fc.assert(
      fc.property(word, word, (pattern, value) => {
        expect(valuePattern(pattern).matches(value)).toBe(pattern === value);
      }),
    );
  });

  test('answers for a pattern that would keep a backtracking engine busy for years', () => {
    expect(valuePattern('(a+)+$').matches(`${'a'.repeat(5_000)}!`)).toBe(false);
  });

  test('a value that would take too long matches nothing', () => {
    expect(valuePattern('(\\pL{0,300}.*){3}').matches('a'.repeat(10_000))).toBe(false);
    expect(valuePattern('(\\pL{0,300}.*){3}').matches('a'.repeat(10))).toBe(true);
  });
});

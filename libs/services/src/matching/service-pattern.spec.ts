import { describe, expect, test } from '@jest/globals';
import { RE2JS } from 're2js';
import { foldCase, literalTexts, servicePattern } from './service-pattern.js';

const matches = (pattern: string, url: string) =>
  servicePattern(pattern).matches(url, foldCase(url));

describe('a text that is no pattern is refused, with the reason', () => {
  test.each([
    ['https://(a', 'is not an RE2 pattern: missing closing ): https://(a'],
    ['(?=a)', 'is not an RE2 pattern: invalid or unsupported Perl syntax: (?='],
    ['(?<=a)b', 'is not an RE2 pattern: invalid named capture: (?<=a)b'],
    ['(a)\\1', 'is not an RE2 pattern: invalid escape sequence: \\1'],
    ['*', 'is not an RE2 pattern: missing argument to repetition operator: *'],
    ['a\\', 'is not an RE2 pattern: trailing backslash at end of expression'],
    ['a{1000}'.repeat(3), 'is too large a pattern: split it, or repeat less'],
  ])('%s', (pattern, message) => {
    expect(() => servicePattern(pattern)).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID', message }),
    );
  });
});

describe('a pattern matches whole URLs, without regard to case', () => {
  test.each([
    ['https://a.example.org', 'https://a.example.org', true],
    ['https://a.example.org', 'https://a.example.org/', false],
    ['a.example.org', 'https://a.example.org', false],
    ['^https://a/.*$', 'HTTPS://A/x', true],
    ['^https://a/.*$', 'https://a/x\ny', false],
    ['https://a/[^?]*', 'https://a/X', true],
    ['https://a/[^?]*', 'https://a/X?y', false],
    ['a$', 'a\n', false],
    ['ks', '\u212a\u017f', true],
    ['[k][s]', '\u212a\u017f', true],
    ['i.*', '\u0130', false],
    ['(?m)^a$', 'a\nb', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j on %j: %j', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected);
  });

  test('takes linear time for a pattern on which backtracking takes exponential time', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(5_000)}!`)).toBe(false);
  });

  test('knows the maximum cost before it matches', () => {
    const pattern = servicePattern('(\\pL{0,300}.*){3}');
    expect(pattern.cost(2_000)).toBeGreaterThan(1_000_000);
    expect(pattern.cost(20)).toBe(pattern.cost(2_000) / 100);
    expect(servicePattern('https://app/.*').cost(8_000)).toBe(0);
  });
});

describe('patterns that are lists of texts', () => {
  test.each([
    ['^https?://a\\.org(:8443)?/.*', 4],
    ['https://(a|b|)\\.org', 3],
    ['https://a(/.*)?$', 2],
    ['a\\$', 1],
    ['', 1],
  ])('%s lists %d', (pattern, count) => {
    expect(literalTexts(pattern)).toHaveLength(count);
  });

  test.each([
    'a.b',
    'a+',
    'a??',
    'a{2}',
    'a.*b',
    'a.*?',
    '.*.*',
    'a|b',
    '(a(b))',
    '(a\\|b)',
    '(?i)a',
    '(?P<n>a)',
    '[a]',
    '\\d',
    '^^a',
    'a\\\\$',
    '\u00e9',
    '(a|b|c)(a|b|c)(a|b|c)',
  ])('%s is left to RE2', (pattern) => {
    expect(RE2JS.compile(pattern)).toBeDefined();
    expect(literalTexts(pattern)).toBeUndefined();
  });
});

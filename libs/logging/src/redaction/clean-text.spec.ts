import { performance } from 'node:perf_hooks';
import { describe, expect, test } from '@jest/globals';
import { assert, property, string, webUrl } from 'fast-check';
import { cleanText, MAX_TEXT } from './clean-text.js';

describe('a text is cleaned of', () => {
  test.each([
    ['line breaks', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['colours of a terminal', '\u001b[31mred', '\\u001b[31mred'],
    ['NUL, DEL and C1', 'a\u0000\u007f\u009b', 'a\\u0000\\u007f\\u009b'],
    ['line separators of Unicode', 'a\u2028\u2029', 'a\\u2028\\u2029'],
    ['changes of direction', 'a\u202e\u2066\u200f', 'a\\u202e\\u2066\\u200f'],
    ['halves of characters', 'a\ud800b', 'a\ufffdb'],
    [
      'the password of a connection',
      'at postgresql://sso:geheim@db:5432/sso',
      'at postgresql://sso:[redacted]@db:5432/sso',
    ],
    [
      'a password with @, / and ? in it',
      'postgres://sso:ge@he/i?m@db/sso',
      'postgres://sso:[redacted]@db/sso',
    ],
    ['the password of a web address', 'https://u:geheim@host/p', 'https://u:[redacted]@host/p'],
    [
      'passwords in a query',
      '/login?username=u&password=geheim&x=1',
      '/login?username=u&password=[redacted]&x=1',
    ],
    ['passwords in a form', 'password=geheim&x=1', 'password=[redacted]&x=1'],
    ['tokens in a query', '?access_token=geheim', '?access_token=[redacted]'],
    ['tickets', 'ST-1234567890abcdef', 'ST-…cdef'],
    ['excess', 'x'.repeat(MAX_TEXT + 5), `${'x'.repeat(MAX_TEXT)}… [5 more characters]`],
  ])('%s', (_rule, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  test.each([
    ['a port', 'http://localhost:8080/cas?x=a@b.example'],
    ['a user without a password', 'postgresql://sso@db/sso'],
    ['letters of other scripts', 'žluťoučký 猫 🐈'],
  ])('nothing where there is %s', (_rule, text) => {
    expect(cleanText(text)).toBe(text);
  });

  test('a secret at the edge of what is kept', () => {
    const url = 'postgres://u:geheim@h';
    for (let shift = 0; shift <= url.length; shift += 1) {
      const cleaned = cleanText('x'.repeat(MAX_TEXT - shift) + url);
      expect(cleaned).not.toContain('geh');
    }
  });

  test('whatever is in it: one line, and no more than asked for', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (text) => {
        const cleaned = cleanText(text, 100);
        expect(cleaned).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}\p{Cs}]/u);
        expect(cleaned.length).toBeLessThan(100 * 6 + 40);
      }),
    );
  });

  test('no part of an address without secrets', () => {
    assert(
      property(webUrl({ withQueryParameters: false }), (url) =>
        expect(cleanText(url, 10_000)).toBe(url),
      ),
    );
  });
});

test.each([
  ['letters', 'a'],
  ['prefixes of tickets', 'ST-'],
  ['ticket prefixes glued to words', 'xST-a '],
  ['separators of schemes', '://'],
  ['connections without end', 'postgres://u:'],
  ['authorities without end', '://a:'],
  ['names of parameters', 'password'],
  ['dots', '.'],
  ['ampersands', '&password'],
  ['spaces', ' token'],
])('a million characters of %s take less than a second', (_rule, part) => {
  const text = part.repeat(1_000_000 / part.length);
  const start = performance.now();
  cleanText(text);
  expect(performance.now() - start).toBeLessThan(1000);
});

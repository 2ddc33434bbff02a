import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, property, stringMatching, tuple, webUrl } from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { cleanText, maskTickets, MAX_TEXT } from './clean-text.js';

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

  test('any text: one line within the limit', () => {
    assert(
      property(anyText({ maxLength: 300 }), (text) => {
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
])('a million characters of %s are cleaned', (_rule, part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(cleanText(text).length).toBeGreaterThan(0);
});

const ID = 'TGT-Xk4mPq8vRt2wZy6bNc1dFg5hJk9lMn3pQr7sTu-node1';

describe('a ticket id is masked', () => {
  test.each([
    ['by itself', ID, 'TGT-…ode1'],
    ['in a sentence', `granted ${ID}, at last`, 'granted TGT-…ode1, at last'],
    ['in a path', `/v1/tickets/${ID}?x=1`, '/v1/tickets/TGT-…ode1?x=1'],
    ['in a query', 'https://a/?ticket=ST-1234567890abcdef&b=1', 'https://a/?ticket=ST-…cdef&b=1'],
    [
      'in an encoded query',
      'service=a%3Fticket%3DST-1234567890abcdef',
      'service=a%3Fticket%3DST-…cdef',
    ],
    ['with its hyphen encoded', 'ST%2D1234567890abcdef', 'ST-…cdef'],
    ['after an underscore', 'ticket_PGTIOU-1234567890abcdef', 'ticket_PGTIOU-…cdef'],
    ['glued to a word', `xPT-1234567890abcdef`, 'xPT-…cdef'],
    ['glued to a written line break', '\\nLR-1234567890abcdef', '\\nLR-…cdef'],
    ['two at a time', 'PGT-1234567890abcdef,PT-1234567890abcdef', 'PGT-…cdef,PT-…cdef'],
    ['wholly, when it is short', 'ST-12345', 'ST-…'],
  ])('%s', (_rule, text, masked) => {
    expect(maskTickets(text)).toBe(masked);
  });

  test.each([
    ['words with a hyphen', 'FIRST-class, POST-only, LATEST-one, a-ST'],
    ['a prefix alone', 'TGT- ST PGT'],
    ['what is masked already', 'TGT-…a91f'],
    ['small letters', 'best-effort st-1234567890abcdef'],
  ])('unlike %s', (_rule, text) => {
    expect(maskTickets(text)).toBe(text);
  });

  test('with any text around it', () => {
    const id = stringMatching(/^[A-Za-z0-9-]{22,60}$/);
    const prefix = constantFrom('TGT', 'ST', 'PGT', 'PGTIOU', 'PT', 'LR');
    const around = anyText();
    assert(
      property(around, tuple(prefix, id), around, (before, [kind, random], after) => {
        const masked = maskTickets(`${before}${kind}-${random}${after}`);
        expect(masked).not.toContain(random.slice(0, -4));
      }),
      { numRuns: 200 },
    );
  });
});

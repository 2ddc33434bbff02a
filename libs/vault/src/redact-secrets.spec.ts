import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactSecrets } from './redact-secrets.js';

const SECRET = 'a"b/c<d+e f\\g';
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const goJson = (text: string): string => json(text).replaceAll('<', '\\u003c');
const form = (text: string): string => new URLSearchParams({ text }).toString().slice(5);

describe('a secret is redacted', () => {
  test.each<[string, (secret: string) => string]>([
    ['as it is', (secret) => secret],
    ['in JSON', json],
    ['in JSON of Go', goJson],
    ['in JSON with all slashes escaped', (secret) => json(secret).replaceAll('/', '\\/')],
    ['in JSON in JSON', (secret) => json(json(secret))],
    ['in a URL', encodeURIComponent],
    ['in a URL, in small letters', (secret) => encodeURIComponent(secret).toLowerCase()],
    ['in a URL in a URL', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['in a form', form],
    ['in JSON in a URL', (secret) => encodeURIComponent(goJson(secret))],
    ['in a URL in JSON', (secret) => json(encodeURIComponent(secret))],
    ['twice', (secret) => `${secret} ${secret}`],
  ])('%s', (_where, written) => {
    const redacted = redactSecrets(`denied: ${written(SECRET)}, sorry`, [SECRET]);
    expect(redacted).toMatch(/^denied: …( …)?, sorry$/);
  });

  test.each([
    ['that ends with a line', 'hvs.x\n', '{"id":"hvs.x\\n"} hvs.x', '{"id":"… "} …'],
    ['of percent signs', '%41%25', 'no %41%25, %2541%2525', 'no …, …'],
    ['after a backslash', 'nhvs', 'C:\\nhvs', 'C:…'],
    ['of other letters', 'é€😀', 'no %C3%A9%E2%82%AC%F0%9F%98%80 \\u00e9€\\ud83d\\ude00', 'no … …'],
  ])('%s', (_which, secret, text, redacted) => {
    expect(redactSecrets(text, [secret])).toBe(redacted);
  });

  test('whole, where another is its beginning', () => {
    expect(redactSecrets('no hvs.longer', ['hvs', 'hvs.longer'])).toBe('no …');
  });

  test('of any form', () => {
    const forms = fc.constantFrom(json, goJson, form, encodeURIComponent, (text: string) => text);
    const secrets = fc.stringMatching(/^[!-$&-[\]-~]{1,60}$/);
    fc.assert(
      fc.property(secrets, forms, forms, (secret, inner, outer) => {
        expect(redactSecrets(` ${outer(inner(secret))} `, [secret])).toBe('…');
      }),
    );
  });
});

test.each([
  ['nothing', '', ''],
  ['plain words', 'permission denied: a+b', 'permission denied: a+b'],
  ['a line break and an escape sequence', 'a\r\n\tb\u001b[31mc\u202ed\u0000', 'a b [31mc d'],
  ['a line break that is encoded', 'a%0d%0Ab\\nc\\u001bd', 'a b c d'],
  ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
  ['201 characters', 'x'.repeat(201), `${'x'.repeat(199)}…`],
])('%s is shortened to one line', (_what, text, redacted) => {
  expect(redactSecrets(text, [''])).toBe(redacted);
});

test('a secret across the cut is redacted, too', () => {
  expect(redactSecrets(`${'x'.repeat(195)}hvs.sesame`, ['hvs.sesame'])).toBe(`${'x'.repeat(195)}…`);
});

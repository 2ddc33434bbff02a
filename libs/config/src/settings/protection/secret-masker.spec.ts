import { describe, expect, test } from '@jest/globals';
import { rawValueOf } from '../raw-value.js';
import { SecretMasker } from './secret-masker.js';

const maskerOf = (...values: readonly unknown[]) =>
  new SecretMasker(values.map((value) => rawValueOf(value, 'vault', { isProtected: true })));

describe('a message masks', () => {
  test.each([
    [
      'a path',
      '/etc/canary.pem',
      'names /etc/canary.pem, which is none',
      'names [secret], which is none',
    ],
    ['a path below it', '/etc/canary', '/etc/canary/a (ENOENT)', '[secret]/a (ENOENT)'],
    ['an element of a list', ['/canary/a', '/canary/b'], '/canary/b is none', '[secret] is none'],
    [
      'an element of a list as text',
      '/canary/a, /canary/b',
      '/canary/b is none',
      '[secret] is none',
    ],
    ['a name in a map', { 'canary of names': 'x' }, 'no canary of names', 'no [secret]'],
    ['a value in a map', { a: { b: 'canary in a map' } }, 'canary in a map!', '[secret]!'],
    ['a URL without its last slash', 'https://canary/', 'https://canary/app', '[secret]/app'],
    ['the longer of two', ['/canary/a', '/canary/a/b'], '/canary/a/b', '[secret]'],
  ])('%s', (_what, value, message, masked) => {
    expect(maskerOf(value).mask(message)).toBe(masked);
  });

  test.each([
    ['short words, which messages are made of', 'true', 'must be true'],
    ['nothing of a key without a value', null, 'null'],
  ])('%s, not', (_what, value, message) => {
    expect(maskerOf(value).mask(message)).toBe(message);
  });

  test('no plain value', () => {
    expect(new SecretMasker([rawValueOf('in a file', 'f.yml')]).mask('in a file')).toBe(
      'in a file',
    );
  });
});

test('a problem keeps all but the texts', () => {
  const violation = { key: 'a', message: 'a canary here', origin: 'at a canary' };
  expect(maskerOf('a canary').maskViolations([violation])).toEqual([
    { key: 'a', message: '[secret] here', origin: 'at [secret]' },
  ]);
  expect(maskerOf().maskViolations([{ message: 'm' }])).toEqual([{ message: 'm' }]);
});

describe('guarded work', () => {
  const secrets = maskerOf('/etc/canary.pem');

  test('returns the result of the work', async () => {
    expect(await secrets.guard(() => 1)).toBe(1);
  });

  test('throws errors without the texts', async () => {
    const work = () => Promise.reject(new TypeError('no /etc/canary.pem'));
    await expect(secrets.guard(work)).rejects.toEqual(new TypeError('no [secret]'));
  });
});

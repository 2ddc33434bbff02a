import { describe, expect, test } from '@jest/globals';
import { environmentValues } from './environment-values.js';
import type { ServedEnvironment } from './served-environment.js';

const SERVER = 'http://config.example.org';
const MESSAGE = 'cannot be decrypted by the config server: see its log';

/** The strongest first. */
function environment(...sources: readonly Readonly<Record<string, string>>[]): ServedEnvironment {
  return sources.map((source, index) => ({
    name: `file:${index}.yml`,
    properties: new Map(Object.entries(source)),
  }));
}

test('values of stronger sources come after those of weaker ones, with their origins', () => {
  const { values, violations } = environmentValues(
    environment({ 'a[0]': '{cipher}x' }, { a: '2' }),
    SERVER,
  );
  expect(violations).toEqual([]);
  expect(values).toEqual([
    { key: 'a', value: '2', origin: `config server ${SERVER} (file:1.yml)` },
    { key: 'a', value: ['{cipher}x'], origin: `config server ${SERVER} (file:0.yml)` },
  ]);
});

test('values from the Vault of the config server are protected, those of its files are not', () => {
  const served = ['vault:sso,prod', 'file:vault.yml'].map((name, index) => {
    return { name, properties: new Map([[`k${index}`, 'v']]) };
  });
  const { values } = environmentValues(served, SERVER);
  expect(values.map(({ key, isProtected }) => [key, isProtected])).toEqual([
    ['k1', undefined],
    ['k0', true],
  ]);
});

describe('a value that the server could not decrypt', () => {
  test.each([
    ['is a problem of its key', [{ 'invalid.sso.password': '<n/a>' }], ['sso.password']],
    ['is one of its list', [{ 'invalid.sso.users[0].name': '<n/a>' }], ['sso.users']],
    ['is one although a weaker source has another', [{ 'invalid.a': '<n/a>' }, { a: '1' }], ['a']],
    ['is logged once', [{ 'invalid.a': '<n/a>' }, { 'invalid.a': '<n/a>' }], ['a']],
    ['is none where a stronger source has another', [{ a: '1' }, { 'invalid.a': '<n/a>' }], []],
  ])('%s', (_rule, sources, keys) => {
    const { values, violations } = environmentValues(environment(...sources), SERVER);
    expect(violations.map(({ key }) => key)).toEqual(keys);
    expect(violations.every(({ message }) => message === MESSAGE)).toBe(true);
    expect(JSON.stringify(values)).not.toContain('<n/a>');
  });

  test('is not meant by the name alone', () => {
    const { values, violations } = environmentValues(environment({ 'invalid.a': 'b' }), SERVER);
    expect(violations).toEqual([]);
    expect(values).toHaveLength(1);
  });
});

test.each([
  ['without what steers a terminal', 'a\u001b[2J\n\u202eb', 'a\u{FFFD}[2J\u{FFFD}\u{FFFD}b'],
  ['without passwords', 'https://user:canary@git/x.yml', 'https://git/x.yml'],
  ['no longer than people read', 'x'.repeat(1_000), `${'x'.repeat(200)}…`],
])('the name of a source is shown %s', (_rule, name, shown) => {
  const served = [{ name, properties: new Map([['a', '1']]) }];
  expect(environmentValues(served, SERVER).values[0]?.origin).toBe(
    `config server ${SERVER} (${shown})`,
  );
});

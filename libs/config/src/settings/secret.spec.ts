import { format, inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { Secret } from './secret.js';

const one = new Secret('Mellon');

test.each([
  ['String()', String(one)],
  ['a template', `${one}`],
  ['JSON', JSON.stringify({ one })],
  ['inspection', inspect({ one }, { showHidden: true, depth: 9 })],
  ['format', format('%s %o %j', one, one, one)],
  ['its own properties', Object.getOwnPropertyNames(one).join()],
  ['spreading', JSON.stringify({ ...one })],
])('a secret does not show in %s', (_way, shown) => {
  expect(shown).not.toContain('Mellon');
});

test('a secret is revealed on request', () => {
  expect(one.reveal()).toBe('Mellon');
});

import { expect, test } from '@jest/globals';
import { availableFirst } from './available-first.js';

test.each([
  ['of equal ones', ['a', 'b', 'c'], ['a', 'b', 'c']],
  ['behind which come the unavailable ones', ['a-', 'b', 'c-', 'd'], ['b', 'd', 'a-', 'c-']],
  ['where none is available', ['b-', 'a-'], ['b-', 'a-']],
])('keeps the order %s', (_rule, given, expected) => {
  const all = given.map((name) => (name.endsWith('-') ? { name, isUnavailable: true } : { name }));
  expect(availableFirst(all).map(({ name }) => name)).toEqual(expected);
});

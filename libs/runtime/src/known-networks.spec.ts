import { expect, test } from '@jest/globals';
import { isKnownNetwork, rememberNetwork } from './known-networks.js';

const DAY = 86_400_000;

test('a network is known for a day after the last login', () => {
  expect(isKnownNetwork('a')).toBe(false);
  rememberNetwork('a', 0);
  rememberNetwork('a', 1);
  expect(isKnownNetwork('a', DAY)).toBe(true);
  expect(isKnownNetwork('a', DAY + 1)).toBe(false);
});

test('of very many networks, those of the last logins are known', () => {
  for (let number = 0; number < 10_001; number += 1) rememberNetwork(`n${number}`, 0);
  expect([isKnownNetwork('n0', 0), isKnownNetwork('n1', 0)]).toEqual([false, true]);
});

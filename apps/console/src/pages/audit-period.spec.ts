import { expect, test } from '@jest/globals';
import { PERIODS, startOf } from './audit-period.js';

const NOW = new Date('2026-11-24T08:00:00.000Z');

test.each([
  ['', undefined],
  ['between', undefined],
  ['2h', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
  ['15m', '2026-11-24T07:45:00.000Z'],
  ['1h', '2026-11-24T07:00:00.000Z'],
  ['24h', '2026-11-23T08:00:00.000Z'],
  ['7d', '2026-11-17T08:00:00.000Z'],
  ['30d', '2026-10-25T08:00:00.000Z'],
])('the period %j begins at %s', (last, expected) => {
  expect(startOf(last, NOW)).toBe(expected);
});

test('each period that is offered has a start, apart from those without one', () => {
  const without = Object.keys(PERIODS).filter((last) => startOf(last, NOW) === undefined);
  expect(without).toEqual(['', 'between']);
});

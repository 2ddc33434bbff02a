import { expect, test } from '@jest/globals';
import { CounterSeries, Family } from './series.js';

test('has the series of the named values from the start, and others at their first use', () => {
  const family = new Family(['outcome'], () => new CounterSeries());
  const { delivered } = family.each(['delivered', 'failed']);
  delivered.inc(2);
  family.of('dropped').inc();
  expect(Array.from(family.entries(), ([labels, { value }]) => [labels, value])).toEqual([
    [{ outcome: 'delivered' }, 2],
    [{ outcome: 'failed' }, 0],
    [{ outcome: 'dropped' }, 1],
  ]);
  expect(family.of('delivered')).toBe(delivered);
});

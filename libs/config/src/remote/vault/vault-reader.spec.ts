import { expect, test } from '@jest/globals';
import { NumberLiteral } from '@tessera/property-sources';
import { plainValue } from './vault-reader.js';

test.each<[string, unknown, unknown]>([
  ['numbers are their text, whatever their size', new NumberLiteral('1e400'), '1e400'],
  ['what is nested too', { a: [new NumberLiteral('1.10')] }, { a: ['1.10'] }],
  ['all else is as it was', { a: [null, true, 'x', {}, []] }, { a: [null, true, 'x', {}, []] }],
])('%s', (_rule, value, plain) => {
  expect(plainValue(value)).toEqual(plain);
});

test('a hundred levels are enough', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(plainValue(nested(100))).toEqual(nested(100));
  expect(() => plainValue(nested(101))).toThrow('nested deeper than 100 levels');
});

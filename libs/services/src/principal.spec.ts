import { expect, test } from '@jest/globals';
import { valuesOf } from './principal.js';

test.each([
  ['mail', ['a@example.org']],
  ['Mail', []],
  ['toString', []],
  ['constructor', ['built']],
  ['__proto__', ['own']],
])('the values of %s are %j', (name, values) => {
  const attributes = JSON.parse(
    '{"mail":["a@example.org"],"constructor":["built"],"__proto__":["own"]}',
  );
  expect(valuesOf({ id: 'u', attributes }, name)).toEqual(values);
});

test('a principal without attributes has no __proto__', () => {
  expect(valuesOf({ id: 'u', attributes: {} }, '__proto__')).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { linkTo, readPlace } from './location.js';
import { readAttributes, replacing, writeAttributes } from './ui/attributes.js';

test.each([
  ['a service', ['services', '7'], {}],
  ['a name with every separator', ['users', 'a/b?c#d&e=f%2F'], { user: 'x & y=z?' }],
  ['the start', [], {}],
])('a link leads to its place: %s', (_, path, query) => {
  const place = readPlace(linkTo(path, query));
  expect([place.path, Object.fromEntries(place.query)]).toEqual([path, query]);
});

test('a malformed place is no fault', () => {
  expect(readPlace('#/users/%zz').path).toEqual(['users', '%zz']);
});

test('attributes are written one a line, and read again', () => {
  const attributes = { memberOf: ['a', 'b = c'], mail: ['x@example.org'] };
  expect(readAttributes(writeAttributes(attributes))).toEqual(attributes);
  expect(readAttributes('\nname\n=x\n a=b=c \n')).toEqual({ a: ['b=c'] });
});

test('an attribute that is gone has an empty list', () => {
  expect(replacing({ a: ['1'], b: ['2'] }, { b: ['3'] })).toEqual({ a: [], b: ['3'] });
});

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
  expect(readAttributes('\n \n a=b=c \n')).toEqual({ a: ['b=c'] });
});

test.each<[string, Record<string, string[]>]>([
  ['a value with a line that looks like an attribute', { street: ['Main St\nmemberOf = admin'] }],
  ['another line end', { street: ['a\r\nb', 'a\rb = c'] }],
  ['white space outside, or nothing', { memberOf: [' admin', 'admin ', ''] }],
  ['quotes and backslashes', { title: ['"a"', '"', '"\\n"', 'C:\\x', 'an "x"'] }],
  ['a name with the separator', { 'a=b': ['c'], '"a" = "b': ['c'], ' x ': ['c'] }],
])('an attribute stays the same when its text is edited: %s', (_, attributes) => {
  const text = writeAttributes(attributes);
  expect(readAttributes(text)).toEqual(attributes);
  expect(readAttributes(`${text}\nmail = x`)).toEqual({ ...attributes, mail: ['x'] });
});

test.each([
  ['a = "b', '"b'],
  ['a = "b" c', '"b" c'],
  ['a = "\\x"', '"\\x"'],
])('quotes that are not finished are part of the value: %s', (text, value) => {
  expect(readAttributes(text)).toEqual({ a: [value] });
});

test('an attribute that is gone has an empty list', () => {
  expect(replacing({ a: ['1'], b: ['2'] }, { b: ['3'] })).toEqual({ a: [], b: ['3'] });
});

test.each(['name', 'name: value', '= value', 'name ='])(
  'the line %j is no attribute, and is not dropped',
  (line) => {
    expect(readAttributes(`mail = x\n${line}`)).toEqual({ mail: ['x'], '': [line] });
  },
);

// Keys nest or stay flat; none is lost. Brackets are those of Spring Cloud Config 4.3.1, unless a row says otherwise.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scalar } from '@tessera/property-sources';
import { flattenedJson } from './environment-json.js';

function nested(entries: readonly (readonly [string, Scalar])[]): unknown {
  return JSON.parse(
    flattenedJson(new Map(entries.map(([key, value]) => [key, { value }] as const))),
  );
}

test.each<readonly [string, readonly (readonly [string, string])[], unknown]>([
  ['a key of maps', [['a.b.c', 'x']], { a: { b: { c: 'x' } } }],
  ['a key of lists', [['a[1][0].b', 'x']], { a: [null, [{ b: 'x' }]] }],
  ['brackets without a number belong to the name', [['a[x/1].b', 'x']], { 'a[x/1]': { b: 'x' } }],
  [
    'a dot within such brackets separates names like any other',
    [
      ['r[a.b/c]', 'x'],
      ['r[brackets/1]', 'y'],
      ['r[com.acme.Foo].z', 'z'],
      ['r.plain', 'p'],
      ['[top.level]', 't'],
    ],
    {
      'r[a': { 'b/c]': 'x' },
      'r[brackets/1]': 'y',
      'r[com': { acme: { 'Foo]': { z: 'z' } } },
      r: { plain: 'p' },
      '[top': { 'level]': 't' },
    },
  ],
  // Spring answers 400 for the whole environment.
  [
    'a name in brackets after an element',
    [
      ['a[0][x.y]', 'x'],
      ['a[1].b', 'y'],
    ],
    { 'a[0][x.y]': 'x', a: [null, { b: 'y' }] },
  ],
  [
    'a key below a value stays flat',
    [
      ['a', 'x'],
      ['a.b', 'y'],
    ],
    { a: 'x', 'a.b': 'y' },
  ],
  [
    'the same when the value comes later',
    [
      ['a.b', 'y'],
      ['a', 'x'],
    ],
    { 'a.b': 'y', a: 'x' },
  ],
  [
    'only from the part in conflict',
    [
      ['a.b', 'x'],
      ['a.b.c', 'y'],
    ],
    { a: { b: 'x', 'b.c': 'y' } },
  ],
  [
    'an element below a value',
    [
      ['a.b', 'x'],
      ['a.b[0]', 'y'],
    ],
    { a: { b: 'x', 'b[0]': 'y' } },
  ],
  [
    'a key below an element',
    [
      ['a[0]', 'x'],
      ['a[0].b', 'y'],
    ],
    { a: ['x'], 'a[0].b': 'y' },
  ],
  [
    'a list where a map is',
    [
      ['a.b', 'x'],
      ['a[0]', 'y'],
    ],
    { a: { b: 'x' }, 'a[0]': 'y' },
  ],
  [
    'a map where a list is',
    [
      ['a[0]', 'x'],
      ['a.b', 'y'],
    ],
    { a: ['x'], 'a.b': 'y' },
  ],
  [
    'keys that are no path',
    [
      ['a..b', 'x'],
      ['.c', 'y'],
      ['d.', 'z'],
      ['[0]', 'u'],
      ['e[0]f', 'v'],
      ['', 'w'],
    ],
    { 'a..b': 'x', '.c': 'y', 'd.': 'z', '[0]': 'u', 'e[0]f': 'v', '': 'w' },
  ],
  ['an index beyond the maximum of gaps', [['a[2000000000]', 'x']], { 'a[2000000000]': 'x' }],
  ['names of the prototype', [['__proto__.x', 'y']], JSON.parse('{"__proto__":{"x":"y"}}')],
])('%s', (_title, entries, expected) => {
  expect(nested(entries)).toEqual(expected);
});

test('the maximum of gaps is for all lists together', () => {
  const entries = Array.from({ length: 20 }, (_, index) => [`l${index}[900]`, 'x'] as const);
  expect(JSON.stringify(nested(entries)).length).toBeLessThan(7_000);
});

test('elements in any order are not gaps', () => {
  const entries = Array.from(
    { length: 3_000 },
    (_, index) => [`l[${2_999 - index}]`, 'x'] as const,
  );
  expect(nested(entries)).toEqual({ l: Array.from({ length: 3_000 }, () => 'x') });
});

test('a key of a thousand parts stays flat', () => {
  const key = Array.from({ length: 1_000 }, () => 'a').join('.');
  expect(nested([[key, 'x']])).toEqual({ [key]: 'x' });
});

test('for any keys, each value is there once', () => {
  const part = fc.constantFrom('a', 'b', 'a[0]', 'b[1]', 'a[x]', '', 'b[0][1]', '[0]', ']');
  const key = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 8 }), (keys) => {
      const values = keys.map((_, index) => `<${index}>`);
      const json = JSON.stringify(nested(keys.map((it, index) => [it, `<${index}>`] as const)));
      for (const value of values) expect(json.split(value)).toHaveLength(2);
    }),
  );
});

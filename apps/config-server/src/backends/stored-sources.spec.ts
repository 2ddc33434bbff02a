import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property, record } from 'fast-check';
import { NumberLiteral, type Scalar } from '@tessera/property-sources';
import type { PropertySource } from './environment-backend.js';
import { revisionOf, storedNames } from './stored-sources.js';

const source = (name: string, properties: Readonly<Record<string, Scalar>>): PropertySource => ({
  name,
  properties: new Map(Object.entries(properties).map(([key, value]) => [key, { value }])),
});

describe('the names of an environment', () => {
  test('are those of profiles before applications, the last of each first', () => {
    const query = { applications: ['a', 'b'], profiles: ['p', 'q'], label: undefined };
    expect(storedNames(query).map(({ application, profile }) => [application, profile])).toEqual([
      ...['b', 'a', 'application'].map((name) => [name, 'q']),
      ...['b', 'a', 'application'].map((name) => [name, 'p']),
      ...['b', 'a', 'application'].map((name) => [name, undefined]),
    ]);
  });

  test('are each there once, and those for all applications last', () => {
    const names = array(constantFrom('a', 'b', 'application'), { minLength: 1 });
    const queries = record({ applications: names, profiles: names });
    assert(
      property(queries, (query) => {
        const found = storedNames({ ...query, label: undefined }).map((name) =>
          JSON.stringify(name),
        );
        expect(new Set(found).size).toBe(found.length);
        expect(found.at(-1)).toBe('{"application":"application"}');
      }),
    );
  });
});

describe('the revision of sources', () => {
  const one = [source('a', { k: '1', l: 'x' })];

  test('is that of equal sources', () => {
    expect(revisionOf([source('a', { k: '1', l: 'x' })])).toBe(revisionOf(one));
  });

  test.each<[string, readonly PropertySource[]]>([
    ['nothing', []],
    ['another name', [source('b', { k: '1', l: 'x' })]],
    ['another key', [source('a', { kl: '1', l: 'x' })]],
    ['a number for a text', [source('a', { k: new NumberLiteral('1'), l: 'x' })]],
    ['another order of keys', [source('a', { l: 'x', k: '1' })]],
    ['the same in two sources', [source('a', { k: '1' }), source('a', { l: 'x' })]],
  ])('is another for %s', (_what, sources) => {
    expect(revisionOf(sources)).not.toBe(revisionOf(one));
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  array,
  assert,
  dictionary,
  letrec,
  oneof,
  property,
  string,
  stringMatching,
} from 'fast-check';
import { nestedProperties } from './nested-properties.js';

const DEEP = Array(1e5).fill('a').join('.');

type Flat = Readonly<Record<string, string>>;

/** As JSON, since objects here have no prototype. */
function nested(flat: Flat): unknown {
  const entries = nestedProperties(Object.entries(flat));
  return JSON.parse(JSON.stringify(entries.map(({ key, value }) => [key, value])));
}

describe('flat keys become', () => {
  test.each<[string, Flat, unknown]>([
    ['maps', { 'a.b': '1', 'a.c.d': '2', e: '3' }, { a: { b: '1', c: { d: '2' } }, e: '3' }],
    ['lists, in the order of their numbers', { 'a[1]': 'y', 'a[0]': 'x' }, { a: ['x', 'y'] }],
    ['lists of maps', { 'a[0].b': '1', 'a[0].c[0]': '2' }, { a: [{ b: '1', c: ['2'] }] }],
    ['lists of lists', { 'a[0][0]': '1', 'a[0][1]': '2' }, { a: [['1', '2']] }],
    ['maps, for names in brackets', { 'a[x.y/z].b': '1' }, { a: { 'x.y/z': { b: '1' } } }],
    ['maps, where an element is missing', { 'a[1]': 'y' }, { a: { 1: 'y' } }],
    ['maps, for a list without an end', { 'a[999999]': 'y' }, { a: { 999999: 'y' } }],
    ['maps, for numbers that no list has', { 'a[00]': 'y' }, { a: { '00': 'y' } }],
  ])('%s', (_rule, flat, expected) => {
    expect(nested(flat)).toEqual(Object.entries(expected as object));
  });

  test.each<[string, Flat, [string, unknown][]]>([
    [
      'has keys below it',
      { 'l.a': '1', 'l.a.b': '2' },
      [
        ['l', { a: '1' }],
        ['l.a.b', '2'],
      ],
    ],
    [
      'overrides others',
      { 'l.a.b': '2', 'l.a': '1' },
      [
        ['l', { a: { b: '2' } }],
        ['l.a', '1'],
      ],
    ],
    [
      'is malformed',
      { 'a..b': '1', 'c[': '2' },
      [
        ['a..b', '1'],
        ['c[', '2'],
      ],
    ],
    ['is empty', { '': '1' }, [['', '1']]],
    ['is deeper than any setting', { [DEEP]: '1' }, [[DEEP, '1']]],
  ])('nothing but themselves, where one %s', (_rule, flat, expected) => {
    expect(nested(flat)).toEqual(expected);
  });

  test('no prototypes', () => {
    const [entry] = nestedProperties([['a.__proto__.b', '1']]);
    expect(Object.keys(entry?.value as object)).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false);
  });
});

type Tree = string | readonly Tree[] | { readonly [name: string]: Tree };

/** As the server does it. */
function flatten(key: string, tree: Tree): [string, string][] {
  if (typeof tree === 'string') return [[key, tree]];
  if (Array.isArray(tree)) {
    return (tree as readonly Tree[]).flatMap((below, index) => flatten(`${key}[${index}]`, below));
  }
  return Object.entries(tree).flatMap(([name, below]) => flatten(`${key}.${name}`, below));
}

test('unflattening restores what was flattened', () => {
  const name = stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/);
  const { tree } = letrec<{ tree: Tree }>((tie) => ({
    tree: oneof(
      { depthSize: 'small' },
      string(),
      array(tie('tree'), { minLength: 1, maxLength: 12 }),
      dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 5 }),
    ),
  }));
  assert(
    property(tree, (written) => {
      const [entry] = nestedProperties(flatten('sso', written));
      expect(JSON.parse(JSON.stringify(entry?.value))).toEqual(written);
    }),
  );
});

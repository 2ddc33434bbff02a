import { describe, expect, test } from '@jest/globals';
import { assert, property } from 'fast-check';
import { anyText } from '../../../../../test/support/any-text.js';
import type { RawContent } from '../raw-value.js';
import { parseYamlFile } from './yaml-file.js';

/** A tree as plain data. */
const plain = (content: RawContent): unknown => {
  if (content === null || typeof content === 'string') return content;
  if (content instanceof Map) {
    return Object.fromEntries(
      [...content].map(([name, { content: inner }]) => [name, plain(inner)]),
    );
  }
  return [...content.values()].map((element) =>
    plain((element as { content: RawContent }).content),
  );
};
const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]', ...'bcdef'].map((name, index) =>
  index === 0
    ? name
    : `${name}: &${name} [${Array(10)
        .fill(`*${'abcde'[index - 1]}`)
        .join()}]`,
);

describe('a YAML file is refused, with the line, for', () => {
  test.each([
    ['a list left open', 'a: 1\nb: [1', 'f.yml:2', 'a [ or { is not closed before here'],
    ['a key given twice', 'a: 1\na: 2', 'f.yml:2', 'is not valid YAML: duplicate key'],
    ['a key given twice within', 'a: {b: 1, b: 2}', 'f.yml:1', 'is not valid YAML: duplicate key'],
    [
      'a key given twice, once in quotes',
      'a:\n  1: 1\n  "1": 2',
      'f.yml:3',
      'is not valid YAML: duplicate key',
    ],
    ['lists without end', '['.repeat(10_000), 'f.yml:1', 'is nested too deeply'],
    [
      'more than can be read at once',
      `a: [\n ${'x,'.repeat(100_000)}`,
      'f.yml:2',
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    ['a tab as indentation', 'a:\n\tb: 1', 'f.yml:2', 'a tab is used for indentation'],
    ['a key that is a list', 'a: 1\n? [b]\n: c', 'f.yml:2', 'is not valid YAML: non string key'],
    [
      'a protected value without quotes',
      'a: 1\nb: {cipher}geheim',
      'f.yml:2',
      'a value that begins with { needs quotes around it',
    ],
    [
      'a password that looks like a tag',
      'p: !geheim',
      'f.yml:1',
      'a value that begins with ! needs quotes around it',
    ],
    [
      'a password that looks like an alias',
      'p: *geheim',
      'f.yml:1',
      'an alias (*name) leads nowhere or to itself; or quotes are missing',
    ],
    [
      'an alias in a circle',
      'a: &x {b: *x}',
      'f.yml:1',
      'an alias (*name) leads nowhere or to itself; or quotes are missing',
    ],
    ['aliases that multiply', bomb.join('\n'), 'f.yml:1', 'holds too many values'],
    ['a list instead of keys', '- a', 'f.yml:1', 'must hold keys with values'],
    ['a text instead of keys', '# c\ngeheim', 'f.yml:2', 'must hold keys with values'],
  ])('%s', (_rule, text, origin, message) => {
    const { entries, violations } = parseYamlFile(text, 'f.yml');
    expect(violations).toContainEqual({ message, origin });
    expect(entries).toEqual([]);
    expect(JSON.stringify(violations)).not.toContain('geheim');
  });
});

test('all keys given twice are listed, in their order, with the other errors', () => {
  const { violations } = parseYamlFile('a: 1\na: 2\nb: !x y\na: 3', 'f.yml');
  expect(violations.map(({ origin }) => origin)).toEqual(['f.yml:2', 'f.yml:3', 'f.yml:4']);
});

test.each([
  ['keys', (index: number) => `k${index}: ${index}\n`],
  ['the same key', () => 'a: 1\n'],
  ['faults', () => '@a\n'],
])('a MiB of %s keeps nobody waiting', (_, line) => {
  let text = '';
  for (let index = 0; text.length < 1_000_000; index += 1) text += line(index);
  expect(parseYamlFile(text, 'f.yml').violations.length).toBeGreaterThan(0);
});

describe('a YAML file gives', () => {
  test.each([
    [
      'scalars as they are written',
      'a: 0123\nb: "q"\nc: 1e3\nd: True\ne: 2020-01-01',
      { a: '0123', b: 'q', c: '1e3', d: 'True', e: '2020-01-01' },
    ],
    ['null for a key without value', 'a:\nb: ~', { a: null, b: null }],
    ['what an alias stands for', 'a: &x {b: 1}\nc: *x', { a: { b: '1' }, c: { b: '1' } }],
    ['texts of several lines', 'a: |\n  x\n  y\n', { a: 'x\ny\n' }],
    ['numbers as names', 'a: {1: x}', { a: { 1: 'x' } }],
    ['nothing for an empty file', '', {}],
    ['nothing for a comment alone', '# a\n---\n', {}],
  ])('%s', (_rule, text, expected) => {
    const { entries, violations } = parseYamlFile(text, 'f.yml');
    expect(violations).toEqual([]);
    expect(
      Object.fromEntries(entries.map(({ key, value }) => [key, plain(value.content)])),
    ).toEqual(expected);
  });

  test('each value the line of its key, and documents in their order', () => {
    const { entries } = parseYamlFile('a: 1\n---\nb:\n  c: 2\na:\n  3\n', 'f.yml');
    expect(entries.map(({ key, value }) => [key, value.origin])).toEqual([
      ['a', 'f.yml:1'],
      ['b', 'f.yml:3'],
      ['a', 'f.yml:5'],
    ]);
  });

  test('an answer to any text', () => {
    assert(
      property(anyText(), (text) => {
        expect(parseYamlFile(text, 'f').violations).toBeInstanceOf(Array);
      }),
    );
  });
});

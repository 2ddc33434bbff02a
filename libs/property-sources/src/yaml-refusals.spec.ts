import { describe, expect, test } from '@jest/globals';
import { readYaml } from './yaml-reader.js';

const tenfold = (step: (above: string, here: string) => string): string =>
  [...'bcdefghij'].map((here, index) => step('abcdefghi'.charAt(index), here)).join('\n');

const TAG = 'a tag (!name) is not read here; a value that begins with ! needs quotes around it';
const ORDERED = 'an !!omap is a list of pairs: - key: value';

describe('YAML is refused, with the line and without a word of the text, for', () => {
  test.each([
    ['a value without a key', 'a: 1\n: geheim', 2, 'a key is missing'],
    ['a key given twice', 'a: 1\nb:\n  geheim: 1\n  "geheim": 2', 4, 'a key is given twice'],
    ['two spellings of one truth as keys', 'true: 1\nyes: 2', 2, 'a key is given twice'],
    ['a key that holds itself', 'a: 1\n? &x [geheim, *x]\n: x', 2, 'is nested too deeply'],
    ['an ordered map of texts', 'a: 1\nb: !!omap [geheim]', 2, ORDERED],
    ['an ordered map of larger maps', 'a: !!omap [{geheim: 1, b: 2}]', 1, ORDERED],
    [
      'an ordered map with a key twice',
      'a: !!omap [geheim: 1, geheim: 2]',
      1,
      'a key is given twice',
    ],
    ['a set that is a list', 'a: !!set [geheim]', 1, TAG],
    ['an ordered map that is a map', 'a: !!omap {geheim: 1}', 1, TAG],
    ['a key with a tag', '? !geheim x\n: 1', 1, TAG],
    ['a list without elements and with a tag', 'a: !geheim []', 1, TAG],
    ['a password that looks like a tag', 'a: !geheim', 1, TAG],
    ['a tag of Java', 'a: !!java.util.Date geheim', 1, TAG],
    ['a tag on a list', 'a: !geheim [1]', 1, TAG],
    ['a list with the tag of a text', 'a: !!str [geheim]', 1, TAG],
    [
      'a password that looks like an alias',
      'a: 1\nb: *geheim',
      2,
      'an alias (*name) leads nowhere',
    ],
    [
      'an alias to another document',
      'a: &x geheim\n---\nb: *x',
      3,
      'an alias (*name) leads nowhere',
    ],
    ['a map within itself', 'a: &x {geheim: *x}', 1, 'holds itself'],
    ['a list within itself', 'a: &x [[*x]]', 1, 'holds itself'],
    ['a map merged into itself', 'a: &x {b: 1, <<: *x}', 1, 'is merged into itself'],
    ['a merge of a text', 'a: {<<: geheim}', 1, 'a << merges what holds no keys'],
    ['a merge of nothing', 'a: 1\nb:\n  <<:', 3, 'a << merges what holds no keys'],
    ['a merge of texts', 'a: {<<: [geheim]}', 1, 'a << merges what holds no keys'],
    ['a merge that is a value', 'a: <<', 1, 'a << where a text belongs'],
    ['a control character', 'a: 1\nb: geheim\u0000', 2, 'holds a control character'],
    [
      'an invalid profile expression',
      'a: 1\nspring.config.activate.on-profile: "geheim & a | b"',
      2,
      'profiles are names joined by & or | (with parentheses where both are)',
    ],
  ])('%s', (_rule, text, line, reason) => {
    expect(() => readYaml(text, 'f.yml')).toThrow(
      expect.objectContaining({
        name: 'PropertySourceError',
        code: 'SOURCE_UNREADABLE',
        message: `f.yml, line ${line}: ${reason}`,
      }),
    );
  });

  test.each([
    ['lists within lists', '['.repeat(20_000), 'is nested too deeply'],
    ['lists on one line', '- '.repeat(20_000), 'is nested too deeply'],
    [
      'maps within maps',
      Array.from({ length: 51 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n'),
      'is nested too deeply',
    ],
    [
      'aliases of aliases',
      `a0: &a0 [1]\n${Array.from({ length: 60 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]`).join('\n')}`,
      'is nested too deeply',
    ],
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${tenfold((above, here) => `${here}: &${here} [${Array(10).fill(`*${above}`).join()}]`)}`,
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
    [
      'a long text many times',
      `a: &a ${'x'.repeat(100_000)}\nb: [${Array(1000).fill('*a').join()}]`,
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
    [
      'a long key many times',
      `a: &a [${Array(1000).fill('x').join()}]\n? ${'k'.repeat(100_000)}\n: *a`,
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
    [
      'aliases that multiply in a key',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${tenfold((above, here) => `${here}: &${here} [${Array(10).fill(`*${above}`).join()}]`)}`.replace(
        'j: &j [',
        '? [',
      ),
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
    [
      'merges that multiply',
      `a: &a {${Array.from({ length: 3000 }, (_, n) => `k${n}: 1`).join()}}\nb:\n${'  - <<: [*a, *a, *a]\n'.repeat(3000)}`,
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
    [
      'lists left open',
      '['.repeat(500_000),
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'elements without end',
      `a: [${'a,'.repeat(500_000)}]`,
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'maps within lists',
      `a: [${'b: c, '.repeat(170_000)}]`,
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'names of nothing',
      '&b '.repeat(300_000),
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'signs without sense',
      '['.concat(','.repeat(1_000_000)),
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'lists closed that were not open',
      ']'.repeat(1_000_000),
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'documents without end',
      '---\na: 1\n'.repeat(100_000),
      'has more than 100,000 parts: split it, or write it as .properties',
    ],
    [
      'documents',
      '---\na: 1\n'.repeat(1001),
      'f.yml, line 2002: holds more than 1,000 documents: split it',
    ],
    ['profiles of one document', `spring.profiles: "${'p|'.repeat(500)}p"`, 'too many profiles'],
    [
      'profiles of many',
      `spring.profiles: ${'p'.repeat(999)}\n---\n`.repeat(11),
      'too many profiles',
    ],
    [
      'a small file that aliases make a large one of',
      `a: &a [${Array(200).fill('0123456789').join()}]\nb: [${Array(250).fill('*a').join()}]`,
      'comes to more than 2 Mi characters of keys and values: split it',
    ],
  ])('%s, before that takes long', (_rule, text, reason) => {
    expect(() => readYaml(text, 'f.yml')).toThrow(reason);
  });
});

describe('YAML of the largest kind is read in time that grows with it:', () => {
  test.each([
    ['keys', Array.from({ length: 12_000 }, (_, n) => `key${n}: v`).join('\n'), 12_000],
    ['elements on one line', `a: [${Array(20_000).fill('😀').join()}]`, 20_000],
    ['aliases', `a: &a 1\nb: [${Array(20_000).fill('*a').join()}]`, 20_001],
    ['fifty levels', `a: ${'['.repeat(49)}${']'.repeat(49)}`, 1],
  ])('%s', (_rule, text, size) => {
    expect(readYaml(text, 'f.yml')[0]?.properties.size).toBe(size);
  });
});

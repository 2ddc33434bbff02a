import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, dictionary, property } from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { resolvePlaceholders } from './placeholders.js';

const values: Record<string, string> = {
  x: '100',
  empty: '',
  key: 'x',
  'a.b': '1',
  'a.b:z': 'colon',
  'k:q': 'kq',
  'l[0]': '1',
  escaped: '\\${x}',
  again: '${escaped}',
  chain: '${key} of ${x}',
  fallback: '${nope:dd}',
};

const resolve = (text: string): string => resolvePlaceholders(text, (key) => values[key]);

/** Each row is what Spring Cloud Config Server 4.3.1 on Boot 3.5.16 served as `.properties`, unless it says otherwise. */
describe('as Spring Cloud Config resolves them, placeholders stand for', () => {
  test.each([
    ['the value of a key', '${x} items', '100 items'],
    ['each of several', '$${x}$ ${x}${x} {${x}}', '$100$ 100100 {100}'],
    ['an element', '${l[0]}', '1'],
    ['a value that is empty', '[${empty}] [${empty:d}]', '[] []'],
    ['what the value stands for', '${chain}; ${fallback}', 'x of 100; dd'],
    ['a default', '${nope:d} ${nope:} ${nope: d } ${x:d}', 'd   d  100'],
    ['a default with colons', '${nope:a:b} ${nope:http://h:80}', 'a:b http://h:80'],
    ['a default with braces', '${nope:{}} ${nope:{a}b} ${nope:a}b}', '{} {a}b ab}'],
    ['a default with placeholders', '${nope:${nope:${x}}} ${nope:<${x}>}', '100 <100>'],
    ['a key made of placeholders', '${${key}} ${l[${nope:0}]} ${a${nope}:d}', '100 1 d'],
    ['a key with a colon before one with a default', '${a.b:z} ${k:q} ${k\\:q}', 'colon kq kq'],
    ['nothing but the default of an empty key', '${:x}', 'x'],
    [
      'themselves without a value',
      '${nope} ${} ${${nope}} ${ x }',
      '${nope} ${} ${${nope}} ${ x }',
    ],
    [
      'themselves with what is known of their key',
      '${a${x}} ${nope\\:${x}}',
      '${a100} ${nope:100}',
    ],
    ['what is unknown of their default', '${nope:${nope2}${x}}', '${nope2}100'],
    ['themselves after a backslash', '\\${x} \\\\${x} \\\\\\${x}', '${x} ${x} \\${x}'],
    [
      'themselves after a backslash within a default',
      '${nope:\\${x}} \\${x:${x}}',
      '${x} ${x:100}',
    ],
    ['themselves where a value says so', '${escaped} ${again}', '${x} ${x}'],
    ['no other backslashes', 'a:b\\:c $\\{x} \\$x ${nope:a\\:b}', 'a:b\\:c $\\{x} \\$x a\\:b'],
    ['nothing of other languages', '#{1+1} ${{x}} $x {x}', '#{1+1} ${{x}} $x {x}'],
    ['(not so Spring) themselves where they are left open', '${x ${x}', '${x 100'],
  ])('%s', (_rule, text, expected) => {
    expect(resolve(text)).toBe(expected);
  });
});

describe('placeholders are bounded where', () => {
  test.each([
    ['they lead to themselves', '${s}', { s: '${s}' }, '${s}'],
    ['they go in a circle', '${a}', { a: '<${b}>', b: '(${a})' }, '<(${a})>'],
    ['a circle has a default', '${a:d}', { a: '${a:e}' }, 'e'],
  ])('%s', (_rule, text, keys: Record<string, string>, expected) => {
    expect(resolvePlaceholders(text, (key) => keys[key])).toBe(expected);
  });

  test('they multiply: by what is looked up', () => {
    let left = 1000;
    const doubling = (key: string): string => {
      left -= 1;
      if (left < 0) throw new RangeError('too many');
      return `\${${Number(key) + 1}}`.repeat(2);
    };
    expect(() => resolvePlaceholders('${1}', doubling)).toThrow('too many');
  });

  test('they follow each other without end', () => {
    expect(resolvePlaceholders('${1}', (key) => `\${${Number(key) + 1}}`)).toMatch(/^\$\{\d+\}$/);
  });

  test.each([
    ['openings', '${'],
    ['openings with defaults', '${a:'],
    ['closings', '}'],
  ])('there are many %s', (_rule, piece) => {
    const text = piece.repeat(200_000);
    expect(resolvePlaceholders(text, () => undefined)).toBe(text);
  });

  test.each([
    ['keys', '${', '}'],
    ['defaults', '${a:', '}'],
    ['keys and defaults', '${a${', ':b}:c}'],
  ])('%s nest without end', (_rule, opening, closing) => {
    const text = opening.repeat(150_000) + closing.repeat(150_000);
    const resolved = resolvePlaceholders(text, (key) => (key === '' ? '' : undefined));
    expect(resolved.length).toBeLessThanOrEqual(text.length);
  });
});

test('text without placeholders stays as it is', () => {
  assert(
    property(anyText(), (text) => {
      const without = text.replaceAll('${', '');
      expect(resolve(without)).toBe(without);
    }),
  );
});

test('any text and any values come to an end', () => {
  const pieces = constantFrom('${', '}', ':', '\\', 'a', 'b', '{', '${a}', '${b:');
  const text = array(pieces).map((chosen) => chosen.join(''));
  assert(
    property(text, dictionary(constantFrom('a', 'b', ''), text), (given, keys) => {
      expect(typeof resolvePlaceholders(given, (key) => keys[key])).toBe('string');
    }),
  );
});

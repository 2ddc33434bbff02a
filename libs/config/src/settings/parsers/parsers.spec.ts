import { describe, expect, test } from '@jest/globals';
import { assert, json, property } from 'fast-check';
import { anyText } from '../../../../../test/support/any-text.js';
import { rawValueOf } from '../raw-value.js';
import type { Secret } from '../secret.js';
import { levels, list, map, pathNames, record, secretList, texts } from './collections.js';
import { InvalidValue, type SettingParser } from './setting-parser.js';
import { boolean, decimal, integer, oneOf, pathName, secret, text } from './scalars.js';

const parse = <V>(parser: SettingParser<V>, given: unknown): V | InvalidValue =>
  parser.parse(rawValueOf(given, 'a test'));

const place = record<{ uri: string; paths: readonly string[] }>({ uri: text, paths: list }, 'uri');

describe('a parser refuses', () => {
  test.each<[string, SettingParser<unknown>, unknown, string]>([
    ['text that is a map', text, { a: 1 }, 'must be a text, not a map'],
    ['text that is a list', text, ['a'], 'must be a text, not a list'],
    ['a key without a value', text, null, 'has no value; it must be a text'],
    ['a number in words', integer, 'eight', 'must be a whole number'],
    [
      'a number with a leading zero, which YAML reads as octal',
      integer,
      '0777',
      'must be a whole number',
    ],
    ['a number with a fraction', integer, '1.0', 'must be a whole number'],
    ['a number with an exponent', integer, '1e3', 'must be a whole number'],
    ['a number that cannot be held exactly', integer, '9007199254740993', 'must be a whole number'],
    ['an empty number', integer, '', 'must be a whole number'],
    ['a decimal number below zero', decimal, '-0.5', 'must be a decimal number'],
    ['a decimal number with an exponent', decimal, '1e-3', 'must be a decimal number'],
    ['a decimal number without its integer part', decimal, '.5', 'must be a decimal number'],
    ['a decimal number without its fraction', decimal, '1.', 'must be a decimal number'],
    ['a decimal number with a comma', decimal, '0,5', 'must be a decimal number'],
    ['a decimal number that is none', decimal, 'NaN', 'must be a decimal number'],
    ['a boolean of another language', boolean, 'yes', 'must be true or false'],
    [
      'a word that is not listed',
      oneOf('documented', 'apereo'),
      'x',
      'must be one of documented, apereo',
    ],
    ['a list that is a map', list, { a: 1 }, 'must be a list, not a map'],
    ['a list in a list', list, ['a', ['b']], 'element 2 must be a text, not a list'],
    ['a secret that is a list', secret, ['a'], 'must be a text, not a list'],
    ['a map that is a text', map(text), 'a', 'must be a map (as text: JSON, {"name": …})'],
    [
      'a map that is a list as JSON',
      map(text),
      '[1]',
      'must be a map (as text: JSON, {"name": …})',
    ],
    [
      'a bad value in a map, by its name',
      map(integer),
      { 'a.b': 'x' },
      '"a.b" must be a whole number',
    ],
    ['a field that is unknown', place, { url: 'x' }, '"url" is none of the fields uri, paths'],
    [
      'a field named as objects have them',
      place,
      { constructor: 'x' },
      '"constructor" is none of the fields uri, paths',
    ],
    ['a bad value in a field', place, { paths: { a: 1 } }, '"paths" must be a list, not a map'],
    ['a list for a map with fields', place, ['x'], '"uri" must be a text, not a list'],
    ['a map named __proto__', map(text), '{"__proto__": "x"}', 'may not hold the name __proto__'],
    [
      'a level that is none',
      levels,
      { vault: 'loud' },
      '"vault" must be one of debug, info, warn, error',
    ],
    [
      'a name that climbs out of its directory',
      pathName,
      '..',
      'must be a name of letters, digits, ".", "_" and "-"',
    ],
    [
      'a name with a separator',
      pathNames,
      'dev,a/b',
      'element 2 must be a name of letters, digits, ".", "_" and "-"',
    ],
  ])('%s', (_rule, parser, given, reason) => {
    expect(parse(parser, given)).toEqual(expect.objectContaining({ reason }));
  });

  test.each<[string, SettingParser<unknown>, unknown]>([
    ['a text', text, '{cipher}AQB'],
    ['a text of the older prefix', text, '{cas-cipher}AQB'],
    ['a secret', secret, '{cipher}AQB'],
    ['a number', integer, '{cipher}AQB'],
    ['a list', list, '{cipher}AQB'],
    ['an element of a list', list, ['a', '{cipher}AQB']],
    ['a map', map(text), '{cipher}AQB'],
    ['a value in a map written as JSON', map(texts), '{"u": "x", "v": ["{cipher}AQB"]}'],
    ['a value in a map', map(text), { a: '{cipher}AQB' }],
  ])('a protected value as %s, without quoting it', (_rule, parser, given) => {
    const refusal = parse(parser, given);
    expect(refusal).toBeInstanceOf(InvalidValue);
    expect(JSON.stringify(refusal)).not.toContain('AQB');
    expect(refusal).toMatchObject({ mayQuote: false });
    expect(refusal).toMatchObject({ reason: expect.stringContaining('may not be protected') });
  });
});

describe('a parser takes', () => {
  test.each<[string, SettingParser<unknown>, unknown, unknown]>([
    ['text without the space around it', text, ' a b\t', 'a b'],
    ['empty text', text, '', ''],
    ['a negative number', integer, '-5', -5],
    ['zero with a sign as zero', integer, '-0', 0],
    ['a boolean in capitals', boolean, 'TRUE', true],
    ['a boolean that is false', boolean, 'false', false],
    ['a listed word in other letters', oneOf('documented'), 'Documented', 'documented'],
    ['a comma list with gaps', list, ' rest, ,rest-x509,', ['rest', 'rest-x509']],
    ['an empty list', list, '', []],
    ['a YAML list, commas and all', list, ['a,b', 'c'], ['a,b', 'c']],
    ['one text as a list, commas and all', texts, 'Last, First', ['Last, First']],
    ['several texts', texts, ['a', 'b'], ['a', 'b']],
    [
      'a map from JSON, dots in its names',
      map(map(texts)),
      '{"first.last": {"mail": "a", "n": [1, true]}}',
      { 'first.last': { mail: ['a'], n: ['1', 'true'] } },
    ],
    ['some of the fields of a map', place, { paths: 'a,b' }, { paths: ['a', 'b'] }],
    ['a text for the short field of a map', map(place), '{"a": "x"}', { a: { uri: 'x' } }],
    ['a name that objects have by nature', map(text), { constructor: 'a' }, { constructor: 'a' }],
    ['levels in capitals', levels, { 'a.b': 'DEBUG' }, { 'a.b': 'debug' }],
    ['levels of Spring', levels, { a: 'TRACE', b: 'false' }, { a: 'debug', b: 'error' }],
  ])('%s', (_rule, parser, given, value) => {
    expect(parse(parser, given)).toEqual(value);
  });

  test('a secret exactly as written', () => {
    expect((parse(secret, ' a ') as Secret).reveal()).toBe(' a ');
    const secrets = parse(secretList, 'a::b,c::d') as readonly Secret[];
    expect(secrets.map((one) => one.reveal())).toEqual(['a::b', 'c::d']);
  });
});

describe('every parser', () => {
  test('answers any text and any JSON with a value or a refusal', () => {
    const parsers: SettingParser<unknown>[] = [
      text,
      integer,
      boolean,
      list,
      texts,
      map(texts),
      map(place),
      levels,
      secretList,
    ];
    assert(
      property(anyText(), json(), (string, jsonText) => {
        for (const parser of parsers) {
          expect(parse(parser, string)).toBeDefined();
          expect(parse(parser, jsonText)).toBeDefined();
          expect(parse(parser, JSON.parse(jsonText))).toBeDefined();
        }
      }),
    );
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

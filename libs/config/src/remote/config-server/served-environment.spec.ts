import { describe, expect, test } from '@jest/globals';
import { assert, jsonValue, property } from 'fast-check';
import { anyText } from '../../../../../test/support/any-text.js';
import { parseEnvironment } from './served-environment.js';

const parse = (json: string) => parseEnvironment(Buffer.from(json));
const sourceOf = (source: string) => `{"propertySources":[{"name":"a","source":${source}}]}`;

describe('an answer is no environment that is', () => {
  test.each([
    ['empty', ''],
    ['a page', '<html>'],
    ['cut short', '{"propertySources":[{"name":"a","source":{"a":1}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an error', '{"status":500,"error":"Internal Server Error"}'],
    ['without a list of sources', '{"propertySources":{}}'],
    ['with a text for a source', '{"propertySources":["a"]}'],
    ['with a source without a name', '{"propertySources":[{"source":{}}]}'],
    ['with a source without values', '{"propertySources":[{"name":"a"}]}'],
    ['with a list of values', sourceOf('[]')],
    ['with a map for a value', sourceOf('{"a":{"value":1,"origin":"1:1"}}')],
    ['with a list for a value', sourceOf('{"a":[1]}')],
    ['of lists in lists', '['.repeat(1e5) + ']'.repeat(1e5)],
    ['of maps in maps', sourceOf(`${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`)],
  ])('%s', (_rule, json) => {
    expect(parse(json)).toBeUndefined();
  });

  test('not UTF-8', () => {
    expect(parseEnvironment(Buffer.from(sourceOf('{"a":"\xe4"}'), 'latin1'))).toBeUndefined();
  });
});

test('an answer of any kind is read or refused', () => {
  const anything = jsonValue().map((value) => JSON.stringify(value));
  assert(
    property(anything, anyText(), (json, text) => {
      expect(parse(text)).toBeUndefined();
      expect(['undefined', 'object']).toContain(typeof parse(sourceOf(json)));
    }),
  );
});

test('an environment keeps its order, numbers of any size, and keys that objects have by nature', () => {
  const json =
    '{"name":"sso","extra":[],"propertySources":[' +
    '{"name":"b","source":{"n":12345678901234567890.10,"t":true,"s":"","z":null}},' +
    '{"name":"a","source":{"__proto__":"p","constructor":"c"}}]}';
  expect(parse(json)).toEqual([
    {
      name: 'b',
      properties: new Map<string, unknown>([
        ['n', '12345678901234567890.10'],
        ['t', true],
        ['s', ''],
        ['z', null],
      ]),
    },
    {
      name: 'a',
      properties: new Map([
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ]),
    },
  ]);
});

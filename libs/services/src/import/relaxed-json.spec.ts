import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRelaxedJson, type RelaxedJson } from './relaxed-json.js';

/** Converts Maps to objects, to compare with the result of JSON.parse. */
function plain(value: RelaxedJson): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  }
  return Array.isArray(value) ? value.map(plain) : value;
}

describe('a text that is no JSON is refused, with the line', () => {
  test.each([
    ['', 'line 1 has no value where one is needed'],
    ['{', 'line 1 has no name in double quotes where one is needed'],
    ['[', 'line 1 has no value where one is needed'],
    ['[,]', 'line 1 has no value where one is needed'],
    ['{,}', 'line 1 has no name in double quotes where one is needed'],
    ['[1,,2]', 'line 1 has no value where one is needed'],
    ['[1 2]', 'line 1 has neither a comma nor ] where one is needed'],
    ['{"a":1 "b":2}', 'line 1 has neither a comma nor } where one is needed'],
    ['{"a" 1}', 'line 1 has no colon after "a"'],
    ['{\n"a":1,\n"a":2}', 'line 3 gives "a" twice'],
    ['{"a":1,"\\u0061":2}', 'line 1 gives "\\u0061" twice'],
    ['{a:1}', 'line 1 has no name in double quotes where one is needed'],
    ["{'a':1}", 'line 1 has no name in double quotes where one is needed'],
    ['"a\nb"', 'line 1 has no value where one is needed'],
    ['"\\x41"', 'line 1 has no value where one is needed'],
    ['01', 'line 1 continues after its end'],
    ['1 2', 'line 1 continues after its end'],
    ['/* open', 'line 1 has no value where one is needed'],
    ['NaN', 'line 1 has no value where one is needed'],
    ['['.repeat(60), 'line 1 is nested too deeply'],
  ])('%j', (text, message) => {
    expect(() => parseRelaxedJson(text)).toThrow(
      expect.objectContaining({ name: 'RelaxedJsonError', message }),
    );
  });
});

test.each<[string, unknown]>([
  ['\ufeff{ /* a */ "a" : 1 , // b\n # c\n }', { a: 1 }],
  ['[1, 2, ]', [1, 2]],
  ['{"url":"https://a/*b*/#c"} // end', { url: 'https://a/*b*/#c' }],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['-1e3', -1_000],
  ['null', null],
])('%j is %p', (text, value) => {
  expect(plain(parseRelaxedJson(text))).toEqual(value);
});

test('a key such as __proto__ is a key', () => {
  expect(parseRelaxedJson('{"__proto__":{"a":1}}')).toEqual(
    new Map([['__proto__', new Map([['a', 1]])]]),
  );
});

test('reads all JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const integers = /(?<![\d.eE])-?\d{16,}/.test(text);
      fc.pre(!integers);
      expect(JSON.stringify(plain(parseRelaxedJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

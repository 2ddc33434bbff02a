import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HjsonValue, parseHjson } from './hjson.js';

/** Converts Maps to objects, to compare with the result of JSON.parse. */
function plain(value: HjsonValue): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  }
  return Array.isArray(value) ? value.map(plain) : value;
}

const needsQuotes = (character: string) =>
  `has no value where one is needed: a text that begins with ${character} needs quotes`;

describe('a text that is no Hjson is refused, with the line', () => {
  test.each([
    ['', 'line 1 has no value where one is needed'],
    ['{', 'line 1 ends where } is needed'],
    ['{\n"a": [1', 'line 2 ends where ] is needed'],
    ['[1 2]', 'line 1 ends where ] is needed'],
    ['{a: b}', 'line 1 ends where } is needed'],
    ['[,]', `line 1 ${needsQuotes(',')}`],
    ['[1,,2]', `line 1 ${needsQuotes(',')}`],
    ['{\na: }', `line 2 ${needsQuotes('}')}`],
    ['{a:\n:}', `line 2 ${needsQuotes(':')}`],
    ['{,}', 'line 1 has no name where one is needed'],
    ['{"a":1,,"b":2}', 'line 1 has no name where one is needed'],
    ['{"a" 1}', 'line 1 has no colon after "a"'],
    ['{a b: 1}', 'line 1 has no colon after "a"'],
    ['{\n"a":1,\n"a":2}', 'line 3 gives "a" twice'],
    ['{"a":1,"\\u0061":2}', 'line 1 gives "a" twice'],
    ['{a: 1\n"a": 2}', 'line 2 gives "a" twice'],
    ['"a\nb"', 'line 1 has a text in quotes that does not end there'],
    ['{"a": "b\n}', 'line 1 has a text in quotes that does not end there'],
    ['{\na: "b\\', 'line 2 has a text in quotes that does not end there'],
    ["{\na: '''\nb\n}\n", "line 2 has ''' without an end"],
    ['{}}', 'line 1 continues after its end'],
    ['{} {}', 'line 1 continues after its end'],
    ['{ /* open', 'line 1 has a remark that does not end'],
    ['['.repeat(60), 'line 1 is nested too deeply'],
    ['{a:'.repeat(60), 'line 1 is nested too deeply'],
    ['{\n\n  "id": "https://x\\.org"', 'line 3, column 19: \\. is no escape; write \\\\.'],
    ['["a", "\\d"]', 'line 1, column 8: \\d is no escape; write \\\\d'],
    ['"\\u00g"', 'line 1, column 2: \\u is no escape without four hexadecimal digits; write \\\\u'],
  ])('%j', (text, message) => {
    expect(() => parseHjson(text)).toThrow(
      expect.objectContaining({ name: 'HjsonError', message }),
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
  ['{a: 1 "b":2\n}', { a: '1 "b":2' }],
  ['{a: "b" c: [d\ne]\n]}', { a: 'b', c: ['d', 'e]'] }],
  [`{'it\\'s': 'a "q"', "n": "a\\nb\\u00e4\\/"}`, { "it's": 'a "q"', n: 'a\nb\u00e4/' }],
  ['@class: x.Y\nid: 5', { '@class': 'x.Y', id: 5 }],
  [
    '{a: true\r\nb: false, c: null # d\ne: -1.5e2 // f\n g: 7 /* h */}',
    { a: true, b: false, c: null, e: -150, g: 7 },
  ],
  [
    '{a: true story\nb: 007\nc: 1.2.3\nd: nullable\ne: -\nf: TRUE}\n}',
    { a: 'true story', b: '007', c: '1.2.3', d: 'nullable', e: '-', f: 'TRUE}' },
  ],
  ['{a: ^https://x\\.org/.*#b, // c:  \n}', { a: '^https://x\\.org/.*#b, // c:' }],
  ["['''''', ''' b\n  c ''']", ['', 'b\nc ']],
  ["{a: '''b \\n'''}", { a: 'b \\n' }],
  ["{\n  a:\n    '''\n    b\n      c\r\n   d\n\n    '''\n}", { a: 'b\n  c\nd\n' }],
])('%j is %p', (text, value) => {
  expect(plain(parseHjson(text))).toEqual(value);
});

test('a name such as __proto__ is a name', () => {
  expect(parseHjson('{"__proto__":{"a":1}}')).toEqual(
    new Map([['__proto__', new Map([['a', 1]])]]),
  );
});

test('reads all JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const integers = /(?<![\d.eE])-?\d{16,}/.test(text);
      fc.pre(!integers);
      expect(JSON.stringify(plain(parseHjson(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test.each([
  ['names and texts', `{${'a'.repeat(500_000)}: "${'\\\\'.repeat(200_000)}"}`],
  ['a text that does not end', `{a: "${'\\\\'.repeat(500_000)}`],
  ['remarks', `{${'#\n'.repeat(500_000)}}`],
  ["texts in ''' on one line", `[${"'''x'''".repeat(140_000)}]`],
  ['indentation', `[${' '.repeat(500_000)}'''${'\n'.repeat(500_000)}''']`],
])('reads or refuses a megabyte of %s', (_what, text) => {
  try {
    parseHjson(text);
  } catch (error) {
    expect(error).toMatchObject({ name: 'HjsonError' });
  }
});

import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { PropertySourceError } from './property-source-error.js';
import { readProperties } from './properties-reader.js';

const keysOf = (text: string): string[][] =>
  readProperties(text, 'f').map(({ properties }) =>
    [...properties].map(([key, { value }]) => `${key}=${String(value)}`),
  );

/** Each row is what Spring Boot 3.5.16 made of the text, unless it says otherwise. */
describe('as Spring Boot 3.5.16 reads them, properties give', () => {
  test.each<[string, string, string[]]>([
    [
      'separators of all kinds',
      'a=1\nb: 2\nc 3\nd\t4\ne\f5\nf  =  6',
      ['a=1', 'b=2', 'c=3', 'd=4', 'e=5', 'f=6'],
    ],
    ['the first separator alone', 'a =: 7\nb==8\nc:d=e', ['a=: 7', 'b==8', 'c=d=e']],
    ['no comments', '# c\n! d\n  # e\\\n a=1 # not', ['a=1 # not']],
    ['blanks at the end of values', '  a  =  b  ', ['a=b  ']],
    ['empty values', 'a\nb=\nc: ', ['a=', 'b=', 'c=']],
    ['no empty key', '=1\na=2\n\\\n', ['a=2']],
    ['the last of a key given twice, at the first place', 'a=1\nb=2\na=3', ['a=3', 'b=2']],
    ['values over several lines', 'a=x\\\n   y\\\n\tz\nb= \\\n  \\\n  c', ['a=xyz', 'b=c']],
    ['a comment sign within a value over lines', 'a=x\\\n# y\nb=1', ['a=x# y', 'b=1']],
    ['backslashes at the end', 'a=1\\\\\nb=2\\', ['a=1\\', 'b=2']],
    ['escapes', 'a=\\u00e9\\t\\\\ \\"x\\" \\q\\U0041', ['a=é\t\\ "x" qU0041']],
    [
      'escapes in keys',
      'a\\ b=1\na\\=b=2\na\\:b=3\nk\\\n  ey=4\n\\u0061=5',
      ['a b=1', 'a=b=2', 'a:b=3', 'key=4', 'a=5'],
    ],
    ['blanks that are escaped', 'a=\\ x\\ \nb=\\u0020y', ['a= x ', 'b= y']],
    ['line ends of any system', 'a=x\\\r\n  y\r\nb=1\rc=2', ['a=xy', 'b=1', 'c=2']],
    ['protected values without quotes', 'a={cipher}AQB=', ['a={cipher}AQB=']],
    ['list elements by index', 'a[0]=x\na[1]=y', ['a[0]=x', 'a[1]=y']],
    [
      'lists in one value',
      'a[]=x, y ,z\nb[]=x\\,y,\nc[]=,x\nd[]',
      ['a[0]=x', 'a[1]=y ', 'a[2]=z', 'b[0]=x,y', 'c[0]=', 'c[1]=x', 'd[0]='],
    ],
    ['lists over several lines', 'a[]=x,\\\n  y', ['a[0]=x', 'a[1]=y']],
    ['(not so Spring Boot) keys that look like comments', '\\#x=4\n\\!y=5', ['#x=4', '!y=5']],
    ['(not so Spring Boot) UTF-8 and no byte order mark', '\uFEFFa=é😀', ['a=é😀']],
  ])('%s', (_rule, text, expected) => {
    expect(keysOf(text)).toEqual([expected]);
  });

  test.each<[string, string, string[][]]>([
    ['at #---', 'a=1\n#---\nb=2', [['a=1'], ['b=2']]],
    ['at !---', 'a=1\n!--- \t\nb=2', [['a=1'], ['b=2']]],
    ['with blank lines around', 'a=1\n\n#---\n\nb=2\n', [['a=1'], ['b=2']]],
    ['at separators of two kinds in a row', 'a=1\n#---\n!---\nb=2', [['a=1'], ['b=2']]],
    ['without those that hold nothing', '#---\na=1\n#---\n#---\nb=2\n#---', [['a=1'], ['b=2']]],
    ['not at an indented line', 'a=1\n #---\nb=2', [['a=1', 'b=2']]],
    [
      'not at more or fewer dashes',
      'a=1\n#----\nb=2\n#--\nc=3\n#---x\nd=4',
      [['a=1', 'b=2', 'c=3', 'd=4']],
    ],
    ['not under a comment', 'a=1\n# c\n#---\nb=2', [['a=1', 'b=2']]],
    ['not above a comment', 'a=1\n#---\n# c\nb=2', [['a=1', 'b=2']]],
    ['under a comment of the other kind', 'a=1\n# c\n!---\nb=2', [['a=1'], ['b=2']]],
    ['not within a value', 'a=x\\\n#---\nb=2', [['a=x#---', 'b=2']]],
    ['list indexes begin at 0 again', 'a[]=x\n#---\na[]=y', [['a[0]=x'], ['a[0]=y']]],
    ['none of an empty file', '# c\n', []],
  ])('documents parted %s', (_rule, text, expected) => {
    expect(keysOf(text)).toEqual(expected);
  });

  test.each<[string, Record<string, string>]>([
    ['a=1\n  b  =  x\r\nc: y', { a: '1:3', b: '2:9', c: '3:4' }],
    ['a= \\\n  \\\n  b\nk\\\n  ey=6', { a: '3:3', key: '5:6' }],
    ['a[]=x, y', { 'a[0]': '1:5', 'a[1]': '1:8' }],
    ['a=1\n#---\nb=2', { a: '1:3', b: '3:3' }],
  ])('of %j values at the positions %j', (text, expected) => {
    const positions = readProperties(text, 'f').flatMap(({ properties }) =>
      [...properties].map(([key, { origin }]) => [key, `${origin?.line}:${origin?.column}`]),
    );
    expect(Object.fromEntries(positions)).toEqual(expected);
  });
});

test.each([
  ['an escape of too few digits', 'a=1\nb=\\u12 geheim', 2],
  ['a Windows path', 'a=1\nb=x\\\n  C:\\users\\geheim', 3],
  ['a broken escape in a key', 'a\\u00G0geheim=1', 1],
  ['an invalid profile expression', 'a=1\nspring.config.activate.on-profile=(geheim', 2],
])('properties are refused, without a word of them, for %s', (_rule, text, line) => {
  expect(() => readProperties(text, 'f')).toThrow(
    expect.objectContaining({
      code: 'SOURCE_UNREADABLE',
      line,
      message: expect.not.stringContaining('geheim'),
    }),
  );
});

test.each([
  [
    'a list without end',
    `a[]=${','.repeat(1_000_000)}`,
    'comes to more than 2 Mi characters of keys and values: split it',
  ],
  [
    'a long key many times',
    `${'k'.repeat(500_000)}[]=${','.repeat(100_000)}`,
    'comes to more than 2 Mi characters of keys and values: split it',
  ],
  [
    'keys without end',
    'a=\n'.repeat(350_000),
    'comes to more than 2 Mi characters of keys and values: split it',
  ],
  [
    'documents without end',
    'a=1\n#---\n'.repeat(1001),
    'line 2001: holds more than 1,000 documents: split it',
  ],
  ['profiles without end', `spring.profiles=${'p|'.repeat(500)}p`, 'names too many profiles'],
])('properties are refused, before that takes long, for %s', (_rule, text, reason) => {
  expect(() => readProperties(text, 'f')).toThrow(reason);
});

/** As `java.util.Properties.store` writes them. */
const written = (text: string, blanks: RegExp): string =>
  text
    .replace(/[\\=:#!]/g, '\\$&')
    .replace(blanks, '\\$&')
    .replace(/\t/g, '\\t')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\f/g, '\\f')
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('what Java writes reads back as it was', () => {
  const key = anyText({ minLength: 1 }).filter((text) => !/\[\]$|^spring\./i.test(text));
  assert(
    property(array(tuple(key, anyText())), (pairs) => {
      const text = pairs.map(([name, value]) => `${written(name, / /g)}=${written(value, /^ /)}`);
      const read = readProperties(text.join('\n'), 'f')[0]?.properties ?? new Map();
      expect(Object.fromEntries([...read].map(([name, { value }]) => [name, value]))).toEqual(
        Object.fromEntries(pairs),
      );
    }),
  );
});

test('any text gives documents or the one error', () => {
  const pieces = constantFrom(...'ab=: \t\f\\\\\n\r#!,u0[]', '#---\n', '\\u00e9', '[]=', '😀');
  assert(
    property(array(pieces), (chosen) => {
      try {
        expect(readProperties(chosen.join(''), 'f')).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(PropertySourceError);
      }
    }),
  );
});

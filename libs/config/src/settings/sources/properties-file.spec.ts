import { expect, test } from '@jest/globals';
import { assert, property } from 'fast-check';
import { anyText } from '../../../../../test/support/any-text.js';
import { parsePropertiesFile } from './properties-file.js';

test.each([
  [
    'separators of all kinds',
    'a=1\nb: 2\nc 3',
    [
      ['a', '1', 1],
      ['b', '2', 2],
      ['c', '3', 3],
    ],
  ],
  [
    'comments, and values over several lines',
    '# x\n! y\na = 1,\\\n   2\nb=3',
    [
      ['a', '1,2', 3],
      ['b', '3', 5],
    ],
  ],
  [
    'line ends of Windows',
    'a=1\r\nb=2\r\n',
    [
      ['a', '1', 1],
      ['b', '2', 2],
    ],
  ],
  ['escapes', 'a=\\u00e4\\t\\\\user', [['a', 'ä\t\\user', 1]]],
  ['protected values without quotes', 'a={cipher}AQB=', [['a', '{cipher}AQB=', 1]]],
  ['a key alone as an empty value', 'a', [['a', '', 1]]],
])('a properties file is read with %s', (_rule, text, expected) => {
  const { entries, violations } = parsePropertiesFile(text, 'f');
  expect(violations).toEqual([]);
  expect(entries.map(({ key, value }) => [key, value.content, value.origin])).toEqual(
    expected.map(([key, value, line]) => [key, value, `f:${line}`]),
  );
});

test.each([
  ['an escape of too few digits', 'a=1\nb=\\u12 geheim'],
  ['a Windows path', 'a=1\nb=C:\\users\\geheim'],
])('a properties file is refused for %s', (_rule, text) => {
  const { violations } = parsePropertiesFile(text, 'f');
  expect(violations).toEqual([expect.objectContaining({ origin: 'f:2' })]);
  expect(JSON.stringify(violations)).not.toContain('geheim');
});

test('a properties file of any text gives an answer', () => {
  assert(
    property(anyText(), (text) => {
      expect(parsePropertiesFile(text, 'f').entries).toBeInstanceOf(Array);
    }),
  );
});

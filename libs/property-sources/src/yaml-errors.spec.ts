// The messages for invalid YAML quote nothing of the text.
import { expect, test } from '@jest/globals';
import { readYaml } from './yaml-reader.js';

const GOES_ON = 'goes on behind the end of a value: put quotes around all';
const LIST_ITEM = 'a list item (- …) among keys: put it below its own key';
const NO_KEY = 'a line among keys has no ": " behind a key';
const TWO_VALUES =
  'a value with ": " in it needs quotes around it; or the line below is indented too far';

test.each([
  ['a list left open', 'a: 1\nb: [geheim', '2, column 11', 'a [ or { is not closed before here'],
  ['a map left open', 'a: {b: geheim\nc: 2', '2, column 1', 'a [ or { is not closed before here'],
  ['a list that was not open', 'a: ]geheim', '1, column 4', 'a ] or } closes nothing'],
  ['a tab as indentation', 'a:\n\tb: geheim', '2, column 1', 'a tab is used for indentation'],
  [
    'a line at an indent of its own',
    'a:\n    b: 1\n  c: geheim',
    '3, column 1',
    'is indented less or more than the lines that it belongs to',
  ],
  ['two values on a line', 'a: geheim: x', '1, column 4', TWO_VALUES],
  ['a map below a value', 'a: geheim\n  b: 2', '1, column 4', TWO_VALUES],
  ['a list item among keys', 'a:\n  b: 1\n  - geheim', '3, column 1', LIST_ITEM],
  ['a list item after a map', 'a:\n  b: 1\n- geheim', '3, column 1', LIST_ITEM],
  ['two values in a list item', 'a:\n  - b: geheim: x', '2, column 8', TWO_VALUES],
  ['a value after a map', 'a: 1\ngeheim', '2, column 1', NO_KEY],
  ['a value between keys', 'a: 1\ngeheim\nb: 2', '2, column 1', NO_KEY],
  ['a key without the space', 'a:geheim\nb: 2', '1, column 1', NO_KEY],
  [
    'a list beside its key',
    'a: - geheim',
    '1, column 4',
    'a list begins on the line below its key',
  ],
  ['double quotes left open', 'a: "geheim', '1, column 11', 'quotes are not closed before here'],
  ['single quotes left open', "a: 'geheim", '1, column 11', 'quotes are not closed before here'],
  ['an apostrophe in single quotes', "a: 'ge'heim'", '1, column 8', GOES_ON],
  ['a text behind a list', 'a: [b] geheim', '1, column 8', GOES_ON],
  [
    'a remark without a space',
    'a: "b"#geheim',
    '1, column 7',
    'a # needs a space before it, or quotes around the whole value',
  ],
  [
    'a reserved sign',
    'a: @geheim',
    '1, column 4',
    'a value that begins with a sign such as @ % ` needs quotes around it',
  ],
  [
    'a path of Windows in double quotes',
    String.raw`a: "C:\geheim"`,
    '1, column 7',
    String.raw`a \ in double quotes is written \\; or take single quotes`,
  ],
  [
    'a star alone',
    'a: * geheim',
    '1, column 4',
    'a value that begins with * or & needs quotes around it',
  ],
  [
    'a handle nobody declared',
    'a: !ge!heim x',
    '1, column 4',
    'a value that begins with ! needs quotes around it',
  ],
  [
    'a text on the line of its sign',
    'a: |geheim\n  b',
    '1, column 5',
    'a text after | or > begins on the line below',
  ],
  [
    'a key without end',
    `${'geheim'.repeat(200)}: 1`,
    '1, column 1',
    'a key has more than 1,024 characters',
  ],
  [
    'a protected value without quotes',
    'a: 1\nb: {cipher}geheim',
    '2, column 4',
    'a value that begins with { needs quotes around it',
  ],
  ['a protected value with more behind it', "a: '{cipher}b' geheim", '1, column 16', GOES_ON],
  [
    'an error without a reason of its own',
    'a: &b &geheim c',
    '1, column 7',
    'is not valid YAML: multiple anchors',
  ],
])('%s', (_rule, text, position, reason) => {
  expect(() => readYaml(text, 'f.yml')).toThrow(
    expect.objectContaining({ message: `f.yml, line ${position}: ${reason}` }),
  );
});

import { expect, test } from '@jest/globals';
import { withoutQuery } from './without-query.js';

test.each([
  ['https://h/a', 'https://h/a'],
  ['https://h/a?ticket=ST-1#x', 'https://h/a'],
  ['https://u:secret@h/a', 'https://h/a'],
  ['HTTPS://u@h/a', 'HTTPS://h/a'],
  ['https://h/@ann/photo', 'https://h/@ann/photo'],
  ['https://u:secret@h/@ann', 'https://h/@ann'],
  ['https:u:secret@h/', 'h/'],
  ['https:/u:secret@h/', 'h/'],
  ['https:\\\\u:secret@h/', 'h/'],
  ['https:///u:secret@h/', 'https://h/'],
  [' https://u:secret@h/', 'h/'],
  ['//u:secret@h', 'h'],
  ['u:secret@h', 'h'],
  ['x_y://u:secret@h', 'h'],
  ['ht tps://u:secret@h', 'h'],
  ['https://u:sec/ret@h/', 'https://h/'],
  ['https://u:se@cret@h/', 'https://h/'],
  ['https://u:sec\nret@h/', 'https://h/'],
  ['', ''],
])('%j becomes %j', (url, expected) => {
  expect(withoutQuery(url)).toBe(expected);
});

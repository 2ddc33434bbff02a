import { describe, expect, test } from '@jest/globals';
import { IMPORT_FORMATS, readImportFile } from './import-file.js';

describe.each(IMPORT_FORMATS)('a file of the format %s', (format) => {
  test.each([
    ['that is no UTF-8', Buffer.from('J\u00fcrgen:x', 'latin1'), /not UTF-8/],
    ['of more than 256 MiB', Buffer.alloc(256 * 1024 * 1024 + 1), /more than 256 MiB/],
  ])('%s is refused', (_what, file, reason) => {
    expect(() => readImportFile(file, format)).toThrow(
      expect.objectContaining({
        code: 'ACCOUNT_IMPORT_UNREADABLE',
        message: expect.stringMatching(reason),
      }),
    );
  });
});

test.each([
  ['csv', 'name,password\na,x\n'],
  ['json', '[{"name": "a", "password": "x"}]'],
  ['htpasswd', 'a:x'],
  ['ldif', 'dn: uid=a\nuid: a\nuserPassword: x\n'],
] as const)('%s is read after a byte order mark', (format, text) => {
  const { entries, violations } = readImportFile(Buffer.from(`\ufeff${text}`), format);
  expect(violations).toEqual([]);
  expect(entries).toMatchObject([{ name: 'a' }]);
});

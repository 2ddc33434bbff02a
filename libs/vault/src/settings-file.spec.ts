// Which files are read, and that errors do not quote their content.
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { readSettingsFile } from './settings-file.js';

const MOST = 1_048_576;

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  await Promise.all([
    write('token', 'hvs.sesamé\n'),
    write('empty', ''),
    write('latin1', Buffer.from('hvs.sesamé', 'latin1')),
    write('cut', Buffer.from('hvs.sesamé').subarray(0, -1)),
    write('largest', 'x'.repeat(MOST)),
    write('larger', 'x'.repeat(MOST + 1)),
    mkdir(join(folder, 'folder')),
    symlink('token', join(folder, 'link')),
    promisify(execFile)('mkfifo', [join(folder, 'pipe')]),
  ]);
});
afterAll(() => removeFolder(folder));

const read = (path: string) => readSettingsFile({ setting: 'test.file', path }, () => {});

test.each([
  ['token', 'hvs.sesamé\n'],
  ['link', 'hvs.sesamé\n'],
  ['empty', ''],
  ['largest', 'x'.repeat(MOST)],
])('%s is read', async (name, text) => {
  expect((await read(join(folder, name))) === text).toBe(true);
});

test.each([
  ['latin1', 'it is not UTF-8'],
  ['cut', 'it is not UTF-8'],
  ['larger', 'has more than 1048576 bytes'],
  ['folder', 'is no regular file'],
  ['pipe', 'is no regular file'],
  ['missing', 'does not exist'],
])('%s is refused', async (name, reason) => {
  const path = join(folder, name);
  const thrown = await read(path).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: 'VAULT_FILE_UNREADABLE',
    message: reason.startsWith('it ')
      ? `test.file: cannot read ${path} (${reason})`
      : `test.file: ${path} ${reason}`,
  });
  expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain('sesam');
});

test.each(['/dev/zero', '/dev/null'])('%s, which is a device, is refused', async (path) => {
  await expect(read(path)).rejects.toThrow('is no regular file');
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readRegularFile } from './read-regular-file.js';

const MOST = 5;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  const at = (name: string): string => join(folder, name);
  await writeFile(at('largest'), 'x'.repeat(MOST));
  await writeFile(at('larger'), 'x'.repeat(MOST + 1));
  await writeFile(at('huge'), '');
  await truncate(at('huge'), 2 ** 40);
  await writeFile(at('empty'), '');
  await symlink('largest', at('link'));
  await mkdir(at('folder'));
  await promisify(execFile)('mkfifo', [at('pipe')]);
});
afterAll(() => rm(folder, { recursive: true }));

const read = (name: string, rules = {}) => readRegularFile(join(folder, name), MOST, rules);

test.each([
  ['a named pipe', 'pipe', 'is no regular file'],
  ['a directory', 'folder', 'is no regular file'],
  ['a device', '../../dev/zero', 'is no regular file'],
  ['larger than it may be', 'larger', 'has more than 5 bytes'],
  ['as large as a disk', 'huge', 'has more than 5 bytes'],
  ['larger than it says', '../../proc/self/maps', 'has more than 5 bytes'],
  ['not there', 'missing', 'does not exist'],
  ['below a file', 'empty/file', 'cannot be read (ENOTDIR)'],
])('a file is refused that is %s', async (_, name, fault) => {
  expect(await read(name)).toMatchObject({ error: fault });
});

test('a file is refused that the caller distrusts', async () => {
  const check = ({ size }: { readonly size: number }): string => `has ${size} bytes`;
  expect(await read('largest', { check })).toEqual({ error: 'has 5 bytes' });
});

test('a link is refused where the caller follows none', async () => {
  expect(await read('link', { refusesLinks: true })).toMatchObject({ error: 'is a link' });
});

test.each([
  ['largest', 'xxxxx'],
  ['link', 'xxxxx'],
  ['empty', ''],
])('a file is read: %s', async (name, text) => {
  expect(await read(name)).toEqual({ content: Buffer.from(text) });
});

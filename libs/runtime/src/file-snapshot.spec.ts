import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { FileSnapshot } from './file-snapshot.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'a');
  await writeFile(file, 'one');
});
afterEach(() => removeFolder(folder));

test.each<[string, () => Promise<unknown>]>([
  ['written', () => writeFile(file, 'two!')],
  ['removed', () => rm(file)],
  [
    'replaced by one of the same size',
    async () => {
      await writeFile(`${file}2`, 'two');
      await rename(`${file}2`, file);
    },
  ],
  [
    'replaced by a link',
    async () => {
      await rm(file);
      await symlink('nothing', file);
    },
  ],
])('a file that was %s has changed', async (_what, change) => {
  const before = await FileSnapshot.take([file]);
  await change();
  expect((await FileSnapshot.take([file])).changedSince(before)).toEqual([file]);
});

test('a file that was made has changed, and an equal one has not', async () => {
  const missing = join(folder, 'b');
  const before = await FileSnapshot.take([file, missing, file]);
  await writeFile(missing, '');
  expect((await FileSnapshot.take([missing, file])).changedSince(before)).toEqual([missing]);
});

test('a file that only one snapshot has is no change', async () => {
  const other = join(folder, 'b');
  const before = await FileSnapshot.take([file]);
  const after = await FileSnapshot.take([other]);
  expect(after.changedSince(before)).toEqual([]);
  expect(before.changedSince(after)).toEqual([]);
});

test('files of another snapshot are added, and its states of shared files are not taken', async () => {
  const other = join(folder, 'b');
  const before = await FileSnapshot.take([file]);
  await writeFile(file, 'three');
  const after = await FileSnapshot.take([file, other]);
  await writeFile(other, '');
  const both = before.withFilesOf(after);
  const now = await FileSnapshot.take([file, other]);
  expect(now.changedSince(both)).toEqual([file, other]);
});

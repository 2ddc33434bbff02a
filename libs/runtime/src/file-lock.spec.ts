import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { tryFileLock } from './file-lock.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => removeFolder(folder));

test('a lock has one holder at a time, and is free after its release', async () => {
  const path = join(folder, 'a.lock');
  const first = await tryFileLock(path);
  expect(first).toBeDefined();
  expect(await tryFileLock(path)).toBeUndefined();
  expect(await tryFileLock(path)).toBeUndefined();
  first?.release();
  const second = await tryFileLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test('a lock fails, rather than seeming taken, where no file can be', async () => {
  await expect(tryFileLock(join(folder, 'missing/a.lock'))).rejects.toThrow('unable to open');
});

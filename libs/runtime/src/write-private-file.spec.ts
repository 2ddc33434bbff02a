import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writePrivateFile } from './write-private-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-private-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('writes for its owner alone', async () => {
  const path = join(folder, 'a');
  await writePrivateFile(path, 'Grüße');
  expect(await readFile(path, 'utf8')).toBe('Grüße');
  expect((await stat(path)).mode & 0o7777).toBe(0o600);
});

test('does not change an existing file, nor the target of a link', async () => {
  const path = join(folder, 'a');
  await writePrivateFile(path, 'first');
  await symlink('b', join(folder, 'link'));
  for (const name of ['a', 'link']) {
    await expect(writePrivateFile(join(folder, name), 'second')).rejects.toThrow('EEXIST');
  }
  expect(await readFile(path, 'utf8')).toBe('first');
});

import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeDirectories } from './make-directories.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-directories-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('makeDirectories', () => {
  test('makes those above too, with the mode, and tells the first', async () => {
    expect(await makeDirectories(join(folder, 'a/b/c'), 0o700)).toBe(join(folder, 'a'));
    for (const path of ['a', 'a/b', 'a/b/c']) expect(await modeOf(join(folder, path))).toBe(0o700);
  });

  test('does not change existing directories, also behind a link', async () => {
    await mkdir(join(folder, 'there'), { mode: 0o750 });
    await symlink('there', join(folder, 'link'));
    expect(await makeDirectories(join(folder, 'there'), 0o700)).toBeUndefined();
    expect(await makeDirectories(join(folder, 'link/new'), 0o700)).toBe(join(folder, 'link/new'));
    expect(await modeOf(join(folder, 'there'))).toBe(0o750);
  });

  test('gets along with others that make the same', async () => {
    const path = join(folder, 'a/b/c/d/e');
    const made = await Promise.all(Array.from({ length: 50 }, () => makeDirectories(path)));
    expect(made.filter((first) => first === join(folder, 'a'))).toHaveLength(1);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  test.each([
    ['a file', 'file', 'EEXIST'],
    ['a place below a file', 'file/a/b', 'ENOTDIR'],
    ['a link that leads nowhere', 'nowhere', 'EEXIST'],
  ])('is refused %s', async (_what, path, code) => {
    await writeFile(join(folder, 'file'), '');
    await symlink('missing', join(folder, 'nowhere'));
    await expect(makeDirectories(join(folder, path))).rejects.toMatchObject({ code });
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('does not try for ever where nothing can be made', async () => {
    await expect(makeDirectories('/proc/a/b/c')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { replaceFile } from './rotate-write.js';

const [BEFORE, AFTER] = [Buffer.from('before'), Buffer.from('after')];
let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-replace-'));
  path = join(directory, 'a.yml');
  await writeFile(path, BEFORE);
});
afterEach(() => rm(directory, { recursive: true }));

describe('a file is not replaced', () => {
  test('that holds something else by now', async () => {
    await writeFile(path, 'somebody else');
    await expect(replaceFile(path, BEFORE, AFTER)).rejects.toThrow('it has changed meanwhile');
    expect(await readFile(path, 'utf8')).toBe('somebody else');
    expect(await readdir(directory)).toEqual(['a.yml']);
  });

  test('that is gone, nor made anew', async () => {
    await rm(path);
    await expect(replaceFile(path, BEFORE, AFTER)).rejects.toThrow('cannot be written (ENOENT)');
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('a file is replaced', () => {
  test('as a whole: who has it open goes on reading the old one', async () => {
    const { ino } = await stat(path);
    await replaceFile(path, BEFORE, AFTER);
    expect(await readFile(path, 'utf8')).toBe('after');
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await readdir(directory)).toEqual(['a.yml']);
  });

  test.each([0o600, 0o640, 0o664, 0o444])('with its mode %o, whatever the mask', async (mode) => {
    await chmod(path, mode);
    const mask = process.umask(0o077);
    await replaceFile(path, BEFORE, AFTER).finally(() => process.umask(mask));
    expect((await stat(path)).mode & 0o7777).toBe(mode);
  });

  const mayGiveAway = process.getuid?.() === 0 ? test : test.skip;
  mayGiveAway('with its owner and group', async () => {
    await chown(path, 4321, 1234);
    await replaceFile(path, BEFORE, AFTER);
    expect(await stat(path)).toMatchObject({ uid: 4321, gid: 1234 });
  });
});

import {
  chmod,
  chown,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readSettingsFile, replaceFile } from './rotate-files.js';

const AFTER = Buffer.from('after');
let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-replace-'));
  path = join(directory, 'a.yml');
  await writeFile(path, 'before');
});
afterEach(() => rm(directory, { recursive: true }));

describe('a file is not replaced', () => {
  test.each<[string, string, () => Promise<void>, readonly string[]]>([
    [
      'that has other content now',
      'it has changed since it was read: nothing was written to it',
      () => writeFile(path, 'somebody else'),
      ['a.yml'],
    ],
    [
      'that is another file of the same content now',
      'it has changed since it was read: nothing was written to it',
      async () => {
        await writeFile(`${path}.new`, 'before', { mode: 0o600 });
        await rename(`${path}.new`, path);
      },
      ['a.yml'],
    ],
    [
      'that has another mode now',
      'it has changed since it was read: nothing was written to it',
      () => chmod(path, 0o666),
      ['a.yml'],
    ],
    [
      'that is a link now, also to a file of the same content',
      'is a link',
      async () => {
        await rename(path, `${path}.old`);
        await symlink(`${path}.old`, path);
      },
      ['a.yml', 'a.yml.old'],
    ],
    ['that was removed, and it is not created again', 'does not exist', () => rm(path), []],
  ])('%s', async (_what, error, change, remaining) => {
    const before = await readSettingsFile(path);
    await change();
    const content = await readFile(path, 'utf8').catch(() => undefined);
    await expect(replaceFile(path, before, AFTER)).rejects.toThrow(error);
    expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(content);
    expect((await readdir(directory)).toSorted()).toEqual(remaining);
  });

  test('that would become another user’s', async () => {
    const before = await readSettingsFile(path);
    // An owner that even root cannot set.
    const stats = Object.assign(before.stats, { uid: -2 });
    await expect(replaceFile(path, { ...before, stats }, AFTER)).rejects.toThrow(
      /^it would no longer belong to -2:\d+: rotate as that user, or as root$/,
    );
    expect(await readFile(path, 'utf8')).toBe('before');
    expect(await readdir(directory)).toEqual(['a.yml']);
  });
});

describe('a file is replaced', () => {
  test('atomically: open readers keep the old file', async () => {
    const { ino } = await stat(path);
    await replaceFile(path, await readSettingsFile(path), AFTER);
    expect(await readFile(path, 'utf8')).toBe('after');
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await readdir(directory)).toEqual(['a.yml']);
  });

  test.each([0o600, 0o640, 0o664, 0o444])('with its mode %o, whatever the mask', async (mode) => {
    await chmod(path, mode);
    const before = await readSettingsFile(path);
    const mask = process.umask(0o077);
    await replaceFile(path, before, AFTER).finally(() => process.umask(mask));
    expect((await stat(path)).mode & 0o7777).toBe(mode);
  });

  test('without its set-user-ID bit', async () => {
    await chmod(path, 0o4755);
    await replaceFile(path, await readSettingsFile(path), AFTER);
    expect((await stat(path)).mode & 0o7777).toBe(0o755);
  });

  const mayGiveAway = process.getuid?.() === 0 ? test : test.skip;
  mayGiveAway('with its owner and group', async () => {
    await chown(path, 4321, 1234);
    await replaceFile(path, await readSettingsFile(path), AFTER);
    expect(await stat(path)).toMatchObject({ uid: 4321, gid: 1234 });
  });
});

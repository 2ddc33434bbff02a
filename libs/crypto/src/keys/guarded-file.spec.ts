import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { readGuardedFile } from './guarded-file.js';

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

async function fileOfMode(mode: number): Promise<string> {
  const path = join(folder, `key-${mode.toString(8)}`);
  await writeFile(path, 'content');
  await chmod(path, mode);
  return path;
}

describe('a file that holds a key', () => {
  test.each([
    ['others may read', 0o604],
    ['everybody may read', 0o644],
    ['the group may write', 0o620],
    ['others may write', 0o602],
    ['everybody may do everything with', 0o777],
  ])('is refused where it is one that %s', async (_what, mode) => {
    const path = await fileOfMode(mode);
    await expect(readGuardedFile(path)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `${path} has mode 0${mode.toString(8)}, which lets others at it: chmod 600 ${path}`,
    });
  });

  test.each([0o400, 0o600, 0o440, 0o640, 0o700])('is read with mode %o', async (mode) => {
    expect((await readGuardedFile(await fileOfMode(mode))).toString()).toBe('content');
  });

  test.each<[string, string, (path: string) => unknown]>([
    ['that is not there', 'cannot be read (ENOENT)', () => undefined],
    ['that is a directory', 'is no regular file', (path) => mkdir(path, { mode: 0o700 })],
    [
      'that is a pipe to which nobody writes',
      'is no regular file',
      (path) => execFileSync('/usr/bin/env', ['mkfifo', '-m', '600', path]),
    ],
    [
      'of more than 1 MiB',
      'has more than 1048576 bytes',
      async (path) => {
        await writeFile(path, '', { mode: 0o600 });
        await truncate(path, 1024 * 1024 + 1);
      },
    ],
    [
      'that is a link to one with too many readers',
      'has mode 0644',
      async (path) => symlink(await fileOfMode(0o644), path),
    ],
  ])('is refused where it is one %s', async (what, message, make) => {
    const path = join(folder, what.replaceAll(' ', '-'));
    await make(path);
    await expect(readGuardedFile(path)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: expect.stringContaining(`${path} ${message}`),
    });
  });

  test('is read through a link, as Kubernetes mounts secrets', async () => {
    const link = join(folder, 'link');
    await symlink(await fileOfMode(0o600), link);
    expect((await readGuardedFile(link)).toString()).toBe('content');
  });
});

import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { readPrivateFile, replacePrivateFile } from './private-file.js';

/** A user other than the one that runs the tests. */
const OTHER = 65_534;
/** Only root may change the owner of a file. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await makeFolder();
  path = join(folder, 'kept');
});
afterEach(() => removeFolder(folder));

async function writeWithMode(mode: number, file = path): Promise<void> {
  await writeFile(file, 'text');
  await chmod(file, mode);
}

describe('a file', () => {
  test.each(['0600', '0400', '0700'])('of mode %s is read', async (mode) => {
    await writeWithMode(parseInt(mode, 8));
    expect(await readPrivateFile(path)).toEqual({ text: 'text' });
  });

  test.each(['0640', '0620', '0610', '0604', '0602', '0601', '0666'])(
    'of mode %s is refused',
    async (mode) => {
      await writeWithMode(parseInt(mode, 8));
      const error = `${path} has mode ${mode}, which lets others at it`;
      expect(await readPrivateFile(path)).toEqual({ error });
    },
  );

  testAsRoot('of another user is refused', async () => {
    await writeWithMode(0o600);
    await chown(path, OTHER, OTHER);
    expect(await readPrivateFile(path)).toEqual({ error: `${path} belongs to another user` });
  });

  test.each<[string, () => unknown, string]>([
    ['that is not there', () => undefined, 'does not exist'],
    ['that is a link to a good one', linkToGoodOne, 'is a link'],
    ['that is a directory', () => mkdir(path, 0o700), 'is no regular file'],
    [
      'that is a pipe to which nobody writes',
      () => execFileSync('/usr/bin/env', ['mkfifo', '-m', '600', path]),
      'is no regular file',
    ],
    ['of more than 1 MiB', makeLarge, 'has more than 1048576 bytes'],
  ])('%s is refused', async (_which, make, error) => {
    await make();
    expect(await readPrivateFile(path)).toEqual({ error: `${path} ${error}` });
  });

  async function linkToGoodOne(): Promise<void> {
    await writeWithMode(0o600, join(folder, 'good'));
    await symlink('good', path);
  }

  async function makeLarge(): Promise<void> {
    await writeWithMode(0o600);
    await truncate(path, 1_048_577);
  }
});

describe('a new file', () => {
  test('takes the place of the one before, whatever that let others do', async () => {
    await writeWithMode(0o666);
    expect(await replacePrivateFile(path, 'new')).toBeUndefined();
    expect(await readPrivateFile(path)).toEqual({ text: 'new' });
    expect((await stat(path)).mode & 0o7777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['kept']);
  });

  test('takes the place of a link, and not of what that leads to', async () => {
    await writeWithMode(0o600, join(folder, 'other'));
    await symlink('other', path);
    expect(await replacePrivateFile(path, 'new')).toBeUndefined();
    expect(await readPrivateFile(path)).toEqual({ text: 'new' });
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('text');
  });

  test.each<[string, () => unknown, string, string]>([
    ['in no directory', () => removeFolder(folder), '', 'cannot be written (ENOENT)'],
    ['for a directory', () => mkdir(path), '', 'cannot be written (EISDIR)'],
    [
      'of more than 1 MiB',
      () => mkdir(path),
      'x'.repeat(1_048_577),
      'would have more than 1048576 bytes',
    ],
  ])('%s is not made', async (_which, make, text, error) => {
    await make();
    expect(await replacePrivateFile(path, text)).toBe(`${path} ${error}`);
    expect(await readdir(folder).catch(() => ['kept'])).toEqual(['kept']);
  });
});

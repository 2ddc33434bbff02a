import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { cloneDirectoryOf } from './clone-directory.js';
import { GitRepository } from './git-repository.js';

/** A user other than the one that runs the tests. */
const OTHER_USER = 65_534;
/** Only root can change the owner of a directory. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

let remote: GitRemote;
let folder: string;
let clones: string;
let clone: string;
let opened: GitRepository[];

beforeAll(async () => {
  remote = await GitRemote.create();
  await remote.push({ a: '1' });
});
beforeEach(async () => {
  folder = await makeFolder();
  clones = join(folder, 'clones');
  clone = cloneDirectoryOf(clones, remote.path);
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((repository) => repository.close()));
  await removeFolder(folder);
});
afterAll(() => remote.remove());

async function open(): Promise<GitRepository> {
  const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
  const options = Object.assign(new GitSettings(), settings).options();
  const repository = await GitRepository.open(options);
  opened.push(repository);
  return repository;
}

const refusal = (reason: string) => ({
  code: 'GIT_UNUSABLE',
  message: expect.stringMatching(`^cannot keep clones in ${clones}: ${reason}.*clone-directory`),
});

describe('the directory of clones is refused at the start where', () => {
  test.each([0o777, 0o2775, 0o1777])('other users may write in it: %o', async (mode) => {
    await mkdir(clones);
    await chmod(clones, mode);
    await expect(open()).rejects.toMatchObject(refusal('other users may write in it'));
  });

  testAsRoot('it belongs to another user', async () => {
    await mkdir(clones);
    await chown(clones, OTHER_USER, OTHER_USER);
    await expect(open()).rejects.toMatchObject(refusal('it belongs to another user'));
  });

  test('it is a file', async () => {
    await writeFile(clones, '');
    await expect(open()).rejects.toMatchObject(refusal('EEXIST'));
  });
});

test('a directory of clones that others may write in later is not fetched into', async () => {
  const repository = await open();
  await repository.commitOf();
  await chmod(clones, 0o777);
  const unusable = { code: 'BACKEND_UNAVAILABLE', cause: { code: 'GIT_UNUSABLE' } };
  await expect(repository.refresh()).rejects.toMatchObject(unusable);
});

test('a clone and its directory are closed to others whatever the umask is', async () => {
  const umask = process.umask(0);
  try {
    await (await open()).commitOf();
  } finally {
    process.umask(umask);
  }
  const modes = [clones, clone].map(async (path) => (await stat(path)).mode & 0o7777);
  expect(await Promise.all(modes)).toEqual([0o700, 0o700]);
});

test('a program that a clone names for the other side is not run', async () => {
  await mkdir(clones, { mode: 0o700 });
  await remote.git('clone', '--quiet', '--bare', remote.path, clone);
  const [program, ran] = [join(folder, 'program'), join(folder, 'ran')];
  await writeFile(program, `#!/bin/sh\ntouch '${ran}'\nexec git-upload-pack "$@"\n`);
  await chmod(program, 0o755);
  const configuration = `[remote "origin"]\n uploadpack = ${program}\n`;
  await writeFile(join(clone, 'config'), configuration, { flag: 'a' });
  await (await open()).commitOf();
  expect(await readFile(join(clone, 'config'), 'utf8')).toContain('uploadpack');
  await expect(readFile(ran)).rejects.toThrow('ENOENT');
});

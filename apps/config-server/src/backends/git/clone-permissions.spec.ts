import {
  access,
  chmod,
  chown,
  mkdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { cloneDirectoryOf } from './clone-lease.js';
import { GitRepository } from './git-repository.js';

/** A user other than the one that runs the tests. */
const OTHER_USER = 65_534;
/** Only root can change the owner of a directory. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

let remote: GitRemote;
let folder: string;
let clones: string;
let clone: string;
let ran: string;
let opened: GitRepository[];

beforeEach(async () => {
  [remote, folder] = await Promise.all([GitRemote.create(), makeFolder()]);
  clones = join(folder, 'clones');
  clone = cloneDirectoryOf(clones, remote.path);
  ran = join(folder, 'ran');
  opened = [];
  await remote.push({ a: '1' });
});

afterEach(async () => {
  await Promise.all(opened.map((repository) => repository.close()));
  await Promise.all([remote.remove(), removeFolder(folder)]);
});

async function open(): Promise<GitRepository> {
  const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
  const options = Object.assign(new GitSettings(), settings).options();
  const repository = await GitRepository.open(options);
  opened.push(repository);
  return repository;
}

/** Creates a clone whose configuration names programs, as an attacker would. */
async function makeMaliciousClone(path: string): Promise<void> {
  await mkdir(clones, { mode: 0o700 });
  await remote.git('clone', '--quiet', '--bare', remote.path, path);
  await chmod(path, 0o700);
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\ntouch '${ran}'\nexec git-upload-pack "$@"\n`);
  await chmod(program, 0o755);
  const configuration = `[remote "origin"]\n uploadpack = ${program}\n[core]\n alternateRefsCommand = ${program}\n`;
  await writeFile(join(path, 'config'), configuration, { flag: 'a' });
  await writeFile(join(path, 'objects/info/alternates'), `${remote.path}/objects\n`);
  await remote.push({ a: '2' });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function expectRefusal(path: string, violation: string): Promise<void> {
  const refusal: unknown = await open().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'GIT_UNUSABLE' });
  const { message } = refusal as Error;
  expect(message).toContain(`${path} ${violation}`);
  expect(message).toMatch(/^[^\n]*: [^\n]*, or set config-server\.git\.clone-directory [^\n]*$/);
  expect(await exists(ran)).toBe(false);
}

describe('a clone is refused at the start, and nothing that it names is run, where it', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['may be written by its group', 'may be written', () => chmod(clone, 0o770)],
    ['may be written by all', 'may be written', () => chmod(clone, 0o702)],
    [
      'is a link, to a clone of ours too',
      'is not a directory',
      async () => {
        await rename(clone, join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), clone);
      },
    ],
    [
      'is a link that leads nowhere',
      'is not a directory',
      async () => {
        await rename(clone, join(folder, 'elsewhere'));
        await symlink(join(folder, 'nowhere'), clone);
      },
    ],
  ])('%s', async (_which, violation, change) => {
    await makeMaliciousClone(clone);
    await change();
    await expectRefusal(clone, violation);
  });

  testAsRoot('belongs to another user', async () => {
    await makeMaliciousClone(clone);
    await chown(clone, OTHER_USER, OTHER_USER);
    await chmod(clones, 0o1777);
    await expectRefusal(clone, `belongs to another user, of id ${OTHER_USER}`);
  });

  testAsRoot('is an empty directory of another user', async () => {
    await mkdir(clone, { recursive: true, mode: 0o700 });
    await chown(clone, OTHER_USER, OTHER_USER);
    await expectRefusal(clone, 'belongs to another user');
  });
});

describe('the directory of clones is refused, with a clone in it or none, where it', () => {
  test.each([
    ['may be written by all', 0o777],
    ['may be written by its group', 0o2775],
  ])('%s', async (_which, mode) => {
    await mkdir(clones);
    await chmod(clones, mode);
    await expectRefusal(clones, `may be written by other users, its mode is`);
    await chmod(clones, 0o700);
    await (await open()).commitOf();
    await chmod(clones, mode);
    await expectRefusal(clones, `may be written by other users, its mode is`);
  });

  testAsRoot.each([0o755, 0o1777])(
    'belongs to another user, whatever its mode: %o',
    async (mode) => {
      await mkdir(clones);
      await chown(clones, OTHER_USER, OTHER_USER);
      await chmod(clones, mode);
      await expectRefusal(clones, `belongs to another user, of id ${OTHER_USER}`);
    },
  );
});

describe('a clone is used', () => {
  test('in a directory for all users that lets each remove what is theirs', async () => {
    await mkdir(clones);
    await chmod(clones, 0o1777);
    await (await open()).commitOf();
    await (await open()).commitOf();
  });

  test('and stays closed to others whatever the umask is', async () => {
    const umask = process.umask(0);
    try {
      await (await open()).commitOf();
    } finally {
      process.umask(umask);
    }
    const modes = [clones, clone].map(async (path) => (await stat(path)).mode & 0o7777);
    expect(await Promise.all(modes)).toEqual([0o700, 0o700]);
  });

  test('without the program that it names for the other side', async () => {
    await makeMaliciousClone(clone);
    await writeFile(join(clone, 'objects/info/alternates'), '');
    await (await open()).commitOf();
    expect(await readFile(join(clone, 'config'), 'utf8')).toContain('uploadpack');
    expect(await exists(ran)).toBe(false);
  });
});

test('a clone that becomes writable by others is neither fetched nor read', async () => {
  const repository = await open();
  const commit = await repository.commitOf();
  await chmod(clone, 0o777);
  const unusable = { code: 'BACKEND_UNAVAILABLE', cause: { code: 'GIT_UNUSABLE' } };
  await expect(repository.refresh()).rejects.toMatchObject(unusable);
  await expect(repository.commits.tree(commit)).rejects.toMatchObject(unusable);
});

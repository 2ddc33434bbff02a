import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { until } from '../../../../../test/support/until.js';
import { CloneLease, cloneDirectoryOf, removeClone, writeMark } from './clone-lease.js';

const DAY = 24 * 60 * 60 * 1_000;
const MARK_FILE = 'tessera-clone';
/** A user without privileges. */
const NOBODY = 65_534;

let folder: string;
let clones: string;
let own: string;
let lease: CloneLease;
let lines: string[];

beforeEach(async () => {
  folder = await makeFolder();
  clones = join(folder, 'clones');
  own = cloneDirectoryOf(clones, '/srv/own');
  lease = new CloneLease(own);
  await makeClone(own, 90);
  lines = [];
  const write = (line: string): unknown => lines.push(line);
  configureLogging({ application: 'test', levels: { root: 'info' }, write });
});

afterEach(async () => {
  lease.end();
  jest.useRealTimers();
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await removeFolder(folder);
});

/** @param days since it was marked */
async function makeClone(path: string, days: number): Promise<void> {
  await mkdir(join(path, 'objects'), { recursive: true, mode: 0o700 });
  await writeFile(join(path, 'objects/x'), '');
  await writeMark(path);
  await age(path, days);
}

async function age(path: string, days: number): Promise<void> {
  const marked = new Date(Date.now() - days * DAY);
  await utimes(join(path, MARK_FILE), marked, marked);
}

const ageOf = async (path: string): Promise<number> =>
  Date.now() - (await lstat(join(path, MARK_FILE))).mtimeMs;

/** The inode, its mode and the time of its last change. */
async function stateOf(path: string): Promise<readonly number[]> {
  const { ino, mode, ctimeMs } = await lstat(path);
  return [ino, mode, ctimeMs];
}

const messages = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

describe('at the start are removed', () => {
  test.each([
    ['clones without a new mark for 30 days', '0123456789abcdef'],
    ['what was to become a clone', '0123456789abcdef-Ab1Cd2'],
  ])('%s', async (_which, name) => {
    const directory = join(clones, name);
    await makeClone(directory, 31);
    await lease.removeUnused();
    expect(await readdir(clones)).toEqual([basename(own)]);
    const msg = 'removed an unused clone';
    expect(messages()).toEqual([expect.objectContaining({ level: 'info', msg, directory })]);
  });
});

describe('at the start are left alone', () => {
  const CLONE = '0123456789abcdef';

  test.each<[string, string, (path: string) => Promise<unknown>]>([
    ['clones that were used since', CLONE, (path) => makeClone(path, 29)],
    ['directories of other names', 'work', (path) => makeClone(path, 90)],
    ['names that only begin like a clone', `${CLONE}.bak`, (path) => makeClone(path, 90)],
    ['directories without a mark', CLONE, (path) => mkdir(path)],
    ['files', CLONE, (path) => writeFile(path, '')],
    [
      'directories whose mark is a link',
      CLONE,
      async (path) => {
        await makeClone(join(folder, 'elsewhere'), 90);
        await mkdir(path);
        await symlink(join(folder, 'elsewhere', MARK_FILE), join(path, MARK_FILE));
      },
    ],
    [
      'directories whose mark is a directory',
      CLONE,
      async (path) => {
        await mkdir(join(path, MARK_FILE), { recursive: true });
        await age(path, 90);
      },
    ],
    [
      'clones that other users can write in',
      CLONE,
      async (path) => {
        await makeClone(path, 90);
        await chmod(path, 0o770);
      },
    ],
    [
      'links',
      CLONE,
      async (path) => {
        await makeClone(join(folder, 'elsewhere'), 90);
        await symlink(join(folder, 'elsewhere'), path);
      },
    ],
  ])('%s', async (_which, name, make) => {
    const path = join(clones, name);
    await make(path);
    const before = await stateOf(path);
    await lease.removeUnused();
    expect(await stateOf(path)).toEqual(before);
    expect(lines).toEqual([]);
  });

  test('the clone in use, marked or not', async () => {
    await lease.removeUnused();
    expect(await readdir(clones)).toEqual([basename(own)]);
  });

  test('what links in a clone lead to', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await makeClone(elsewhere, 90);
    await makeClone(join(clones, CLONE), 31);
    await symlink(elsewhere, join(clones, CLONE, 'link'));
    await lease.removeUnused();
    expect(await readdir(clones)).toEqual([basename(own)]);
    expect((await readdir(elsewhere)).toSorted()).toEqual(['objects', MARK_FILE]);
  });
});

test('a clone that another process has removed is no error', async () => {
  await removeClone(join(clones, '0123456789abcdef'));
  expect(await readdir(clones)).toEqual([basename(own)]);
});

test('clones that cannot be removed are logged in one warning', async () => {
  const names = ['0123456789abcdef', '123456789abcdef0'];
  for (const name of names) await makeClone(join(clones, name), 31);
  await chmod(clones, 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const name of names) await chown(join(clones, name), NOBODY, NOBODY);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await lease.removeUnused();
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(clones, 0o755);
  }
  expect(messages()).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'unused clones cannot be removed',
      directories: expect.arrayContaining(names.map((name) => join(clones, name))),
      error: expect.objectContaining({ code: 'EACCES' }),
    }),
  ]);
});

describe('a clone in use', () => {
  test('is marked at the start and every hour, until the end', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'performance', 'setTimeout', 'setImmediate', 'nextTick'],
    });
    await lease.begin();
    expect(await ageOf(own)).toBeLessThan(DAY);
    await age(own, 40);
    jest.advanceTimersByTime(60 * 60 * 1_000);
    await until('it is marked again', async () => (await ageOf(own)) < DAY);
    lease.end();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is marked in no file that a link leads to', async () => {
    const target = join(folder, 'target');
    await writeFile(target, 'as it was');
    await removeFolder(join(own, MARK_FILE));
    await symlink(target, join(own, MARK_FILE));
    await expect(writeMark(own)).rejects.toMatchObject({ code: 'ELOOP' });
    await lease.begin();
    expect(await readFile(target, 'utf8')).toBe('as it was');
  });

  test('is not marked once it is replaced by a link', async () => {
    const target = join(folder, 'target');
    await mkdir(target);
    await removeFolder(own);
    await symlink(target, own);
    await lease.begin();
    expect(await readdir(target)).toEqual([]);
  });

  test('may be removed by another process', async () => {
    await removeFolder(own);
    await lease.begin();
    expect(lines).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { appendFile, link, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { until } from '../../../../../test/support/until.js';
import { DirectoryTree } from './directory-tree.js';

const MINUTE = 60_000;
/** The clock of a tree whose files changed long ago. */
const later = (): number => Date.now() + MINUTE;
/** The clock of a tree whose files have just changed, however slow the test is. */
const justNow = (): number => Date.now() - MINUTE;

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await makeFolder();
  root = join(folder, 'root');
  for (const name of ['root/eu', 'root/.git', 'outside']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await write('root/orders.yml', 'orders');
  await write('root/eu/orders.yml', 'eu orders');
  await write('root/.git/config', 'password');
  await write('root/.hidden', 'hidden');
  await write('outside/orders.yml', 'outside');
});
afterEach(() => removeFolder(folder));

describe('a listing of a directory', () => {
  const listingOf = async (directory: string): Promise<string> => {
    const { files, directories } = await (await DirectoryTree.open(root, later)).list(directory);
    return [...[...files].toSorted(), '|', ...[...directories].toSorted()].join(' ');
  };

  test('has no hidden names', async () => {
    expect(await listingOf('')).toBe('orders.yml | eu');
    expect(await listingOf('eu/')).toBe('orders.yml |');
  });

  test.each(['nosuch/', '.git/', '../outside/', 'eu/../', '/', 'orders.yml/', 'eu/\0/'])(
    'is empty for %j',
    async (directory) => {
      expect(await listingOf(directory)).toBe('|');
    },
  );

  test('follows links inside the tree, and none to a directory above', async () => {
    const links = {
      'a-file': 'orders.yml',
      'a-directory': 'eu',
      out: '../outside',
      hidden: '.git',
      broken: 'nosuch',
      self: '.',
      'eu/up': '..',
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
    expect(await listingOf('')).toBe('a-file orders.yml | a-directory eu');
    expect(await listingOf('a-directory/')).toBe('orders.yml |');
    expect(await listingOf('out/')).toBe('|');
  });

  test('of a volume of Kubernetes has the visible names', async () => {
    await mkdir(join(root, 'volume/..2026_11_26_20_00_00.1/conf'), { recursive: true });
    await write('root/volume/..2026_11_26_20_00_00.1/orders.yml', 'orders');
    await symlink('..2026_11_26_20_00_00.1', join(root, 'volume/..data'));
    await symlink('..data/orders.yml', join(root, 'volume/orders.yml'));
    await symlink('..data/conf', join(root, 'volume/conf'));
    expect(await listingOf('volume/')).toBe('orders.yml | conf');
  });
});

describe('a tree of a directory', () => {
  test.each([
    ['nothing', ''],
    ['no file of this name', 'nosuch.yml'],
    ['an absolute path', '/etc/passwd'],
    ['a path that climbs out', '../outside/orders.yml'],
    ['a path that climbs out later', 'eu/../../outside/orders.yml'],
    ['a path that climbs and returns', 'eu/../orders.yml'],
    ['a path with a dot in it', './orders.yml'],
    ['a path with nothing in it', 'eu//orders.yml'],
    ['a path that ends in a slash', 'orders.yml/'],
    ['something below a file', 'orders.yml/x'],
    ['a directory', 'eu'],
    ['a hidden directory', '.git/config'],
    ['a hidden file', '.hidden'],
    ['a NUL', 'orders.yml\0.txt'],
    ['a backslash', String.raw`eu\orders.yml`],
    ['a path that is still encoded', '%2e%2e/outside/orders.yml'],
    ['a name longer than names can be', 'x'.repeat(300)],
    ['a path longer than paths can be', 'x/'.repeat(5_000)],
  ])('holds no file for %s', async (_what, path) => {
    expect(await contentOf(path)).toBeUndefined();
  });

  test.each([
    ['out of the root', '../outside/orders.yml'],
    ['out of the root, absolutely', '/etc/passwd'],
    ['to a device', '/dev/zero'],
    ['to a hidden file', '.git/config'],
    ['to a directory', 'eu'],
    ['to itself', 'linked.yml'],
    ['to nothing', 'nosuch'],
    ['through a link out of the root', 'away/orders.yml'],
  ])('holds no file for a link %s', async (_what, target) => {
    await symlink('../outside', join(root, 'away'));
    await symlink(target, join(root, 'linked.yml'));
    expect(await contentOf('linked.yml')).toBeUndefined();
  });

  test('holds no file below a link out of the root', async () => {
    await symlink('../outside', join(root, 'away'));
    expect(await contentOf('away/orders.yml')).toBeUndefined();
  });

  test('holds no file outside whose directory begins with the name of the root', async () => {
    await mkdir(join(folder, 'root-too'));
    await write('root-too/orders.yml', 'outside');
    await symlink('../root-too/orders.yml', join(root, 'linked.yml'));
    expect(await contentOf('linked.yml')).toBeUndefined();
  });

  test('holds no named pipe, and does not wait for one', async () => {
    execFileSync('/usr/bin/env', ['mkfifo', join(root, 'pipe.yml')]);
    expect(await contentOf('pipe.yml')).toBeUndefined();
  });

  test.each([
    ['itself', 'orders.yml', 'orders'],
    ['below a directory', 'eu/orders.yml', 'eu orders'],
    ['by a link to it', 'linked.yml', 'eu orders'],
    ['by an absolute link to it', 'absolute.yml', 'orders'],
    ['by a link to its directory', 'europe/orders.yml', 'eu orders'],
    ['in a mounted volume of Kubernetes', 'mounted.yml', 'mounted'],
    ['by a hard link, which is a file like any other', 'hard-linked.yml', 'outside'],
  ])('holds a file %s', async (_how, path, content) => {
    const version = '..2026_11_22_03_02_01.1234567890';
    await mkdir(join(root, version));
    await write(`root/${version}/mounted.yml`, 'mounted');
    await symlink(version, join(root, '..data'));
    await symlink('..data/mounted.yml', join(root, 'mounted.yml'));
    await symlink('eu/orders.yml', join(root, 'linked.yml'));
    await symlink(join(root, 'orders.yml'), join(root, 'absolute.yml'));
    await symlink('eu', join(root, 'europe'));
    await link(join(folder, 'outside/orders.yml'), join(root, 'hard-linked.yml'));
    expect(await contentOf(path)).toBe(content);
  });

  test('may be reached through links, and stays where they led', async () => {
    const linked = join(folder, 'linked');
    await symlink('root', linked);
    const tree = await DirectoryTree.open(linked);
    await rm(linked);
    await symlink('outside', linked);
    expect(String(await (await tree.find('orders.yml'))?.read())).toBe('orders');
    expect(await contentOf('orders.yml', linked)).toBe('outside');
  });
});

describe('a found file', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['is gone', () => rm(join(root, 'eu/orders.yml'))],
    ['has grown', () => appendFile(join(root, 'eu/orders.yml'), '!')],
    ['was modified', () => utimes(join(root, 'eu/orders.yml'), 0, 0)],
    [
      'is a link out of the root by now',
      () => replace('eu/orders.yml', '../../outside/orders.yml'),
    ],
    ['is a named pipe by now', () => replace('eu/orders.yml')],
    ['is below a link out of the root by now', () => replace('eu', '../outside')],
    ['is below a link by now', () => replace('eu', 'eu.away')],
  ])('is not read once it %s', async (_what, change) => {
    const file = await (await DirectoryTree.open(root)).find('eu/orders.yml');
    await change();
    expect(await file?.read()).toBeUndefined();
  });

  test('says how large it is and when it was modified', async () => {
    await utimes(join(root, 'orders.yml'), 0, new Date('2026-01-02T03:04:05Z'));
    const file = await (await DirectoryTree.open(root)).find('orders.yml');
    expect(file).toMatchObject({ size: 6, modified: new Date('2026-01-02T03:04:05Z') });
  });

  test('has no revision as long as a change might leave no trace', async () => {
    const tree = await DirectoryTree.open(root, justNow);
    expect(await tree.find('orders.yml')).toMatchObject({ revision: undefined, size: 6 });
  });

  test('has another revision when it was changed, even where its time was put back', async () => {
    const time = new Date('2026-01-02T03:04:05Z');
    await utimes(join(root, 'orders.yml'), time, time);
    const before = await revisionOf('orders.yml');
    expect(before).toBeDefined();
    expect(await revisionOf('orders.yml')).toBe(before);
    await until('the clock of the file system goes on', async () => {
      await write('root/orders.yml', 'ORDERS');
      await utimes(join(root, 'orders.yml'), time, time);
      return (await revisionOf('orders.yml')) !== before;
    });
  });
});

describe('a directory that is not available', () => {
  test.each([
    ['missing', 'nosuch'],
    ['a file', 'root/orders.yml'],
    ['below a file', 'root/orders.yml/x'],
  ])('is BACKEND_UNAVAILABLE: %s', async (_what, name) => {
    await expect(DirectoryTree.open(join(folder, name))).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: 'backend native is not available',
    });
  });

  test('is distinguished from a directory without the file', async () => {
    const tree = await DirectoryTree.open(root);
    await rename(root, `${root}.away`);
    expect(await tree.find('orders.yml')).toBeUndefined();
    await expect(tree.confirm()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    await mkdir(root);
    await expect(tree.confirm()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    await rm(root, { recursive: true });
    await rename(`${root}.away`, root);
    await tree.confirm();
  });
});

function write(name: string, content: string): Promise<void> {
  return writeFile(join(folder, name), content);
}

/** Replaces a file with a link or, without a target, with a named pipe. */
async function replace(name: string, target?: string): Promise<void> {
  const path = join(root, name);
  await rename(path, `${path}.away`);
  if (target === undefined) execFileSync('/usr/bin/env', ['mkfifo', path]);
  else await symlink(target, path);
}

async function contentOf(path: string, location = root): Promise<string | undefined> {
  const file = await (await DirectoryTree.open(location)).find(path);
  return (await file?.read())?.toString();
}

async function revisionOf(path: string): Promise<string | undefined> {
  return (await (await DirectoryTree.open(root, later)).find(path))?.revision;
}

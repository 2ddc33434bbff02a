// The directory backend of the config server reads nothing outside its root, even while directories are swapped for links.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DirectoryTree } from '../../apps/config-server/src/backends/native/directory-tree.js';
import { NativeBackend } from '../../apps/config-server/src/backends/native/native-backend.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { until } from '../support/until.js';

const SECRET = 'k: outside';
const CONTENT = 'k: inside!';
/** Enough answers to notice a missing check. */
const MIN_OF_EACH = 300;

let folder: string;
let root: string;
let backend: NativeBackend;

beforeEach(async () => {
  folder = await makeFolder();
  root = join(folder, 'root');
  for (const name of ['root/eu', 'root/.git', 'outside']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const name of ['root/.git/config', 'root/.env', 'outside/orders.yml', 'outside.yml']) {
    await writeFile(join(folder, name), SECRET);
  }
  await writeFile(join(root, 'eu/orders.yml'), CONTENT);
  await symlink('../outside', join(root, 'away'));
  await symlink('../../outside/orders.yml', join(root, 'eu/linked.yml'));
  backend = new NativeBackend({ location: root, searchPaths: ['.', '{application}', '{label}'] });
});
afterEach(() => removeFolder(folder));

/** Names that no former check has filtered. */
const HOSTILE = [
  '../outside',
  '../outside/orders',
  'eu/../../outside/orders',
  '/etc/passwd',
  '//etc/passwd',
  '.git/config',
  '.env',
  'eu/../.env',
  'away/orders',
  'eu/linked',
  '%2e%2e/outside/orders',
  '%252e%252e/outside/orders',
  '..;/outside/orders',
  String.raw`..\outside\orders`,
  '..(_)outside(_)orders',
  'orders\0',
  'file:///etc/passwd',
  '~/orders',
  '-/../../outside/orders',
  '..',
  '.',
  '/',
  '',
];

describe('a directory backend', () => {
  test('reads files inside the folder', async () => {
    const query = { applications: ['orders'], profiles: ['default'], label: 'eu' };
    expect((await backend.find(query)).sources).toHaveLength(1);
    const file = await backend.readFile({ ...query, path: 'orders.yml' });
    expect(file?.content.toString()).toBe(CONTENT);
  });

  test.each(HOSTILE)(
    'reads nothing for %j as an application, a profile or a label',
    async (name) => {
      for (const query of [
        { applications: [name], profiles: ['default'], label: undefined },
        { applications: ['orders'], profiles: [name], label: undefined },
        { applications: ['orders'], profiles: ['default'], label: name },
      ]) {
        expect((await backend.find(query)).sources).toEqual([]);
      }
    },
  );

  test.each(HOSTILE.flatMap((name) => [name, `${name}.yml`]))(
    'reads nothing for %j as a plain file',
    async (path) => {
      const query = { applications: ['orders'], profiles: ['default'], label: undefined };
      expect(await backend.readFile({ ...query, path })).toBeUndefined();
    },
  );

  test('reads nothing outside while a directory is swapped for a link and back', async () => {
    const tree = await DirectoryTree.open(root);
    const seen: Record<string, number> = {};
    const swapper = new Worker(SWAP_SCRIPT, { eval: true, workerData: join(root, 'eu') });
    try {
      await until('there were enough answers of both kinds', async () => {
        for (let reads = 0; reads < 100; reads += 1) {
          const content = await (await tree.find('eu/orders.yml'))?.read();
          const answer = content?.toString() ?? 'nothing';
          seen[answer] = (seen[answer] ?? 0) + 1;
        }
        return MIN_OF_EACH <= Math.min(seen[CONTENT] ?? 0, seen['nothing'] ?? 0);
      });
    } finally {
      await swapper.terminate();
    }
    expect(Object.keys(seen).toSorted()).toEqual([CONTENT, 'nothing']);
  });
});

/** Runs in a worker thread until terminated. Each state lasts about as long as a read. */
const SWAP_SCRIPT = `
  const { renameSync, symlinkSync } = require('node:fs');
  const { workerData: path } = require('node:worker_threads');
  const stay = () => {
    const end = performance.now() + Math.random();
    while (performance.now() < end);
  };
  symlinkSync('../outside', path + '.link');
  for (;;) {
    renameSync(path, path + '.away');
    renameSync(path + '.link', path);
    stay();
    renameSync(path, path + '.link');
    renameSync(path + '.away', path);
    stay();
  }
`;

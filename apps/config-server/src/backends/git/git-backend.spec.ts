import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import {
  describeBackend,
  propertiesFile,
  queryOf,
  type BackendUnderTest,
} from '../environment-backend.conformance.js';
import { GitBackend } from './git-backend.js';

async function openBackend(): Promise<BackendUnderTest> {
  const [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
  await remote.push({});
  const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
  const backend = await GitBackend.open(Object.assign(new GitSettings(), settings).options());
  return {
    backend,
    async change(files) {
      await remote.push(Object.fromEntries(files.map(propertiesFile)));
      await backend.refresh();
    },
    async break() {
      await rename(remote.path, `${remote.path}-away`);
      await backend.refresh().catch(() => {});
    },
    async repair() {
      await rename(`${remote.path}-away`, remote.path);
      await backend.refresh();
    },
    async close() {
      await backend.close();
      await Promise.all([remote.remove(), removeFolder(clones)]);
    },
  };
}

describeBackend('git', openBackend);

describe('the backend git', () => {
  let remote: GitRemote;
  let clones: string;
  let backend: GitBackend;
  let tagged: string;
  let latest: string;

  beforeAll(async () => {
    [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
    const time = 1_700_000_000;
    tagged = await remote.push({ 'orders.yml': 'k: tagged\n', 'motd.txt': 'hello\n' }, { time });
    await remote.git('tag', 'v1');
    latest = await remote.push({
      'orders.yml': 'k: first\n---\nk: second\n',
      'orders.properties': 'k=properties\n',
      'teams/orders/orders.yml': 'k: team\n',
    });
    const settings = {
      uri: `file://${remote.path}/`,
      cloneDirectory: clones,
      refresh: 0,
      searchPaths: ['', 'teams/{application}'],
    };
    backend = await GitBackend.open(Object.assign(new GitSettings(), settings).options());
  });

  afterAll(async () => {
    await backend.close();
    await Promise.all([remote.remove(), removeFolder(clones)]);
  });

  test('gives the commit as version and an empty state, as clients know it', async () => {
    const known = { version: latest, state: '' };
    expect(await backend.find(queryOf('orders', 'default'))).toMatchObject(known);
    const older = { version: tagged, state: '' };
    expect(await backend.find(queryOf('orders', 'default', 'v1'))).toMatchObject(older);
  });

  test('names sources by the address and the path, as clients know them', async () => {
    const { sources } = await backend.find(queryOf('orders', 'default'));
    const root = `file://${remote.path}`;
    expect(sources.map(({ name }) => name).toSorted()).toEqual([
      `${root}/Config resource 'file [orders.yml' via location '' (document #0)`,
      `${root}/Config resource 'file [orders.yml' via location '' (document #1)`,
      `${root}/orders.properties`,
      `${root}/teams/orders/orders.yml`,
    ]);
  });

  test('gives the sources of several labels, those of the last first', async () => {
    const versions = { v1: tagged, main: latest };
    for (const [first, second] of [
      ['v1', 'main'],
      ['main', 'v1'],
    ] as const) {
      const environment = await backend.find(queryOf('orders', 'default', `${first},${second}`));
      expect(environment).toMatchObject({
        version: `${versions[first]},${versions[second]}`,
        state: '',
      });
      const each = await Promise.all(
        [second, first].map((label) => backend.find(queryOf('orders', 'default', label))),
      );
      expect(environment.sources).toEqual(each.flatMap(({ sources }) => sources));
    }
  });

  test.each(['main,nosuch', 'nosuch,main', 'main,'])('knows no label %s', async (label) => {
    const unknown = { code: 'LABEL_UNKNOWN' };
    await expect(backend.find(queryOf('orders', 'default', label))).rejects.toMatchObject(unknown);
  });

  test('gives plain files of one label only', async () => {
    const query = { ...queryOf('orders', 'default', 'v1,main'), path: 'motd.txt' };
    await expect(backend.readFile(query)).rejects.toMatchObject({ code: 'LABEL_UNKNOWN' });
  });

  test('gives plain files of a label, with the time of its commit', async () => {
    const query = { ...queryOf('orders', 'default', 'v1'), path: 'motd.txt' };
    expect(await backend.readFile(query)).toEqual({
      content: Buffer.from('hello\n'),
      modified: new Date(1_700_000_000_000),
    });
    expect(await backend.readFile({ ...query, label: 'main' })).toBeUndefined();
    const unknown = { code: 'LABEL_UNKNOWN' };
    await expect(backend.readFile({ ...query, label: 'v2' })).rejects.toMatchObject(unknown);
    await expect(backend.find(queryOf('a', 'b', 'v2'))).rejects.toMatchObject(unknown);
  });
});

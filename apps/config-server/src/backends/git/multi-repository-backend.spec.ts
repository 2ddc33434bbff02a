import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import type { EnvironmentBackend, EnvironmentQuery } from '../environment-backend.js';
import { queryOf } from '../environment-backend.conformance.js';
import { openGitBackend } from './open-git-backend.js';

const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE' };
const UNKNOWN = { code: 'LABEL_UNKNOWN' };

const MAIN = { 'application.yml': 'from: main', 'main.txt': 'main', 'motd.txt': 'main' };
const TEAM = {
  'application.yml': 'from: team',
  'eu/team-a.yml': 'place: eu',
  'motd.txt': 'team',
};

let clones: string;
let main: GitRemote;
let team: GitRemote;
let testing: GitRemote;
let backend: Required<EnvironmentBackend>;

beforeAll(async () => {
  [main, team, testing, clones] = await Promise.all([
    GitRemote.create(),
    GitRemote.create(),
    GitRemote.create(),
    makeFolder(),
  ]);
  await main.push(MAIN);
  await team.push(TEAM);
  await testing.push({ 'application.yml': 'from: test' }, { branch: 'trunk' });
  const repos = {
    team: { uri: team.path, pattern: ['team-*', 'billing/prod'], 'search-paths': ['eu'] },
    test: { uri: testing.path, pattern: ['*/test'], 'default-label': 'trunk' },
    wiki: { uri: team.path },
  };
  const given = { uri: main.path, cloneDirectory: clones, refresh: 0, repos };
  const settings = Object.assign(new GitSettings(), given);
  backend = (await openGitBackend(settings, false, false)) as Required<EnvironmentBackend>;
});

afterAll(async () => {
  await backend.close();
  await Promise.all([main, team, testing].map((remote) => remote.remove()));
  await removeFolder(clones);
});

/** The repository of the properties that all applications share. */
async function repositoryOf(query: EnvironmentQuery): Promise<unknown> {
  const { sources } = await backend.find(query);
  return sources.at(-1)?.properties.get('from')?.value;
}

async function fileOf(query: EnvironmentQuery, path: string): Promise<string | undefined> {
  return (await backend.readFile({ ...query, path }))?.content.toString('utf8');
}

test('the first repository that matches a query answers it, else the default one', async () => {
  const rows = [
    ['orders', 'prod', 'main'],
    ['team-a', 'prod', 'team'],
    ['team-a', 'test', 'team'],
    ['billing', 'prod', 'team'],
    ['billing', 'prod,eu', 'team'],
    ['billing', 'eu', 'main'],
    ['wiki', 'prod', 'team'],
    ['orders', 'test', 'test'],
    ['orders', 'test,eu', 'test'],
    ['orders', 'eu,test', 'main'],
    ['group/team-a', 'prod', 'main'],
  ] as const;
  for (const [applications, profiles, expected] of rows) {
    const found = await repositoryOf(queryOf(applications, profiles));
    expect([applications, profiles, found]).toEqual([applications, profiles, expected]);
  }
});

test('each repository has its own search paths, versions and names of sources', async () => {
  const { sources, version } = await backend.find(queryOf('team-a', 'prod'));
  expect(sources.map(({ name }) => name)).toEqual([
    `${team.path}/eu/team-a.yml`,
    `${team.path}/application.yml`,
  ]);
  expect(version).toBe(await team.git('rev-parse', 'main'));
});

test('a plain file is that of the repository of its environment alone', async () => {
  expect(await fileOf(queryOf('team-a', 'prod'), 'motd.txt')).toBe('team');
  expect(await fileOf(queryOf('orders', 'prod'), 'motd.txt')).toBe('main');
  expect(await fileOf(queryOf('team-a', 'prod'), 'main.txt')).toBeUndefined();
});

test('a repository without the label of a query leaves it to no other', async () => {
  await main.git('branch', 'old', 'main');
  await team.git('tag', 'v1', 'main');
  await backend.refresh();
  expect(await repositoryOf(queryOf('team-a', 'prod', 'v1'))).toBe('team');
  expect(await repositoryOf(queryOf('orders', 'prod', 'old'))).toBe('main');
  await expect(backend.find(queryOf('team-a', 'prod', 'old'))).rejects.toMatchObject(UNKNOWN);
  await expect(backend.find(queryOf('orders', 'prod', 'v1'))).rejects.toMatchObject(UNKNOWN);
});

test('a repository that is unavailable leaves its queries to no other, and the others go on', async () => {
  expect(await repositoryOf(queryOf('team-a', 'prod'))).toBe('team');
  await rename(team.path, `${team.path}-away`);
  await main.push({ 'application.yml': 'from: main, changed' });
  await expect(backend.refresh()).rejects.toMatchObject(UNAVAILABLE);
  await expect(backend.find(queryOf('team-a', 'prod'))).rejects.toMatchObject(UNAVAILABLE);
  expect(await repositoryOf(queryOf('orders', 'prod'))).toBe('main, changed');
  await rename(`${team.path}-away`, team.path);
  await main.push(MAIN);
  await backend.refresh();
  expect(await repositoryOf(queryOf('team-a', 'prod'))).toBe('team');
});

test('a repository with a malformed file leaves its queries to no other', async () => {
  await team.push({ 'application.yml': 'a: [' });
  await backend.refresh();
  const malformed = { code: 'SOURCE_MALFORMED' };
  await expect(backend.find(queryOf('team-a', 'prod'))).rejects.toMatchObject(malformed);
  await team.push(TEAM);
  await backend.refresh();
});

test('where one repository cannot be opened, the start fails', async () => {
  const given = {
    uri: main.path,
    cloneDirectory: `${main.path}/HEAD`,
    repos: { a: { uri: team.path } },
  };
  const settings = Object.assign(new GitSettings(), given);
  await expect(openGitBackend(settings, false, false)).rejects.toMatchObject({
    code: 'GIT_UNUSABLE',
  });
});

// The orders were recorded from Spring Cloud Config 4.3.1, which also finds directories whose names begin with a dot.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { queryOf } from '../environment-backend.conformance.js';
import { GitBackend } from '../git/git-backend.js';
import { NativeBackend } from '../native/native-backend.js';
import { matchDirectories, matchesPattern } from './directory-patterns.js';

const FILES = {
  'application.yml': 'root',
  'gps.yml': 'rootgps',
  'RedTeam/application.yml': 'redapp',
  'RedTeam/gps/gps.yml': 'red',
  'RedTeam/gps/gps-dev.yml': 'reddev',
  'RedTeam/gps/motd.txt': 'red text',
  'GoldTeam/gps/gps.yml': 'gold',
  'GoldTeam/gps/gps.properties': 'goldp',
  'GoldTeam/app1.yml': 'goldapp1',
  'shared/application.yml': 'shared',
  'shared/common/application.yml': 'common',
  'shared/.hidden/application.yml': 'hidden',
  '.git/application.yml': 'git',
};
const CONTENTS = Object.fromEntries(
  Object.entries(FILES).map(([path, who]) => [
    path,
    path.endsWith('.properties') ? `who=${who}` : `who: ${who}`,
  ]),
);
const TEAMS = 'red goldp gold rootgps root';
const ALL = 'common shared red redapp goldp gold rootgps root';

let remote: GitRemote;
let clones: string;
let directory: string;

beforeAll(async () => {
  [remote, clones, directory] = await Promise.all([GitRemote.create(), makeFolder(), makeFolder()]);
  const { '.git/application.yml': _git, ...committed } = CONTENTS;
  await remote.push(committed);
  await remote.push(
    { 'gps.yml': 'who: featgps\nx: 1', 'application.yml': 'who: root' },
    { branch: 'feature/x' },
  );
  for (const [path, content] of Object.entries(CONTENTS)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
});
afterAll(() => Promise.all([remote.remove(), removeFolder(clones), removeFolder(directory)]));

const BACKENDS = {
  git: (...searchPaths: string[]): Promise<EnvironmentBackend> => {
    const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0, searchPaths };
    return GitBackend.open(Object.assign(new GitSettings(), settings).options());
  },
  // The backend git always searches the root.
  native: (...searchPaths: string[]): Promise<EnvironmentBackend> =>
    Promise.resolve(new NativeBackend({ location: directory, searchPaths: ['.', ...searchPaths] })),
};

async function sourcesOf(backend: EnvironmentBackend, request: string): Promise<string> {
  const [, application = '', profile = '', label] = request.split('/');
  const { sources } = await backend.find(queryOf(application, profile, label));
  return sources.map(({ properties }) => properties.get('who')?.value).join(' ');
}

async function answersOf(
  opening: Promise<EnvironmentBackend>,
  ...requests: readonly string[]
): Promise<readonly string[]> {
  const backend = await opening;
  try {
    return await Promise.all(requests.map((request) => sourcesOf(backend, request)));
  } finally {
    await backend.close?.();
  }
}

/** A search path, and what it finds for each request: `=` is the same as before. */
const SEARCHES = [
  ['*', 'shared redapp rootgps root', '=', 'shared redapp goldapp1 root'],
  ['/*/', 'shared redapp rootgps root', '=', 'shared redapp goldapp1 root'],
  ['Red*', 'redapp rootgps root', '=', 'redapp root'],
  ['*Team', 'redapp rootgps root', '=', 'redapp goldapp1 root'],
  ['?edTeam', 'redapp rootgps root', '=', 'redapp root'],
  ['*/gps', TEAMS, `reddev ${TEAMS}`, 'root'],
  ['**/gps', TEAMS, `reddev ${TEAMS}`, 'root'],
  ['*Team/{application}', TEAMS, `reddev ${TEAMS}`, 'root'],
  ['RedTeam/**', 'red redapp rootgps root', `reddev red redapp rootgps root`, 'redapp root'],
  ['shared/*', 'common rootgps root', '=', 'common root'],
  ['**', ALL, `reddev ${ALL}`, 'common shared redapp goldapp1 root'],
  ['**/**', ALL, `reddev ${ALL}`, 'common shared redapp goldapp1 root'],
  ['r*', 'rootgps root', '=', 'root'],
  ['*/*/*', 'rootgps root', '=', 'root'],
  ['?git', 'rootgps root', '=', 'root'],
  ['nosuch/*', 'rootgps root', '=', 'root'],
  ['gps.yml/*', 'rootgps root', '=', 'root'],
  ['/shared', 'shared rootgps root', '=', 'shared root'],
  ['shared/', 'shared rootgps root', '=', 'shared root'],
  ['./shared', 'shared rootgps root', '=', 'shared root'],
] as const;
/** Those that list directories of the tree in each way that there is. */
const LISTINGS = new Set<string>(['*', '*/gps', 'RedTeam/**', '**', '?git', 'gps.yml/*']);

describe.each(['git', 'native'] as const)('the backend %s searches', (name) => {
  const searches = SEARCHES.filter(([path]) => name === 'native' || LISTINGS.has(path));
  test.each(searches)('%s', async (searchPath, gps, gpsDev, app1) => {
    const requests = ['/gps/default', '/gps/dev', '/app1/default'];
    const answers = await answersOf(BACKENDS[name](searchPath), ...requests);
    expect(answers).toEqual([gps, gpsDev === '=' ? gps : gpsDev, app1]);
  });

  test('several paths in their order, and a directory where it is named first', async () => {
    const answers = await answersOf(BACKENDS[name]('shared', '*'), '/gps/default');
    expect(answers).toEqual(['redapp shared rootgps root']);
  });

  test('the directories of a pattern for plain files', async () => {
    const backend = await BACKENDS[name]('*Team/*');
    const file = await backend.readFile?.({ ...queryOf('gps', 'dev'), path: 'motd.txt' });
    expect(file?.content.toString()).toBe('who: red text');
    await backend.close?.();
  });
});

test('patterns are searched in the commit of each label', async () => {
  const backend = await BACKENDS.git('*Team', '{label}');
  const { sources } = await backend.find(queryOf('gps', 'default', 'main,feature/x'));
  expect(sources.map(({ properties }) => properties.get('who')?.value).join(' ')).toBe(
    'featgps root redapp rootgps root',
  );
  await backend.close?.();
});

test('a pattern that matches too many directories is refused', async () => {
  const endless = {
    list: () => Promise.resolve({ files: new Set<string>(), directories: new Set(['a', 'b']) }),
  };
  await expect(matchDirectories(endless, ['**/'])).rejects.toMatchObject({
    code: 'SOURCE_MALFORMED',
    message: 'a search path with a pattern matches more than 4096 directories',
  });
});

describe('a name', () => {
  test.each([
    ['', '*', true],
    ['abc', '*', true],
    ['abc', 'a*c', true],
    ['abcbc', 'a*bc', true],
    ['abcb', 'a*bc', false],
    ['abc', 'ab?', true],
    ['ab', 'ab?', false],
    ['abc', 'ABC', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['abc', '[a]bc', false],
    ['abc', '**', true],
    ['abc', 'abc**', true],
  ])('%j and the pattern %j: %s', (name, pattern, expected) => {
    expect(matchesPattern(name, pattern)).toBe(expected);
  });

  test('is matched in a time that does not explode', () => {
    expect(matchesPattern('a'.repeat(5_000), `${'*a'.repeat(500)}*b`)).toBe(false);
  });
});

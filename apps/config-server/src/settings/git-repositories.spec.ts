import { describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { configServerSettings } from '../../../../test/support/config-server.js';
import { repositoriesViolations, type RepositoryEntries } from './git-repositories.js';
import { GitSettings } from './git-settings.js';

const uri = 'https://example.org/x';
const FORMS = 'must be https://…, http://…, ssh://…, git@host:path, file:///… or an absolute path';
const USERINFO = 'may hold neither user nor password: they have settings of their own';
const PATTERNS = 'pattern may hold letters, digits and any of ._/,*-';
const PATH = 'must be an absolute path of letters, digits and any of ._/@+-';

function violationsOf(repos: RepositoryEntries) {
  return [...repositoriesViolations(repos, Object.assign(new GitSettings(), { uri }))];
}

describe('further repositories', () => {
  test.each<[string, RepositoryEntries, string]>([
    ['no address', { a: { pattern: ['a'] } }, '"a" needs a uri'],
    ['an address with a user', { a: { uri: 'https://u@example.org/a' } }, `"a" uri ${USERINFO}`],
    ['an option of git', { a: { uri: '--upload-pack=id' } }, `"a" uri ${FORMS}`],
    ['no pattern', { a: { uri, pattern: [] } }, '"a" pattern must not be empty'],
    [
      'other patterns than those of Spring',
      { a: { uri, pattern: ['a/?', 'b'] } },
      `"a" ${PATTERNS}: "a/?"`,
    ],
    ['a name that is no pattern', { 'a b': { uri } }, `"a b" ${PATTERNS}: "a b"`],
    [
      'a name without an order',
      { 7: { uri } },
      '"7" may not be a whole number, which has no order',
    ],
    ['an empty label', { a: { uri, 'default-label': '' } }, '"a" default-label must not be empty'],
    [
      'a search path that leads out',
      { a: { uri, 'search-paths': ['../b'] } },
      '"a" search-paths "../b" may hold no name that begins with a dot',
    ],
    [
      'a password without a user',
      { a: { uri, password: new Secret('s3cret') } },
      '"a" username is required with password',
    ],
    [
      'several faults',
      { a: { uri: 'x' }, b: { uri, 'private-key-file': 'x' } },
      `"a" uri ${FORMS}; "b" private-key-file ${PATH}`,
    ],
  ])('may not have %s', (_what, repos, fault) => {
    expect(
      violationsOf(repos)
        .map(({ message }) => message)
        .join('; '),
    ).toBe(fault);
  });

  test('have errors without parts of the values, for protected ones', () => {
    const repos = { a: { uri, pattern: ['?'], 'search-paths': ['.git'] } };
    expect(violationsOf(repos).map(({ rule }) => rule)).toEqual([
      `entry 1 ${PATTERNS}`,
      'entry 1 search-paths element 1 may hold no name that begins with a dot',
    ]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string, string | undefined]>([
    ['on the same host', { uri: 'https://example.org/b' }, 'u', 's3cret'],
    [
      'with its own',
      { uri: 'https://example.org/b', username: 'v', password: 'other' },
      'v',
      'other',
    ],
    ['on another host', { uri: 'https://example.com/b' }, '', undefined],
    ['on another port', { uri: 'https://example.org:8443/b' }, '', undefined],
    ['without encryption', { uri: 'http://example.org/b' }, '', undefined],
    ['by ssh', { uri: 'ssh://example.org/b' }, '', undefined],
    ['on this machine', { uri: '/b' }, '', undefined],
  ])(
    'have the credentials of the default one, or none: %s',
    async (_what, entry, username, password) => {
      const git = {
        uri,
        username: 'u',
        password: 's3cret',
        'private-key-file': '/k',
        repos: { 'team.a': entry },
      };
      const argv = Object.entries(git).map(([key, value]) => {
        return `--config-server.git.${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
      });
      const settings = (await configServerSettings(argv)).git;
      const [repository] = settings.otherRepositories();
      expect(repository?.patterns).toEqual(['team.a']);
      const { privateKeyFile, credentials } = repository?.options.access ?? {};
      expect(privateKeyFile).toBe('/k');
      expect(credentials?.username ?? '').toBe(username);
      expect(credentials?.password.reveal()).toBe(password);
    },
  );

  test('may be given as addresses alone, and with patterns as lists or with commas', async () => {
    const repos = {
      simple: uri,
      special: { uri, pattern: 'special*/dev*,*special*/dev*', 'search-paths': 'a,b' },
      staging: { uri, pattern: ['*/qa,eu', '*/production'], 'default-label': 'trunk' },
    };
    const argument = `--config-server.git.repos=${JSON.stringify(repos)}`;
    const { git } = await configServerSettings([argument]);
    expect(git.otherRepositories(true)).toMatchObject([
      { patterns: ['simple'], options: { uri, defaultLabel: 'main' } },
      {
        patterns: ['special*/dev*', '*special*/dev*'],
        options: { searchPaths: ['a', 'b'], servesLastKnown: true },
      },
      { patterns: ['*/qa,eu', '*/production'], options: { defaultLabel: 'trunk' } },
    ]);
  });
});

// Several git repositories over HTTP, from settings in a file, and with a reload.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  startConfigServerFromFile,
  type ReloadableConfigServer,
} from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { GitRemote } from '../support/git-remote.js';
import { http, type Reply } from '../support/http.js';

let folder: string;
let common: GitRemote;
let team: GitRemote;
let server: ReloadableConfigServer;

function settings(repos: object): object {
  return {
    'config-server.backends': 'git',
    'config-server.git': {
      uri: common.path,
      'clone-directory': join(folder, 'clones'),
      refresh: '0s',
      repos,
    },
  };
}

beforeAll(async () => {
  [folder, common, team] = await Promise.all([
    makeFolder(),
    GitRemote.create(),
    GitRemote.create(),
  ]);
  await common.push({ 'application.yml': 'from: common' });
  await team.push({ 'application.yml': 'from: team', 'eu/billing.yml': 'from: eu' });
  server = await startConfigServerFromFile(
    folder,
    settings({
      simple: team.path,
      special: { uri: team.path, pattern: 'bill*/pr*,*/qa', 'search-paths': '*' },
    }),
  );
});
afterAll(async () => {
  await server.close();
  await Promise.all([common.remove(), team.remove(), removeFolder(folder)]);
});

function answerOf(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return http('GET', server.url, path, { headers });
}

test.each([
  ['/simple-any.properties', 'from: team'],
  ['/billing-prod.properties', 'from: eu'],
  ['/billing-test.properties', 'from: common'],
  ['/orders-qa.properties', 'from: team'],
  ['/orders-prod.properties', 'from: common'],
])('%s is answered by the repository of its pattern', async (path, body) => {
  expect(await answerOf(path)).toMatchObject({ status: 200, body });
});

test.each(['/..%2fbilling/prod', '/billing/prod/..%2fmain', '/billing/%2a', '/%2a/prod'])(
  'names that are none reach no repository: %s',
  async (path) => {
    expect((await answerOf(path)).status).toBe(400);
  },
);

test('a reload that removes a repository gives its applications to the default one', async () => {
  const etag = String((await answerOf('/billing/prod')).headers.etag);
  expect((await answerOf('/billing/prod', { 'if-none-match': etag })).status).toBe(304);
  const outcome = await server.reload(settings({ simple: team.path }));
  expect(outcome).toMatchObject({ changed: ['config-server.git.repos'] });
  const after = await answerOf('/billing/prod', { 'if-none-match': etag });
  expect(JSON.parse(after.body)).toMatchObject({
    propertySources: [{ name: `${common.path}/application.yml`, source: { from: 'common' } }],
  });
});

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { ForwardProxy } from '../../../../../test/support/forward-proxy.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitHttpServer } from '../../../../../test/support/git-http-server.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { remoteEnvironment } from './git-environment.js';
import { GitRepository } from './git-repository.js';

/** Characters that a URL, a shell or git could interpret. */
const PASSWORD = `p"a'$(id)%@:/?#&;ü`;
const BASIC = `Basic ${Buffer.from(`robot:${PASSWORD}`).toString('base64')}`;
const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE' };

let remote: GitRemote;
let id: string;
let host: GitHttpServer;
let proxy: ForwardProxy;
let folder: string;
let opened: GitRepository[];
const originalEnvironment = process.env;

beforeAll(async () => {
  remote = await GitRemote.create();
  id = await remote.push({ a: '1' });
});
beforeEach(async () => {
  [host, proxy, opened] = [new GitHttpServer(remote.path, ''), new ForwardProxy(BASIC), []];
  await Promise.all([host.listen(), proxy.listen()]);
  folder = await makeFolder();
});
afterEach(async () => {
  process.env = originalEnvironment;
  await Promise.all(opened.map((repository) => repository.close()));
  await Promise.all([host.close(), proxy.close(), removeFolder(folder)]);
});
afterAll(() => remote.remove());

/** The commit id of the default label. */
async function fetched(given: Partial<GitSettings>): Promise<string> {
  const proxied = {
    proxyUri: proxy.url,
    proxyUsername: 'robot',
    proxyPassword: new Secret(PASSWORD),
  };
  const settings = {
    uri: host.url,
    cloneDirectory: join(folder, 'clones'),
    refresh: 0,
    ...proxied,
  };
  const options = Object.assign(new GitSettings(), settings, given).options();
  const repository = await GitRepository.open(options);
  opened.push(repository);
  return (await repository.commitOf()).id;
}

describe('a proxy', () => {
  test('is used with its password, which the repository does not get', async () => {
    expect(await fetched({})).toBe(id);
    expect(proxy.requests).toContainEqual(
      expect.stringMatching(`^GET ${host.url}/info/refs.* ${BASIC}$`),
    );
    expect(new Set(host.authorizations)).toEqual(new Set(['']));
  });

  test('is used whatever the environment has', async () => {
    process.env = {
      ...originalEnvironment,
      http_proxy: 'http://127.0.0.1:9',
      NO_PROXY: '*',
      no_proxy: '*',
    };
    expect(await fetched({})).toBe(id);
    expect(proxy.requests).not.toEqual([]);
  });

  test('is not used for its exceptions', async () => {
    expect(await fetched({ proxyExceptions: ['example.org', '127.0.0.1'] })).toBe(id);
    expect(proxy.requests).toEqual([]);
  });

  test('gets a tunnel for https, whose failure makes the repository unavailable', async () => {
    const uri = 'https://git.example.org/x';
    await expect(fetched({ uri })).rejects.toMatchObject(UNAVAILABLE);
    expect(proxy.requests[0]).toMatch(/^CONNECT git\.example\.org:443/);
  });

  test('with another password makes the repository unavailable, and no error quotes it', async () => {
    const given = { proxyPassword: new Secret('hunter-two') };
    const error: unknown = await fetched(given).catch((reason: unknown) => reason);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(JSON.stringify(error) + String((error as Error).cause)).not.toContain('hunter');
    expect(host.authorizations).toEqual([]);
  });
});

test.each([
  ['http://proxy.example.org:80', '', 'http://proxy.example.org:80'],
  ['https://[::1]:443/', '', 'https://[::1]:443/'],
  ['http://10.0.0.1:3128', 'a:b', 'http://u%40x:a%3Ab@10.0.0.1:3128'],
])('the address %s keeps its port, with the password %j too', (proxyUri, password, expected) => {
  const credentials =
    password === '' ? {} : { proxyUsername: 'u@x', proxyPassword: new Secret(password) };
  const given = { uri: 'https://example.org/x', proxyUri, ...credentials };
  const variables = remoteEnvironment('/home', Object.assign(new GitSettings(), given).options());
  const values = Object.entries(variables).filter(([name]) => name.startsWith('GIT_CONFIG_VALUE_'));
  expect(values.map(([, value]) => value)).toContain(expected);
});

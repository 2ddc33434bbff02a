// What a start says of backends that cannot answer, one line each and nobody waits for it; and of keys.
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { GitRemote } from '../support/git-remote.js';
import { http } from '../support/http.js';
import { until } from '../support/until.js';

/** Where nothing listens. */
const NOWHERE = '127.0.0.1:9';
const SECRET = 'hunter2';

type Settings = Readonly<Record<string, string>>;

let folder: string;
let remote: GitRemote;
let server: ConfigServer | undefined;
let lines: string[];

beforeAll(async () => {
  folder = await makeFolder();
  remote = await GitRemote.create();
  await remote.push({ 'application.yml': 'k: v\n' });
});
beforeEach(() => {
  lines = [];
  const write = (line: string): unknown => lines.push(line);
  configureLogging({ application: 'test', levels: { root: 'warn', callers: 'error' }, write });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(async () => {
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await remote.remove();
  await removeFolder(folder);
});

async function start(backend: string, settings: Settings): Promise<void> {
  const given = { 'config-server.backends': backend, ...settings };
  server = await startConfigServer(
    Object.entries(given).map(([key, value]) => `--${key}=${value}`),
  );
}

const git = (settings: Settings): Settings => ({
  'config-server.git.clone-directory': `${folder}/clones`,
  ...settings,
});
const vault = (settings: Settings): Settings => ({
  'config-server.vault.uri': `http://${NOWHERE}`,
  ...settings,
});

describe('a start tells once, and why', () => {
  test.each<[string, string, () => Settings, string]>([
    [
      'a directory that is not there',
      'native',
      () => ({ 'config-server.native.location': `${folder}/nosuch` }),
      'ENOENT',
    ],
    [
      'a repository that is not there',
      'git',
      () => git({ 'config-server.git.uri': `file://${folder}/nosuch` }),
      'GIT_COMMAND_FAILED',
    ],
    [
      'a default label that is not there',
      'git',
      () =>
        git({
          'config-server.git.uri': `file://${remote.path}`,
          'config-server.git.default-label': 'nosuch',
        }),
      'LABEL_UNKNOWN',
    ],
    [
      'an unavailable Vault',
      'vault',
      () => vault({ 'config-server.vault.token': SECRET }),
      'VAULT_UNAVAILABLE',
    ],
    [
      'a file of a token that is not there',
      'vault',
      () => vault({ 'config-server.vault.token-file': `${folder}/nosuch` }),
      'VAULT_FILE_UNREADABLE',
    ],
    [
      'an unavailable database',
      'postgres',
      () => ({ 'database.url': `postgresql://u:${SECRET}@${NOWHERE}/d` }),
      'DATABASE_UNAVAILABLE',
    ],
  ])('%s', async (_what, backend, settings, code) => {
    await start(backend, settings());
    await until('the log tells', () => lines.length > 0);
    const answer = await http('GET', server?.url ?? '', '/orders/prod');
    expect(answer.status).toBe(code === 'LABEL_UNKNOWN' ? 404 : 503);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', backend });
    expect(lines[0]).toContain(`"code":"${code}"`);
    expect(lines[0]).not.toContain(SECRET);
  });

  test('each of several backends', async () => {
    await start('native,vault', {
      'config-server.native.location': `${folder}/nosuch`,
      ...vault({ 'config-server.vault.token': SECRET }),
    });
    await until('the log tells of both', () => lines.length === 2);
  });
});

test('a start says nothing of backends that answer', async () => {
  await start('native,git', {
    'config-server.native.location': `file:${folder}`,
    ...git({ 'config-server.git.uri': `file://${remote.path}` }),
  });
  expect((await http('GET', server?.url ?? '', '/orders/prod')).status).toBe(200);
  expect(lines).toEqual([]);
});

test('a start tells of each RSA key that is too short for new values', async () => {
  const paths = [1024, 2048].map((bits) => `${folder}/rsa-${bits}.pem`);
  for (const [index, path] of paths.entries()) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 * (index + 1) });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(path, pem, { mode: 0o600 });
  }
  await start('native', {
    'config-server.native.location': `file:${folder}`,
    'encrypt.key-files': paths.join(','),
  });
  expect(lines).toHaveLength(1);
  const told = { level: 'warn', alias: 'rsa-1024', bits: 1024 };
  expect(JSON.parse(lines[0] ?? '')).toMatchObject(told);
});

test('a start tells of values that it serves encrypted, and Spring could not decrypt', async () => {
  const encrypted = { 'config-server.encrypt.enabled': 'false', 'encrypt.key': SECRET };
  const location = { 'config-server.native.location': `file:${folder}` };
  await start('native', { ...location, ...encrypted, 'encrypt.format': 'spring' });
  expect(lines).toEqual([]);
  await server?.close();
  await start('native', { ...location, ...encrypted });
  expect(lines).toEqual([
    expect.stringContaining('Spring decrypts what encrypt.format=spring wrote'),
  ]);
});

test('a start without one of its keys fails, and names the key', async () => {
  const starting = start('native', { 'encrypt.key-files': `${folder}/gone.key` });
  await expect(starting).rejects.toThrow(`encrypt.key-files: ${folder}/gone.key does not exist`);
});

test('a server that ends while it asks says nothing', async () => {
  const proxy = new TcpProxy({ port: 9 });
  await proxy.set('hang');
  await start('postgres', { 'database.url': `postgresql://u@127.0.0.1:${proxy.port}/d` });
  await until('the database is asked', () => proxy.openConnections > 0);
  await server?.close();
  server = undefined;
  await until('the database is left alone', () => proxy.openConnections === 0);
  await proxy.close();
  expect(lines).toEqual([]);
});

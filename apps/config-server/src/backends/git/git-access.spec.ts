import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitHttpServer } from '../../../../../test/support/git-http-server.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { processesOf } from '../../../../../test/support/process-table.js';
import { until } from '../../../../../test/support/until.js';
import { GitSettings } from '../../settings/git-settings.js';
import { localEnvironment, remoteEnvironment } from './git-environment.js';
import { GitRepository } from './git-repository.js';

/** Characters that a shell or git could interpret. */
const PASSWORD = `p"a'$(id)\`id\` %s\\n=&;ü`;
const BASIC = `Basic ${Buffer.from(`robot:${PASSWORD}`).toString('base64')}`;
const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE' };

let remote: GitRemote;
let folder: string;
let id: string;
let opened: GitRepository[];
const originalEnvironment = process.env;

beforeAll(async () => {
  remote = await GitRemote.create();
  id = await remote.push({ a: '1' });
});
beforeEach(async () => {
  folder = await makeFolder();
  opened = [];
});
afterEach(async () => {
  process.env = originalEnvironment;
  await Promise.all(opened.map((repository) => repository.close()));
  await removeFolder(folder);
});
afterAll(() => remote.remove());

/** The commit id of the default label. */
async function defaultCommit(given: Partial<GitSettings>): Promise<string> {
  return (await (await open(given)).commitOf()).id;
}

async function open(given: Partial<GitSettings>): Promise<GitRepository> {
  const settings = { cloneDirectory: join(folder, 'clones'), refresh: 0, ...given };
  const repository = await GitRepository.open(Object.assign(new GitSettings(), settings).options());
  opened.push(repository);
  return repository;
}

describe('a repository behind a password', () => {
  let host: GitHttpServer;
  beforeEach(async () => {
    host = new GitHttpServer(remote.path, BASIC);
    await host.listen();
  });
  afterEach(() => host.close());

  const credentials = (password: string) => ({
    uri: host.url,
    username: 'robot',
    password: new Secret(password),
  });

  test('is fetched with it, whatever characters it has', async () => {
    expect(await defaultCommit(credentials(PASSWORD))).toBe(id);
    expect(new Set(host.authorizations)).toEqual(new Set(['', BASIC]));
  });

  test.each([
    ['with another', 'hunter-two'],
    ['without', undefined],
  ])('is unavailable %s, and no error quotes the password', async (_how, password) => {
    const given = password === undefined ? { uri: host.url } : credentials(password);
    const error: unknown = await defaultCommit(given).catch((reason: unknown) => reason);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(JSON.stringify(error) + String((error as Error).cause)).not.toContain('hunter');
  });

  test('sends no password to another host that it redirects to', async () => {
    const other = new GitHttpServer(remote.path, BASIC);
    await other.listen();
    host.redirection = new URL(other.url).origin;
    await expect(defaultCommit(credentials(PASSWORD))).rejects.toMatchObject(UNAVAILABLE);
    expect(new Set(other.authorizations)).toEqual(new Set(['']));
    await other.close();
  });
});

/** Runs the remote command on this machine. */
const RUN_LOCALLY = 'for last; do :; done; exec sh -c "$last"';
/** Runs until this process ends, so that it does not outlive the tests. */
const RUN_UNTIL_TESTS_END = `while kill -0 ${process.pid}; do sleep 0.2; done`;

/**
 * Puts a fake `ssh` on the path, which logs its arguments after the preparation.
 * @returns the path of the log
 */
async function fakeSsh(run = RUN_LOCALLY, preparation = ''): Promise<string> {
  const [bin, calls] = [join(folder, 'bin'), join(folder, 'calls')];
  await mkdir(bin);
  const script = `#!/bin/sh\n${preparation}\necho "$@" >> '${calls}'\n${run}\n`;
  await writeFile(join(bin, 'ssh'), script);
  await chmod(join(bin, 'ssh'), 0o755);
  process.env = { ...originalEnvironment, PATH: `${bin}:${originalEnvironment['PATH']}` };
  return calls;
}

describe('a repository behind ssh', () => {
  test.each([
    [{}, ''],
    [{ knownHostsFile: '/etc/hosts-of-git' }, '-o UserKnownHostsFile=/etc/hosts-of-git '],
    [{ privateKeyFile: '/etc/key' }, '-o IdentitiesOnly=yes -i /etc/key '],
  ])('is fetched without questions and from known hosts alone: %j', async (given, options) => {
    const calls = await fakeSsh();
    expect(await defaultCommit({ uri: `ssh://git@example.org:2222${remote.path}`, ...given })).toBe(
      id,
    );
    const call = (await readFile(calls, 'utf8')).split('\n')[0];
    expect(call).toContain('-F none -o BatchMode=yes -o StrictHostKeyChecking=yes ');
    expect(call).toContain(options);
    expect(call).toMatch(/ -p 2222 git@example\.org git-upload-pack '/);
  });

  test('may be written as git@host:path', async () => {
    await fakeSsh();
    expect(await defaultCommit({ uri: `git@example.org:${remote.path}` })).toBe(id);
  });
});

describe('with the git that started it, an ssh is ended', () => {
  test.each([
    ['that survives broken pipes', `trap '' HUP PIPE`],
    ['that closes its pipes and ignores SIGTERM', `trap '' TERM; exec <&- >&- 2>&-`],
  ])('%s', async (_which, preparation) => {
    const calls = await fakeSsh(RUN_UNTIL_TESTS_END, preparation);
    const repository = await open({ uri: 'git@example.org:x' });
    await until('ssh runs', () => readFile(calls).catch(() => undefined));
    await repository.close();
    await until('nothing of git is left', () => processesOf(folder).length === 0);
  });
});

describe('the environment of git', () => {
  test('inherits only what git needs', async () => {
    const mark = join(folder, 'mark');
    const configuration = `[url "/nowhere"]\n insteadOf = /\n[core]\n hooksPath = ${folder}\n`;
    await writeFile(join(folder, '.gitconfig'), configuration);
    await writeFile(join(folder, 'reference-transaction'), `#!/bin/sh\ntouch '${mark}'\n`);
    await chmod(join(folder, 'reference-transaction'), 0o755);
    process.env = {
      ...originalEnvironment,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      GIT_CONFIG_GLOBAL: join(folder, '.gitconfig'),
      GIT_CONFIG_PARAMETERS: `'core.hooksPath=${folder}'`,
      GIT_DIR: join(folder, 'elsewhere'),
      GIT_OBJECT_DIRECTORY: join(folder, 'elsewhere'),
      GIT_SSL_NO_VERIFY: '1',
      GIT_TRACE: join(folder, 'trace'),
      TESSERA_SECRET: 'secret',
    };
    expect(await defaultCommit({ uri: remote.path })).toBe(id);
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
    await expect(readFile(join(folder, 'trace'))).rejects.toThrow('ENOENT');
    const names = Object.keys(localEnvironment('/home'));
    expect(names.filter((name) => /^(TESSERA|XDG)|TRACE|VERIFY|GIT_DIR|PARAM/.test(name))).toEqual(
      [],
    );
    expect(localEnvironment('/home')).toMatchObject({
      HOME: '/home',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'none',
    });
  });

  test.each([
    ['https://example.org/x', 'https'],
    ['http://127.0.0.1/x', 'http'],
    ['git@example.org:x', 'ssh'],
    ['/srv/x', 'file'],
    ['ext::sh -c id', 'none'],
  ])('lets git reach %s by %s alone', (uri, protocol) => {
    const options = Object.assign(new GitSettings(), { uri }).options();
    expect(remoteEnvironment('/home', options)).toMatchObject({ GIT_ALLOW_PROTOCOL: protocol });
  });

  test('without the program git refuses to start, and says so', async () => {
    process.env = { ...originalEnvironment, PATH: folder };
    await expect(defaultCommit({ uri: remote.path })).rejects.toMatchObject({
      code: 'GIT_UNUSABLE',
      message: expect.stringContaining('the program git cannot be run'),
    });
  });
});

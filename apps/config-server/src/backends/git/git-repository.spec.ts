import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { TcpProxy } from '../../../../../test/support/tcp-proxy.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { processesOf } from '../../../../../test/support/process-table.js';
import { until } from '../../../../../test/support/until.js';
import { GitSettings } from '../../settings/git-settings.js';
import { GitRepository } from './git-repository.js';

const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE', message: 'backend git is not available' };
const UNKNOWN = { code: 'LABEL_UNKNOWN' };

let remote: GitRemote;
let clones: string;
let opened: GitRepository[];

beforeEach(async () => {
  [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((repository) => repository.close()));
  await Promise.all([remote.remove(), removeFolder(clones)]);
});

async function open(
  given: Partial<GitSettings> = {},
  servesLastKnown = false,
  continues = false,
): Promise<GitRepository> {
  const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0, ...given };
  const options = Object.assign(new GitSettings(), settings).options(servesLastKnown);
  const repository = await GitRepository.open(options, continues);
  opened.push(repository);
  return repository;
}

async function contentOf(repository: GitRepository, label?: string, path = 'a'): Promise<string> {
  const tree = await repository.commits.tree(await repository.commitOf(label));
  const found = await tree.find(path);
  return (await found?.read())?.toString('utf8') ?? 'none';
}

async function logged(run: () => Promise<void>): Promise<readonly string[]> {
  const lines: string[] = [];
  const write = (line: string): unknown => lines.push(line);
  configureLogging({ application: 'test', levels: { root: 'warn' }, write });
  await run();
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  return lines;
}

/** The directory of the only clone. */
async function cloneDirectory(): Promise<string> {
  return join(clones, (await readdir(clones))[0] ?? '');
}

test('the repository of a reload answers from the clone at once, unless the last fetch has failed', async () => {
  await remote.push({ a: '1' });
  expect(await contentOf(await open())).toBe('1');
  await rename(remote.path, `${remote.path}.gone`);
  const second = await open({}, false, true);
  expect(await contentOf(second)).toBe('1');
  await expect(second.refresh()).rejects.toMatchObject(UNAVAILABLE);
  await expect((await open({}, false, true)).commitOf()).rejects.toMatchObject(UNAVAILABLE);
  expect(await contentOf(await open({}, true, true))).toBe('1');
  await rename(`${remote.path}.gone`, remote.path);
});

describe('a refresh', () => {
  test('sees what was pushed: commits, forced ones too, branches gone, tags moved', async () => {
    await remote.push({ a: '1' });
    await remote.push({ a: 'old' }, { branch: 'topic' });
    await remote.git('tag', 'v1', 'main');
    const repository = await open();
    expect(await contentOf(repository, 'v1')).toBe('1');
    await remote.push({ a: '2' }, { isForced: true });
    await remote.git('tag', '--force', 'v1', 'main');
    await remote.git('branch', '-D', 'topic');
    await remote.push({ a: 'new' }, { branch: 'topic/x' });
    expect(await contentOf(repository)).toBe('1');
    await repository.refresh();
    expect(await contentOf(repository)).toBe('2');
    expect(await contentOf(repository, 'v1')).toBe('2');
    expect(await contentOf(repository, 'topic/x')).toBe('new');
    await expect(repository.commitOf('topic')).rejects.toMatchObject(UNKNOWN);
  });

  test('runs at the interval', async () => {
    await remote.push({ a: '1' });
    const repository = await open({ refresh: 50 });
    expect(await contentOf(repository)).toBe('1');
    await remote.push({ a: '2' });
    await until('the push is seen', async () => (await contentOf(repository)) === '2');
  });

  test('shows one commit or the other, whole, while it runs', async () => {
    const both = (value: number) => ({ a: String(value), b: String(value) });
    await remote.push(both(0));
    const repository = await open();
    const round = { number: 0 };
    const seen: string[] = [];
    const readRepeatedly = async () => {
      while (round.number <= 4) {
        const tree = await repository.commits.tree(await repository.commitOf());
        const [a, b] = await Promise.all([tree.find('a'), tree.find('b')]);
        seen.push([await a?.read(), await b?.read()].join());
      }
    };
    const reading = readRepeatedly();
    while (round.number <= 4) {
      await remote.push(both(round.number));
      await repository.refresh();
      round.number += 1;
    }
    await reading;
    expect(seen.filter((pair) => !/^(\d),\1$/.test(pair))).toEqual([]);
    expect(await contentOf(repository, undefined, 'b')).toBe('4');
  });

  test('of several applications on one clone leaves each of them right', async () => {
    await remote.push({ a: '0' });
    const repositories = await Promise.all([open(), open(), open()]);
    for (let round = 1; round <= 3; round += 1) {
      await Promise.all([
        remote.push({ a: String(round) }),
        remote.push({ a: String(round) }, { branch: `b${round % 2}`, isForced: true }),
      ]);
      await Promise.all(repositories.map((repository) => repository.refresh()));
      const contents = repositories.map((repository) => contentOf(repository));
      expect(await Promise.all(contents)).toEqual(Array(3).fill(String(round)));
    }
  });
});

describe('an unavailable repository', () => {
  test('is reported by every call, from the first failure on until a refresh succeeds', async () => {
    await remote.push({ a: '1' });
    const repository = await open();
    expect(await contentOf(repository)).toBe('1');
    await rename(remote.path, `${remote.path}-away`);
    await expect(repository.refresh()).rejects.toMatchObject(UNAVAILABLE);
    await expect(repository.commitOf()).rejects.toMatchObject(UNAVAILABLE);
    await expect(repository.commitOf('nosuch')).rejects.toMatchObject(UNAVAILABLE);
    await rename(`${remote.path}-away`, remote.path);
    await repository.refresh();
    expect(await contentOf(repository)).toBe('1');
  });

  test('is reported at start, and tried again until it is there', async () => {
    await remote.push({ a: '1' });
    await rename(remote.path, `${remote.path}-away`);
    const repository = await open();
    await expect(repository.commitOf()).rejects.toMatchObject(UNAVAILABLE);
    await rename(`${remote.path}-away`, remote.path);
    await until('it is there', () => contentOf(repository).catch(() => undefined));
  });

  test('makes requests wait until the first fetch has ended', async () => {
    await remote.push({ a: '1' });
    const repository = await open();
    expect(await Promise.all([1, 2, 3].map(() => contentOf(repository)))).toEqual(['1', '1', '1']);
  });
});

describe('an unavailable repository whose last known state is to be served', () => {
  test('is served for every label as it was fetched last, after a start too', async () => {
    await remote.push({ a: '1' });
    await remote.push({ a: 'x' }, { branch: 'feature' });
    const before = await open({}, true);
    expect(await contentOf(before)).toBe('1');
    await rename(remote.path, `${remote.path}-away`);
    await expect(before.refresh()).rejects.toMatchObject(UNAVAILABLE);
    const after = await open({}, true);
    for (const repository of [before, after]) {
      expect(await contentOf(repository)).toBe('1');
      expect(await contentOf(repository, 'feature')).toBe('x');
      await expect(repository.commitOf('nosuch')).rejects.toMatchObject(UNKNOWN);
    }
    await rename(`${remote.path}-away`, remote.path);
    await remote.push({ a: '2' });
    await after.refresh();
    expect(await contentOf(after)).toBe('2');
  });

  test('is unavailable when nothing was ever fetched', async () => {
    await rename(remote.path, `${remote.path}-away`);
    const repository = await open({}, true);
    await expect(repository.commitOf()).rejects.toMatchObject(UNAVAILABLE);
    await rename(`${remote.path}-away`, remote.path);
  });
});

describe('a clone', () => {
  test('is created again where it was damaged or removed', async () => {
    await remote.push({ a: '2' });
    const repository = await open();
    await repository.commitOf();
    const clone = await cloneDirectory();
    const packs = join(clone, 'objects/pack');
    for (const name of await readdir(packs)) {
      await rm(join(packs, name));
      await writeFile(join(packs, name), 'damaged');
    }
    await expect(contentOf(repository)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    const lines = await logged(() => repository.refresh());
    expect(lines).toEqual([expect.stringContaining('"msg":"a damaged clone is created again"')]);
    expect(lines[0]).toMatch(/"message":"git fsck ended with \d+: error: [^"\\]+"/);
    expect(lines[0]?.match(/is too small/g)).toHaveLength(2);
    expect(await contentOf(repository)).toBe('2');
    await rm(clone, { recursive: true });
    await remote.push({ a: '3' });
    await repository.refresh();
    expect(await contentOf(repository)).toBe('3');
  });

  test('loses the locks of processes that were killed', async () => {
    await remote.push({ a: '1' });
    const repository = await open({ timeout: 1_000 });
    await repository.commitOf();
    const lock = join(await cloneDirectory(), 'refs/heads/main.lock');
    await writeFile(lock, '');
    await remote.push({ a: '2' });
    await expect(repository.refresh()).rejects.toMatchObject(UNAVAILABLE);
    await repository.refresh();
    expect(await contentOf(repository)).toBe('2');
  });

  test('that cannot be made is refused at start, naming its directory', async () => {
    const file = join(clones, 'file');
    await writeFile(file, '');
    const refusal = { code: 'GIT_UNUSABLE', message: expect.stringContaining(file) };
    await expect(open({ cloneDirectory: file })).rejects.toMatchObject(refusal);
  });
});

describe('a remote repository that never answers', () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    proxy = new TcpProxy({ port: 0 });
    await proxy.set('hang');
  });
  afterEach(() => proxy.close());

  test('times out', async () => {
    const repository = await open({ uri: `http://127.0.0.1:${proxy.port}/x`, timeout: 1_000 });
    await expect(repository.commitOf()).rejects.toMatchObject(UNAVAILABLE);
    await until('nothing of git is left', () => processesOf(clones).length === 0);
  });

  test('leaves no process behind at shutdown', async () => {
    const repository = await open({ uri: `http://127.0.0.1:${proxy.port}/x` });
    const request = expect(repository.commitOf()).rejects.toMatchObject(UNAVAILABLE);
    await until('the fetch is under way', () => proxy.openConnections > 0);
    expect(processesOf(clones)).not.toEqual([]);
    await repository.close();
    expect(processesOf(clones)).toEqual([]);
    await request;
  });
});

test('closing ends the running reads, and later reads fail', async () => {
  await remote.push({ a: '1' });
  const repository = await open();
  expect(await contentOf(repository)).toBe('1');
  const tree = await repository.commits.tree(await repository.commitOf());
  const found = await tree.find('a');
  expect(processesOf(clones)).not.toEqual([]);
  await repository.close();
  expect(processesOf(clones)).toEqual([]);
  await expect(found?.read()).rejects.toMatchObject(UNAVAILABLE);
  await expect(repository.refresh()).rejects.toThrow();
});

// Recovery of the server after `kill -9`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmbeddedPostgresProcess } from '../../../test/support/embedded-postgres-process.js';
import { initialisedFolder, removeFolder } from '../../../test/support/folders.js';
import { postmasterOf } from '../../../test/support/postmaster.js';
import { query } from '../../../test/support/query.js';
import { until } from '../../../test/support/until.js';
import { isPostmaster } from './data-directory.js';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
import type { Instance } from './instance.js';
import { serverUser } from './programs.js';

let directory: string;
let server: EmbeddedPostgres | undefined;

// One for all: each test ends with a stop, which leaves the data clean.
beforeAll(async () => {
  directory = await initialisedFolder();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

afterAll(() => removeFolder(directory));

async function open(): Promise<EmbeddedPostgres> {
  server = await openEmbeddedPostgres({ directory, durable: false });
  return server;
}

/** Runs `kill -9` and waits until the server is gone. */
async function killPostmaster(): Promise<void> {
  const pid = postmasterOf(directory);
  process.kill(pid, 'SIGKILL');
  const instance = { data: join(directory, 'data') } as Instance;
  await until('the server is gone', async () => !(await isPostmaster(pid, instance)));
}

/** A server with a table, whose owner was killed. */
async function leaveServer(): Promise<void> {
  const owner = await startEmbeddedPostgresProcess(directory);
  await query(owner.url as string, 'drop table if exists kept');
  await query(owner.url as string, 'create table kept as select 7 as n');
  await owner.kill();
}

test('a server whose owner was killed is stopped and replaced, even if its socket is lost', async () => {
  await leaveServer();
  const pid = postmasterOf(directory);
  const socket = join(directory, 'socket/.s.PGSQL.5432');
  await rename(socket, `${socket}.lost`);
  const { url } = await open();
  expect(postmasterOf(directory)).not.toBe(pid);
  expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
});

describe('a server that was killed with its owner starts again with its data', () => {
  const pidFile = (): string => join(directory, 'data/postmaster.pid');

  test('when its process id now belongs to another process', async () => {
    await leaveServer();
    await killPostmaster();
    const user = await serverUser(join(directory, 'data'));
    const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid };
    const other = spawn('sleep', ['60'], { ...identity, cwd: '/' });
    await once(other, 'spawn');
    const [, ...rest] = (await readFile(pidFile(), 'utf8')).split('\n');
    await writeFile(pidFile(), [other.pid, ...rest].join('\n'));
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill();
  });

  test('when its record is empty', async () => {
    await leaveServer();
    await killPostmaster();
    await writeFile(pidFile(), '');
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });
});

// A server that dies while its owner lives: test/faults/crash.spec.ts.
test('a server that dies at the moment of its stop does not start again', async () => {
  const { url, stop } = await open();
  await killPostmaster();
  await stop();
  await expect(query(url, 'select 1')).rejects.toMatchObject({
    // A child of the killed server may hold its socket for a moment.
    code: expect.stringMatching(/ENOENT|ECONNREFUSED|ECONNRESET/),
  });
});

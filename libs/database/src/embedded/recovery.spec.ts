// Recovery of the server after `kill -9`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../connection.js';
import { initialisedFolder, removeFolder } from '../../../../test/support/folders.js';
import {
  type EmbeddedPostgresProcess,
  startEmbeddedPostgresProcess,
} from '../../../../test/support/embedded-postgres-process.js';
import { query } from '../../../../test/support/query.js';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './open.js';
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

function pidFile(): string {
  return join(directory, 'data/postmaster.pid');
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(pidFile(), 'utf8'), 10);
}

/** Runs `kill -9` and waits until the server is gone. */
async function killPostmaster(): Promise<void> {
  const pid = await postmasterPid();
  process.kill(pid, 'SIGKILL');
  const isGone = (): Promise<boolean> =>
    readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text === '',
      () => true,
    );
  while (!(await isGone())) await sleep(10);
}

/** Creates the table that each test expects to find. */
async function createKept({ url }: EmbeddedPostgresProcess): Promise<void> {
  await query(url as string, 'drop table if exists kept');
  await query(url as string, 'create table kept as select 7 as n');
}

/** A server whose owner and whose postmaster were killed. */
async function killBoth(work?: (holder: EmbeddedPostgresProcess) => Promise<void>): Promise<void> {
  const holder = await startEmbeddedPostgresProcess(directory);
  await createKept(holder);
  await work?.(holder);
  await holder.kill();
  await killPostmaster();
}

describe('a server that was killed with its owner', () => {
  test('starts again with its data', async () => {
    await killBoth();
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('starts again when its process id now belongs to another process', async () => {
    await killBoth();
    const user = await serverUser(join(directory, 'data'));
    const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid };
    const other: ChildProcess = spawn('sleep', ['60'], { ...identity, cwd: '/' });
    await once(other, 'spawn');
    const [, ...rest] = (await readFile(pidFile(), 'utf8')).split('\n');
    await writeFile(pidFile(), [other.pid, ...rest].join('\n'));
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill();
  });

  test('starts again while a process of it is still computing', async () => {
    await killBoth(async ({ url }) => {
      // A computation that never checks whether the postmaster has died.
      void query(url as string, 'select count(*) from generate_series(1, 1e12)').catch(() => {});
      const busy = `select from pg_stat_activity where query like 'select count%' and state = 'active'`;
      while ((await query(url as string, busy)).length === 0) await sleep(10);
    });
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('starts again when its record is empty', async () => {
    await killBoth();
    await writeFile(pidFile(), '');
    const { url } = await open();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });
});

describe('a server whose owner was killed', () => {
  test('is replaced when its socket is lost', async () => {
    const holder = await startEmbeddedPostgresProcess(directory);
    await createKept(holder);
    await holder.kill();
    const pid = await postmasterPid();
    const socket = join(directory, 'socket/.s.PGSQL.5432');
    await rename(socket, `${socket}.lost`);
    const { url } = await open();
    expect(await postmasterPid()).not.toBe(pid);
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });
});

describe('a server that dies while its owner lives', () => {
  test('is started again, more than once, and the pool recovers by itself', async () => {
    const { url } = await open();
    const dataSource = await connect({ url, applicationName: 'spec' });
    for (const _death of [1, 2]) {
      const pid = await postmasterPid();
      await killPostmaster();
      for (;;) {
        // A process that has outlived its postmaster may still answer once.
        const answered = await dataSource.query('select').then(
          () => true,
          () => false,
        );
        if (answered && (await postmasterPid()) !== pid) break;
        await sleep(20);
      }
    }
    await dataSource.destroy();
  });

  test('stays away when the owner stops in that moment', async () => {
    const opened = await open();
    await killPostmaster();
    await opened.stop();
    await expect(query(opened.url, 'select 1')).rejects.toMatchObject({
      // A child of the killed server may hold its socket for a moment.
      code: expect.stringMatching(/ENOENT|ECONNREFUSED|ECONNRESET/),
    });
  });
});

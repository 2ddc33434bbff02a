import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { initialisedFolder, removeFolder } from '../../../../test/support/folders.js';
import { startEmbeddedPostgresProcess } from '../../../../test/support/embedded-postgres-process.js';
import { query } from '../../../../test/support/query.js';
import { type EmbeddedPostgres, hasEmbeddedPostgres, openEmbeddedPostgres } from './open.js';

let directory: string;
let servers: EmbeddedPostgres[] = [];

// One for all: each test ends with a stop, which leaves the data clean.
beforeAll(async () => {
  directory = await initialisedFolder();
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

afterAll(() => removeFolder(directory));

async function open(folder = directory): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ directory: folder, durable: false });
  servers.push(server);
  return server;
}

function postmasterPid(): Promise<string> {
  return readFile(join(directory, 'data/postmaster.pid'), 'utf8').then(
    (text) => text.split('\n')[0]!,
  );
}

describe('a running embedded PostgreSQL', () => {
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, stop } = await openEmbeddedPostgres({ directory, durable: false }));
  });

  afterAll(() => stop());

  test('has the documented settings', async () => {
    const settings = `select name, setting from pg_settings where name in ('listen_addresses',
      'server_encoding', 'max_connections', 'TimeZone') order by name`;
    const collation = 'select datcollate from pg_database where datname = current_database()';
    expect(await query(url, settings)).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'listen_addresses', setting: '' },
      { name: 'max_connections', setting: '200' },
      { name: 'server_encoding', setting: 'UTF8' },
    ]);
    expect(await query(url, collation)).toEqual([{ datcollate: 'C' }]);
  });

  test('has a URL that TypeORM understands too', async () => {
    const dataSource = new DataSource({ type: 'postgres', url });
    await dataSource.initialize();
    expect(await dataSource.query('select current_database() as name')).toEqual([
      { name: 'tessera' },
    ]);
    await dataSource.destroy();
  });

  test('is in a process group of its own, which Ctrl-C in a terminal does not reach', async () => {
    const pid = await postmasterPid();
    expect(execFileSync('ps', ['-o', 'pgid=', '-p', pid], { encoding: 'utf8' }).trim()).toBe(pid);
  });
});

describe('an embedded PostgreSQL', () => {
  test('keeps its data over a restart', async () => {
    const first = await open();
    await query(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const second = await open();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('waits for the disk by default', async () => {
    const server = await openEmbeddedPostgres({ directory });
    servers.push(server);
    expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });

  test('has a socket elsewhere when the path of its folder is too long for one', async () => {
    const long = join(directory, 'x'.repeat(100));
    const { url } = await open(long);
    const socket = new URL(url).searchParams.get('host') as string;
    expect(socket).toMatch(/^\/tmp\/tessera-[0-9a-f]{16}$/);
    expect((await lstat(socket)).mode & 0o777).toBe(0o700);
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await servers[0]?.stop();
    await rm(socket, { recursive: true });
  });

  test('works where the path has blanks, quotes, commas and percent signs', async () => {
    const { url } = await open(join(directory, `a b'c,d%41é`));
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('ends its sessions and leaves the data clean when it stops', async () => {
    const server = await open();
    const client = new pg.Client({ connectionString: server.url });
    const lost = new Promise((resolve) => {
      client.on('error', resolve);
    });
    await client.connect();
    await server.stop();
    expect(await lost).toMatchObject({ code: '57P01' });
    await expect(lstat(join(directory, 'data/postmaster.pid'))).rejects.toThrow('ENOENT');
    await server.stop();
  });
});

describe('one directory opened more than once', () => {
  test('is one server, and an attached process does not stop it', async () => {
    const owner = await open();
    const guest = await open();
    expect(guest.url).toBe(owner.url);
    const pid = await postmasterPid();
    await guest.stop();
    expect(await postmasterPid()).toBe(pid);
    expect(await query(owner.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('works at the same moment, from this process and from two others', async () => {
    const [mine, ...others] = await Promise.all([
      open(),
      startEmbeddedPostgresProcess(directory),
      startEmbeddedPostgresProcess(directory),
    ]);
    for (const other of others) expect(other.url).toBe(mine.url);
    expect(await query(mine.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await Promise.all(others.map((other) => other.stop()));
  });

  test('continues under an attached process when the owner stops', async () => {
    const owner = await open();
    const successor = await open();
    await owner.stop();
    await waitUntilAnswering(successor.url);
    await successor.stop();
    await expect(query(successor.url, 'select 1')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is taken over, running, from an owner that was killed', async () => {
    const killed = await startEmbeddedPostgresProcess(directory);
    await query(killed.url as string, 'create table taken as select 7 as n');
    const pid = await postmasterPid();
    await killed.kill();
    const next = await open();
    expect(await postmasterPid()).toBe(pid);
    expect(await query(next.url, 'select n from taken')).toEqual([{ n: 7 }]);
    await next.stop();
    await expect(query(next.url, 'select 1')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Damages the data and returns a function that repairs it. */
type Damage = () => Promise<() => Promise<void>>;

test('a directory that cannot be looked into is named by its whole path', async () => {
  await expect(hasEmbeddedPostgres('package.json')).rejects.toThrow(
    `The PostgreSQL in ${join(process.cwd(), 'package.json')} belongs to another user`,
  );
});

describe('a directory that cannot be opened', () => {
  const cases: readonly [string, Damage, RegExp][] = [
    [
      'another major version, naming both',
      () => overwrite('data/PG_VERSION', '12\n'),
      /PostgreSQL 12.*PostgreSQL 18/,
    ],
    [
      "wrong permissions, in PostgreSQL's own words",
      async () => {
        await chmod(join(directory, 'data'), 0o777);
        return () => chmod(join(directory, 'data'), 0o700);
      },
      /data directory ".*" has invalid permissions/,
    ],
    [
      "a damaged file, in PostgreSQL's own words",
      () => overwrite('data/global/pg_control', 'damaged'),
      /could not read file "global\/pg_control"/,
    ],
    [
      'data that is no folder',
      async () => {
        await rename(join(directory, 'data'), join(directory, 'aside'));
        await writeFile(join(directory, 'data'), '');
        return async () => {
          await rm(join(directory, 'data'));
          await rename(join(directory, 'aside'), join(directory, 'data'));
        };
      },
      /data/,
    ],
  ];
  test.each(cases)('says so: %s', async (_rule, damage, message) => {
    const repair = await damage();
    try {
      await expect(open()).rejects.toMatchObject({
        code: 'EMBEDDED_POSTGRES_FAILED',
        message: expect.stringMatching(message),
      });
    } finally {
      await repair();
    }
  });

  async function overwrite(name: string, content: string): Promise<() => Promise<void>> {
    const path = join(directory, name);
    const before = await readFile(path);
    await writeFile(path, content);
    return () => writeFile(path, before);
  }
});

test('an interrupted initialisation starts again', async () => {
  const interrupted = join(directory, 'interrupted');
  await mkdir(join(interrupted, 'data.unfinished/base'), { recursive: true });
  const { url } = await open(interrupted);
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

async function waitUntilAnswering(url: string): Promise<void> {
  const isAnswering = (): Promise<boolean> =>
    query(url, 'select').then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) await sleep(50);
}

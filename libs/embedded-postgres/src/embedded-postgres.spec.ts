import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { initialisedFolder, removeFolder } from '../../../test/support/folders.js';
import { postmasterOf } from '../../../test/support/postmaster.js';
import { query } from '../../../test/support/query.js';
import { prepareDataDirectory } from './data-directory.js';
import {
  type EmbeddedPostgres,
  hasEmbeddedPostgres,
  openEmbeddedPostgres,
} from './embedded-postgres.js';
import { prepareInstance } from './instance.js';
import { Postmaster } from './postmaster.js';

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

describe('a running embedded PostgreSQL', () => {
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, stop } = await openEmbeddedPostgres({ directory }));
  });

  afterAll(() => stop());

  test('has the documented settings, and waits for the disk by default', async () => {
    const settings = `select name, setting from pg_settings where name in ('listen_addresses',
      'server_encoding', 'max_connections', 'TimeZone', 'fsync') order by name`;
    const collation = 'select datcollate from pg_database where datname = current_database()';
    expect(await query(url, settings)).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'fsync', setting: 'on' },
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

  test('is in a process group of its own, which Ctrl-C in a terminal does not reach', () => {
    const pid = String(postmasterOf(directory));
    expect(execFileSync('ps', ['-o', 'pgid=', '-p', pid], { encoding: 'utf8' }).trim()).toBe(pid);
  });

  test('has one owner; others use it only if they say so, and do not stop it', async () => {
    await expect(openEmbeddedPostgres({ directory })).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: `Another process runs the PostgreSQL on ${directory}/data: stop it, or give this one its database, --database.url='${url}'`,
    });
    const guest = await openEmbeddedPostgres({ directory, shared: true });
    await guest.stop();
    expect(guest.url).toBe(url);
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});

describe('an embedded PostgreSQL', () => {
  test('ends its sessions, leaves the data clean when it stops, and finds them again', async () => {
    const server = await open();
    await query(server.url, 'create table kept as select 7 as n');
    const client = new pg.Client({ connectionString: server.url });
    const lost = new Promise((resolve) => {
      client.on('error', resolve);
    });
    await client.connect();
    await server.stop();
    expect(await lost).toMatchObject({ code: '57P01' });
    await expect(lstat(join(directory, 'data/postmaster.pid'))).rejects.toThrow('ENOENT');
    await server.stop();
    const again = await openEmbeddedPostgres({ directory, durable: false, shared: true });
    servers.push(again);
    expect(again.url).toBe(server.url);
    expect(await query(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('has a socket elsewhere when the path of its folder is too long for one', async () => {
    const long = join(directory, 'x'.repeat(100));
    const { url, stop } = await open(long);
    const socket = new URL(url).searchParams.get('host') as string;
    expect(socket).toMatch(/^\/tmp\/tessera-[0-9a-f]{16}$/);
    expect((await lstat(socket)).mode & 0o777).toBe(0o700);
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await stop();
    await rm(socket, { recursive: true });
  });

  test('works where the path has blanks, quotes, commas and percent signs, after an interrupted initialisation', async () => {
    const path = join(directory, `a b'c,d%41é`);
    await mkdir(join(path, 'data.unfinished/base'), { recursive: true });
    const { url } = await open(path);
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
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

describe('a program of PostgreSQL that fails', () => {
  test.each([
    [
      'with its own words',
      '#!/bin/sh\necho No space left on device >&2; exit 1\n',
      'No space left',
    ],
    ['because it cannot be run', '#!/no/such/interpreter\n', 'ENOENT'],
  ])('is reported %s, and leaves nothing behind', async (_how, script, words) => {
    const program = join(directory, 'program');
    await writeFile(program, script);
    await chmod(program, 0o755);
    const found = await prepareInstance({ directory: join(directory, 'failing') });
    const programs = { ...found.programs, initdb: program, postgres: program };
    const instance = { ...found, programs };
    const failure = {
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining(words),
    };
    await expect(prepareDataDirectory(instance)).rejects.toMatchObject(failure);
    expect((await readdir(instance.home)).filter((name) => name.startsWith('data'))).toEqual([]);
    await mkdir(instance.data, { mode: 0o700 });
    const { user } = instance;
    if (user !== undefined) await chown(instance.data, user.uid, user.gid);
    await expect(new Postmaster(instance).start()).rejects.toMatchObject(failure);
    await rm(instance.data, { recursive: true });
  });
});

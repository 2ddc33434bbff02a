import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { productVersion } from '@tessera/runtime';
import { useProductionTimeouts } from '../../../test/support/database.js';
import { migration, openPrograms, type Programs } from '../../../test/support/migrations.js';
import { query } from '../../../test/support/query.js';
import { connect } from './connection.js';
import { migrate, pendingMigrations, withUnlimitedSession } from './migrate.js';
import { CompatiblePrograms } from './migrations/0024-compatible-programs.js';
import type { MigrationClass } from './migrations/migration.js';
import { readSchema } from './schema-state.js';

useProductionTimeouts();

let programs: Programs;

beforeEach(async () => {
  programs = await openPrograms();
});
afterEach(() => programs.close());

const programWith = (...migrations: MigrationClass[]): Promise<DataSource> =>
  programs.programWith(...migrations);

const FIRST = migration(
  'First0000000000001',
  'create table one (n int)',
  'insert into one values (1)',
);
const SECOND = migration('Second0000000000002', 'insert into one values (2)');
const BROKEN = migration(
  'Broken0000000000003',
  'create table three ()',
  'select no_such_function()',
);
const SLOW = migration('Slow0000000000004', 'select pg_sleep(1.8)');

describe('a role without a right', () => {
  /** A predefined role of PostgreSQL, which may create nothing. */
  const role = 'pg_monitor';

  test.each([
    [
      'may not create tables',
      '',
      'The migration First0000000000001 failed: permission denied for schema public',
    ],
    [
      'may not use the schema',
      'revoke all on schema public from public',
      'The migration First0000000000001 failed: no schema has been selected to create in',
    ],
    [
      'does not own a table',
      `grant create on schema public to ${role};
       create table one (); create table schema_migration (id serial, timestamp bigint, name text);
       grant all on schema_migration to ${role}`,
      'The migration First0000000000001 failed: must be owner of table one',
    ],
  ])('%s: the error says which, and what to do', async (_, rights, reason) => {
    await query(programs.url, rights);
    const url = `${programs.url}&options=-c%20role%3D${role}`;
    const migrations = [migration('First0000000000001', 'alter table one add n int')];
    const dataSource = await connect({ url, applicationName: 'spec', migrations });
    try {
      await expect(migrate(dataSource)).rejects.toMatchObject({
        code: 'MIGRATION_FAILED',
        message: `${reason}. Make the role of database.url the owner of the database ("alter database … owner to …") and of the tables that exist, or let it create tables ("grant usage, create on schema public to …").`,
      });
    } finally {
      await dataSource.destroy();
    }
  });
});

describe('migrate', () => {
  test('runs missing migrations, oldest first, and none twice', async () => {
    const old = await programWith(FIRST);
    expect(await migrate(old)).toEqual(['First0000000000001']);
    const current = await programWith(SECOND, FIRST);
    expect(await pendingMigrations(current)).toEqual(['Second0000000000002']);
    expect(await migrate(current)).toEqual(['Second0000000000002']);
    expect(await migrate(current)).toEqual([]);
    expect(await pendingMigrations(current)).toEqual([]);
    expect(await current.query('select n from one')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('runs each migration once when five nodes start at once on an empty database', async () => {
    const nodes = await Promise.all(Array.from({ length: 5 }, () => programWith(FIRST, SECOND)));
    const ran = await Promise.all(nodes.map((node) => migrate(node)));
    expect(ran.flat()).toEqual(['First0000000000001', 'Second0000000000002']);
    expect(await (nodes[0] as DataSource).query('select n from one')).toHaveLength(2);
  });

  test('names a migration that fails, keeps those before it, and leaves nothing of it', async () => {
    const program = await programWith(FIRST, BROKEN);
    await expect(migrate(program)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringMatching(/Broken0000000000003.*no_such_function/),
    });
    expect(await pendingMigrations(program)).toEqual(['Broken0000000000003']);
    const [found] = await program.query(
      `select to_regclass('one') is not null as one, to_regclass('three') is not null as three`,
    );
    expect(found).toEqual({ one: true, three: false });
  });

  test('gives a migration more time than an ordinary statement has', async () => {
    expect(await migrate(await programWith(SLOW))).toEqual(['Slow0000000000004']);
  });

  test('reports an unavailable database', async () => {
    const program = await programWith(FIRST);
    await programs.drop();
    await expect(migrate(program)).rejects.toMatchObject({ code: expect.anything() });
  });
});

describe('an older program', () => {
  const newer = (compatibleFrom: number) =>
    migration({ name: 'Newer0000000000030', compatibleFrom }, 'create table thirty ()');
  const NEWER_ERROR = {
    code: 'DATABASE_NEWER',
    message: `The database needs a program with migration 0030, such as version ${productVersion()}. This is version ${productVersion()}, with migration 0024.`,
  };

  test('starts on a schema that is newer and compatible, and finds none pending', async () => {
    await migrate(await programWith(FIRST, CompatiblePrograms, newer(24)));
    const older = await programWith(FIRST, CompatiblePrograms);
    expect(await migrate(older)).toEqual([]);
    expect(await pendingMigrations(older)).toEqual([]);
    expect(await readSchema(older)).toMatchObject({
      newestKnown: 24,
      compatibleFrom: 24,
      recorded: [
        { number: 1, compatibleFrom: null, version: null },
        { number: 24, name: 'CompatiblePrograms0000000000024', compatibleFrom: 24 },
        { number: 30, compatibleFrom: 24, version: productVersion() },
      ],
    });
  });

  test('is refused where a newer migration does not serve it, with the version that it needs', async () => {
    await migrate(await programWith(FIRST, CompatiblePrograms, newer(30)));
    const older = await programWith(FIRST, CompatiblePrograms);
    await expect(migrate(older)).rejects.toMatchObject(NEWER_ERROR);
    await expect(pendingMigrations(older)).rejects.toMatchObject(NEWER_ERROR);
  });

  test('is refused where an earlier one of several newer migrations does not serve it', async () => {
    const compatible = migration({ name: 'Next0000000000031', compatibleFrom: 25 });
    await migrate(await programWith(FIRST, CompatiblePrograms, newer(30), compatible));
    const older = await programWith(FIRST, CompatiblePrograms);
    await expect(migrate(older)).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
  });

  test('is refused where nothing is recorded, as before 0024', async () => {
    await migrate(await programWith(FIRST, SECOND));
    await expect(migrate(await programWith(FIRST))).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      message: `The database needs a program with migration 0002. This is version ${productVersion()}, with migration 0001.`,
    });
  });

  test('starts while a newer one migrates', async () => {
    const older = await programWith(FIRST);
    await migrate(older);
    await withUnlimitedSession(older, async (session) => {
      await session.query('select pg_advisory_lock(8377101)');
      expect(await migrate(older)).toEqual([]);
    });
  });
});

describe('withUnlimitedSession', () => {
  test('returns what the work returned, and ends its session', async () => {
    const program = await programWith();
    const pid = await withUnlimitedSession(program, async (session) => {
      const [row] = (await session.query('select pg_backend_pid() as pid')) as [{ pid: number }];
      return row.pid;
    });
    const session = 'select pid from pg_stat_activity where pid = $1';
    while ((await program.query<unknown[]>(session, [pid])).length > 0) await sleep(10);
  });

  test('passes on what the work threw', async () => {
    const program = await programWith();
    const thrown = new Error('of the work');
    await expect(withUnlimitedSession(program, () => Promise.reject(thrown))).rejects.toBe(thrown);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createEmptyDatabase, useProductionTimeouts } from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { connect } from './connection.js';
import { migrate, pendingMigrations, withUnlimitedSession } from './migrate.js';
import type { MigrationClass } from './migrations/index.js';

useProductionTimeouts();

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let open: DataSource[];

beforeEach(async () => {
  database = await createEmptyDatabase();
  open = [];
});

afterEach(async () => {
  await Promise.all(open.map((dataSource) => dataSource.destroy()));
  await database.drop();
});

/** A program that knows these migrations. */
async function programWith(...migrations: MigrationClass[]): Promise<DataSource> {
  const dataSource = await connect({ url: database.url, applicationName: 'spec', migrations });
  open.push(dataSource);
  return dataSource;
}

function migration(name: string, ...statements: string[]): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;
    async up(session: QueryRunner): Promise<void> {
      for (const statement of statements) await session.query(statement);
    }
    async down(): Promise<void> {}
  };
}

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
    await query(database.url, rights);
    const url = `${database.url}&options=-c%20role%3D${role}`;
    const migrations = [migration('First0000000000001', 'alter table one add n int')];
    const dataSource = await connect({ url, applicationName: 'spec', migrations });
    open.push(dataSource);
    await expect(migrate(dataSource)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: `${reason}. Make the role of database.url the owner of the database ("alter database … owner to …") and of the tables that exist, or let it create tables ("grant usage, create on schema public to …").`,
    });
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

  test('refuses a database that is newer than the program', async () => {
    await migrate(await programWith(FIRST, SECOND));
    await expect(migrate(await programWith(FIRST))).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      message: expect.stringContaining('Second0000000000002'),
    });
  });

  test('gives a migration more time than an ordinary statement has', async () => {
    expect(await migrate(await programWith(SLOW))).toEqual(['Slow0000000000004']);
  });

  test('reports an unavailable database', async () => {
    const program = await programWith(FIRST);
    await database.drop();
    await expect(migrate(program)).rejects.toMatchObject({ code: expect.anything() });
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

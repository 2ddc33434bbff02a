import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { migration, openPrograms, type Programs } from '../../../test/support/migrations.js';
import { query } from '../../../test/support/query.js';
import { until } from '../../../test/support/until.js';
import { migrate, pendingMigrations, withUnlimitedSession } from './migrate.js';
import { CompatiblePrograms } from './migrations/0024-compatible-programs.js';
import type { MigrationClass } from './migrations/migration.js';

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

describe('locks', () => {
  const ADD = migration('Add0000000000005', 'alter table one add column added int');

  /** Runs `migrate` while a session of an application has read the table and not ended its transaction. */
  async function migrateBesideReader(waitLimitMs: number | undefined, release: Promise<unknown>) {
    await migrate(await programWith(FIRST));
    const program = await programWith(FIRST, ADD);
    const reader = new pg.Client({ connectionString: programs.url });
    await reader.connect();
    try {
      await reader.query('begin; select from one');
      const migrating = migrate(program, waitLimitMs);
      await Promise.race([release, migrating]);
      await reader.query('commit');
      return await migrating;
    } finally {
      await reader.end();
    }
  }

  const isWaiting = async (): Promise<boolean> => {
    const waiting = 'select from pg_locks where not granted and relation is not null';
    return (await query(programs.url, waiting)).length > 0;
  };

  test('a migration that waits for a table gives up, and is tried again until the table is free', async () => {
    const gaveUp = (async () => {
      await until('it waits for the table', isWaiting);
      await until('it has given up', async () => !(await isWaiting()));
    })();
    expect(await migrateBesideReader(undefined, gaveUp)).toEqual(['Add0000000000005']);
  });

  test('fails when the table is locked until the limit, and says which migration', async () => {
    await expect(migrateBesideReader(0, new Promise(() => {}))).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: 'The migration Add0000000000005 failed: canceling statement due to lock timeout',
    });
  });

  test('fails when another process migrates until the limit', async () => {
    const program = await programWith(FIRST);
    await withUnlimitedSession(program, async (session) => {
      await session.query('select pg_advisory_lock(8377101)');
      await expect(migrate(program, 0)).rejects.toMatchObject({
        code: 'MIGRATION_FAILED',
        message: 'Another process holds the lock of migrations.',
      });
    });
  });
});

describe('a migration without a transaction', () => {
  const INDEX = migration(
    { name: 'Index0000000000026', compatibleFrom: 1, transaction: false },
    'drop index concurrently if exists one_n',
    'create unique index concurrently one_n on one (n)',
  );
  const indexes = () =>
    query(
      programs.url,
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('one_n')`,
    );

  test('that was interrupted has left an invalid index, and begins again', async () => {
    await migrate(await programWith(FIRST, CompatiblePrograms));
    const program = await programWith(FIRST, CompatiblePrograms, INDEX);
    await program.query('insert into one values (1)');
    await expect(migrate(program)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringMatching(/Index0000000000026.*could not create unique index/),
    });
    expect(await indexes()).toEqual([{ valid: false }]);
    expect(await pendingMigrations(program)).toEqual(['Index0000000000026']);
    await program.query('delete from one where ctid = (select max(ctid) from one)');
    expect(await migrate(program)).toEqual(['Index0000000000026']);
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  test('ends beside nodes that wait to migrate', async () => {
    const nodes = await Promise.all(
      Array.from({ length: 5 }, () => programWith(FIRST, CompatiblePrograms, INDEX)),
    );
    const ran = await Promise.all(nodes.map((node) => migrate(node)));
    expect(ran.flat()).toHaveLength(3);
    expect(await indexes()).toEqual([{ valid: true }]);
  });
});

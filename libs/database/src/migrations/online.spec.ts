// Migrations of upgrades do not block requests for longer than a moment.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, QueryRunner } from 'typeorm';
import { createEmptyDatabase } from '../../../../test/support/database.js';
import { FILL_AFTER } from '../../../../test/support/filled-tables.js';
import { runAndFindBlocked } from '../../../../test/support/migration-locks.js';
import { migration } from '../../../../test/support/migrations.js';
import { connect } from '../connection.js';
import { migrate } from '../migrate.js';
import { CompatiblePrograms } from './0024-compatible-programs.js';
import { migrations } from './index.js';
import { numberOf } from './migration.js';

const FIRST_RELEASE = migrations.indexOf(CompatiblePrograms) + 1;
/** Those that upgrades run. */
const later = migrations.slice(FIRST_RELEASE).map((Each) => new Each());

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let dataSource: DataSource;
let session: QueryRunner;

beforeEach(async () => {
  database = await createEmptyDatabase();
  const known = migrations.slice(0, FIRST_RELEASE);
  dataSource = await connect({ url: database.url, applicationName: 'spec', migrations: known });
  session = dataSource.createQueryRunner();
});
afterEach(async () => {
  await session.release();
  await dataSource.destroy();
  await database.drop();
});

/** Tables without rows, which would hide what a migration does to rows. */
async function emptyTables(): Promise<readonly string[]> {
  const tables = (await session.query(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  )) as readonly { readonly name: string }[];
  const empty: string[] = [];
  for (const { name } of tables) {
    const rows = (await session.query(`select from ${name} limit 1`)) as readonly unknown[];
    if (rows.length === 0) empty.push(name);
  }
  return empty;
}

describe('migrations of upgrades', () => {
  test('name the oldest program that works after them, from 0024 on', () => {
    const wrong = [new CompatiblePrograms(), ...later].filter(
      (each) =>
        !(
          each.compatibleFrom !== undefined &&
          each.compatibleFrom >= 24 &&
          each.compatibleFrom <= numberOf(each)
        ),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('work on a filled database, and hold no lock while they work on rows, unless they are offline', async () => {
    await migrate(dataSource);
    await session.query(FILL_AFTER[24] ?? '');
    const blocked: Record<string, readonly string[]> = {};
    for (const each of later) {
      const found = await runAndFindBlocked(each, session);
      if (each.transaction === false) await runAndFindBlocked(each, session);
      if (found.length > 0 && !each.isOffline) blocked[each.name] = found;
      await session.query(FILL_AFTER[numberOf(each)] ?? '');
    }
    expect(blocked).toEqual({});
    expect(await emptyTables()).toEqual([]);
  });
});

describe('the test of migrations', () => {
  const CHECK = `alter table filled add constraint planted check (word <> '') not valid`;
  const VALIDATE = 'alter table filled validate constraint planted';
  const planted = { name: 'Planted0000000000099', compatibleFrom: 24 };

  beforeEach(() =>
    session.query(`
      create table filled (id int primary key, word text, flag boolean not null default true);
      insert into filled select n, 'word' from generate_series(1, 50) as n;
      create table referring as select id from filled;`),
  );

  const blockedBy = (facts: object, statements: readonly string[]) =>
    runAndFindBlocked(new (migration({ ...planted, ...facts }, ...statements))(), session);

  test.each<[string, ...string[]]>([
    ['a nullable column', 'alter table filled add column planted text'],
    ['a constant default', 'alter table filled add column planted int not null default 7'],
    ['a column less', 'alter table filled drop column flag'],
    ['a table that refers to another', 'create table planted (id int references filled)'],
    ['an index of its own table', 'create table planted (n int); create index on planted (n)'],
    ['a check of new rows alone', CHECK],
    ['a change of rows', 'update filled set word = word'],
  ])('accepts %s', async (_, ...statements) => {
    expect(await blockedBy({}, statements)).toEqual([]);
  });

  test.each<[string, string, ...string[]]>([
    [
      'a volatile default',
      'AccessExclusiveLock',
      'alter table filled add column planted float8 default random()',
    ],
    ['another type', 'AccessExclusiveLock', 'alter table filled alter flag type text'],
    ['an index', 'ShareLock', 'create index on filled (word)'],
    [
      'NOT NULL for a column that exists',
      'AccessExclusiveLock',
      'alter table filled alter word set not null',
    ],
    ['a check of all rows in its transaction', 'AccessExclusiveLock', CHECK, VALIDATE],
    [
      'a foreign key',
      'ShareRowExclusiveLock',
      'alter table referring add foreign key (id) references filled',
    ],
    [
      'a change of rows after a lock',
      'AccessExclusiveLock',
      'alter table filled add column planted text',
      'update filled set planted = word',
    ],
  ])('refuses %s', async (_, lock, ...statements) => {
    expect(await blockedBy({}, statements)).toContainEqual(
      expect.stringMatching(new RegExp(`^filled has ${lock} during work on `)),
    );
  });

  test.each<[string, ...string[]]>([
    ['an index that is built concurrently', 'create index concurrently on filled (word)'],
    ['a check of all rows in a transaction of its own', CHECK, VALIDATE],
  ])('accepts %s, without a transaction', async (_, ...statements) => {
    expect(await blockedBy({ transaction: false }, statements)).toEqual([]);
  });

  test('refuses an index that is not built concurrently, without a transaction', async () => {
    expect(await blockedBy({ transaction: false }, ['create index on filled (word)'])).toEqual([
      'filled has ShareLock during work on filled',
    ]);
  });
});

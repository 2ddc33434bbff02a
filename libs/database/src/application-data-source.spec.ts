// What a reload finds in the database: its application migrates nothing.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { openDataSource } from './application-data-source.js';
import { typeOrmOptions } from './connection.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

async function openAfterReload(url = database.url): Promise<void> {
  const options = { ...typeOrmOptions({ url, applicationName: 'spec' }), isFirst: false };
  await (await openDataSource(options)).destroy();
}

const recordNewer = (compatibleFrom: number) =>
  query(
    database.url,
    `insert into schema_migration ("timestamp", name, compatible_from, version)
     values (9000, 'Future0000000009000', ${compatibleFrom}, '9.0.0')`,
  );

test('uses a newer schema that serves this program', async () => {
  await recordNewer(24);
  await openAfterReload();
});

test('refuses a newer schema that does not serve it', async () => {
  await recordNewer(9000);
  await expect(openAfterReload()).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
});

test('refuses a schema with a pending migration, which it does not run', async () => {
  const recorded = `select from schema_migration where "timestamp" = 24`;
  await query(database.url, `delete from schema_migration where "timestamp" = 24`);
  await expect(openAfterReload()).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
  expect(await query(database.url, recorded)).toEqual([]);
});

test('leaves an empty database empty', async () => {
  const empty = await createEmptyDatabase();
  try {
    await expect(openAfterReload(empty.url)).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    expect(await query(empty.url, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
  } finally {
    await empty.drop();
  }
});

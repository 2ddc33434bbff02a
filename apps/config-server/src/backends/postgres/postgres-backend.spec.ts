// Runs the backend on a real PostgreSQL, through a proxy that can refuse connections.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configServerSettings } from '../../../../../test/support/config-server.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { DatabaseProxy } from '../../../../../test/support/tcp-proxy.js';
import { SharedDatabase } from '../../database/shared-database.js';
import {
  describeBackend,
  queryOf,
  type BackendUnderTest,
  type StoredProperties,
} from '../environment-backend.conformance.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { openPostgresBackend } from './open-postgres-backend.js';
import { FIXED_PARTS } from '../../../../../test/support/process-parts.js';

const INSERT = `insert into properties (application, profile, key, value)
  select $1, $2, key, value from json_each_text($3::json)`;

async function openBackend(url: string, defaultLabel = 'main'): Promise<EnvironmentBackend> {
  const settings = await configServerSettings([
    '--config-server.backends=postgres',
    `--database.url=${url}`,
    '--database.pool-size=4',
  ]);
  const shared = new SharedDatabase(settings, FIXED_PARTS);
  const backend = await openPostgresBackend(shared, defaultLabel);
  return Object.assign(backend, { close: () => shared.close() });
}

async function underTest(): Promise<BackendUnderTest> {
  const database = await createTestDatabase();
  const proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
  const backend = await openBackend(proxy.url);
  return {
    backend,
    change: (stored) =>
      database.dataSource.transaction(async (transaction) => {
        await transaction.query('delete from properties');
        for (const { application, profile = '', properties } of stored) {
          await transaction.query(INSERT, [application, profile, JSON.stringify(properties)]);
        }
      }),
    break: () => proxy.set('refuse'),
    repair: () => proxy.set('open'),
    close: async () => {
      await backend.close?.();
      await proxy.close();
      await database.drop();
    },
  };
}

describeBackend('postgres', underTest);

describe('the backend postgres', () => {
  let database: TestDatabase;
  let backend: EnvironmentBackend;
  const put = (rows: readonly (Partial<StoredProperties> & { label?: string; value: string })[]) =>
    database.dataSource.query(
      `insert into properties (application, profile, label, key, value)
        select application, coalesce(profile, ''), coalesce(label, 'main'), 'k', value
        from json_to_recordset($1::json) as
          row(application text, profile text, label text, value text)`,
      [JSON.stringify(rows)],
    );
  const valuesOf = async (label?: string, from = backend) => {
    const { sources } = await from.find(queryOf('a', 'b', label));
    return sources.map(({ name, properties }) => [name, properties.get('k')?.value]);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    backend = await openBackend(database.url);
    await put([
      { application: 'a', profile: 'b', value: 'b of a' },
      { application: 'a-b', value: 'a-b' },
      { application: 'a', value: 'a' },
      { application: 'a', label: 'v2', value: 'a of v2' },
      { application: 'application', profile: 'b', value: 'b of all' },
      { application: 'application', value: 'all' },
    ]);
  });
  afterAll(async () => {
    await backend.close?.();
    await database.drop();
  });

  test('names sources as Spring Cloud Config does', async () => {
    expect(await valuesOf()).toEqual([
      ['a-b', 'b of a'],
      ['application-b', 'b of all'],
      ['a', 'a'],
      ['application', 'all'],
    ]);
  });

  test('has the rows of a label for that label alone', async () => {
    expect(await valuesOf('v2')).toEqual([['a', 'a of v2']]);
    expect(await valuesOf('main')).toEqual(await valuesOf());
  });

  test('has nothing for a label that nobody has written to', async () => {
    const environment = await backend.find(queryOf('a', 'b', 'nosuch'));
    expect(environment).toMatchObject({ version: null, state: null, sources: [] });
  });

  test('keeps sources apart that have one name', async () => {
    await put([
      { application: 'x', profile: 'y-z', value: 'y-z of x' },
      { application: 'x-y', profile: 'z', value: 'z of x-y' },
    ]);
    const { sources } = await backend.find(queryOf('x,x-y', 'y-z,z'));
    expect(sources.map(({ name, properties }) => [name, properties.get('k')?.value])).toEqual([
      ['x-y-z', 'z of x-y'],
      ['x-y-z', 'y-z of x'],
      ['application', 'all'],
    ]);
  });

  test('takes its default label from the settings', async () => {
    const other = await openBackend(database.url, 'v2');
    expect(await valuesOf(undefined, other)).toEqual([['a', 'a of v2']]);
    await other.close?.();
  });

  test('gives keys by their code points, whatever the locale', async () => {
    const keys = ['Z', 'a', 'a.b', 'a[0]', 'a_b', 'ä'];
    await database.dataSource.query(
      `insert into properties (application, key, value)
        select 'sorted', key, '' from unnest($1::text[]) key`,
      [keys.toReversed()],
    );
    const { sources } = await backend.find(queryOf('sorted', 'x'));
    expect([...(sources[0]?.properties.keys() ?? [])]).toEqual(keys);
  });

  test('reads by index alone, and so as fast from a large table', async () => {
    const plan = await database.dataSource.query(
      `explain select application, profile, key, value from properties
        where label = 'main' and application = any ('{a,b}') and profile = any ('{p,q}')`,
    );
    expect(JSON.stringify(plan)).toContain('Index Scan using properties_pkey');
  });

  test.each([
    ['an application', { application: '' }],
    ['a label', { label: '' }],
    ['a key', { key: '' }],
  ])('has no row without %s', async (_what, given) => {
    const { application, label, key } = { application: 'a', label: 'main', key: 'k2', ...given };
    const inserting = database.dataSource.query(
      `insert into properties (application, label, key, value) values ($1, $2, $3, '')`,
      [application, label, key],
    );
    await expect(inserting).rejects.toMatchObject({ code: '23514' });
  });
});

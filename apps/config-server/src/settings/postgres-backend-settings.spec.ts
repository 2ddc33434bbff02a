import { describe, expect, test } from '@jest/globals';
import { isSameDatabase } from '@tessera/database';
import { CoreSettings, Group, loadSettings, Secret } from '@tessera/settings';
import { PostgresBackendSettings } from './postgres-backend-settings.js';
import { databaseNamedBy, formFault, namesSameDatabase } from './postgres-url.js';

class Holder extends CoreSettings {
  backends = ['postgres'];
  @Group(PostgresBackendSettings) readonly postgres = new PostgresBackendSettings();
}

const load = (...argv: readonly string[]) =>
  loadSettings(Holder, { application: 'config-server', env: {}, argv });

test.each([
  [[], 'database.url: is required by the backend postgres outside profile dev'],
  [
    ['--profiles.active=dev', '--config-server.postgres.default-label='],
    'config-server.postgres.default-label: ',
  ],
  [['--database.url='], 'database.url: must be postgresql://'],
  [['--database.url=postgresql://a/b?query_timeout=1'], 'database.url: must not set query_timeout'],
  [['--database.url=mysql://a/b'], 'database.url: must be postgresql://'],
  [['--database.url=postgresql://a:b#c@d/e'], 'database.url: must be postgresql://'],
  [['--profiles.active=dev', '--database.pool-size=1'], 'database.pool-size: '],
])('the settings of PostgreSQL refuse %j', async (argv, message) => {
  await expect(load(...argv)).rejects.toThrow(message);
});

test('a database that no backend uses is not looked at', () => {
  const settings = Object.assign(new Holder(), { backends: ['native'] });
  settings.postgres.databaseUrl = new Secret('mysql://a/b');
  expect([...settings.postgres.check(settings)]).toEqual([]);
});

test('the database is the embedded one in profile dev', async () => {
  const { settings } = await load('--profiles.active=dev');
  expect(settings.postgres).toMatchObject({ databaseUrl: undefined, defaultLabel: 'main' });
});

test('the settings of PostgreSQL are read under their keys', async () => {
  const { settings } = await load(
    '--database.url=postgresql://a/b',
    '--database.pool-size=4',
    '--config-server.postgres.default-label=v2',
  );
  expect(settings.postgres).toMatchObject({ poolSize: 4, defaultLabel: 'v2' });
  expect(settings.postgres.databaseUrl?.reveal()).toBe('postgresql://a/b');
});

test.each([
  ['postgresql://u:secret@db.example.org/orders', 'database orders at db.example.org:5432'],
  ['postgres://db:5433/a?sslmode=disable', 'database a at db:5433'],
  ['postgresql://u:secret@/a?host=/run/postgresql', 'database a at /run/postgresql:5432'],
  ['postgresql:///a', 'database a at localhost:5432'],
  ['postgresql://u:sec ret%zz@db/a', 'database a at db:5432'],
  ['postgresql://u:secret@[::1]/a', 'database a at [::1]:5432'],
  ['postgresql://u@db:1/a?port=2', 'database a at db:2'],
])('%s is the %s in the log', (url, named) => {
  expect(formFault(url)).toBeUndefined();
  expect(databaseNamedBy(url)).toBe(named);
});

describe('two URLs', () => {
  const ONE = 'postgresql://u:old@db/a?sslmode=disable';
  test.each([
    ['another password', 'postgresql://u:n%3Aw@db/a?sslmode=disable'],
    ['another user', 'postgres://v:old@db/a?sslmode=disable'],
    ['both in the query', 'postgresql://db/a?user=v&sslmode=disable&password=x'],
  ])('with %s are of the same database', (_what, other) => {
    expect([namesSameDatabase(ONE, other), isSameDatabase(ONE, other)]).toEqual([true, true]);
  });

  test.each([
    ['another host', ONE, 'postgresql://u:old@db2/a?sslmode=disable'],
    ['another port', ONE, 'postgresql://u:old@db:5433/a?sslmode=disable'],
    ['another port in the query', ONE, `${ONE}&port=5433`],
    ['another database', ONE, 'postgresql://u:old@db/b?sslmode=disable'],
    ['other options', ONE, 'postgresql://u:old@db/a'],
    ['all of it escaped anew', 'postgresql://u:p@%2Frun/a', 'postgresql://u:a b@%2Frun/a'],
    ['another user, whose database it is', 'postgresql://u@db', 'postgresql://v@db'],
  ])('with %s are of two', (_what, one, other) => {
    expect([namesSameDatabase(one, other), isSameDatabase(one, other)]).toEqual([false, false]);
  });
});

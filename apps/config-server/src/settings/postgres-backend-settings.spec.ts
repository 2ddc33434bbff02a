import { describe, expect, test } from '@jest/globals';
import { isSameDatabase } from '@tessera/database';
import { CoreSettings, Group, loadSettings, Secret } from '@tessera/settings';
import { PostgresBackendSettings } from './postgres-backend-settings.js';
import { databaseNamedBy, isPostgresUrl, namesSameDatabase } from './postgres-url.js';

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
  ['postgresql://u:sec ret%zz@[::1]/a', 'database a at [::1]:5432'],
  ['postgresql://u@db:1/a?port=2', 'database a at db:2'],
])('%s is the %s in the log', (url, named) => {
  expect(isPostgresUrl(url)).toBe(true);
  expect(databaseNamedBy(url)).toBe(named);
});

describe('two URLs', () => {
  const ONE = 'postgresql://u:old@db/a?sslmode=disable';
  test.each([
    ['another password', 'postgresql://u:n%3Aw@db/a?sslmode=disable'],
    ['another user and port as it is', 'postgres://v:old@db:5432/a?sslmode=disable'],
    ['other options', 'postgresql://u:old@db/a'],
    ['the host in the query', 'postgresql://u:old@elsewhere/a?host=db'],
  ])('with %s are of the same database', (_what, other) => {
    expect([namesSameDatabase(ONE, other), isSameDatabase(ONE, other)]).toEqual([true, true]);
  });

  test.each([
    ['another host', ONE, 'postgresql://u:old@db2/a'],
    ['another port', ONE, 'postgresql://u:old@db:5433/a'],
    ['another port in the query', ONE, 'postgresql://u:old@db/a?port=5433'],
    ['another database', ONE, 'postgresql://u:old@db/b'],
    ['another user, whose database it is', 'postgresql://u@db', 'postgresql://v@db'],
  ])('with %s are of two, for the driver too', (_what, one, other) => {
    expect([namesSameDatabase(one, other), isSameDatabase(one, other)]).toEqual([false, false]);
  });
});

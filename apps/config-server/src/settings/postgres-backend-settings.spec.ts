import { expect, test } from '@jest/globals';
import { CoreSettings, Group, loadSettings, Secret } from '@tessera/config';
import { PostgresBackendSettings } from './postgres-backend-settings.js';

class Holder extends CoreSettings {
  backends = ['postgres'];
  @Group(PostgresBackendSettings) readonly postgres = new PostgresBackendSettings();
}

const load = (...argv: readonly string[]) =>
  loadSettings(Holder, { application: 'config-server', env: {}, argv });

test.each([
  [[], 'database.url: is required by the backend postgres except in profile dev'],
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

// A failed start closes all resources that it opened, and a shutdown closes the database last.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ReloadableSettings } from '@tessera/config';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { createEmptyDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { query } from '../support/query.js';
import { until } from '../support/until.js';
import { type HostedSso, hostSso } from '../support/sso.js';

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

beforeEach(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'config'));
  await mkdir(join(folder, 'services'));
  await writeFile(join(folder, 'services', 'broken.json'), '{');
  await writeFile(join(folder, 'broken.pem'), 'no certificate');
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await database.drop();
  await removeFolder(folder);
});

async function start(
  settings: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): Promise<unknown> {
  const given = {
    'profiles.active': 'dev',
    'application.name': 'failing',
    'database.url': database.url,
    'sso.services.import': '',
    'management.port': '0',
    ...settings,
  };
  const live = await ReloadableSettings.load(SsoSettings, {
    application: 'sso',
    env: {},
    directory: folder,
    credentialDirectories: [],
    argv: Object.entries(given)
      .filter(([key]) => !without.includes(key))
      .map(([key, value]) => `--${key}=${value.replaceAll('FOLDER', folder)}`),
  });
  return hostSso(live).catch((error: unknown) => error);
}

/** Sessions and advisory locks of the application. */
async function openSessionsAndLocks(): Promise<readonly unknown[]> {
  const sessions = `select 'session' as what from pg_stat_activity where application_name = 'failing'`;
  const locks = `select 'lock' from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  return query(database.url, `${sessions} union all ${locks}`);
}

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'the services that it imports',
    { 'sso.services.import': 'FOLDER/services' },
    /broken\.json is refused/,
  ],
  ['a directory of services', { 'sso.services.import': 'FOLDER/none' }, /FOLDER\/none|none/],
  [
    'the CA file of module rest-x509',
    { 'sso.modules': 'rest,rest-x509', 'sso.rest.x509.ca-file': 'FOLDER/broken.pem' },
    /sso\.rest\.x509\.ca-file/,
  ],
  [
    'the CA file of the LDAP server',
    {
      'sso.authentication.handlers': 'accounts,ldap',
      'sso.authentication.ldap.urls': 'ldaps://127.0.0.1:9',
      'sso.authentication.ldap.ca-file': 'FOLDER/none.pem',
      'sso.authentication.ldap.user-dn': 'uid={0},dc=example',
    },
    /none\.pem/,
  ],
  [
    'the CA file of the LDAP server that attributes come from',
    {
      'sso.authentication.attributes-from': 'ldap',
      'sso.authentication.ldap.urls': 'ldaps://127.0.0.1:9',
      'sso.authentication.ldap.ca-file': 'FOLDER/none.pem',
      'sso.authentication.ldap.base-dn': 'dc=example',
      'sso.authentication.ldap.filter': '(uid={0})',
    },
    /none\.pem/,
  ],
  [
    'its certificate',
    {
      'sso.tls.certificate-file': 'FOLDER/broken.pem',
      'sso.tls.key-file': 'FOLDER/broken.pem',
      'sso.base-url': 'https://localhost/cas',
    },
    /sso\.tls/,
  ],
])('a start that fails for %s leaves nothing open', async (_what, settings, reason) => {
  expect(String(await start(settings))).toMatch(reason);
  await until('nothing is left', async () => (await openSessionsAndLocks()).length === 0);
});

test('a start without a database says what to do', async () => {
  expect(String(await start({}, ['database.url']))).toContain(
    'There is no database: set database.url, or run this with `tessera start`',
  );
});

test('a start that fails while it migrates leaves nothing open', async () => {
  await query(database.url, 'create table user_account (of_another_program int)');
  expect(String(await start({}))).toMatch(/migration|user_account/i);
  await until('nothing is left', async () => (await openSessionsAndLocks()).length === 0);
});

test('a shutdown waits for the renewal of a password hash, and then closes the database', async () => {
  const sso = (await start({ 'sso.authentication.handlers': 'accounts' })) as HostedSso;
  const digest = createHash('sha1').update('Mellonsaltsalt').digest();
  const hash = `{SSHA}${Buffer.concat([digest, Buffer.from('saltsalt')]).toString('base64')}`;
  await query(
    database.url,
    `insert into user_account (name, password_hash, attributes) values ('jane', '${hash}', '{}')`,
  );
  const form = { username: 'jane', password: 'Mellon' };
  const { status } = await http('POST', `${sso.address}/cas`, '/v1/tickets', { form });
  await sso.close();
  const stored = await query(
    database.url,
    'select left(password_hash, 9) as hash from user_account',
  );
  expect([status, stored]).toEqual([201, [{ hash: '$argon2id' }]]);
  // PostgreSQL ends a session shortly after its connection is closed.
  await until('nothing is left', async () => (await openSessionsAndLocks()).length === 0);
});

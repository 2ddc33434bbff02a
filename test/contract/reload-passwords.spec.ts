// Passwords of the database and of the directory that change while the SSO application serves.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ReloadableSettings } from '@tessera/config';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseRole } from '../support/database-role.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { query } from '../support/query.js';
import { type HostedSso, hostSso, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

describe('the database credentials', () => {
  let folder: string;
  let database: TestDatabase;
  let role: DatabaseRole;
  let other: DatabaseRole;
  let hosted: HostedSso;

  const give = (databaseUrl: string) =>
    writeFile(join(folder, 'config/sso.yml'), JSON.stringify({ 'database.url': databaseUrl }));
  const login = () =>
    http('POST', `${hosted.address}/cas`, '/v1/tickets', {
      form: { username: 'casuser', password: 'Mellon' },
    });
  /** The status of a login that needs a new connection. */
  const loginAnew = async (): Promise<number> => {
    const now = Date.now();
    await until('the old connections have ended', async () => {
      await role.endIdleSessions();
      return (await role.sessions()).every(({ began }) => began > now);
    });
    return (await login()).status;
  };
  /** On a busy machine, a connection may take longer than a request waits for it. */
  const untilLoggedInAnew = () =>
    until('a login by a new connection', async () => (await loginAnew()) === 201);

  beforeAll(async () => {
    folder = await makeFolder();
    await mkdir(join(folder, 'config'));
    database = await createTestDatabase();
    role = await DatabaseRole.create(database.url);
    other = await DatabaseRole.create(database.url);
    await give(role.url());
    const live = await ReloadableSettings.load(SsoSettings, {
      application: 'sso',
      env: {},
      directory: folder,
      argv: ['--profiles.active=dev', '--sso.services.import=', '--management.port=0'],
    });
    hosted = await hostSso(live);
  });
  afterAll(async () => {
    await hosted.close();
    await Promise.all([role.drop(), other.drop()]);
    await database.drop();
    await removeFolder(folder);
  });

  test.each<[string, () => string, RegExp]>([
    [
      'a password that PostgreSQL refuses',
      () => role.url('wrong-secret'),
      /^The database refuses user or password \(SQLSTATE 28P01\)/,
    ],
    [
      'a host that is away',
      () => role.url().replace(/host=[^&]*/, 'host=db.invalid'),
      /^The database is not available/,
    ],
    [
      'a database that does not exist',
      () => role.url().replace(/\/test_\w+/, '/another'),
      /^The database does not exist/,
    ],
    ['a user who may not use the tables', () => other.url(), /must own them/],
  ])('stay with %s, and the reload says why', async (_what, given, problem) => {
    await query(database.url, `alter role ${other.name} nosuperuser`);
    await give(given());
    expect(await hosted.reload()).toEqual({ problems: [expect.stringMatching(problem)] });
    await untilLoggedInAnew();
  });

  test('are read again when PostgreSQL refuses them, and the next requests succeed', async () => {
    await role.changePassword();
    await give(role.url());
    expect(await loginAnew()).toBe(503);
    await until('the settings are read again', async () => (await login()).status === 201);
  });

  test('change to another password, and to another user', async () => {
    await role.changePassword();
    await give(role.url());
    expect(await hosted.reload()).toEqual({ changed: ['database.url'], restart: [] });
    await untilLoggedInAnew();
    await query(database.url, `alter role ${other.name} superuser`);
    await give(other.url());
    expect(await hosted.reload()).toEqual({ changed: ['database.url'], restart: [] });
    expect((await login()).status).toBe(201);
    expect(await other.sessions()).not.toEqual([]);
  });
});

describeWithSlapd('the password of the account that searches the directory', () => {
  const KEY = 'sso.authentication.ldap.bind-password';
  let slapd: Slapd;
  let sso: Sso;

  beforeAll(async () => {
    slapd = await Slapd.start({ entries: [person('alice')] });
    sso = await startSso({
      settings: [
        '--sso.authentication.handlers=ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        // Bound before the password changes; a second one might be refused until the settings follow.
        '--sso.authentication.ldap.pool-size=1',
      ],
      files: { 'sso.yml': JSON.stringify({ [KEY]: SERVICE_ACCOUNT.password }) },
    });
  });
  afterAll(async () => {
    await sso.close();
    await slapd.remove();
  });

  test('changes under load, and every login is well', async () => {
    const over = new AbortController();
    let served = 0;
    const work = async (): Promise<void> => {
      for (; !over.signal.aborted; served += 1) await sso.login('alice', PASSWORD);
    };
    const workers = Promise.all([work(), work(), work()]);
    const goOn = async (): Promise<void> => {
      const before = served;
      await until('logins go on', () => served >= before + 10);
    };
    await goOn();
    const password = 'another';
    await slapd.changePassword(SERVICE_ACCOUNT.dn, password);
    await goOn();
    expect(await sso.reconfigure({ [KEY]: password })).toEqual({ changed: [KEY], restart: [] });
    await goOn();
    over.abort();
    await workers;
  });
});

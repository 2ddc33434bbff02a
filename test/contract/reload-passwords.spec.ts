// Passwords of the database and of the directory that change while the SSO application serves.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ReloadableSettings } from '@tessera/config';
import { SsoSettings } from '../../apps/sso/src/settings.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseRole } from '../support/database-role.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { query } from '../support/query.js';
import { type HostedSso, hostSso, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

describe('the login on the database', () => {
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
  /** What a request is answered that finds none of the sessions there were. */
  const loginAnew = async (): Promise<number> => {
    const now = Date.now();
    await until('they have ended', async () => {
      await role.endIdleSessions();
      return (await role.sessions()).every(({ began }) => began > now);
    });
    return (await login()).status;
  };

  beforeAll(async () => {
    folder = await makeFolder();
    await mkdir(join(folder, 'config'));
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await removeFolder(folder);
  });
  beforeEach(async () => {
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
  afterEach(async () => {
    await hosted.close();
    await Promise.all([role.drop(), other.drop()]);
  });

  test.each([
    [
      'a password that PostgreSQL refuses',
      () => role.url('wrong-secret'),
      /^The database refuses user or password \(SQLSTATE 28P01\)/,
    ],
    [
      'a URL of something else',
      () => role.url('wrong-secret').replace('postgresql:', 'mysql:'),
      /^database\.url: must be postgresql:\/\//,
    ],
    [
      'a limit of time in it',
      () => `${role.url()}&statement_timeout=1`,
      /^database\.url: must not set statement_timeout/,
    ],
  ])('stays with %s, and the reload says why', async (_what, given, problem) => {
    await give(given());
    expect(await hosted.reload()).toEqual({ problems: [expect.stringMatching(problem)] });
    expect(await loginAnew()).toBe(201);
  });

  test.each([
    ['a host that is away', (good: string) => good.replace(/host=[^&]*/, 'host=db.invalid')],
    ['a database that does not exist', (good: string) => good.replace(/\/test_\w+/, '/another')],
    ['a schema without the tables', (good: string) => `${good}&options=-csearch_path%3Dx`],
  ])('stays with %s', async (_what, change) => {
    await give(change(role.url()));
    expect(await hosted.reload()).toHaveProperty('problems');
    expect(await loginAnew()).toBe(201);
  });

  test("stays while the user may not use the tables, which are another one's", async () => {
    await query(database.url, `alter role ${other.name} nosuperuser`);
    await give(other.url());
    const problem = /^The database user may not use the tables: it must own them/;
    expect(await hosted.reload()).toEqual({ problems: [expect.stringMatching(problem)] });
    expect(await loginAnew()).toBe(201);
  });

  test('goes over to another password, which all new sessions begin with', async () => {
    await role.changePassword();
    await give(role.url());
    expect(await hosted.reload()).toEqual({ changed: ['database.url'], restart: [] });
    expect(await loginAnew()).toBe(201);
  });

  test('goes over to another user', async () => {
    await give(other.url());
    expect(await hosted.reload()).toEqual({ changed: ['database.url'], restart: [] });
    expect((await login()).status).toBe(201);
    expect(await other.sessions()).not.toEqual([]);
  });

  test('is read again when PostgreSQL refuses it, and the next requests succeed', async () => {
    await role.changePassword();
    await give(role.url());
    expect(await loginAnew()).toBe(503);
    await until('it is read again', async () => (await login()).status === 201);
  });
});

describeWithSlapd('the password of the account that searches the directory', () => {
  const KEY = 'sso.authentication.ldap.bind-password';
  let slapd: Slapd;
  let sso: Sso;
  let password = SERVICE_ACCOUNT.password;

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
      files: { 'sso.yml': JSON.stringify({ [KEY]: password }) },
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
    for (const change of [1, 2, 3]) {
      await goOn();
      password = `another ${change}`;
      await slapd.changePassword(SERVICE_ACCOUNT.dn, password);
      await goOn();
      expect(await sso.reconfigure({ [KEY]: password })).toEqual({ changed: [KEY], restart: [] });
    }
    await goOn();
    over.abort();
    await workers;
  });
});

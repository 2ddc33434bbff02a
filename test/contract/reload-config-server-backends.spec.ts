// Reloads of a config server whose backend is a database: another URL, refused and unavailable databases, and the last known
// answers, which outlive a reload.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReloadOutcome } from '@tessera/config';
import {
  startConfigServerFromFile,
  type ReloadableConfigServer,
} from '../support/config-server.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { DatabaseRole } from '../support/database-role.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { query } from '../support/query.js';
import { until } from '../support/until.js';

const CHANGED: ReloadOutcome = { changed: ['database.url'], restart: [] };

let folder: string;
let database: TestDatabase;
let role: DatabaseRole;
let other: DatabaseRole;
let server: ReloadableConfigServer;
let questions = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.dataSource.query(
    `insert into properties (application, key, value) values ('orders', 'k', 'v')`,
  );
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await makeFolder();
  role = await DatabaseRole.create(database.url);
  other = await DatabaseRole.create(database.url);
});
afterEach(async () => {
  await server.close();
  await Promise.all([role.drop(), other.drop()]);
  await removeFolder(folder);
});

const settings = (url: string, others: object = {}): object => ({
  'config-server.backends': 'postgres',
  'database.url': url,
  ...others,
});
const reload = (url: string): Promise<ReloadOutcome> => server.reload(settings(url));
/** Another environment each time: answers are cached for a while. */
async function ask(): Promise<number> {
  questions += 1;
  const { status, body } = await http('GET', server.url, `/orders/profile${questions}`);
  if (status === 200) expect(body).toContain('"source":{"k":"v"}');
  return status;
}
const untilServed = () => until('it is served', async () => (await ask()) === 200);

/** The status of a request that needs a new session. */
async function askAnew(): Promise<number> {
  await until('they have ended', async () => {
    await role.endIdleSessions();
    return (await role.sessions()).length === 0;
  });
  return ask();
}

describe('a reload with another database URL', () => {
  beforeEach(async () => {
    server = await startConfigServerFromFile(folder, settings(role.url()));
    await untilServed();
  });

  test('is refused where the database cannot be used, and the reload says why', async () => {
    await query(database.url, `alter role ${other.name} nosuperuser`);
    const refused: [string, RegExp][] = [
      [role.url('wrong-secret'), /^The database refuses user or password \(SQLSTATE 28P01\)/],
      [role.url().replace(/\/test_\w+/, '/another'), /^The database does not exist/],
      [other.url(), /permission denied/],
    ];
    for (const [url, problem] of refused) {
      expect(await reload(url)).toEqual({ problems: [expect.stringMatching(problem)] });
      expect(await askAnew()).toBe(200);
    }
  });

  test('uses another password, or another user, and the sessions before end', async () => {
    await role.changePassword();
    expect(await reload(role.url())).toEqual(CHANGED);
    expect(await askAnew()).toBe(200);
    expect(await reload(other.url())).toEqual(CHANGED);
    expect(await ask()).toBe(200);
    await until('they end', async () => (await role.sessions()).length === 0);
    expect(await other.sessions()).not.toEqual([]);
  });

  test('is requested by the server when PostgreSQL refuses its password', async () => {
    await role.changePassword();
    expect(await askAnew()).toBe(503);
    await server.write(settings(role.url()));
    await untilServed();
  });
});

test('a server whose database refused it at its start reads the database of a reload', async () => {
  server = await startConfigServerFromFile(folder, settings(role.url('wrong-secret')));
  expect(await ask()).toBe(503);
  expect(await reload(role.url())).toEqual(CHANGED);
  await untilServed();
});

test('a reload while the database is unavailable succeeds, and keeps the last known answers of unchanged backends', async () => {
  const proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
  const given = (others: object) =>
    settings(proxy.url, { 'config-server.when-unavailable': 'last-known-good', ...others });
  const known = async (): Promise<number> =>
    (await http('GET', server.url, '/orders/known')).status;
  server = await startConfigServerFromFile(folder, given({}));
  await until('it is served', async () => (await known()) === 200);
  await proxy.set('refuse');
  proxy.cut();
  const client = { 'config-server.overrides': { k: 'v' } };
  expect(await server.reload(given(client))).toMatchObject({ restart: [] });
  expect([await known(), await ask()]).toEqual([200, 503]);
  const otherPool = { 'database.pool-size': 3 };
  expect(await server.reload(given(otherPool))).toMatchObject({ restart: [] });
  expect(await known()).toBe(503);
  await proxy.close();
});

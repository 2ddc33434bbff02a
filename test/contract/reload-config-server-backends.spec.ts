// What a reload of the config server changes of its backends while it serves: the login on the database. A request that is
// refused its session by PostgreSQL has the settings read anew, and is served.
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

const settings = (url: string): object => ({
  'config-server.backends': 'postgres',
  'database.url': url,
});
const reload = (url: string): Promise<ReloadOutcome> => server.reload(settings(url));
/** What was not asked before: answers are kept for a while. */
async function ask(): Promise<number> {
  questions += 1;
  const { status, body } = await http('GET', server.url, `/orders/profile${questions}`);
  if (status === 200) expect(body).toContain('"source":{"k":"v"}');
  return status;
}
const untilServed = () => until('it is served', async () => (await ask()) === 200);

/** What a request is answered that finds none of the sessions there were. */
async function askAnew(): Promise<number> {
  await until('they have ended', async () => {
    await role.endIdleSessions();
    return (await role.sessions()).length === 0;
  });
  return ask();
}

describe('the login on the database', () => {
  beforeEach(async () => {
    server = await startConfigServerFromFile(folder, settings(role.url()));
    await untilServed();
  });

  test('stays with one that PostgreSQL refuses, and the reload says why', async () => {
    const problem = expect.stringContaining(
      'database.url: the database refuses user or password (SQLSTATE 28P01)',
    );
    expect(await reload(role.url('wrong-secret'))).toEqual({ problems: [problem] });
    expect(await askAnew()).toBe(200);
  });

  test.each([
    ['another host', (good: string) => good.replace(/host=[^&]*/, 'host=db.internal')],
    ['another database', (good: string) => good.replace(/\/test_\w+/, '/another')],
    ['other options', (good: string) => `${good}&options=-csearch_path%3Dx`],
  ])('stays with %s until a restart', async (_what, change) => {
    expect(await reload(change(role.url()))).toEqual({ ...CHANGED, restart: ['database.url'] });
    expect(await askAnew()).toBe(200);
  });

  test('stays while the user may not read the table', async () => {
    await query(database.url, `alter role ${other.name} nosuperuser`);
    const problem = expect.stringContaining('database.url: the user may not read the tables');
    expect(await reload(other.url())).toEqual({ problems: [problem] });
    expect(await askAnew()).toBe(200);
  });

  test('goes over to another password, which all new sessions begin with', async () => {
    await role.changePassword();
    expect(await reload(role.url())).toEqual(CHANGED);
    expect(await askAnew()).toBe(200);
  });

  test('goes over to another user, and the sessions of the one before end', async () => {
    expect(await reload(other.url())).toEqual(CHANGED);
    expect(await ask()).toBe(200);
    await until('they end', async () => (await role.sessions()).length === 0, 5_000);
    expect(await other.sessions()).not.toEqual([]);
  });

  test('is requested again by the request that PostgreSQL refuses, and that request succeeds', async () => {
    await role.changePassword();
    await server.write(settings(role.url()));
    expect(await askAnew()).toBe(200);
  });

  test('is 503 for an unknown certificate while the database is unavailable', async () => {
    await role.changePassword();
    expect(await askAnew()).toBe(503);
    await server.write(settings(role.url()));
    await untilServed();
  });
});

describe('a database that the server has not reached yet', () => {
  test('is reached with the login of a reload', async () => {
    server = await startConfigServerFromFile(folder, settings(role.url('wrong-secret')));
    expect(await ask()).toBe(503);
    expect(await reload(role.url())).toEqual(CHANGED);
    await untilServed();
  });

  test('is reached with the login of a reload that comes during an attempt with another', async () => {
    const proxy = new DatabaseProxy(database.url);
    await proxy.set('hang');
    const through = (from: DatabaseRole): string => {
      const { port, pathname, search } = new URL(proxy.url);
      return `postgresql://${from.name}:${from.password}@127.0.0.1:${port}${pathname}${search}`;
    };
    server = await startConfigServerFromFile(folder, settings(through(role)));
    await until('an attempt is under way', () => proxy.openConnections > 0);
    expect(await reload(through(other))).toEqual(CHANGED);
    await proxy.set('open');
    proxy.cut();
    await untilServed();
    expect(await other.sessions()).not.toEqual([]);
    await until('only the new one is there', async () => (await role.sessions()).length === 0);
    await proxy.close();
  });
});

// A backend whose database is not available at start, or does not fit.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configServerSettings } from '../../../../../test/support/config-server.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  useProductionTimeouts,
} from '../../../../../test/support/database.js';
import { FIXED_PARTS } from '../../../../../test/support/process-parts.js';
import { DatabaseProxy } from '../../../../../test/support/tcp-proxy.js';
import { until } from '../../../../../test/support/until.js';
import { SharedDatabase } from '../../database/shared-database.js';
import { queryOf } from '../environment-backend.conformance.js';
import type { BackendEnvironment, EnvironmentBackend } from '../environment-backend.js';
import { openPostgresBackend } from './open-postgres-backend.js';

useProductionTimeouts();

const UNKNOWN_MIGRATION = `insert into schema_migration ("timestamp", name) values (9999, 'Future0000000000009999')`;

let database: { readonly url: string; drop(): Promise<void> };
let proxy: DatabaseProxy;
let shared: SharedDatabase;
let backend: EnvironmentBackend;

beforeEach(async () => {
  database = await createEmptyDatabase();
  proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
});
afterEach(async () => {
  await shared.close();
  await proxy.close();
  await database.drop();
});

async function open(url: string): Promise<void> {
  const settings = await configServerSettings([
    '--config-server.backends=postgres',
    `--database.url=${url}`,
    '--database.pool-size=2',
  ]);
  shared = new SharedDatabase(settings, FIXED_PARTS);
  backend = await openPostgresBackend(shared, 'main');
}

const find = (): Promise<BackendEnvironment> => backend.find(queryOf('a', 'p'));
const findError = (): Promise<unknown> => find().catch((error: unknown) => error);
const isAvailable = (): Promise<boolean> =>
  find().then(
    () => true,
    () => false,
  );

/** The messages of an error and its causes, as the log has them. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  return [
    code === undefined ? error.message : `${code}: ${error.message}`,
    ...messagesOf(error.cause),
  ];
}

describe('a database that is not available when the server starts', () => {
  test.each(['refuse', 'hang'] as const)(
    'does not delay the start, and is migrated once it is available (the network: %s)',
    async (state) => {
      await proxy.set(state);
      await open(proxy.url);
      const messages = await until('the first attempt has failed', async () => {
        const lines = messagesOf(await findError());
        return lines.some((each) => each.startsWith('DATABASE_UNAVAILABLE')) && lines;
      });
      expect(messages.slice(0, 3)).toEqual([
        'BACKEND_UNAVAILABLE: backend postgres is not available',
        `cannot query the database ${new URL(proxy.url).pathname.slice(1)} at 127.0.0.1:${proxy.port}`,
        'DATABASE_UNAVAILABLE: The database is not available.',
      ]);
      await proxy.set('open');
      proxy.cut();
      await until('the database answers', isAvailable);
      expect((await find()).sources).toEqual([]);
    },
  );

  test.each(['refuse', 'hang'] as const)(
    'does not delay the shutdown (the network: %s)',
    async (state) => {
      await proxy.set(state);
      await open(proxy.url);
      const pending = findError();
      await shared.close();
      expect(messagesOf(await pending)).toContain(
        'DATABASE_UNAVAILABLE: The database is not available.',
      );
    },
  );

  test('is not connected to once the server has ended', async () => {
    await proxy.set('hang');
    await open(proxy.url);
    await until('an attempt is under way', () => proxy.openConnections > 0);
    await shared.close();
    await proxy.set('open');
    proxy.cut();
    await findError();
    await until('nothing is open', () => proxy.openConnections === 0);
    expect(await isAvailable()).toBe(false);
  });
});

describe('an unsuitable database', () => {
  test.each([
    [
      'is not there',
      (url: string) => url.replace(/\/empty_\w+/, '/nosuch'),
      'DATABASE_REFUSED: The database does not exist: create it by "create database … owner …" (SQLSTATE 3D000).',
    ],
    [
      'knows no such user',
      (url: string) => url.replace('postgres@', 'nobody:hunter2@'),
      'DATABASE_REFUSED: The database refuses user or password (SQLSTATE 28000).',
    ],
  ])('is BACKEND_UNAVAILABLE, and the log has the reason: it %s', async (_what, change, reason) => {
    await open(change(proxy.url));
    const messages = messagesOf(await findError());
    expect(messages).toContain(reason);
    expect(messages.join('\n')).toContain(`at 127.0.0.1:${proxy.port}`);
    expect(messages.join('\n')).not.toContain('hunter2');
  });

  test('is BACKEND_UNAVAILABLE while its schema serves newer programs alone', async () => {
    await database.drop();
    const migrated = await createTestDatabase();
    database = migrated;
    await migrated.dataSource.query(UNKNOWN_MIGRATION);
    await open(migrated.url);
    expect(messagesOf(await findError())).toContainEqual(
      expect.stringMatching(/^DATABASE_NEWER: The database needs a program with migration 9999\. /),
    );
    await migrated.dataSource.query('delete from schema_migration where "timestamp" = 9999');
    await until('the database answers', isAvailable);
  });
});

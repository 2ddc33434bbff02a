// A backend whose database comes later than the server, or is not what it should be.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { reloadOf } from '@tessera/reload';
import { liveConfigServerSettings } from '../../../../../test/support/config-server.js';
import { createEmptyDatabase, createTestDatabase } from '../../../../../test/support/database.js';
import { DatabaseProxy } from '../../../../../test/support/tcp-proxy.js';
import { until } from '../../../../../test/support/until.js';
import { queryOf } from '../environment-backend.conformance.js';
import type { BackendEnvironment, EnvironmentBackend } from '../environment-backend.js';
import { openPostgresBackend } from './open-postgres-backend.js';

/** Less than the time that any attempt may take. */
const AT_ONCE = 500;
const UNKNOWN_MIGRATION = `insert into schema_migration ("timestamp", name) values (9999, 'Future0000000000009999')`;

let database: { readonly url: string; drop(): Promise<void> };
let door: DatabaseProxy;
let backend: EnvironmentBackend;

beforeEach(async () => {
  database = await createEmptyDatabase();
  door = new DatabaseProxy(database.url);
  await door.set('open');
});
afterEach(async () => {
  await backend.close?.();
  await door.close();
  await database.drop();
});

async function open(url: string): Promise<number> {
  const live = await liveConfigServerSettings([
    '--config-server.backends=postgres',
    `--database.url=${url}`,
    '--database.pool-size=2',
  ]);
  const began = performance.now();
  backend = await openPostgresBackend(live, reloadOf(live));
  return performance.now() - began;
}

const find = (): Promise<BackendEnvironment> => backend.find(queryOf('a', 'p'));
const fault = (): Promise<unknown> => find().catch((error: unknown) => error);
const isThere = (): Promise<boolean> =>
  find().then(
    () => true,
    () => false,
  );

/** What the log has of an error, and of those that caused it. */
function told(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  return [code === undefined ? error.message : `${code}: ${error.message}`, ...told(error.cause)];
}

describe('a database that is away when the server starts', () => {
  test.each(['refuse', 'hang'] as const)(
    'keeps nobody waiting, and is migrated when it comes (the network: %s)',
    async (state) => {
      await door.set(state);
      expect(await open(door.url)).toBeLessThan(AT_ONCE);
      const refusal = await until('the first attempt has failed', async () => {
        const lines = told(await fault());
        return lines.some((each) => each.startsWith('DATABASE_UNAVAILABLE')) && lines;
      });
      expect(refusal.slice(0, 3)).toEqual([
        'BACKEND_UNAVAILABLE: backend postgres is not available',
        `cannot ask the database ${new URL(door.url).pathname.slice(1)} at 127.0.0.1:${door.port}`,
        'DATABASE_UNAVAILABLE: The database is not available.',
      ]);
      await door.set('open');
      door.cut();
      await until('the database is asked', isThere);
      expect((await find()).sources).toEqual([]);
    },
  );

  test.each(['refuse', 'hang'] as const)(
    'does not delay the end (the network: %s)',
    async (state) => {
      await door.set(state);
      await open(door.url);
      const asked = fault();
      const began = performance.now();
      await backend.close?.();
      expect(performance.now() - began).toBeLessThan(AT_ONCE);
      expect(told(await asked)).toContain('DATABASE_UNAVAILABLE: The database is not available.');
    },
  );

  test('is not connected to once the server has ended', async () => {
    await door.set('hang');
    await open(door.url);
    await until('an attempt is under way', () => door.openConnections > 0);
    await backend.close?.();
    await door.set('open');
    door.cut();
    await fault();
    await until('nothing is open', () => door.openConnections === 0);
    expect(await isThere()).toBe(false);
  });
});

describe('a database that is not what it should be', () => {
  test.each([
    [
      'is not there',
      (url: string) => url.replace(/\/empty_\w+/, '/nosuch'),
      'DATABASE_REFUSED: The database refused the connection (SQLSTATE 3D000).',
    ],
    [
      'knows no such user',
      (url: string) => url.replace('postgres@', 'nobody:hunter2@'),
      'DATABASE_REFUSED: The database refuses user or password (SQLSTATE 28000).',
    ],
  ])('is BACKEND_UNAVAILABLE, and the log has why: it %s', async (_what, change, reason) => {
    await open(change(door.url));
    const all = told(await fault());
    expect(all).toContain(reason);
    expect(all.join('\n')).toContain(`at 127.0.0.1:${door.port}`);
    expect(all.join('\n')).not.toContain('hunter2');
  });

  test('may have a newer schema, which is told, until it has not', async () => {
    await database.drop();
    const migrated = await createTestDatabase();
    database = migrated;
    await migrated.dataSource.query(UNKNOWN_MIGRATION);
    await open(migrated.url);
    expect(told(await fault())).toContain(
      'DATABASE_NEWER: The database is newer than this program: it records Future0000000000009999.',
    );
    await migrated.dataSource.query('delete from schema_migration where "timestamp" = 9999');
    await until('the database is asked', isThere);
  });
});

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Migration, SchemaState } from '@tessera/database';
import { productVersion } from '@tessera/runtime';
import { runTessera } from '../../../../test/support/command-line.js';
import { createEmptyDatabase, createTestDatabase } from '../../../../test/support/database.js';
import { query } from '../../../../test/support/query.js';
import { upgradeOf } from './schema-status.js';

const VERSION = productVersion();

function pending(number: number, facts: Partial<Migration>): Migration {
  const none = (): Promise<void> => Promise.resolve();
  return { name: `Planted${String(number).padStart(13, '0')}`, up: none, down: none, ...facts };
}

function stateOf(facts: Partial<SchemaState>): SchemaState {
  const recorded = [
    { number: 24, name: 'CompatiblePrograms', compatibleFrom: 24, version: '0.1.0' },
  ];
  return { recorded, pending: [], newestKnown: 24, compatibleFrom: 24, ...facts };
}

describe('an upgrade', () => {
  const ONLINE = pending(25, { compatibleFrom: 24 });

  test.each<[string, string, Partial<SchemaState>]>([
    ['is none where nothing is pending', 'none', {}],
    ['is none where the schema is newer and compatible', 'none', { newestKnown: 24 }],
    ['is refused to a program that is too old', 'too old', { newestKnown: 23 }],
    ['of an empty database stops nobody', 'empty', { recorded: [], pending: [ONLINE] }],
    ['is rolling by online migrations', 'rolling', { newestKnown: 25, pending: [ONLINE] }],
    [
      'needs a stop for one offline migration among others',
      'stop',
      { newestKnown: 26, pending: [ONLINE, pending(26, { compatibleFrom: 24, isOffline: true })] },
    ],
    [
      'needs a stop where a migration does not serve the version that migrated last',
      'stop',
      { newestKnown: 26, pending: [ONLINE, pending(26, { compatibleFrom: 25 })] },
    ],
    ['needs a stop for migrations of before 0024', 'stop', { pending: [pending(23, {})] }],
  ])('%s', (_, upgrade, facts) => {
    expect(upgradeOf(stateOf(facts))).toBe(upgrade);
  });
});

describe('tessera schema status', () => {
  let url: string;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    ({ url, drop } = await createTestDatabase());
  });
  afterEach(() => drop());

  const status = (...args: readonly string[]) =>
    runTessera(['schema', 'status', ...args, `--database.url=${url}`]);
  const recordNewer = (compatibleFrom: number) =>
    query(
      url,
      `insert into schema_migration ("timestamp", name, compatible_from, version)
       values (9000, 'Future0000000009000', ${compatibleFrom}, '9.0.0')`,
    );

  test('says that nothing is pending, with exit code 0', async () => {
    const { exitCode, stdout, stderr } = await status();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(
        `^program: version ${VERSION}, migration \\d{4}\ndatabase: migration \\d{4}, \\d+ recorded\n` +
          `oldest program: migration 0024, such as version ${VERSION}\npending: 0\nupgrade: none: nothing is pending\n$`,
      ),
    );
  });

  test('accepts a newer schema that serves this program', async () => {
    await recordNewer(24);
    expect(await status()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('database: migration 9000'),
    });
  });

  test('says that this version is too old, and which is not, with exit code 4', async () => {
    await recordNewer(9000);
    const { exitCode, stdout, stderr } = await status();
    expect(exitCode).toBe(4);
    expect(stdout).toContain('upgrade: none: this version is too old for the database\n');
    expect(stderr).toMatch(
      /^tessera: The database needs a program with migration 9000, such as version 9\.0\.0\. This is version /,
    );
  });

  test('says that all nodes must be stopped, with exit code 3, and runs no migration', async () => {
    await query(url, `delete from schema_migration where "timestamp" = 23`);
    const { exitCode, stdout, stderr } = await status();
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /upgrade: stop: stop all nodes, then start this version\n\nPENDING +RUNS +SERVES PROGRAMS FROM\nWindowsOfFailures0000000000023 +offline +0023\n$/,
    );
    expect(stderr).toBe('tessera: all nodes must be stopped for this upgrade\n');
    expect(await query(url, `select from schema_migration where "timestamp" = 23`)).toEqual([]);
  });

  test('leaves an empty database empty', async () => {
    const empty = await createEmptyDatabase();
    try {
      const run = await runTessera(['schema', 'status', `--database.url=${empty.url}`]);
      expect(run).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('upgrade: none: the database is empty'),
      });
      expect(await query(empty.url, `select from pg_tables where schemaname = 'public'`)).toEqual(
        [],
      );
    } finally {
      await empty.drop();
    }
  });

  test('gives the same as JSON', async () => {
    await query(url, `delete from schema_migration where "timestamp" = 23`);
    const { stdout } = await status('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      version: VERSION,
      upgrade: 'stop',
      oldestProgram: 24,
      recorded: expect.arrayContaining([
        {
          number: 24,
          name: 'CompatiblePrograms0000000000024',
          compatibleFrom: 24,
          version: VERSION,
        },
      ]),
      pending: [
        { number: 23, name: 'WindowsOfFailures0000000000023', online: false, compatibleFrom: 23 },
      ],
    });
  });
});

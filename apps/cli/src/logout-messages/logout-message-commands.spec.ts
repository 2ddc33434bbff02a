import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

/** More failed messages than are read, and changed, at once. */
const MANY = 1_050;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from logout_message'));

const tessera = (...args: readonly string[]) =>
  runTessera(['logout-messages', ...args, `--database.url=${database.url}`]);

async function addFailed(...services: readonly string[]): Promise<void> {
  await database.dataSource.query(
    `insert into logout_message (id, principal, service, ticket, attempts, next_attempt_at, failed_at, last_error)
     select 'LR-' || n, 'ann', service, 'ST-1-secret', 13, null, now(), 'It did not answer'
     from unnest($1::text[]) with ordinality as given (service, n)`,
    [services],
  );
}

const addManyFailed = (): Promise<void> =>
  addFailed(...Array.from({ length: MANY }, () => 'https://wiki.example.org/'));

/** Ids of the messages that are sent again. */
const due = async (): Promise<readonly string[]> => {
  const rows = await database.dataSource.query<readonly { readonly id: string }[]>(
    'select id from logout_message where next_attempt_at <= now() and attempts = 0 order by id',
  );
  return rows.map(({ id }) => id);
};

describe('list', () => {
  test('shows failed messages in columns, without queries and tickets', async () => {
    await addFailed('https://wiki.example.org/page?token=secret#top');
    const { stdout, exitCode } = await tessera('list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^ID +SERVICE +USER +FAILED AT +REASON\nLR-1 +https:\/\/wiki\.example\.org\/page +ann +20\S+Z +It did not answer\n$/,
    );
  });

  test('shows them as JSON, without queries and tickets', async () => {
    await addFailed('https://wiki.example.org/?token=secret');
    const { stdout } = await tessera('list', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        id: 'LR-1',
        service: 'https://wiki.example.org/',
        user: 'ann',
        endedAt: expect.any(String),
        failedAt: expect.any(String),
        reason: 'It did not answer',
      },
    ]);
  });

  test('shows none', async () => {
    expect((await tessera('list')).stdout).toBe('ID  SERVICE  USER  FAILED AT  REASON\n');
    expect((await tessera('list', '--json')).stdout).toBe('[]\n');
  });

  test('escapes what a terminal would interpret', async () => {
    await addFailed('https://wiki.example.org/\u001b[2J\u202e');
    for (const args of [['list'], ['list', '--json']]) {
      expect((await tessera(...args)).stdout).not.toMatch(TERMINAL_CONTROLS);
    }
  });

  test('shows more than are read at once', async () => {
    await addManyFailed();
    expect(JSON.parse((await tessera('list', '--json')).stdout)).toHaveLength(MANY);
  });
});

describe('retry', () => {
  test('sends those with the given ids again', async () => {
    await addFailed('https://a.example.org/', 'https://b.example.org/', 'https://c.example.org/');
    expect((await tessera('retry', 'LR-1', 'LR-3')).stdout).toBe('2 messages are sent again\n');
    expect(await due()).toEqual(['LR-1', 'LR-3']);
    expect((await tessera('list')).stdout).toContain('LR-2');
  });

  test('sends all again', async () => {
    await addManyFailed();
    expect((await tessera('retry', '--all')).stdout).toBe(`${MANY} messages are sent again\n`);
    expect((await tessera('retry', '--all')).stdout).toBe('0 messages are sent again\n');
  });

  test.each<[string, readonly string[], RegExp]>([
    ['an unknown id', ['LR-1', 'LR-9'], /^tessera: no failed message has the id LR-9\n$/],
    ['neither ids nor --all', [], /^tessera: give the ids of messages, or --all\n$/],
    ['ids and --all', ['LR-1', '--all'], /^tessera: give the ids of messages, or --all\n$/],
  ])('refuses %s, and sends nothing', async (_, args, message) => {
    await addFailed('https://a.example.org/');
    expect(await tessera('retry', ...args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(message),
    });
    expect(await due()).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AuditSearch } from '@tessera/audit';
import { sha256 } from '@tessera/crypto';
import { clearAuditTrail } from '../../../../test/support/audit-records.js';
import { runTessera } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

const DAY = 86_400_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('delete from oidc_token');
  await clearAuditTrail(database.dataSource);
});

const tessera = (...args: readonly string[]) =>
  runTessera(['oidc', 'initial-token', ...args, `--database.url=${database.url}`]);

interface Shown {
  readonly token?: string;
  readonly id: string;
  readonly expires: string;
}
const json = async <T>(...args: readonly string[]): Promise<T> =>
  JSON.parse((await tessera(...args, '--json')).stdout) as T;
const listed = () => json<readonly Shown[]>('list');

async function events(): Promise<readonly object[]> {
  const { dataSource } = database;
  const search = new AuditSearch((text, values) => dataSource.query(text, values));
  const found = await search.find({}, 10);
  return found.map(({ action, subject, details }) => ({ action, subject, details }));
}

describe('add', () => {
  test('prints a token once, which is stored as its hash', async () => {
    const { stdout, exitCode } = await tessera('add');
    const [, token = '', id, expires] =
      /^token: ([0-9A-Za-z]{43})\nid: ([0-9a-f]{16})\nexpires: (\S+Z)\n$/.exec(stdout) ?? [];
    expect({ exitCode, id }).toEqual({ exitCode: 0, id: sha256(token).slice(0, 16) });
    const rows = await database.dataSource.query<readonly { readonly text: string }[]>(
      'select row_to_json(t)::text as text from oidc_token t union all select row_to_json(a)::text from audit_event a',
    );
    expect(rows).toHaveLength(2);
    for (const { text } of rows) expect(text).not.toContain(token);
    expect(await listed()).toEqual([{ id, expires }]);
    expect(await events()).toEqual([
      { action: 'ADD_INITIAL_ACCESS_TOKEN', subject: id, details: { expires } },
    ]);
  });

  test.each([
    [[], DAY],
    [['--lifetime', '1m'], 60_000],
    [['--lifetime', '90d'], 90 * DAY],
  ])('%j: it is valid for %i ms', async (args, lifetime) => {
    const [{ now }] = await database.dataSource.query<[{ now: Date }]>('select now()');
    const { expires } = await json<Shown>('add', ...args);
    expect(Date.parse(expires) - now.getTime()).toBeGreaterThanOrEqual(lifetime);
    expect(Date.parse(expires) - now.getTime()).toBeLessThan(lifetime + 60_000);
  });

  test.each(['59s', '91d', '1', 'x', '-1d', ''])('refuses the lifetime %j', async (lifetime) => {
    expect(await tessera('add', `--lifetime=${lifetime}`)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tessera: --lifetime must be a duration from 1m to 90d/),
    });
    expect(await listed()).toEqual([]);
  });
});

test('list shows those that are valid, the first to expire first', async () => {
  const later = await json<Shown>('add', '--lifetime', '2d');
  const sooner = await json<Shown>('add');
  const expired = await json<Shown>('add', '--lifetime', '1m');
  await database.dataSource.query(
    "update oidc_token set expires_at = now() where left(encode(id, 'hex'), 16) = $1",
    [expired.id],
  );
  await database.dataSource.query(
    `insert into oidc_token (id, model, payload, expires_at) values ('\\x00', 'AccessToken', '{}', now() + '1d')`,
  );
  const { stdout } = await tessera('list');
  expect(stdout).toMatch(/^ID +EXPIRES\n/);
  expect(stdout.split('\n').slice(1, -1)).toEqual(
    [sooner, later].map(({ id, expires }) => `${id}  ${expires}`),
  );
  expect(stdout).not.toContain(sooner.token);
});

describe('remove', () => {
  test('ends one token', async () => {
    const [one, other] = [await json<Shown>('add'), await json<Shown>('add')];
    expect(await tessera('remove', one.id)).toMatchObject({
      exitCode: 0,
      stdout: `removed ${one.id}\n`,
    });
    expect((await listed()).map(({ id }) => id)).toEqual([other.id]);
    expect(await events()).toContainEqual({
      action: 'REMOVE_INITIAL_ACCESS_TOKEN',
      subject: one.id,
      details: null,
    });
  });

  test.each([
    ['of nobody', () => '0123456789abcdef'],
    ['by its text', ({ token = '' }: Shown) => token],
    ['by the first digits of its id', ({ id }: Shown) => id.slice(0, 8)],
    ['by a pattern', () => '%'],
  ])('finds no token %s', async (_, idOf) => {
    const added = await json<Shown>('add');
    const { exitCode, stderr } = await tessera('remove', idOf(added));
    expect([exitCode, stderr]).toEqual([
      1,
      'tessera: no initial access token has this id: "tessera oidc initial-token list" shows them\n',
    ]);
    expect(await listed()).toHaveLength(1);
  });
});

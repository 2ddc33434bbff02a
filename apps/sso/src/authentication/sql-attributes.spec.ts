// Attributes by an SQL query, on a real PostgreSQL.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { createEmptyDatabase } from '../../../../test/support/database.js';
import { query } from '../../../../test/support/query.js';
import { DatabaseProxy } from '../../../../test/support/tcp-proxy.js';
import { SqlSettings } from '../settings/sql-settings.js';
import { SqlAttributes } from './sql-attributes.js';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let source: SqlAttributes | undefined;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await query(
    database.url,
    `create table person (uid text, mail text, units text[], head boolean, born date);
     insert into person values
       ('alice', 'alice@example.org', '{physics,"a, b",physics}', true, '1865-11-04'),
       ('alice', 'second@example.org', null, null, null),
       ('o''neil "$1"', 'quoted@example.org', '{}', false, null);
     create table grants (uid text, name text, value text);
     insert into grants values
       ('alice', 'role', 'admin'), ('alice', 'role', 'user'), ('alice', 'role', 'admin'),
       ('alice', 'room', null), ('alice', 'floor', '3');`,
  );
});
afterAll(() => database.drop());
afterEach(async () => {
  await source?.close();
  source = undefined;
});

async function open(given: Partial<SqlSettings>, url = database.url): Promise<SqlAttributes> {
  const settings = Object.assign(new SqlSettings('hr'), { url: new Secret(url), ...given });
  source = await SqlAttributes.open(settings, 'test');
  return source;
}

const PERSON = 'select mail, units as "unit", head, born from person where uid = $1';
const GRANTS = 'select name, value from grants where uid = $1';

describe('a query for attributes is an error where', () => {
  test.each<[string, Partial<SqlSettings>, string, RegExp]>([
    [
      'its table is missing',
      { query: 'select * from nothing where uid = $1' },
      'UNAVAILABLE',
      /42P01/,
    ],
    ['its syntax is wrong', { query: 'select $1 from where' }, 'UNAVAILABLE', /42601/],
    [
      'it would change something',
      { query: 'with d as (delete from person where uid = $1 returning *) select * from d' },
      'UNAVAILABLE',
      /0A000|not available/,
    ],
    [
      'a function of it would change something',
      { query: "select set_config('x.y', $1, false), nextval('counter')" },
      'UNAVAILABLE',
      /read-only/,
    ],
    [
      'it finds too many rows',
      { query: 'select $1 as uid, n::text as x from generate_series(1, 1001) as n' },
      'UNAVAILABLE',
      /more than 1000 rows/,
    ],
    [
      'it finds too much',
      { query: "select $1 as uid, repeat('x', 3000000) as x" },
      'UNAVAILABLE',
      /more than 2 MiB/,
    ],
    [
      'it takes too long',
      { query: 'select $1 as uid, pg_sleep(60)::text as x', timeout: 200 },
      'UNAVAILABLE',
      /not available/,
    ],
    [
      'a name is that of a password',
      { query: "select 'x' as userpassword where $1 = 'alice'" },
      'INVALID',
      /attribute userpassword is named as if it held passwords/,
    ],
    [
      'a value has a control character',
      { query: "select chr(7) as bell where $1 = 'alice'" },
      'INVALID',
      /attribute bell: a value holds a control character/,
    ],
    [
      'rows of name and value have another column',
      { query: 'select name, value, uid from grants where uid = $1', result: 'name-value' },
      'INVALID',
      /two columns/,
    ],
  ])('%s', async (_what, given, code, reason) => {
    await query(database.url, 'create sequence if not exists counter');
    const error: unknown = await (
      await open(given)
    )
      .attributesOf('alice')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: `ATTRIBUTES_${code}`, isTemporary: true });
    const { message, cause } = error as Error;
    expect(`${message} ${(cause as Error | undefined)?.message}`).toMatch(reason);
    expect(await query(database.url, 'select from person')).toHaveLength(3);
  });

  test.each([
    ['no server listens', () => 'postgresql://hr:geheim@127.0.0.1:1/hr'],
    ['the database is missing', () => database.url.replace(/\/empty_\w+/, '/missing')],
  ])('%s', async (_what, url) => {
    const error: unknown = await (
      await open({ query: PERSON }, url())
    )
      .attributesOf('alice')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ATTRIBUTES_UNAVAILABLE' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('geheim');
  });

  test('its server hangs, until it answers again', async () => {
    const proxy = new DatabaseProxy(database.url);
    await proxy.set('open');
    try {
      const hr = await open({ query: PERSON, timeout: 300 }, proxy.url);
      expect(await hr.attributesOf('alice')).toMatchObject({ head: ['true'] });
      await proxy.set('hang');
      await expect(hr.attributesOf('alice')).rejects.toMatchObject({
        code: 'ATTRIBUTES_UNAVAILABLE',
      });
      await proxy.set('open');
      expect(await hr.attributesOf('alice')).toMatchObject({ head: ['true'] });
    } finally {
      await proxy.close();
    }
  });

  test('the URL names a file that is missing, at the start', async () => {
    await expect(open({ query: PERSON }, `${database.url}&sslrootcert=/missing`)).rejects.toThrow(
      /names a file as sslrootcert/,
    );
  });
});

describe('a query for attributes gives', () => {
  test.each<[string, Partial<SqlSettings>, string, object | undefined]>([
    [
      'each column of each row, without duplicates and nulls',
      { query: PERSON },
      'alice',
      {
        mail: ['alice@example.org', 'second@example.org'],
        unit: ['physics', 'a, b'],
        head: ['true'],
        born: ['1865-11-04'],
      },
    ],
    [
      'the user of exactly this name, whatever characters it has',
      { query: `${PERSON};\n` },
      'o\'neil "$1"',
      { mail: ['quoted@example.org'], head: ['false'] },
    ],
    ['nothing without a row', { query: PERSON }, "' or true --", undefined],
    [
      'rows of a name and a value',
      { query: `${GRANTS} -- in any order`, result: 'name-value' },
      'alice',
      { role: ['admin', 'user'], floor: ['3'] },
    ],
  ])('%s', async (_what, given, id, expected) => {
    expect(await (await open(given)).attributesOf(id)).toEqual(expected);
  });
});

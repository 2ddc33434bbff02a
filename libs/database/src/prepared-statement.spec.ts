import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { connect, poolOf } from './connection.js';
import { PreparedStatement } from './prepared-statement.js';

describe('a prepared statement', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let dataSource: DataSource;
  let pool: Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    dataSource = await connect({ url: database.url, applicationName: 'spec', poolSize: 1 });
    pool = poolOf(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  test('answers with the columns of each row as text', async () => {
    const statement = new PreparedStatement(
      'spec-text',
      `select n, n % 2 = 0, null, $1::text, '\\xff'::bytea from generate_series(1, 2) n order by n`,
    );
    expect(await statement.execute(pool, ['é"\\'])).toEqual([
      ['1', 'f', null, 'é"\\', '\\xff'],
      ['2', 't', null, 'é"\\', '\\xff'],
    ]);
  });

  test('answers with no rows where there are none, and where it has no columns', async () => {
    const none = new PreparedStatement('spec-none', 'select 1 where false');
    expect(await none.execute(pool, [])).toEqual([]);
    const listen = new PreparedStatement('spec-set', 'set application_name to spec');
    expect(await listen.execute(pool, [])).toEqual([]);
  });

  test('is prepared once a connection', async () => {
    const statement = new PreparedStatement('spec-once', 'select pg_backend_pid()');
    const [first] = await statement.execute(pool, []);
    const [second] = await statement.execute(pool, []);
    expect(second).toEqual(first);
    const { rows } = await pool.query(
      `select generic_plans + custom_plans as executions from pg_prepared_statements
       where name = 'spec-once'`,
    );
    expect(rows).toEqual([{ executions: '2' }]);
  });

  test('answers each caller with its own rows, however many call at once', async () => {
    const statement = new PreparedStatement('spec-own', 'select $1::int * 2');
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((n) => statement.execute(pool, [String(n)])));
    expect(answers).toEqual(numbers.map((n) => [[String(n * 2)]]));
  });

  test.each([
    ['before its first row', 'select 1 / $1::int', '0', '22012'],
    ['after some rows', 'select 1 / (3 - n) from generate_series(1, $1::int) n', '5', '22012'],
    ['on reading a parameter', 'select $1::int', 'x', '22P02'],
    ['on a character PostgreSQL cannot hold', 'select $1::text', 'a\0b', '22021'],
    ['on being prepared', 'select $1::text from nowhere', 'x', '42P01'],
  ])('that fails %s reports the error, each time, and the pool continues', async (...row) => {
    const [when, text, parameter, code] = row;
    const statement = new PreparedStatement(`spec-error ${when}`, text);
    await expect(statement.execute(pool, [parameter])).rejects.toMatchObject({ code });
    const sound = new PreparedStatement('spec-sound', 'select 1');
    expect(await sound.execute(pool, [])).toEqual([['1']]);
    await expect(statement.execute(pool, [parameter])).rejects.toMatchObject({ code });
  });

  test('whose name another has fails, and so does one with a parameter that is no text', async () => {
    const first = new PreparedStatement('spec-name', 'select 1');
    const second = new PreparedStatement('spec-name', 'select 2');
    expect(await first.execute(pool, [])).toEqual([['1']]);
    await expect(second.execute(pool, [])).rejects.toThrow(
      'two statements have the name spec-name',
    );
    const takesText = new PreparedStatement('spec-parameter', 'select $1::text');
    const wrong = [{}] as unknown as string[];
    await expect(takesText.execute(pool, wrong)).rejects.toMatchObject({ name: 'TypeError' });
    expect(await takesText.execute(pool, ['x'])).toEqual([['x']]);
  });

  test('that could not be prepared is prepared again the next time', async () => {
    const statement = new PreparedStatement('spec-again', 'select count(*) from spec_later');
    await expect(statement.execute(pool, [])).rejects.toMatchObject({ code: '42P01' });
    await pool.query('create table spec_later ()');
    expect(await statement.execute(pool, [])).toEqual([['0']]);
  });
});

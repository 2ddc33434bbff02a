// Statements of a pool are told with the context of their caller, in each of the ways that the driver knows.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { connect, poolOf } from './connection.js';
import { PreparedStatement } from './prepared-statement.js';
import { statementOperations } from './statement-operations.js';

const caller = new AsyncLocalStorage<string>();
const told: (readonly [caller: string | undefined, text: string, error: unknown])[] = [];

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let dataSource: DataSource;
let end: () => void;

beforeAll(async () => {
  database = await createEmptyDatabase();
  end = statementOperations.observe(caller, ({ text }) => {
    const store = caller.getStore() ?? 'nobody';
    return { store, end: ({ error }) => told.push([store, text, codeOf(error)]) };
  });
  const options = { applicationName: 'spec', poolSize: 1, migrations: [] };
  dataSource = await connect({ ...options, url: database.url });
});
beforeEach(() => {
  told.length = 0;
});
afterAll(async () => {
  end();
  await dataSource.destroy();
  await database.drop();
});

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: string } | undefined)?.code;
}

describe('a statement is told', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['of the pool', () => poolOf(dataSource).query('select 1 as a'), 'select 1 as a'],
    [
      'with a name',
      () => poolOf(dataSource).query({ name: 'n', text: 'select $1::int as a', values: [1] }),
      'select $1::int as a',
    ],
    [
      'that is not described',
      () => new PreparedStatement('p', 'select $1::int').execute(poolOf(dataSource), ['1']),
      'select $1::int',
    ],
    ['of TypeORM', () => dataSource.query('select 2 as a'), 'select 2 as a'],
  ])('%s', async (_, run, text) => {
    expect(await caller.run('ann', run)).toBeDefined();
    expect(told).toEqual([['ann', text, undefined]]);
  });

  test.each<[string, (text: string) => Promise<unknown>]>([
    ['of the pool', (text) => poolOf(dataSource).query(text)],
    ['of TypeORM', (text) => dataSource.query(text)],
  ])('%s with its error', async (_, run) => {
    await expect(run('select nothing')).rejects.toMatchObject({ code: '42703' });
    expect(told).toEqual([['nobody', 'select nothing', '42703']]);
  });

  test('in the context of its caller, who waited for the connection of another', async () => {
    const names = ['ann', 'bob', 'eve'];
    await Promise.all(
      names.map((name) => caller.run(name, () => poolOf(dataSource).query(`select '${name}'`))),
    );
    expect(told.map(([who, text]) => [who, text])).toEqual(
      names.map((name) => [name, `select '${name}'`]),
    );
  });
});

// Counts the statements, rows and hash verifications of each refusal. `npm run bench -- refusals` measures the time.
import type { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AccountStore, UserAccount, type NewAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { poolOf } from '@tessera/database';
import { createTestDatabase } from '../../../../test/support/database.js';
import { AccountsHandler } from './accounts-handler.js';
import { credentialOf } from './authentication-handler.conformance.js';

const CHEAP = { memory: 8, iterations: 1, parallelism: 1 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let hashOfMellon: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  hashOfMellon = await new PasswordHashing(CHEAP).hash('Mellon');
});
afterAll(() => database.drop());

let added = 0;
/** Adds an account with the password Mellon. */
async function account(facts: Partial<NewAccount> = {}): Promise<string> {
  const name = `user${++added}`;
  await AccountStore.of(database.dataSource).add({ name, passwordHash: hashOfMellon, ...facts });
  return name;
}

/** The work of one login. */
interface Work {
  readonly statements: readonly string[];
  /** The columns of each row. */
  readonly rows: readonly number[];
  /** Of each verification: the hash without its salt and digest, and its length. */
  readonly hashes: readonly string[];
}

async function workOf(username: string, password: string): Promise<Work> {
  const work = {
    statements: new Array<string>(),
    rows: new Array<number>(),
    hashes: new Array<string>(),
  };
  const { dataSource } = database;
  const watched = new PasswordHashing(CHEAP);
  const verify = watched.verify.bind(watched);
  watched.verify = (hash, ...rest) => {
    work.hashes.push(`${hash.replace(/\$[^$]+\$[^$]+$/, '')} ${hash.length}`);
    return verify(hash, ...rest);
  };
  const unwatch = watchConnections(dataSource, (fields) => work.rows.push(fields));
  const { logger } = dataSource;
  dataSource.logger = Object.assign(Object.create(logger) as typeof logger, {
    logQuery: (query: string) => work.statements.push(query),
  });
  try {
    const verdict = await new AccountsHandler(AccountStore.of(dataSource), watched).authenticate(
      credentialOf(username, password),
    );
    expect(verdict).toHaveProperty('refused');
  } finally {
    dataSource.logger = logger;
    unwatch();
  }
  expect(watched.verifications).toBe(work.hashes.length);
  return work;
}

/** Calls back with the number of columns of each row that PostgreSQL sends. */
function watchConnections(dataSource: DataSource, onRow: (fields: number) => void): () => void {
  const pool = poolOf(dataSource);
  const listener = ({ fields }: { fields: readonly unknown[] }): unknown => onRow(fields.length);
  const connections = new Set<EventEmitter>();
  const onAcquire = (client: object): void => {
    const connection = Reflect.get(client, 'connection') as EventEmitter;
    if (!connections.has(connection)) connection.on('dataRow', listener);
    connections.add(connection);
  };
  pool.on('acquire', onAcquire);
  return () => {
    pool.off('acquire', onAcquire);
    for (const connection of connections) connection.off('dataRow', listener);
  };
}

describe('a refusal does the work of every other', () => {
  const past = new Date(0);
  const attributes = { memberOf: Array.from({ length: 500 }, (_, index) => `cn=group${index}`) };

  test.each<[string, () => Promise<string> | string, string]>([
    ['an unknown user', () => 'nobody', 'Mellon'],
    ['a name that no account can have', () => 'x'.repeat(1000), 'Mellon'],
    ['the empty name', () => '', 'Mellon'],
    ['many attributes and a wrong password', () => account({ attributes }), 'wrong'],
    ['a disabled account', () => account({ disabled: true }), 'Mellon'],
    ['a disabled account and a wrong password', () => account({ disabled: true }), 'wrong'],
    ['an expired account', () => account({ expiresAt: past }), 'Mellon'],
    ['an expired account and a wrong password', () => account({ expiresAt: past }), 'wrong'],
    ['a hash nobody understands', () => account({ passwordHash: 'x' }), 'Mellon'],
  ])('for %s', async (_what, user, password) => {
    const wrongPassword = await workOf(await account(), 'wrong');
    expect(await workOf(await user(), password)).toEqual(wrongPassword);
    expect(wrongPassword).toMatchObject({
      rows: [2],
      hashes: ['$argon2id$v=19$m=8,t=1,p=1 93'],
    });
    expect(wrongPassword.statements).toHaveLength(1);
  });
});

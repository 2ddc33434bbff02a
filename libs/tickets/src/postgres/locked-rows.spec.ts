// A locked row, as of a logout that waits for a standby, or of an import of accounts, holds up its own user alone.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { connect, databaseTimeouts, DurableStatements, isLocked, poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { AUTHENTICATION, LONG } from '../conformance/nodes.conformance.js';
import type { TicketId } from '../ticket-id.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';

databaseTimeouts.lock = 100;

const SERVICE = 'https://app.example.org/';

let database: TestDatabase;
let dataSource: DataSource;
let durable: DurableStatements;
let registry: PostgresTicketRegistry;
let locker: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await connect({ url: database.url, applicationName: 'spec', servesRequests: true });
  durable = new DurableStatements(dataSource);
  registry = new PostgresTicketRegistry(poolOf(dataSource), {
    durable,
    lifetimes: LONG,
  });
  await dataSource.query(
    `insert into user_account (name, password_hash) values ('alice', 'x'), ('bob', 'x')`,
  );
});
afterAll(async () => {
  await durable.close();
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  locker = new pg.Client({ connectionString: database.url });
  await locker.connect();
});
afterEach(() => locker.end());

const login = (name: string): Promise<TicketId> =>
  registry.createTicketGrantingTicket({
    ...AUTHENTICATION,
    principal: { id: name, attributes: {} },
  });
const grant = (grantingTicket: TicketId) =>
  registry.grantServiceTicket({
    grantingTicket,
    service: SERVICE,
    withCredentials: false,
    newLoginOnly: false,
  });

/** Two rounds: requests of the second share a statement, and wait for the first. */
async function expectOneLocked(
  ofAlice: () => Promise<unknown>,
  ofBob: () => Promise<unknown>,
): Promise<void> {
  const blocked = [ofAlice(), ofAlice()];
  const others = [ofBob(), ofBob(), ofBob()];
  for (const outcome of await Promise.allSettled(blocked)) {
    expect([outcome.status, isLocked((outcome as PromiseRejectedResult).reason)]).toEqual([
      'rejected',
      true,
    ]);
  }
  await Promise.all(others);
}

test('while a session is locked, its user gets no ticket, and others do', async () => {
  const [alice, bob] = [await login('alice'), await login('bob')];
  await locker.query(`begin; delete from ticket_granting_ticket where principal = 'alice'`);
  await expectOneLocked(
    () => grant(alice),
    async () => expect(await grant(bob)).toMatchObject({ outcome: 'granted' }),
  );
});

test('while an account is locked, its user cannot log in, and others can', async () => {
  await locker.query(`begin; select from user_account where name = 'alice' for update`);
  await expectOneLocked(
    () => login('alice'),
    () => login('bob'),
  );
});

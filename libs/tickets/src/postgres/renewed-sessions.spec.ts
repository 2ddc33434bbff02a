// A further login in a session, beside changes of the account and sessions of an earlier version.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { until } from '../../../../test/support/until.js';
import { AUTHENTICATION, LONG } from '../conformance/nodes.conformance.js';
import type { Authentication } from '../ticket-registry.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';

describe('a further login with the password of an account', () => {
  const CHANGED = new Date('2026-01-02T03:04:05.678Z');
  let database: TestDatabase;
  let registry: PostgresTicketRegistry;

  beforeAll(async () => {
    database = await createTestDatabase();
    registry = new PostgresTicketRegistry(poolOf(database.dataSource), { lifetimes: LONG });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.dataSource.query('delete from user_account');
    await database.dataSource.query(
      `insert into user_account (name, password_hash, password_changed_at) values ('ann', 'x', $1)`,
      [CHANGED],
    );
  });

  const login = (later: number, passwordChangedAt?: Date): Authentication => ({
    ...AUTHENTICATION,
    authenticatedAt: new Date(AUTHENTICATION.authenticatedAt.getTime() + later),
    passwordChangedAt,
  });
  const at = (ms: number): Date => new Date(CHANGED.getTime() + ms);

  test.each<[string, Date | undefined, string, boolean]>([
    ['its present password', at(0), '', true],
    ['a credential of another handler', undefined, '', true],
    ['the former password', at(-1), '', false],
    [
      'its present password, where it is disabled',
      at(0),
      'update user_account set disabled = true',
      false,
    ],
    ['its present password, where it is gone', at(0), 'delete from user_account', false],
    [
      'a credential of another handler, where it is disabled',
      undefined,
      'update user_account set disabled = true',
      true,
    ],
  ])('%s', async (_, passwordChangedAt, change, isRenewed) => {
    if (change) await database.dataSource.query(change);
    // Another handler accepted the user after the change.
    const tgt = await registry.createTicketGrantingTicket(login(0));
    const renewed = login(1, passwordChangedAt);
    expect(await registry.renewTicketGrantingTicket(tgt, renewed)).toBe(isRenewed);
    const found = await registry.findTicketGrantingTicket(tgt);
    expect(found?.authenticatedAt).toEqual((isRenewed ? renewed : login(0)).authenticatedAt);
  });

  test('waits for a change of the account that ends the session, and begins none', async () => {
    const tgt = await registry.createTicketGrantingTicket(login(0, at(0)));
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('update user_account set password_changed_at = now()');
    const renewed = registry.renewTicketGrantingTicket(tgt, login(1, at(0)));
    await until('it waits', async () => {
      const rows = await database.dataSource.query<readonly object[]>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await runner.commitTransaction();
    await runner.release();
    expect(await renewed).toBe(false);
    expect(await registry.isLive(tgt)).toBe(false);
  });
});

test('a session of a program that knew no methods has those of its credential', async () => {
  const database = await createTestDatabase();
  try {
    const registry = new PostgresTicketRegistry(poolOf(database.dataSource), { lifetimes: LONG });
    for (const [credentialType, method] of [
      ['UsernamePasswordCredential', 'password'],
      ['RememberMeUsernamePasswordCredential', 'password'],
      ['X509CertificateCredential', 'certificate'],
    ] as const) {
      const given = { ...AUTHENTICATION, credentialType };
      const tgt = await registry.createTicketGrantingTicket(given);
      await database.dataSource.query('update ticket_granting_ticket set methods = null');
      const { authenticatedAt: at } = given;
      expect(await registry.findTicketGrantingTicket(tgt)).toEqual({
        ...given,
        methods: [{ method, at }],
      });
    }
  } finally {
    await database.drop();
  }
});

// Consents beside authorization requests that are under way.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { DurableStatements, poolOf } from '@tessera/database';
import type { GrantingTicketHandle } from '@tessera/tickets';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { until } from '../../../../../test/support/until.js';
import { ConsentStore } from './consent-store.js';
import { type NewGrant, OidcStore } from './oidc-store.js';

const ANN = 'ann';

let database: TestDatabase;
let durable: DurableStatements;
let consents: ConsentStore;
let service: string;

beforeAll(async () => {
  database = await createTestDatabase();
  durable = new DurableStatements(database.dataSource);
  consents = new ConsentStore(database.dataSource, durable);
});
beforeEach(async () => {
  await run('delete from oidc_grant');
  await run('delete from registered_service');
  service = await register('app');
});
afterAll(async () => {
  await durable.close();
  await database.drop();
});

async function run<T extends object>(statement: string): Promise<readonly T[]> {
  return (await poolOf(database.dataSource).query<T>(statement)).rows;
}

async function register(clientId: string): Promise<string> {
  const [row] = await run<{ readonly id: string }>(
    `insert into registered_service (service_id, name, client_id, client)
     values ('', 'App ${clientId}', '${clientId}', '{}') returning id`,
  );
  return row?.id ?? '';
}

const grantOf = (scopes: readonly string[], allowedTo?: string): NewGrant => ({
  session: '00'.repeat(32) as GrantingTicketHandle,
  clientId: 'app',
  authentication: {
    principal: { id: ANN, attributes: {} },
    handler: 'static',
    credentialType: 'UsernamePasswordCredential',
    authenticatedAt: new Date('2026-01-01'),
    methods: [],
  },
  scopes,
  expiresIn: 60,
  allowedTo,
});

const store = (): OidcStore => new OidcStore(poolOf(database.dataSource), durable);
const grants = (): Promise<readonly object[]> => run('select scopes from oidc_grant');

describe('a grant that needs consent', () => {
  test.each([
    [[], ['openid'], false],
    [['openid'], ['openid'], true],
    [['openid', 'email'], ['openid'], true],
    [['openid'], ['openid', 'email'], false],
    [['openid'], [], true],
  ])('to %j for %j is opened: %j', async (allowed, scopes, isOpened) => {
    if (allowed.length > 0) await consents.add(ANN, service, allowed);
    const grant = await store().openGrant(grantOf(scopes, service));
    expect(grant !== undefined).toBe(isOpened);
    expect(await grants()).toHaveLength(isOpened ? 1 : 0);
  });

  test('is not opened without it, though it was', async () => {
    await consents.add(ANN, service, ['openid']);
    await store().openGrant(grantOf(['openid'], service));
    await run('delete from oidc_consent');
    expect(await store().openGrant(grantOf(['openid'], service))).toBeUndefined();
  });

  test('is that of this user and this client', async () => {
    await consents.add('bob', service, ['openid']);
    await consents.add(ANN, await register('other'), ['openid']);
    expect(await store().openGrant(grantOf(['openid'], service))).toBeUndefined();
  });
});

describe('a grant that is there', () => {
  const openid = grantOf(['openid']);
  const offline = grantOf(['openid', 'offline_access']);

  const withLogin = (grant: NewGrant, login: Partial<NewGrant['authentication']>): NewGrant => ({
    ...grant,
    authentication: { ...grant.authentication, ...login },
  });
  const principal = { id: ANN, attributes: { mail: ['ann@example.org'] } };

  test.each<[string, boolean, NewGrant, NewGrant]>([
    ['the same', false, openid, openid],
    ['some of its scopes', false, offline, openid],
    ['another scope', true, openid, grantOf(['email'])],
    ['a later login', true, openid, withLogin(openid, { authenticatedAt: new Date() })],
    ['other attributes', false, openid, withLogin(openid, { principal })],
    ['other attributes, offline', true, offline, withLogin(offline, { principal })],
    ['a later end', true, openid, { ...openid, expiresIn: 7_200 }],
  ])('is opened for %s, and is written: %j', async (_, isWritten, first, second) => {
    const opened = await store().openGrant(first);
    const [before] = await run('select xmin from oidc_grant');
    const again = await store().openGrant(second);
    expect(again).toMatchObject({ id: opened?.id, sid: opened?.sid, session: first.session });
    expect(new Set(again?.scopes)).toEqual(new Set([...first.scopes, ...second.scopes]));
    expect(again?.expiresAt).toBeGreaterThan(Date.now() / 1_000 + second.expiresIn);
    const [after] = await run('select xmin from oidc_grant');
    expect(isDeepStrictEqual(after, before)).toBe(!isWritten);
  });
});

describe('a withdrawal', () => {
  /** Runs `work` while a transaction is open. */
  async function inTransaction(work: (transaction: PoolClient) => Promise<void>): Promise<void> {
    const transaction = await poolOf(database.dataSource).connect();
    try {
      await transaction.query('begin');
      await work(transaction);
    } finally {
      transaction.release(true);
    }
  }

  const untilOneWaits = (): Promise<unknown> =>
    until('a statement waits for a lock', async () => {
      const waiting = await run(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });

  test('ends a grant that is being opened', async () => {
    await consents.add(ANN, service, ['openid']);
    await inTransaction(async (transaction) => {
      const opening = new OidcStore(poolOf(database.dataSource), {
        query: (statement, values) => transaction.query(statement as string, values && [...values]),
      });
      expect(await opening.openGrant(grantOf(['openid'], service))).toBeDefined();
      const withdrawn = consents.remove(ANN, service);
      await untilOneWaits();
      await transaction.query('commit');
      await withdrawn;
    });
    expect(await grants()).toEqual([]);
  });

  test('that is under way keeps a grant from being opened', async () => {
    await consents.add(ANN, service, ['openid']);
    let opened: unknown;
    await inTransaction(async (transaction) => {
      await transaction.query('delete from oidc_consent');
      const opening = store().openGrant(grantOf(['openid'], service));
      await untilOneWaits();
      await transaction.query('commit');
      opened = await opening;
    });
    expect(opened).toBeUndefined();
    expect(await grants()).toEqual([]);
  });

  test('leaves other users and other clients', async () => {
    const other = await register('other');
    await consents.add(ANN, service, ['openid']);
    await consents.add(ANN, other, ['openid']);
    await consents.add('bob', service, ['openid']);
    await store().openGrant({ ...grantOf(['openid'], other), clientId: 'other' });
    await consents.remove(ANN, service);
    expect(await consents.scopesOf(ANN, service)).toEqual([]);
    expect(await consents.scopesOf(ANN, other)).toEqual(['openid']);
    expect(await consents.scopesOf('bob', service)).toEqual(['openid']);
    expect(await grants()).toHaveLength(1);
  });
});

test('consents that are given at once all count', async () => {
  const scopes = Array.from({ length: 20 }, (_, index) => `scope${index}`);
  await Promise.all(scopes.map((scope) => consents.add(ANN, service, ['openid', scope])));
  const stored = await consents.scopesOf(ANN, service);
  expect(stored.toSorted()).toEqual(['openid', ...scopes].toSorted());
});

test('consents end with the registered service, and none is given to one that is not there', async () => {
  await consents.add(ANN, service, ['openid']);
  expect(await consents.of(ANN)).toMatchObject([{ name: 'App app', clientId: 'app' }]);
  await run('delete from registered_service');
  await consents.add(ANN, service, ['openid']);
  expect(await run('select from oidc_consent')).toEqual([]);
});

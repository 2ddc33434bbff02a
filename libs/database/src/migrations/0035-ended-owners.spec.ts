import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

const TABLES = ['oidc_grant', 'oidc_token', 'oidc_request', 'session_service', 'logout_message'];

let database: TestDatabase;

const query = <T extends object>(text: string): Promise<readonly T[]> =>
  database.dataSource.query<readonly T[]>(text);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Rows of the clients `app` and `other`, and of their users `ann` and `bob`. */
beforeEach(async () => {
  const cleared = [...TABLES, 'oidc_consent', 'ticket_granting_ticket', 'user_account'];
  for (const table of [...cleared, 'registered_service']) await query(`delete from ${table}`);
  await query(`
    insert into user_account (name, password_hash) values ('ann', '-'), ('bob', '-');
    insert into registered_service (service_id, name, client_id, client)
      select '', id, id, '{}' from unnest('{app,other}'::text[]) as id;
    insert into registered_service (service_id, name) values ('^https://a/', 'plain');
    insert into oidc_consent (principal, service_id, scopes)
      select a.name, s.id, '{openid}' from user_account a cross join registered_service s where client_id is not null`);
  await fillOf('app');
  await fillOf('other');
});

async function fillOf(client: string): Promise<void> {
  await query(`
    insert into oidc_grant (id, session_id, sid, client_id, principal, scopes, authentication, expires_at)
      select name || '${client}', sha256(name::bytea), '', '${client}', name, '{}', '{}', 'infinity' from user_account;
    insert into oidc_token (id, model, client_id, payload, expires_at)
      values (sha256('${client}'), 'ClientCredentials', '${client}', '{}', 'infinity');
    insert into oidc_request (id, model, client_id, payload, expires_at)
      values (sha256('${client}'), 'DeviceCode', '${client}', '{}', 'infinity');
    insert into session_service (session_id, service_hash, service, tickets, protocol)
      select sha256(protocol::bytea), sha256('${client}'), '${client}', '{sid}', protocol
      from unnest('{cas,oidc}'::text[]) as protocol;
    insert into logout_message (id, principal, service, ticket, protocol)
      select protocol || '${client}', 'ann', '${client}', 'sid', protocol from unnest('{cas,oidc}'::text[]) as protocol`);
}

/** The numbers of rows of a client in {@link TABLES}, without those of CAS. */
async function rowsOf(client: string): Promise<readonly number[]> {
  const counts = TABLES.map((table) => {
    const isShared = table === 'session_service' || table === 'logout_message';
    const condition = isShared
      ? `service = '${client}' and protocol = 'oidc'`
      : `client_id = '${client}'`;
    return `(select count(*)::integer from ${table} where ${condition})`;
  });
  const [row] = await query<{ readonly counts: readonly number[] }>(
    `select array[${counts.join()}] as counts`,
  );
  return row?.counts ?? [];
}

const ALL = [2, 1, 1, 1, 1];
const NONE = [0, 0, 0, 0, 0];

describe('what a client has', () => {
  test.each([
    ['goes when it is removed', `delete from registered_service where client_id = 'app'`, NONE],
    [
      'goes when its id changes',
      `update registered_service set client_id = 'new' where client_id = 'app'`,
      NONE,
    ],
    [
      'goes when it is a client no more',
      `update registered_service set service_id = 'x', client_id = null where client_id = 'app'`,
      NONE,
    ],
    [
      'stays when it changes',
      `update registered_service set name = 'New', client_id = client_id`,
      ALL,
    ],
    [
      'stays when an application of CAS is removed',
      'delete from registered_service where client_id is null',
      ALL,
    ],
  ])('%s', async (_, statement, expected) => {
    await query(statement);
    expect(await rowsOf('app')).toEqual(expected);
    expect(await rowsOf('other')).toEqual(ALL);
    expect(await query(`select from session_service where protocol = 'cas'`)).toHaveLength(2);
    expect(await query(`select from logout_message where protocol = 'cas'`)).toHaveLength(2);
  });

  test.each([
    [
      'is registered',
      `insert into registered_service (service_id, name, client_id, client) values ('', 'New', 'late', '{}')`,
    ],
    [
      'is changed to the id',
      `update registered_service set client_id = 'late' where client_id = 'other'`,
    ],
  ])('is not what was stored by its id before it %s', async (_, statement) => {
    await fillOf('late');
    await query(statement);
    expect(await rowsOf('late')).toEqual(NONE);
    expect(await rowsOf('app')).toEqual(ALL);
  });
});

describe('what a user has', () => {
  test.each([
    ['is removed', `delete from user_account where name = 'ann'`, 0, 0],
    ['is renamed', `update user_account set name = 'eve' where name = 'ann'`, 0, 0],
    ['is disabled', `update user_account set disabled = true where name = 'ann'`, 0, 2],
    [
      'has expired',
      `update user_account set expires_at = now() - interval '1 second' where name = 'ann'`,
      0,
      2,
    ],
    [
      'gets another password',
      `update user_account set password_changed_at = now() + interval '1 second' where name = 'ann'`,
      0,
      2,
    ],
    ['gets other attributes', `update user_account set attributes = '{}' where name = 'ann'`, 2, 2],
  ])('after the account %s: %#', async (_, statement, grants, consents) => {
    await query(statement);
    const ofUser = async (table: string, name: string): Promise<number> =>
      (await query(`select from ${table} where principal = '${name}'`)).length;
    expect([await ofUser('oidc_grant', 'ann'), await ofUser('oidc_consent', 'ann')]).toEqual([
      grants,
      consents,
    ]);
    expect([await ofUser('oidc_grant', 'bob'), await ofUser('oidc_consent', 'bob')]).toEqual([
      2, 2,
    ]);
  });

  test('goes where a disabled account of the name is added', async () => {
    await query(`update oidc_grant set principal = 'eve' where principal = 'ann'`);
    await query(
      `insert into user_account (name, password_hash, disabled) values ('eve', '-', true)`,
    );
    expect(await query(`select from oidc_grant where principal = 'eve'`)).toEqual([]);
  });
});

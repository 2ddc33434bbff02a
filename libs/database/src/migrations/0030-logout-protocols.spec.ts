import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

let database: TestDatabase;

const query = (text: string): Promise<readonly object[]> =>
  database.dataSource.query<readonly object[]>(text);

beforeEach(async () => {
  database = await createTestDatabase();
  await query(`
    insert into ticket_granting_ticket (id, principal, attributes, handler, credential_type, authenticated_at, expires_at,
        hard_expires_at)
      values (sha256('1'), 'ann', '{}', 'static', '', now(), 'infinity', 'infinity')`);
});
afterEach(() => database.drop());

test('a session that ends tells each application by its protocol', async () => {
  await query(`
    insert into session_service (session_id, service_hash, service, tickets, protocol)
      values (sha256('1'), sha256('wiki'), 'wiki', '{sid}', 'oidc')`);
  await query('delete from ticket_granting_ticket');
  expect(await query('select principal, protocol, service, ticket from logout_message')).toEqual([
    { principal: 'ann', protocol: 'oidc', service: 'wiki', ticket: 'sid' },
  ]);
});

test('the rows of older programs are of CAS', async () => {
  await query(`
    insert into session_service as known (session_id, service_hash, service, tickets)
      select sha256('1'), sha256('https://a/'), 'https://a/', array[ticket] from unnest('{ST-1}'::text[]) as ticket
      on conflict (session_id, service_hash) do update set tickets = known.tickets || excluded.tickets`);
  await query('delete from ticket_granting_ticket');
  await query(`
    with taken as (delete from logout_message returning *)
    insert into logout_message (id, principal, service, ticket, ended_at, url_index, host_group)
      select id, principal, service, ticket, ended_at, 0, 'a' from taken`);
  expect(await query('select protocol, service, ticket from logout_message')).toEqual([
    { protocol: 'cas', service: 'https://a/', ticket: 'ST-1' },
  ]);
});

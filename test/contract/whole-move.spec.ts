// A whole move: a directory as Apereo CAS leaves it, `tessera migrate`, a start of the built program, and logins over REST.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { http, type Reply } from '../support/http.js';
import { PASSWORD } from '../support/ldap-people.js';
import { MovedSite, serviceFile, STAFF_ONLY, THRESHOLD } from '../support/moved-site.js';
import { oldServerSuite } from '../support/old-server.js';
import { endPrograms } from '../support/process.js';
import { query } from '../support/query.js';
import { describeWithSlapd } from '../support/slapd.js';

const APP = 'https://portal.example.org/';
const CLOSED = 'https://staff.example.org/';

describeWithSlapd('a whole move', () => {
  const old = oldServerSuite();
  let site: MovedSite;
  beforeAll(async () => {
    site = await MovedSite.open();
  });
  afterAll(async () => {
    await endPrograms();
    await site.close();
  });

  test('both directories, required attributes, release, lifetimes and throttling are as before', async () => {
    const { services } = await site.move(old, {
      'portal-1.json': serviceFile(1, '^https://portal\\.example\\.org/.*'),
      'staff-2.json': serviceFile(2, '^https://staff\\.example\\.org/.*', STAFF_ONLY),
    });
    expect(services?.counts).toMatchObject({ working: 2, disabled: 0, refused: 0 });
    const url = await site.start(old);

    const alice = await login(url, 'alice');
    const sam = await login(url, 'sam');
    expect([alice.status, sam.status]).toEqual([201, 201]);
    const [aliceTgt, samTgt] = [alice.body, sam.body];
    const ticket = await serviceTicket(url, samTgt, APP);
    const parameters = new URLSearchParams({ service: APP, ticket: ticket.body, format: 'json' });
    const answer = await http('GET', url, `/p3/serviceValidate?${parameters.toString()}`);
    expect(JSON.parse(answer.body)).toMatchObject({
      serviceResponse: {
        authenticationSuccess: {
          user: 'sam',
          attributes: { mail: ['sam@example.org'], successfulAuthenticationHandlers: ['students'] },
        },
      },
    });
    expect((await serviceTicket(url, samTgt, CLOSED)).status).toBe(403);
    expect((await serviceTicket(url, aliceTgt, CLOSED)).status).toBe(200);

    for (let at = 0; at < THRESHOLD; at += 1) {
      expect((await login(url, 'alice', 'wrong')).status).toBe(401);
    }
    expect((await login(url, 'alice')).status).toBe(423);
    const [row] = await query(
      site.database.url,
      'select extract(epoch from max(hard_expires_at - created_at)) as seconds from ticket_granting_ticket',
    );
    expect(Number((row as { seconds: string }).seconds)).toBe(3 * 3600);
  });
});

function login(url: string, username: string, password = PASSWORD): Promise<Reply> {
  const headers = { accept: 'text/plain' };
  return http('POST', url, '/v1/tickets', { form: { username, password }, headers });
}

function serviceTicket(url: string, tgt: string, target: string): Promise<Reply> {
  return http('POST', url, `/v1/tickets/${tgt}`, { form: { service: target } });
}

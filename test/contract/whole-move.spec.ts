// A whole move: a directory as Apereo CAS leaves it, `tessera migrate`, a start of the built program, and logins over REST.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { oldServerSuite } from '../support/old-server.js';
import { endPrograms, Program } from '../support/process.js';
import { query } from '../support/query.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';

const APP = 'https://portal.example.org/';
const CLOSED = 'https://staff.example.org/';
const THRESHOLD = 3;

function service(id: number, host: string, members: object): string {
  return JSON.stringify({
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: `^https://${host}\\.example\\.org/.*`,
    name: host,
    id,
    attributeReleasePolicy: {
      '@class': 'org.apereo.cas.services.ReturnAllowedAttributeReleasePolicy',
      allowedAttributes: ['java.util.ArrayList', ['mail']],
    },
    ...members,
  });
}

/** Only staff may use the second service. */
const REQUIRED = {
  accessStrategy: {
    '@class': 'org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy',
    requiredAttributes: { '@class': 'java.util.HashMap', kind: ['java.util.HashSet', ['staff']] },
  },
};

function directory(index: number, name: string, { url }: Slapd): string {
  const settings = {
    name,
    'ldap-url': url,
    'base-dn': BASE,
    'search-filter': 'uid={user}',
    'bind-dn': SERVICE_ACCOUNT.dn,
    'bind-credential': SERVICE_ACCOUNT.password,
    'principal-attribute-list': 'mail,departmentNumber:kind',
  };
  return Object.entries(settings)
    .map(([key, value]) => `cas.authn.ldap[${index}].${key}=${value}`)
    .join('\n');
}

describeWithSlapd('a whole move', () => {
  const old = oldServerSuite();
  let staff: Slapd;
  let students: Slapd;
  let database: TestDatabase;
  beforeAll(async () => {
    [staff, students] = await Promise.all([
      Slapd.start({
        entries: [person('alice', { mail: 'alice@example.org', departmentNumber: 'staff' })],
      }),
      Slapd.start({ entries: [person('sam', { mail: 'sam@example.org' })] }),
    ]);
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await endPrograms();
    await Promise.all([staff.remove(), students.remove(), database.drop()]);
  });

  test('both directories, required attributes, release, lifetimes and throttling are as before', async () => {
    await old.write({
      'etc/cas/config/cas.properties': `cas.server.name=https://login.example.org
cas.server.prefix=\${cas.server.name}/cas
server.address=127.0.0.1
server.port=0
server.ssl.enabled=false
${directory(0, 'Staff', staff)}
${directory(1, 'Students', students)}
cas.ticket.tgt.primary.max-time-to-live-in-seconds=PT3H
cas.ticket.st.time-to-kill-in-seconds=60
cas.authn.throttle.failure.threshold=${THRESHOLD}
cas.service-registry.json.location=file:/etc/cas/services`,
      'etc/cas/services/portal-1.json': service(1, 'portal', {}),
      'etc/cas/services/staff-2.json': service(2, 'staff', REQUIRED),
    });
    const { services } = await old.report();
    expect(services?.counts).toMatchObject({ working: 2, disabled: 0, refused: 0 });

    const program = Program.start('sso', [
      '--profiles.active=moved',
      `--settings.location=${old.into}`,
      `--database.url=${database.url}`,
    ]);
    const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
    const url = `http://127.0.0.1:${port}/cas`;

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
      database.url,
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

// A disk that fills up under PostgreSQL: readiness reports it, requests get 503, and the service recovers by itself.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '@tessera/embedded-postgres';
import { http, type Reply } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { query } from '../support/query.js';
import { SmallDisk } from '../support/small-disk.js';
import { APP, prepareDatabase, startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

const GOOD = { username: 'casuser', password: 'Mellon' };
/** More calls than the free space in existing pages can take. */
const MAX_CALLS = 500;

const isPossible = await SmallDisk.isPossible();
const title = isPossible ? 'a full disk' : 'a full disk (left out: a tmpfs cannot be mounted here)';

(isPossible ? describe : describe.skip)(title, () => {
  let disk: SmallDisk;
  let postgres: EmbeddedPostgres;
  let url: string;

  beforeAll(async () => {
    disk = await SmallDisk.mount();
    postgres = await openEmbeddedPostgres({ directory: disk.folder, durable: false });
    await prepareDatabase(postgres.url);
    const node = await startNode(postgres.url, ['--sso.tickets.st.lifetime=10m']);
    url = `http://127.0.0.1:${node.port}/cas`;
  });
  afterAll(async () => {
    try {
      await endPrograms();
      await postgres.stop();
    } finally {
      await disk.unmount();
    }
  });

  const ready = (): Promise<Reply> => http('GET', url, '/health/ready');
  const login = (): Promise<Reply> =>
    http('POST', url, '/v1/tickets', { form: GOOD, headers: { accept: 'text/plain' } });
  const grant = (tgt: string): Promise<Reply> =>
    http('POST', url, `/v1/tickets/${tgt}`, { form: { service: APP } });
  const validate = (st: string): Promise<Reply> =>
    http('GET', url, `/p3/serviceValidate?service=${APP}&ticket=${st}`);
  const sessions = async (): Promise<unknown> =>
    query(postgres.url, 'select count(*)::int as sessions from ticket_granting_ticket');

  async function untilRefused(call: () => Promise<Reply>): Promise<[readonly Reply[], Reply]> {
    const accepted: Reply[] = [];
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const reply = await call();
      if (reply.status >= 500) return [accepted, reply];
      accepted.push(reply);
    }
    throw new Error('nothing was refused');
  }

  test('is 503 with Retry-After, leaves nothing half-done, and passes by itself', async () => {
    const tgt = (await login()).body;
    const spent = (await grant(tgt)).body;
    const early = (await grant(tgt)).body;
    expect((await validate(spent)).body).toContain('authenticationSuccess');
    expect((await ready()).status).toBe(200);

    await disk.fill();
    await until('readiness says so, with no other request', async () => {
      const { status, body } = await ready();
      return status === 503 && body.includes('"message":"disk full"');
    });
    const [logins, refusedLogin] = await untilRefused(login);
    const [grants, refusedGrant] = await untilRefused(() => grant(tgt));
    for (const reply of [refusedLogin, refusedGrant]) {
      expect(reply).toMatchObject({ status: 503, body: 'Service temporarily unavailable' });
      expect(reply.headers['retry-after']).toBe('2');
    }
    expect(await sessions()).toEqual([{ sessions: logins.length + 1 }]);
    expect((await http('GET', url, `/v1/tickets/${tgt}`)).status).toBe(200);
    expect((await validate(spent)).body).toContain('INVALID_TICKET');

    await disk.free();
    await until('it is ready again', async () => (await ready()).status === 200);
    expect((await login()).status).toBe(201);
    for (const st of [early, ...grants.map(({ body }) => body)]) {
      expect((await validate(st)).body).toContain('authenticationSuccess');
      expect((await validate(st)).body).toContain('INVALID_TICKET');
    }
    expect((await validate(spent)).body).toContain('INVALID_TICKET');
  });
});

// What every endpoint answers while the database is away: 503, come back soon, and no word of our insides.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { useProductionTimeouts } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

useProductionTimeouts();

const GOOD = { username: 'casuser', password: 'Mellon' };
const TEXT = 'Service temporarily unavailable';
const XML = `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationFailure code="INTERNAL_ERROR">The service is temporarily unavailable</cas:authenticationFailure>
</cas:serviceResponse>
`;
const JSON_BODY =
  '{"serviceResponse":{"authenticationFailure":{"code":"INTERNAL_ERROR","description":"The service is temporarily unavailable"}}}';

describe.each(['refuse', 'hang'] as const)(
  'while the database answers like a proxy that is in state %s',
  (state) => {
    let sso: Sso;
    let tgt: string;
    let st: string;
    let answers: readonly Promise<Reply>[];

    beforeAll(async () => {
      sso = await startSso();
      tgt = await sso.login();
      st = await sso.grant(tgt);
      await sso.databaseProxy.set(state);
      // All at once: each waits for its own time limit.
      answers = calls.map(([, call]) => call());
    });
    afterAll(async () => {
      // Connections that hang are cut, then the application can close what it has.
      await sso.databaseProxy.set('refuse');
      await sso.databaseProxy.set('open');
      await sso.close();
    });

    const calls: readonly [string, () => Promise<Reply>, string][] = [
      ['logging in', () => http('POST', sso.url, '/v1/tickets', { form: GOOD }), TEXT],
      [
        'an unknown user',
        () => http('POST', sso.url, '/v1/tickets', { form: { ...GOOD, username: 'x' } }),
        TEXT,
      ],
      [
        'a service ticket',
        () => http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service: APP } }),
        TEXT,
      ],
      ['asking after a ticket', () => http('GET', sso.url, `/v1/tickets/${tgt}`), TEXT],
      ['logging out', () => http('DELETE', sso.url, `/v1/tickets/${tgt}`), TEXT],
      [
        'validation, CAS 1',
        () => http('GET', sso.url, `/validate?service=${APP}&ticket=${st}`),
        'no\n\n',
      ],
      [
        'validation, XML',
        () => http('GET', sso.url, `/p3/serviceValidate?service=${APP}&ticket=${st}`),
        XML,
      ],
      [
        'validation, JSON',
        () => http('GET', sso.url, `/serviceValidate?format=JSON&service=${APP}&ticket=${st}`),
        JSON_BODY,
      ],
    ];

    test.each(calls.map(([call, , body], index) => [call, index, body] as const))(
      '%s is answered 503 with Retry-After',
      async (_, index, body) => {
        const reply = await answers[index]!;
        expect(reply).toMatchObject({ status: 503, body });
        expect(reply.headers['retry-after']).toBe('2');
      },
    );

    test('the service is live, and not ready', async () => {
      expect((await http('GET', sso.url, '/health/live')).status).toBe(200);
      const ready = await http('GET', sso.url, '/health/ready');
      expect(ready.status).toBe(503);
      expect(JSON.parse(ready.body)).toMatchObject({
        error: { database: { message: 'unreachable' } },
      });
    });
  },
);

test.each(['apereo', 'documented'])(
  'in dialect %s a service of its own dialect is answered 503, too',
  async (dialect) => {
    const sso = await startSso({ settings: [`--sso.dialect=${dialect}`] });
    try {
      await sso.databaseProxy.set('refuse');
      const reply = await http('GET', sso.url, `/serviceValidate?service=${APP}&ticket=ST-0x`);
      expect(reply).toMatchObject({ status: 503, body: XML });
      await sso.databaseProxy.set('open');
      await expect(sso.login()).resolves.toMatch(/^TGT-/);
    } finally {
      await sso.close();
    }
  },
);

// Service tickets over REST: for whom, for which service, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Call, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GOOD = { username: 'casuser', password: 'Mellon' };
const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const TEXT = 'text/plain;charset=UTF-8';
const NOT_FOUND = 'TicketGrantingTicket could not be found';

describe.each(DIALECTS)('REST tickets in dialect $dialect', ({ dialect, badCredentials }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({
      settings: [`--sso.dialect=${dialect}`],
      services: [
        { serviceId: '^https://disabled\\.example\\.org/.*', name: 'disabled', enabled: false },
        { serviceId: '^https://nosso\\.example\\.org/.*', name: 'nosso', ssoEnabled: false },
        {
          serviceId: '^https://staff\\.example\\.org/.*',
          name: 'staff',
          requiredAttributes: { memberOf: ['staff'] },
        },
        {
          serviceId: '^https://board\\.example\\.org/.*',
          name: 'board',
          requiredAttributes: { memberOf: ['board'] },
        },
        {
          serviceId: '^https://pattern\\.example\\.org/.*',
          name: 'pattern',
          requiredAttributes: { memberOf: ['st[a-z]+'] },
        },
        {
          serviceId: '^https://rejecting\\.example\\.org/.*',
          name: 'rejecting',
          rejectedAttributes: { memberOf: ['st.*'] },
        },
      ],
    });
  });
  afterAll(() => sso.close());

  const post = (path: string, call: Call): Promise<Reply> => http('POST', sso.url, path, call);

  describe('a service ticket', () => {
    test('is the whole body', async () => {
      const reply = await post(`/v1/tickets/${await sso.login()}`, { form: { service: APP } });
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe(TEXT);
      expect(reply.body).toMatch(/^ST-[A-Za-z0-9]{23}$/);
    });

    test('is granted for targetService where service is absent, and for service where both are there', async () => {
      const tgt = await sso.login();
      const target = await post(`/v1/tickets/${tgt}`, { form: { targetService: APP } });
      expect(target.status).toBe(200);
      const both = await post(`/v1/tickets/${tgt}`, {
        form: { targetService: 'https://x/', service: APP },
      });
      expect(both.status).toBe(200);
    });

    test.each([
      ['no service', '', 'missing: service'],
      ['an empty service', 'service=', 'missing: service'],
      ['a service twice', 'service=a&service=b', 'service is given more than once'],
      [
        'a service with a line break',
        'service=https%3A%2F%2Fapp%0A',
        'service contains control characters',
      ],
      ['a service with NUL', 'service=%00', 'service contains control characters'],
      [
        'an endless service',
        `service=${'x'.repeat(8_193)}`,
        'service is longer than 8192 characters',
      ],
      ['renew without credentials', 'service=x&renew=true', 'missing: username, password'],
      ['renew twice', 'service=x&renew=true&renew=true', 'renew is given more than once'],
    ])('for %s is refused with 400', async (_, body, text) => {
      const reply = await post(`/v1/tickets/${await sso.login()}`, { body, headers: FORM });
      expect(reply).toMatchObject({ status: 400, body: text });
    });

    test.each([
      ['unregistered', 'https://unknown.example.org/'],
      ['disabled', 'https://disabled.example.org/x'],
      ['refused to this principal', 'https://board.example.org/x'],
      ['that rejects a value of this principal', 'https://rejecting.example.org/x'],
      ['a registered one with something in front', 'x-https://app.example.org/'],
    ])('for a service %s is refused with 403', async (_, service) => {
      const reply = await post(`/v1/tickets/${await sso.login()}`, { form: { service } });
      expect(reply).toMatchObject({
        status: 403,
        body: 'The service is not authorized to use this server',
      });
    });

    test.each(['https://staff.example.org/', 'https://pattern.example.org/'])(
      'for %s, whose required attribute the principal holds, is granted',
      async (service) => {
        const reply = await post(`/v1/tickets/${await sso.login()}`, { form: { service } });
        expect(reply.status).toBe(200);
      },
    );

    test('for a service outside single sign-on is granted for a fresh login only', async () => {
      const tgt = await sso.login();
      const form = { service: 'https://nosso.example.org/' };
      expect((await post(`/v1/tickets/${tgt}`, { form })).status).toBe(200);
      expect((await post(`/v1/tickets/${tgt}`, { form })).status).toBe(403);
      const renewed = { ...form, ...GOOD, renew: 'true' };
      expect((await post(`/v1/tickets/${tgt}`, { form: renewed })).status).toBe(200);
    });

    test.each([
      ['an unknown TGT', 'TGT-unknown'],
      ['garbage', 'garbage'],
      ['something encoded', 'TGT-%00'],
      ['an encoded slash', 'TGT-a%2Fb'],
    ])('against %s is refused with 404', async (_, id) => {
      const reply = await post(`/v1/tickets/${id}`, { form: { service: APP } });
      expect(reply).toMatchObject({ status: 404, body: NOT_FOUND });
    });

    test('against a destroyed TGT is refused with 404, whatever the service', async () => {
      const tgt = await sso.login();
      await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
      for (const service of [APP, 'https://unknown.example.org/', 'https://board.example.org/']) {
        const reply = await post(`/v1/tickets/${tgt}`, { form: { service } });
        expect(reply).toMatchObject({ status: 404, body: NOT_FOUND });
      }
    });

    describe('with renew', () => {
      test(`and wrong credentials is refused with ${badCredentials}`, async () => {
        const form = { service: APP, renew: 'true', username: 'casuser', password: 'x' };
        const reply = await post(`/v1/tickets/${await sso.login()}`, { form });
        expect(reply).toMatchObject({ status: badCredentials, body: REFUSED });
      });

      test.each(['false', 'FALSE', '0', 'no', 'off'])('=%s asks for none', async (renew) => {
        const reply = await post(`/v1/tickets/${await sso.login()}`, {
          form: { service: APP, renew },
        });
        expect(reply.status).toBe(200);
      });

      test('against an unknown TGT is refused with 404 before the password is looked at', async () => {
        const form = { service: APP, renew: 'true', username: 'casuser', password: 'x' };
        expect(await post('/v1/tickets/TGT-x', { form })).toMatchObject({
          status: 404,
          body: NOT_FOUND,
        });
      });
    });
  });
});

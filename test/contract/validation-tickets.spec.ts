// Which tickets validation takes and which it refuses, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewService } from '@tessera/services';
import { DIALECTS } from '../support/dialects.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import {
  ENDPOINTS,
  failure,
  newTicket,
  validate,
  withDate,
  XML_ENDPOINTS,
} from '../support/validation.js';

const XML = 'application/xml;charset=UTF-8';

const [DOCUMENTED, APEREO] = DIALECTS;
const CLOSING = 'https://closing.example.org/';
const OTHER = 'https://other-dialect.example.org/';

/** One service of the other dialect, and one that is still open. */
function services(other: string): readonly NewService[] {
  return [
    {
      serviceId: '^https://other-dialect\\.example\\.org/.*',
      name: 'other dialect',
      properties: { dialect: other },
    },
    { serviceId: '^https://closing\\.example\\.org/.*', name: 'closing' },
  ];
}

describe.each([
  { ...DOCUMENTED, other: APEREO },
  { ...APEREO, other: DOCUMENTED },
])('validation in dialect $dialect', ({ dialect, failedValidation, other }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({
      settings: [`--sso.dialect=${dialect}`],
      services: services(other.dialect),
    });
  });
  afterAll(() => sso.close());

  describe('with renew', () => {
    test('takes the first ticket of a login, and one granted with credentials', async () => {
      const tgt = await sso.login();
      const first = await sso.grant(tgt);
      const parameters = { service: APP, ticket: first, renew: 'true' };
      expect((await validate(sso, '/serviceValidate', parameters)).status).toBe(200);
      const form = { service: APP, renew: 'true', username: 'casuser', password: 'Mellon' };
      const { body: ticket } = await http('POST', sso.url, `/v1/tickets/${tgt}`, { form });
      const reply = await validate(sso, '/p3/serviceValidate', { ...parameters, ticket });
      expect(withDate(reply.body)).toContain('<cas:isFromNewLogin>true<');
    });

    test.each(['true', '', '1', 'yes', 'anything'])(
      '=%s refuses the second ticket of a login, and spends it',
      async (renew) => {
        const tgt = await sso.login();
        await sso.grant(tgt);
        const ticket = await sso.grant(tgt);
        const reply = await validate(sso, '/serviceValidate', { service: APP, ticket, renew });
        expect(reply).toMatchObject({
          status: failedValidation,
          body: failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`),
        });
        expect((await validate(sso, '/serviceValidate', { service: APP, ticket })).status).toBe(
          failedValidation,
        );
      },
    );

    test.each(['false', '0', 'no', 'off', 'OFF'])('=%s does not mean it', async (renew) => {
      const tgt = await sso.login();
      await sso.grant(tgt);
      const ticket = await sso.grant(tgt);
      const reply = await validate(sso, '/p3/serviceValidate', { service: APP, ticket, renew });
      expect(reply.status).toBe(200);
      expect(reply.body).toContain('<cas:isFromNewLogin>false<');
    });
  });

  describe('refuses', () => {
    test.each(XML_ENDPOINTS)('a ticket used before, on %s', async (path) => {
      const ticket = await newTicket(sso);
      await validate(sso, path, { service: APP, ticket });
      const reply = await validate(sso, path, { service: APP, ticket });
      expect(reply).toMatchObject({
        status: failedValidation,
        body: failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`),
      });
      expect(reply.headers['content-type']).toBe(XML);
    });

    test('a ticket used before, on /validate', async () => {
      const ticket = await newTicket(sso);
      await validate(sso, '/validate', { service: APP, ticket });
      expect(await validate(sso, '/validate', { service: APP, ticket })).toMatchObject({
        status: failedValidation,
        body: 'no\n\n',
      });
    });

    test('a ticket of another service, names both, and spends it', async () => {
      const ticket = await newTicket(sso);
      const service = 'https://app.example.org/other?a=<1>&b';
      const reply = await validate(sso, '/serviceValidate', { service, ticket });
      expect(reply).toMatchObject({
        status: failedValidation,
        body: failure(
          'INVALID_SERVICE',
          `Ticket '${ticket}' does not match supplied service. The original service was '${APP}' and the supplied ` +
            "service was 'https://app.example.org/other?a=&lt;1&gt;&amp;b'.",
        ),
      });
      const again = await validate(sso, '/serviceValidate', { service: APP, ticket });
      expect(again.body).toBe(failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`));
    });

    test.each(ENDPOINTS)('a ticket of another service, on %s', async (path) => {
      const ticket = await newTicket(sso);
      const reply = await validate(sso, path, { service: `${APP}x`, ticket });
      const text =
        `Ticket '${ticket}' does not match supplied service. The original service was '${APP}' ` +
        `and the supplied service was '${APP}x'.`;
      const body = path === '/validate' ? 'no\n\n' : failure('INVALID_SERVICE', text);
      expect(reply).toMatchObject({ status: failedValidation, body });
    });

    test('a ticket of another service, as JSON', async () => {
      const ticket = await newTicket(sso);
      const parameters = { service: `${APP}x`, ticket, format: 'JSON' };
      const { status, body } = await validate(sso, '/serviceValidate', parameters);
      expect(status).toBe(failedValidation);
      expect(JSON.parse(body)).toMatchObject({
        serviceResponse: { authenticationFailure: { code: 'INVALID_SERVICE' } },
      });
    });

    test.each([
      ['garbage', 'x'],
      ['an unknown ST', 'ST-0abcdefghijklmnopqrstuv'],
      ['markup', `<b>&"'`],
    ])('%s as a ticket', async (_, ticket) => {
      const reply = await validate(sso, '/serviceValidate', { service: APP, ticket });
      const escaped = ticket.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
      expect(reply).toMatchObject({
        status: failedValidation,
        body: failure('INVALID_TICKET', `Ticket '${escaped}' not recognized`),
      });
    });

    test('in JSON, too', async () => {
      const reply = await validate(sso, '/serviceValidate', {
        service: APP,
        ticket: 'x',
        format: 'JSON',
      });
      expect(reply).toMatchObject({
        status: failedValidation,
        body: `{"serviceResponse":{"authenticationFailure":{"code":"INVALID_TICKET","description":"Ticket 'x' not recognized"}}}`,
      });
      expect(reply.headers['content-type']).toBe('application/json');
    });

    test('a ticket whose login has ended', async () => {
      const tgt = await sso.login();
      const ticket = await sso.grant(tgt);
      await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
      const reply = await validate(sso, '/serviceValidate', { service: APP, ticket });
      expect(reply.body).toBe(failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`));
    });

    test('a service that was disabled after the ticket was granted', async () => {
      const service = CLOSING;
      const ticket = await newTicket(sso, service);
      await sso.database.dataSource.query(
        "update registered_service set enabled = false where name = 'closing'",
      );
      await sso.refreshServices();
      const reply = await validate(sso, '/serviceValidate', { service, ticket });
      expect(reply).toMatchObject({
        status: failedValidation,
        body: failure(
          'UNAUTHORIZED_SERVICE',
          `Service '${service}' is not authorized to use this server`,
        ),
      });
    });
  });

  describe(`for a service with dialect ${other.dialect}`, () => {
    test('succeeds as ever', async () => {
      const ticket = await newTicket(sso, OTHER);
      expect((await validate(sso, '/serviceValidate', { service: OTHER, ticket })).status).toBe(
        200,
      );
    });

    test.each(ENDPOINTS)(`fails with ${other.failedValidation} on %s`, async (path) => {
      expect((await validate(sso, path, { service: OTHER, ticket: 'ST-x' })).status).toBe(
        other.failedValidation,
      );
    });
  });
});

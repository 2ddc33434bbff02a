// Every answer of the validation endpoints, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http, type Call, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const XML = 'application/xml;charset=UTF-8';
const TEXT = 'text/plain;charset=UTF-8';
const REQUIRED = 'service and ticket parameters are both required';
const CAS2 = ['/serviceValidate', '/proxyValidate'];
const CAS3 = ['/p3/serviceValidate', '/p3/proxyValidate'];
const XML_ENDPOINTS = [...CAS2, ...CAS3];
const ENDPOINTS = ['/validate', ...XML_ENDPOINTS];

const DIALECTS = [
  { dialect: 'documented', failed: 400, other: 'apereo', otherFailed: 200 },
  { dialect: 'apereo', failed: 200, other: 'documented', otherFailed: 400 },
] as const;

describe.each(DIALECTS)(
  'validation in dialect $dialect',
  ({ dialect, failed, other, otherFailed }) => {
    let sso: Sso;
    const OTHER = 'https://other-dialect.example.org/';

    beforeAll(async () => {
      sso = await startSso({
        settings: [`--sso.dialect=${dialect}`],
        services: [
          {
            serviceId: '^https://other-dialect\\.example\\.org/.*',
            name: 'other dialect',
            properties: { dialect: other },
          },
          { serviceId: '^https://nothing\\.example\\.org/.*', name: 'nothing released' },
          {
            serviceId: '^https://some\\.example\\.org/.*',
            name: 'some released',
            attributeRelease: {
              kind: 'mapped',
              names: { mail: ['e-mail', 'isFromNewLogin', '1 bad'] },
            },
            usernameAttribute: { kind: 'attribute', name: 'displayName' },
          },
          { serviceId: '^https://closing\\.example\\.org/.*', name: 'closing' },
        ],
      });
    });
    afterAll(() => sso.close());

    const query = (parameters: Readonly<Record<string, string>>): string =>
      `?${new URLSearchParams(parameters).toString()}`;
    const validate = (
      path: string,
      parameters: Readonly<Record<string, string>>,
      call: Call = {},
    ) => http('GET', sso.url, path + query(parameters), call);
    const newTicket = async (service = APP): Promise<string> =>
      sso.grant(await sso.login(), service);

    function envelope(inner: string): string {
      return `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n${inner}\n</cas:serviceResponse>\n`;
    }
    function failure(code: string, text: string): string {
      return envelope(
        `    <cas:authenticationFailure code="${code}">${text}</cas:authenticationFailure>`,
      );
    }
    /** Everything but the time of the login, which is checked for its form. */
    function withDate(body: string): string {
      const date = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/.exec(body)?.[0] ?? 'no date';
      expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(60_000);
      return body.replace(date, 'DATE');
    }

    const PROTOCOL = (isNew: boolean): string =>
      `            <cas:authenticationDate>DATE</cas:authenticationDate>
            <cas:isFromNewLogin>${isNew}</cas:isFromNewLogin>
            <cas:longTermAuthenticationRequestTokenUsed>false</cas:longTermAuthenticationRequestTokenUsed>
            <cas:credentialType>UsernamePasswordCredential</cas:credentialType>
            <cas:authenticationMethod>static</cas:authenticationMethod>
            <cas:successfulAuthenticationHandlers>static</cas:successfulAuthenticationHandlers>
            <cas:samlAuthenticationStatementAuthMethod>urn:oasis:names:tc:SAML:1.0:am:password</cas:samlAuthenticationStatementAuthMethod>`;
    const RELEASED = `            <cas:mail>casuser@example.org</cas:mail>
            <cas:displayName>Cas &lt;User&gt; &amp; Co</cas:displayName>
            <cas:memberOf>staff</cas:memberOf>
            <cas:memberOf>admin</cas:memberOf>`;
    const success = (user: string, attributes: string): string =>
      envelope(`    <cas:authenticationSuccess>
        <cas:user>${user}</cas:user>
        <cas:attributes>
${attributes}
        </cas:attributes>
    </cas:authenticationSuccess>`);

    describe('succeeds', () => {
      test('on /validate with yes and the user', async () => {
        const reply = await validate('/validate', { service: APP, ticket: await newTicket() });
        expect(reply).toMatchObject({ status: 200, body: 'yes\ncasuser\n' });
        expect(reply.headers['content-type']).toBe(TEXT);
      });

      test.each(XML_ENDPOINTS)('on %s with user and attributes', async (path) => {
        const reply = await validate(path, { service: APP, ticket: await newTicket() });
        expect(reply.status).toBe(200);
        expect(reply.headers['content-type']).toBe(XML);
        expect(withDate(reply.body)).toBe(success('casuser', `${RELEASED}\n${PROTOCOL(true)}`));
      });

      test.each(ENDPOINTS)('on %s by POST of a form, too', async (path) => {
        const form = { service: APP, ticket: await newTicket() };
        expect((await http('POST', sso.url, path, { form })).status).toBe(200);
      });

      test('by POST with service in the query and ticket in the form', async () => {
        const form = { ticket: await newTicket() };
        const path = `/serviceValidate${query({ service: APP })}`;
        expect((await http('POST', sso.url, path, { form })).status).toBe(200);
      });

      test('releasing nothing but the protocol attributes by default', async () => {
        const service = 'https://nothing.example.org/';
        const reply = await validate('/p3/serviceValidate', {
          service,
          ticket: await newTicket(service),
        });
        expect(withDate(reply.body)).toBe(success('casuser', PROTOCOL(true)));
      });

      test('under the names and the user name the service asked for, none of which replaces a protocol attribute', async () => {
        const service = 'https://some.example.org/';
        const reply = await validate('/p3/serviceValidate', {
          service,
          ticket: await newTicket(service),
        });
        expect(withDate(reply.body)).toBe(
          success(
            'Cas &lt;User&gt; &amp; Co',
            `            <cas:e-mail>casuser@example.org</cas:e-mail>\n${PROTOCOL(true).replace(
              /( *<cas:authenticationDate>.*\n)( *<cas:isFromNewLogin>.*\n)/,
              '$2$1',
            )}`,
          ),
        );
      });

      test.each(['JSON', 'json', 'Json'])('in format %s', async (format) => {
        const service = 'https://nothing.example.org/';
        const ticket = await newTicket(service);
        const reply = await validate('/p3/serviceValidate', { service, ticket, format });
        expect(reply.headers['content-type']).toBe('application/json');
        expect(withDate(reply.body)).toBe(
          '{"serviceResponse":{"authenticationSuccess":{"user":"casuser","attributes":{"authenticationDate":["DATE"],' +
            '"isFromNewLogin":["true"],"longTermAuthenticationRequestTokenUsed":["false"],' +
            '"credentialType":["UsernamePasswordCredential"],"authenticationMethod":["static"],' +
            '"successfulAuthenticationHandlers":["static"],' +
            '"samlAuthenticationStatementAuthMethod":["urn:oasis:names:tc:SAML:1.0:am:password"]}}}}',
        );
      });

      test.each(['xml', 'XML'])('in format %s as without', async (format) => {
        const reply = await validate('/serviceValidate', {
          service: APP,
          ticket: await newTicket(),
          format,
        });
        expect(reply.headers['content-type']).toBe(XML);
      });

      test.each(['JSON', 'bogus'])('on /validate whatever the format: %s', async (format) => {
        const reply = await validate('/validate', {
          service: APP,
          ticket: await newTicket(),
          format,
        });
        expect(reply).toMatchObject({ status: 200, body: 'yes\ncasuser\n' });
      });

      test('whatever pgtUrl says, as long as callbacks are not there', async () => {
        const parameters = {
          service: APP,
          ticket: await newTicket(),
          pgtUrl: 'https://app.example.org/cb',
        };
        const reply = await validate('/serviceValidate', parameters);
        expect(reply.status).toBe(200);
        expect(reply.body).not.toContain('proxyGrantingTicket');
      });
    });

    describe('with renew', () => {
      test('takes the first ticket of a login, and one granted with credentials', async () => {
        const tgt = await sso.login();
        const first = await sso.grant(tgt);
        const parameters = { service: APP, ticket: first, renew: 'true' };
        expect((await validate('/serviceValidate', parameters)).status).toBe(200);
        const form = { service: APP, renew: 'true', username: 'casuser', password: 'Mellon' };
        const { body: ticket } = await http('POST', sso.url, `/v1/tickets/${tgt}`, { form });
        const reply = await validate('/p3/serviceValidate', { ...parameters, ticket });
        expect(withDate(reply.body)).toContain('<cas:isFromNewLogin>true<');
      });

      test.each(['true', '', '1', 'yes', 'anything'])(
        '=%s refuses the second ticket of a login, and spends it',
        async (renew) => {
          const tgt = await sso.login();
          await sso.grant(tgt);
          const ticket = await sso.grant(tgt);
          const reply = await validate('/serviceValidate', { service: APP, ticket, renew });
          expect(reply).toMatchObject({
            status: failed,
            body: failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`),
          });
          expect((await validate('/serviceValidate', { service: APP, ticket })).status).toBe(
            failed,
          );
        },
      );

      test.each(['false', '0', 'no', 'off', 'OFF'])('=%s does not mean it', async (renew) => {
        const tgt = await sso.login();
        await sso.grant(tgt);
        const ticket = await sso.grant(tgt);
        const reply = await validate('/p3/serviceValidate', { service: APP, ticket, renew });
        expect(reply.status).toBe(200);
        expect(reply.body).toContain('<cas:isFromNewLogin>false<');
      });
    });

    describe('refuses', () => {
      test.each(XML_ENDPOINTS)('a ticket used before, on %s', async (path) => {
        const ticket = await newTicket();
        await validate(path, { service: APP, ticket });
        const reply = await validate(path, { service: APP, ticket });
        expect(reply).toMatchObject({
          status: failed,
          body: failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`),
        });
        expect(reply.headers['content-type']).toBe(XML);
      });

      test('a ticket used before, on /validate', async () => {
        const ticket = await newTicket();
        await validate('/validate', { service: APP, ticket });
        expect(await validate('/validate', { service: APP, ticket })).toMatchObject({
          status: failed,
          body: 'no\n\n',
        });
      });

      test('a ticket of another service, names both, and spends it', async () => {
        const ticket = await newTicket();
        const service = 'https://app.example.org/other?a=<1>&b';
        const reply = await validate('/serviceValidate', { service, ticket });
        expect(reply).toMatchObject({
          status: failed,
          body: failure(
            'INVALID_SERVICE',
            `Ticket '${ticket}' does not match supplied service. The original service was '${APP}' and the supplied ` +
              "service was 'https://app.example.org/other?a=&lt;1&gt;&amp;b'.",
          ),
        });
        const again = await validate('/serviceValidate', { service: APP, ticket });
        expect(again.body).toBe(failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`));
      });

      test.each([
        ['garbage', 'x'],
        ['an unknown ST', 'ST-0abcdefghijklmnopqrstuv'],
        ['markup', `<b>&"'`],
      ])('%s as a ticket', async (_, ticket) => {
        const reply = await validate('/serviceValidate', { service: APP, ticket });
        const escaped = ticket.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
        expect(reply).toMatchObject({
          status: failed,
          body: failure('INVALID_TICKET', `Ticket '${escaped}' not recognized`),
        });
      });

      test('in JSON, too', async () => {
        const reply = await validate('/serviceValidate', {
          service: APP,
          ticket: 'x',
          format: 'JSON',
        });
        expect(reply).toMatchObject({
          status: failed,
          body: `{"serviceResponse":{"authenticationFailure":{"code":"INVALID_TICKET","description":"Ticket 'x' not recognized"}}}`,
        });
        expect(reply.headers['content-type']).toBe('application/json');
      });

      test('a ticket whose login has ended', async () => {
        const tgt = await sso.login();
        const ticket = await sso.grant(tgt);
        await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
        const reply = await validate('/serviceValidate', { service: APP, ticket });
        expect(reply.body).toBe(failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`));
      });

      test('a service that was disabled after the ticket was granted', async () => {
        const service = 'https://closing.example.org/';
        const ticket = await newTicket(service);
        await sso.database.dataSource.query(
          "update registered_service set enabled = false where name = 'closing'",
        );
        await sso.refreshServices();
        const reply = await validate('/serviceValidate', { service, ticket });
        expect(reply).toMatchObject({
          status: failed,
          body: failure(
            'UNAUTHORIZED_SERVICE',
            `Service '${service}' is not authorized to use this server`,
          ),
        });
      });

      test.each([
        ['nothing at all', '', REQUIRED],
        ['no ticket', `?service=${APP}`, REQUIRED],
        ['no service', '?ticket=ST-1', REQUIRED],
        ['an empty ticket', `?service=${APP}&ticket=`, REQUIRED],
        ['an empty service', '?service=&ticket=ST-1', REQUIRED],
        [
          'a ticket twice',
          `?service=${APP}&ticket=ST-1&ticket=ST-2`,
          'ticket is given more than once',
        ],
        [
          'a service twice',
          `?service=${APP}&service=${APP}&ticket=ST-1`,
          'service is given more than once',
        ],
        ['arrays', `?service[]=${APP}&ticket[]=ST-1`, REQUIRED],
        [
          'an unknown format',
          `?service=${APP}&ticket=ST-1&format=YAML`,
          'format must be XML or JSON',
        ],
        [
          'a format twice',
          `?service=${APP}&ticket=ST-1&format=XML&format=JSON`,
          'format is given more than once',
        ],
        [
          'a ticket with NUL',
          `?service=${APP}&ticket=ST-1%00`,
          'ticket contains control characters',
        ],
        [
          'a service with escape codes',
          `?service=${APP}%1b[31m&ticket=ST-1`,
          'service contains control characters',
        ],
        [
          'bad percent-encoding',
          `?service=%E0%A4%A&ticket=ST-1`,
          'a parameter is not well-formed percent-encoded UTF-8',
        ],
      ])('%s as INVALID_REQUEST', async (_, parameters, text) => {
        const reply = await http('GET', sso.url, `/serviceValidate${parameters}`);
        expect(reply).toMatchObject({ status: failed, body: failure('INVALID_REQUEST', text) });
        const plain = await http('GET', sso.url, `/validate${parameters}`);
        if (!parameters.includes('format')) {
          expect(plain).toMatchObject({ status: failed, body: 'no\n\n' });
        }
      });

      test.each([
        ['GET', 'application/json'],
        ['GET', 'text/plain'],
        ['POST', 'application/json'],
        ['POST', 'multipart/form-data; boundary=x'],
      ])('%s with an entity of type %s, with 415', async (method, type) => {
        const ticket = await newTicket();
        const path = `/serviceValidate${query({ service: APP, ticket })}`;
        const reply = await http(method, sso.url, path, { headers: { 'content-type': type } });
        expect(reply.status).toBe(415);
        expect(reply.body).toContain('code="INVALID_REQUEST"');
        expect((await validate('/serviceValidate', { service: APP, ticket })).status).toBe(200);
      });
    });

    describe('spends no ticket', () => {
      test.each(ENDPOINTS)('on HEAD %s, answered 405', async (path) => {
        const ticket = await newTicket();
        const head = await http('HEAD', sso.url, path + query({ service: APP, ticket }));
        expect(head.status).toBe(405);
        expect(head.headers.allow).toBe('GET, POST');
        expect((await validate(path, { service: APP, ticket })).status).toBe(200);
      });

      test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
        'on %s, answered 405',
        async (method) => {
          const ticket = await newTicket();
          const path = `/serviceValidate${query({ service: APP, ticket })}`;
          expect((await http(method, sso.url, path)).status).toBe(405);
          expect((await validate('/serviceValidate', { service: APP, ticket })).status).toBe(200);
        },
      );

      test('on a request that is malformed', async () => {
        const ticket = await newTicket();
        for (const more of [{ format: 'YAML' }, { service: '' }]) {
          const reply = await validate('/serviceValidate', { service: APP, ticket, ...more });
          expect(reply.body).toContain('INVALID_REQUEST');
        }
        expect((await validate('/serviceValidate', { service: APP, ticket })).status).toBe(200);
      });
    });

    describe(`for a service with dialect ${other}`, () => {
      test('succeeds as ever', async () => {
        const ticket = await newTicket(OTHER);
        expect((await validate('/serviceValidate', { service: OTHER, ticket })).status).toBe(200);
      });

      test.each(ENDPOINTS)(`fails with ${otherFailed} on %s`, async (path) => {
        expect((await validate(path, { service: OTHER, ticket: 'ST-x' })).status).toBe(otherFailed);
      });
    });

    test('a client that asked for nothing of the kind gets no cache and no sniffing', async () => {
      const replies: Reply[] = [
        await validate('/serviceValidate', { service: APP, ticket: await newTicket() }),
        await validate('/serviceValidate', { service: APP, ticket: 'x' }),
        await http('PUT', sso.url, '/validate'),
      ];
      for (const { headers } of replies) {
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
      }
    });
  },
);

test.each(CAS2)(
  'with attributes turned off for CAS 2, %s has none and /p3 still has',
  async (path) => {
    const sso = await startSso({ settings: ['--sso.validation.cas2-attributes=false'] });
    try {
      const tgt = await sso.login();
      const bare = `?service=${APP}&ticket=${await sso.grant(tgt)}`;
      expect((await http('GET', sso.url, path + bare)).body).toBe(
        `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationSuccess>
        <cas:user>casuser</cas:user>
    </cas:authenticationSuccess>
</cas:serviceResponse>
`,
      );
      const full = `?service=${APP}&ticket=${await sso.grant(tgt)}`;
      expect((await http('GET', sso.url, `/p3${path}${full}`)).body).toContain('<cas:mail>');
    } finally {
      await sso.close();
    }
  },
);

// What requests REST tickets and validation take at all, what becomes of a ticket in the others, and the headers of every
// answer.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Call, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { ENDPOINTS, failure, newTicket, query, validate } from '../support/validation.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GOOD = { username: 'casuser', password: 'Mellon' };
const REQUIRED = 'service and ticket parameters are both required';

describe.each(DIALECTS)('in dialect $dialect', ({ dialect, failedValidation }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({ settings: [`--sso.dialect=${dialect}`] });
  });
  afterAll(() => sso.close());

  describe('REST tickets', () => {
    const post = (path: string, call: Call): Promise<Reply> => http('POST', sso.url, path, call);
    const login = (call: Call): Promise<Reply> => post('/v1/tickets', call);

    describe('the entity', () => {
      test.each([
        ['none', undefined],
        ['JSON', 'application/json'],
        ['multipart', 'multipart/form-data; boundary=x'],
        ['text', 'text/plain'],
        ['another charset', 'application/x-www-form-urlencoded; charset=ISO-8859-1'],
        ['a look-alike', 'application/x-www-form-urlencoded-not'],
        ['garbage', ';;;'],
      ])('of type %s is answered 415 at both paths', async (_, type) => {
        const call = {
          body: 'username=casuser&password=Mellon&service=x',
          headers: type === undefined ? {} : { 'content-type': type },
        };
        expect((await login(call)).status).toBe(415);
        expect((await post(`/v1/tickets/${await sso.login()}`, call)).status).toBe(415);
      });

      test.each([
        'application/x-www-form-urlencoded; charset=UTF-8',
        'application/x-www-form-urlencoded;charset=utf-8',
        'Application/X-WWW-Form-Urlencoded; Charset="utf-8"',
      ])('of type %s is a form', async (type) => {
        const body = 'username=casuser&password=Mellon';
        expect((await login({ body, headers: { 'content-type': type } })).status).toBe(201);
      });

      test('that is compressed is answered 415', async () => {
        expect((await login({ form: GOOD, headers: { 'content-encoding': 'gzip' } })).status).toBe(
          415,
        );
      });

      test('over 64 KiB is answered 413, declared or not', async () => {
        const body = `username=casuser&password=Mellon&x=${'x'.repeat(64 * 1024)}`;
        expect((await login({ body, headers: FORM })).status).toBe(413);
        const chunked = { ...FORM, 'transfer-encoding': 'chunked' };
        expect((await login({ body, headers: chunked })).status).toBe(413);
      });
    });

    test.each([
      ['GET', '/v1/tickets', 'POST'],
      ['HEAD', '/v1/tickets', 'POST'],
      ['PUT', '/v1/tickets', 'POST'],
      ['DELETE', '/v1/tickets', 'POST'],
      ['PATCH', '/v1/tickets', 'POST'],
      ['OPTIONS', '/v1/tickets', 'POST'],
      ['TRACE', '/v1/tickets', 'POST'],
      ['PUT', '/v1/tickets/TGT-x', 'GET, HEAD, POST, DELETE'],
      ['PATCH', '/v1/tickets/TGT-x', 'GET, HEAD, POST, DELETE'],
      ['OPTIONS', '/v1/tickets/TGT-x', 'GET, HEAD, POST, DELETE'],
      ['TRACE', '/v1/tickets/TGT-x', 'GET, HEAD, POST, DELETE'],
    ])('answers %s %s with 405 and Allow', async (method, path, allow) => {
      const reply = await http(method, sso.url, path);
      expect(reply.status).toBe(405);
      expect(reply.headers.allow).toBe(allow);
    });

    test('every answer is uncacheable and not to be sniffed', async () => {
      const tgt = await sso.login();
      const replies = await Promise.all([
        login({ form: GOOD }),
        login({ form: { ...GOOD, password: 'x' } }),
        login({ body: 'x' }),
        post(`/v1/tickets/${tgt}`, { form: { service: APP } }),
        post(`/v1/tickets/${tgt}`, { form: { service: 'https://unknown/' } }),
        post('/v1/tickets/TGT-x', { form: { service: APP } }),
        http('GET', sso.url, `/v1/tickets/${tgt}`),
        http('GET', sso.url, '/v1/tickets/TGT-x'),
        http('DELETE', sso.url, '/v1/tickets/TGT-x'),
        http('PUT', sso.url, '/v1/tickets'),
        http('GET', sso.url, '/nothing/here'),
      ]);
      for (const { headers } of replies) {
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('etag');
      }
    });
  });

  describe('validation', () => {
    describe('refuses', () => {
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
        expect(reply).toMatchObject({
          status: failedValidation,
          body: failure('INVALID_REQUEST', text),
        });
        const plain = await http('GET', sso.url, `/validate${parameters}`);
        if (!parameters.includes('format')) {
          expect(plain).toMatchObject({ status: failedValidation, body: 'no\n\n' });
        }
      });

      test.each([
        ['POST', 'application/json', undefined],
        ['POST', 'multipart/form-data; boundary=x', undefined],
        ['GET', 'text/xml', '<x/>'],
        ...(dialect === 'documented' ? [['GET', 'text/xml', undefined] as const] : []),
      ])('%s with an entity of type %s, %j, with 415', async (method, type, body) => {
        const ticket = await newTicket(sso);
        const path = `/serviceValidate${query({ service: APP, ticket })}`;
        const reply = await http(method, sso.url, path, {
          headers: { 'content-type': type },
          ...(body !== undefined && { body }),
        });
        expect(reply.status).toBe(415);
        expect(reply.body).toContain('code="INVALID_REQUEST"');
        expect((await validate(sso, '/serviceValidate', { service: APP, ticket })).status).toBe(
          200,
        );
      });
    });

    // An npm client sends text/xml with its GET, which existing servers ignore.
    if (dialect === 'apereo') {
      test.each(ENDPOINTS)('ignores the type of a GET without an entity: %s', async (path) => {
        for (const type of ['text/xml', 'application/json', 'nonsense']) {
          const service = APP;
          const target = path + query({ service, ticket: await newTicket(sso) });
          const headers = { 'content-type': type, 'content-length': '0' };
          expect((await http('GET', sso.url, target, { headers })).status).toBe(200);
        }
      });
    }

    describe('spends no ticket', () => {
      test.each(ENDPOINTS)('on HEAD %s, answered 405', async (path) => {
        const ticket = await newTicket(sso);
        const head = await http('HEAD', sso.url, path + query({ service: APP, ticket }));
        expect(head.status).toBe(405);
        expect(head.headers.allow).toBe('GET, POST');
        expect((await validate(sso, path, { service: APP, ticket })).status).toBe(200);
      });

      test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
        'on %s, answered 405',
        async (method) => {
          const ticket = await newTicket(sso);
          const path = `/serviceValidate${query({ service: APP, ticket })}`;
          expect((await http(method, sso.url, path)).status).toBe(405);
          expect((await validate(sso, '/serviceValidate', { service: APP, ticket })).status).toBe(
            200,
          );
        },
      );

      test('on a request that is malformed', async () => {
        const ticket = await newTicket(sso);
        for (const more of [{ format: 'YAML' }, { service: '' }]) {
          const reply = await validate(sso, '/serviceValidate', { service: APP, ticket, ...more });
          expect(reply.body).toContain('INVALID_REQUEST');
        }
        expect((await validate(sso, '/serviceValidate', { service: APP, ticket })).status).toBe(
          200,
        );
      });
    });

    test('a client that asked for nothing of the kind gets no cache and no sniffing', async () => {
      const replies: Reply[] = [
        await validate(sso, '/serviceValidate', { service: APP, ticket: await newTicket(sso) }),
        await validate(sso, '/serviceValidate', { service: APP, ticket: 'x' }),
        await http('PUT', sso.url, '/validate'),
      ];
      for (const { headers } of replies) {
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
      }
    });
  });
});

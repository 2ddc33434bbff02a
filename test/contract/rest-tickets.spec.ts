// Every status of the REST ticket interface, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http, type Call, type Reply } from '../support/http.js';
import { APP, BASE_URL, startSso, type Sso } from '../support/sso.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GOOD = { username: 'casuser', password: 'Mellon' };
const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const TEXT = 'text/plain;charset=UTF-8';
const NOT_FOUND = 'TicketGrantingTicket could not be found';

const DIALECTS = [
  { dialect: 'documented', badCredentials: 400 },
  { dialect: 'apereo', badCredentials: 401 },
] as const;

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
      ],
    });
  });
  afterAll(() => sso.close());

  const post = (path: string, call: Call): Promise<Reply> => http('POST', sso.url, path, call);
  const login = (call: Call): Promise<Reply> => post('/v1/tickets', call);

  describe('logging in', () => {
    test.each([
      ['no Accept', undefined],
      ['*/*', '*/*'],
      ['*/* with more', '*/*;q=0.8, text/plain'],
      ['text/html', 'text/html,application/xhtml+xml'],
    ])('answers %s with 201, the Location and a page', async (_, accept) => {
      const reply = await login({ form: GOOD, headers: accept === undefined ? {} : { accept } });
      expect(reply.status).toBe(201);
      const location = String(reply.headers.location);
      expect(location).toMatch(
        /^https:\/\/sso\.example\.org:8443\/cas\/v1\/tickets\/TGT-[A-Za-z0-9]{43}$/,
      );
      expect(reply.headers['content-type']).toBe('text/html;charset=UTF-8');
      expect(reply.body).toBe(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>201 Created</title></head><body>' +
          `<h1>TGT Created</h1><form action="${location}" method="POST">` +
          'Service:<input type="text" name="service" value=""><br><input type="submit" value="Submit"></form></body></html>',
      );
    });

    test.each(['text/plain', 'application/json', 'image/png', 'text/plain, */*'])(
      'answers %s with the bare id',
      async (accept) => {
        const reply = await login({ form: GOOD, headers: { accept } });
        expect(reply.status).toBe(201);
        expect(reply.headers['content-type']).toBe(TEXT);
        expect(reply.body).toMatch(/^TGT-[A-Za-z0-9]{43}$/);
        expect(reply.headers.location).toBe(`${BASE_URL}/v1/tickets/${reply.body}`);
      },
    );

    test('takes the Location from its settings, whatever the caller says of the host', async () => {
      const reply = await login({
        form: GOOD,
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
          forwarded: 'host=evil.example',
        },
      });
      expect(reply.headers.location).toMatch(
        /^https:\/\/sso\.example\.org:8443\/cas\/v1\/tickets\/TGT-/,
      );
    });

    test.each([
      ['a wrong password', { username: 'casuser', password: 'mellon' }],
      ['an unknown user', { username: 'nobody', password: 'Mellon' }],
      ['a user name in other letters', { username: 'CASUSER', password: 'Mellon' }],
      ['a password with white space', { username: 'casuser', password: 'Mellon ' }],
    ])(`refuses %s with ${badCredentials} and the same answer`, async (_, form) => {
      const reply = await login({ form });
      expect(reply).toMatchObject({ status: badCredentials, body: REFUSED });
      expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8');
    });

    test.each([
      ['nothing', '', 'missing: username, password'],
      ['no password', 'username=casuser', 'missing: password'],
      ['an empty password', 'username=casuser&password=', 'missing: password'],
      ['no user', 'password=Mellon', 'missing: username'],
      ['an empty user', 'username=&password=Mellon', 'missing: username'],
      ['an array', 'username[]=casuser&password[]=Mellon', 'missing: username, password'],
      ['a prototype', '__proto__[username]=casuser&password=x', 'missing: username'],
      [
        'a user twice',
        'username=casuser&username=b&password=x',
        'username is given more than once',
      ],
      [
        'a password twice',
        'username=casuser&password=Mellon&password=Mellon',
        'password is given more than once',
      ],
      [
        'a user with a line break',
        'username=cas%0Auser&password=x',
        'username contains control characters',
      ],
      ['a user with NUL', 'username=cas%00user&password=x', 'username contains control characters'],
      [
        'a very long user',
        `username=${'u'.repeat(256)}&password=x`,
        'username is longer than 255 characters',
      ],
      [
        'bad percent-encoding',
        'username=%zz&password=x',
        'a parameter is not well-formed percent-encoded UTF-8',
      ],
      [
        'bytes that are no UTF-8',
        'username=%ff&password=x',
        'a parameter is not well-formed percent-encoded UTF-8',
      ],
    ])('refuses %s with 400 and says what is wrong', async (_, body, text) => {
      const reply = await login({ body, headers: FORM });
      expect(reply).toMatchObject({ status: 400, body: text });
      expect(reply.headers['content-type']).toBe(TEXT);
    });

    test.each(['username=casuser', 'password=Mellon', 'username=casuser&password=Mellon'])(
      'refuses credentials in the query with 400: %s',
      async (query) => {
        const reply = await post(`/v1/tickets?${query}`, { form: GOOD });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatch(/^(username|password) must be in the body, not in the query$/);
      },
    );

    test('takes any number of further fields', async () => {
      const body =
        'username=casuser&password=Mellon&x=1&x=2&__proto__=3&constructor=4&rememberMe=true';
      expect((await login({ body, headers: FORM })).status).toBe(201);
    });
  });

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
      ['a registered one with something in front', 'x-https://app.example.org/'],
    ])('for a service %s is refused with 403', async (_, service) => {
      const reply = await post(`/v1/tickets/${await sso.login()}`, { form: { service } });
      expect(reply).toMatchObject({
        status: 403,
        body: 'The service is not authorized to use this server',
      });
    });

    test('for a service whose required attribute the principal holds is granted', async () => {
      const reply = await post(`/v1/tickets/${await sso.login()}`, {
        form: { service: 'https://staff.example.org/' },
      });
      expect(reply.status).toBe(200);
    });

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

  describe('asking after a ticket', () => {
    test('that is live answers 200 and its id', async () => {
      const tgt = await sso.login();
      for (const id of [tgt, await sso.grant(tgt)]) {
        const reply = await http('GET', sso.url, `/v1/tickets/${id}`);
        expect(reply).toMatchObject({ status: 200, body: id });
        expect(reply.headers['content-type']).toBe(TEXT);
      }
    });

    test.each(['TGT-unknown', 'ST-0unknown', 'garbage', 'TGT-%00', 'TGT-%3Cb%3E'])(
      'that is not answers 404: %s',
      async (id) => {
        const reply = await http('GET', sso.url, `/v1/tickets/${id}`);
        expect(reply).toMatchObject({ status: 404, body: 'Ticket could not be found' });
      },
    );
  });

  describe('logging out', () => {
    test('answers 200 and the id, again and again', async () => {
      const tgt = await sso.login();
      for (let turn = 0; turn < 2; turn += 1) {
        const reply = await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
        expect(reply).toMatchObject({ status: 200, body: tgt });
      }
      expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(404);
    });

    test('of an ST ends that ticket alone', async () => {
      const tgt = await sso.login();
      const st = await sso.grant(tgt);
      expect(await http('DELETE', sso.url, `/v1/tickets/${st}`)).toMatchObject({
        status: 200,
        body: st,
      });
      expect((await http('GET', sso.url, `/v1/tickets/${st}`)).status).toBe(404);
      expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(200);
    });

    test.each(['TGT-unknown', 'garbage'])('of an unknown id is no fault: %s', async (id) => {
      expect(await http('DELETE', sso.url, `/v1/tickets/${id}`)).toMatchObject({
        status: 200,
        body: id,
      });
    });

    test.each(['TGT-%00', '%0d%0aX:y', '%3Cb%3E', 'a%2Fb'])(
      'of what can be no id is refused with 400: %s',
      async (id) => {
        expect((await http('DELETE', sso.url, `/v1/tickets/${id}`)).status).toBe(400);
      },
    );
  });

  test.each([
    ['GET', '/v1/tickets', 'POST'],
    ['HEAD', '/v1/tickets', 'POST'],
    ['PUT', '/v1/tickets', 'POST'],
    ['DELETE', '/v1/tickets', 'POST'],
    ['PATCH', '/v1/tickets', 'POST'],
    ['OPTIONS', '/v1/tickets', 'POST'],
    ['TRACE', '/v1/tickets', 'POST'],
    ['HEAD', '/v1/tickets/TGT-x', 'GET, POST, DELETE'],
    ['PUT', '/v1/tickets/TGT-x', 'GET, POST, DELETE'],
    ['PATCH', '/v1/tickets/TGT-x', 'GET, POST, DELETE'],
    ['OPTIONS', '/v1/tickets/TGT-x', 'GET, POST, DELETE'],
    ['TRACE', '/v1/tickets/TGT-x', 'GET, POST, DELETE'],
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

// Logging in over REST and out again, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Call, type Reply } from '../support/http.js';
import { BASE_URL, startSso, type Sso } from '../support/sso.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GOOD = { username: 'casuser', password: 'Mellon' };
const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const TEXT = 'text/plain;charset=UTF-8';

describe.each(DIALECTS)('REST tickets in dialect $dialect', ({ dialect, badCredentials }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({ settings: [`--sso.dialect=${dialect}`] });
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
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html;charset=UTF-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=31536000',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; " +
          'form-action https://sso.example.org:8443',
      });
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
});

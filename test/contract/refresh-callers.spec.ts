// Who may have the settings of an SSO server read anew, and every answer that others get, byte for byte; none but 200
// changes anything.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Call, type Reply } from '../support/http.js';
import {
  basic,
  bearer,
  recordLog,
  refresh,
  TOKEN,
  USERS,
  type Headers,
} from '../support/refresh.js';
import { startSso, type Sso } from '../support/sso.js';

const ROLE = ['--sso.management.role-name=memberOf', '--sso.management.role-value=admin'];
const REMEDY =
  'set sso.management.token, or sso.management.role-name and sso.management.role-value';

const THROTTLED = (dialect: string): string[] => [
  `--sso.dialect=${dialect}`,
  '--sso.throttle.rest.enabled=true',
  '--sso.throttle.rest.threshold=2',
];

const TEXT = 'text/plain;charset=UTF-8';
const BEARER = 'Bearer realm="sso"';
const BASIC = 'Basic realm="sso", charset="UTF-8"';

let sso: Sso;
const log = recordLog();

const post = (headers?: Headers, call?: Call): Promise<Reply> => refresh(sso, headers, call);

/** Starts the server for the tests of a block. */
function withSso(
  settings: readonly string[],
  before: (sso: Sso) => unknown = () => undefined,
): void {
  beforeAll(async () => {
    sso = await startSso({ settings });
    await before(sso);
  });
  afterAll(() => sso.close());
}

describe('a caller that is refused', () => {
  const settings = [USERS, `--sso.management.token=${TOKEN}`, ...ROLE];
  withSso(settings, ({ writeSettings }) => writeSettings('sso.yml', 'sso.dialect: apereo'));

  /** What was written meanwhile does not count: a wrong password is still answered as the specification has it. */
  afterEach(async () => {
    const form = { username: 'ann', password: 'wrong' };
    expect((await http('POST', sso.url, '/v1/tickets', { form })).status).toBe(400);
  });

  test.each<[string, Headers]>([
    ['who says nothing', {}],
    ['on this machine', { host: 'localhost' }],
    ['with an empty header', { authorization: '' }],
    ['with a token without its scheme', { authorization: TOKEN }],
    ['with a token of another scheme', { authorization: `Token ${TOKEN}` }],
    ['with a token in another header', { 'x-auth-token': TOKEN }],
    ['with a wrong token', bearer(TOKEN.replace('0', '1'))],
    ['with a token cut short', bearer(TOKEN.slice(0, -1))],
    ['with a longer token', bearer(`${TOKEN}0`)],
    ['with a token beyond all measure', bearer('x'.repeat(8_000))],
    ['with a wrong password', basic('casuser:wrong')],
    ['with no password', basic('casuser:')],
    ['with no colon', basic('casuser')],
    ['with an unknown user', basic('nobody:Mellon')],
    ['with a NUL in the name', basic('casuser\0:Mellon')],
    ['with no base64', { authorization: 'Basic casuser:Mellon' }],
    ['with the token as a password', basic(`casuser:${TOKEN}`)],
  ])('%s is answered 401, with what is asked for', async (_rule, headers) => {
    expect(await post(headers)).toMatchObject({
      status: 401,
      headers: {
        'www-authenticate': `${BEARER}, ${BASIC}`,
        'content-type': TEXT,
        'cache-control': 'no-store',
      },
      body: 'Authentication is required',
    });
  });

  test('as a user without the role is answered 403', async () => {
    const reply = await post(basic('ann:Mellon'));
    expect(reply).toMatchObject({
      status: 403,
      headers: { 'content-type': TEXT, 'cache-control': 'no-store' },
      body: 'Request is not authorized',
    });
    expect(log().join('')).toContain('"clientAddress":"127.0.0.1","principal":"ann"');
    expect(reply.headers).not.toHaveProperty('www-authenticate');
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'as the method %s is, is answered 405',
    async (method) => {
      expect(
        await http(method, sso.url, '/actuator/refresh', { headers: bearer(TOKEN) }),
      ).toMatchObject({
        status: 405,
        headers: { allow: 'POST', 'cache-control': 'no-store' },
        body: method === 'HEAD' ? '' : 'Method not allowed',
      });
    },
  );

  test.each(['/actuator', '/actuator/refresh/x', '/actuator/env', '/Actuator/refresh'])(
    'at %s is answered 404',
    async (path) => {
      const reply = await http('POST', sso.url, path, { headers: bearer(TOKEN) });
      expect(reply).toMatchObject({ status: 404, body: 'Not found' });
    },
  );

  test.each<[string, Headers]>([
    ['at once', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('with a body that is too large, sent %s, is answered 413', async (_rule, headers) => {
    const body = 'x'.repeat(1_048_576);
    expect(await post(bearer(TOKEN), { body, headers })).toMatchObject({
      status: 413,
      body: 'the body is larger than 65536 bytes',
    });
  });
});

describe.each([
  ['a token', [`--sso.management.token=${TOKEN}`], basic('casuser:Mellon'), BEARER],
  ['a role', ROLE, bearer(TOKEN), BASIC],
])(
  'where only %s is set, the other proof is answered 401',
  (_what, settings, headers, challenge) => {
    withSso([USERS, ...settings]);

    test('and the challenge names the accepted one', async () => {
      expect(await post(headers)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': challenge },
      });
    });
  },
);

describe('where neither token nor role is set, in profile dev', () => {
  withSso([]);

  test.each<[string, Headers, string]>([
    [
      'a page of another site, shown on this machine',
      { origin: 'https://example.org', 'sec-fetch-site': 'cross-site' },
      'a page from elsewhere makes this request',
    ],
    [
      'a page of another program of this machine',
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
      'a page from elsewhere makes this request',
    ],
    ['a page without an origin', { origin: 'null' }, 'a page from elsewhere makes this request'],
    [
      'a name that leads here',
      { host: 'rebound.example.org:8080', origin: 'http://rebound.example.org:8080' },
      'this calls the server by another name than localhost',
    ],
    [
      'a proxy of this machine',
      { 'x-forwarded-for': '127.0.0.1' },
      'the header x-forwarded-for says that a proxy passes this on for others',
    ],
    [
      'a proxy that says it as the standard has it',
      { forwarded: 'for=localhost' },
      'the header forwarded says that a proxy passes this on for others',
    ],
  ])('%s is answered 403', async (_rule, headers, reason) => {
    expect(await post(headers)).toMatchObject({
      status: 403,
      headers: { 'content-type': TEXT },
      body: `only programs of its machine may manage this server: ${reason}; ${REMEDY}`,
    });
  });

  test('a proxy that says nothing, but speaks HTTP/1.0, is answered 403', async () => {
    const { port } = new URL(sso.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST /cas/actuator/refresh HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const reply = await text(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 403 /);
    expect(reply).toContain('this speaks HTTP/1.0, as proxies do');
  });

  test('a page of its own is answered 200', async () => {
    const { origin } = new URL(sso.url);
    expect(await post({ origin, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 });
  });

  test.each<[string, Headers]>([
    ['a program of this machine', {}],
    ['one that calls it by name', { host: 'localhost:8080' }],
    ['one that proves what nobody asks for', basic('nobody:wrong')],
  ])('%s is answered 200', async (_rule, headers) => {
    expect(await post(headers)).toMatchObject({ status: 200, body: '[]' });
  });
});

describe('where neither token nor role is set, in profile production', () => {
  withSso(['--profiles.active=production', '--sso.modules=rest']);

  test.each<[string, Headers]>([
    ['a program of this machine', { host: 'localhost' }],
    ['a token', bearer(TOKEN)],
    ['a password', basic('casuser:Mellon')],
  ])('%s is answered 403, with what opens it', async (_rule, headers) => {
    const reply = await post(headers);
    expect(reply).toMatchObject({
      status: 403,
      body: `nobody may manage this server; ${REMEDY}`,
    });
  });
});

describe.each(DIALECTS)(
  'where logins are throttled, in dialect $dialect',
  ({ dialect, throttled }) => {
    withSso([USERS, ...ROLE, ...THROTTLED(dialect)]);

    test('failures here and at logins are counted together, and answered in the same words', async () => {
      const login = () =>
        http('POST', sso.url, '/v1/tickets', { form: { username: 'ann', password: 'wrong' } });
      expect((await post(basic('ann:wrong'))).status).toBe(401);
      await login();
      const refused = await post(basic('casuser:Mellon'));
      expect(refused).toMatchObject({
        status: throttled,
        headers: { 'retry-after': expect.stringMatching(/^\d+$/), 'content-type': TEXT },
        body: 'too many failed logins: try again later',
      });
      const { status, body } = await login();
      expect({ status, body }).toEqual({ status: refused.status, body: refused.body });
    });

    test('so are wrong tokens; a right one is let in all the same', async () => {
      const token = `--sso.management.token=${TOKEN}`;
      const other = await startSso({ settings: [USERS, token, ...THROTTLED(dialect)] });
      const wrong = () => refresh(other, bearer(`${TOKEN}0`));
      expect([(await wrong()).status, (await wrong()).status]).toEqual([401, 401]);
      const refused = await wrong();
      const login = { form: { username: 'ann', password: 'Mellon' } };
      expect(refused).toMatchObject({
        status: throttled,
        headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      });
      expect((await http('POST', other.url, '/v1/tickets', login)).status).toBe(throttled);
      expect((await refresh(other, bearer(TOKEN))).status).toBe(200);
      await other.close();
    });
  },
);

// Who may use the operator's API, and how operators sign in.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { http } from '../support/http.js';
import { cookieOf, startOperatorApi, TOKEN, type OperatorApi } from '../support/operator-api.js';
import { until } from '../support/until.js';

let api: OperatorApi;

beforeAll(async () => {
  api = await startOperatorApi();
});
afterAll(() => api.close());

const NO_ROLE =
  'this user does not have memberOf=admin (management.operator-role), nor memberOf=auditor (management.read-only-role)';

const problem = (status: number, code: string) => ({
  status,
  body: expect.stringContaining(`"code":"${code}"`),
  headers: expect.objectContaining({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  }),
});

describe('callers without a session', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['nothing', {}],
    ['a wrong token', { authorization: `Bearer ${TOKEN}x` }],
    ['the start of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['the token as a password', { authorization: `Basic ${btoa(`x:${TOKEN}`)}` }],
    ['a user and password', { authorization: `Basic ${btoa('ops:Mellon')}` }],
    ['a cookie that nobody sealed', { cookie: 'tessera-operator-session=abc' }],
  ])('with %s are refused with 401', async (_, headers) => {
    for (const path of ['me', 'services', 'sessions', 'users', 'audit', 'settings', 'metrics']) {
      const reply = await http('GET', api.url, `/api/v1/${path}`, { headers });
      expect(reply).toMatchObject(problem(401, 'CALLER_UNKNOWN'));
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="operator"');
    }
  });

  test('with 100 wrong tokens at both listeners are blocked, the right token is not', async () => {
    const wrong = await startOperatorApi();
    try {
      const headers = { authorization: `Bearer ${TOKEN}x` };
      const call = () => http('GET', wrong.url, '/api/v1/me', { headers });
      const refresh = () => http('POST', wrong.sso.url, '/actuator/refresh', { headers });
      for (let count = 0; count < 50; count += 1) {
        expect((await call()).status).toBe(401);
        expect((await refresh()).status).toBe(401);
      }
      expect((await refresh()).status).toBe(429);
      const blocked = await call();
      expect(blocked).toMatchObject(problem(429, 'AUTHENTICATION_THROTTLED'));
      expect(blocked.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect((await wrong.call('GET', '/api/v1/me')).status).toBe(200);
    } finally {
      await wrong.close();
    }
  });

  test('with a session cookie of the login page are refused', async () => {
    const tgt = await api.sso.login('ops', 'Mellon');
    for (const value of [tgt, encodeURIComponent(tgt)]) {
      const headers = { cookie: `tessera-operator-session=${value}; TGC=${value}` };
      expect((await http('GET', api.url, '/api/v1/me', { headers })).status).toBe(401);
    }
  });
});

describe('roles', () => {
  test.each([
    ['ops', 'operator'],
    ['reader', 'read-only'],
  ] as const)('%s is signed in as %s', async (user, role) => {
    const reply = await api.browse(await api.signIn(user), 'GET', '/api/v1/me');
    expect(JSON.parse(reply.body)).toMatchObject({ name: user, role, via: 'session' });
  });

  test('a user without a role is refused everywhere', async () => {
    const cookie = await api.signIn('nobody');
    for (const path of ['me', 'services', 'settings']) {
      const reply = await api.browse(cookie, 'GET', `/api/v1/${path}`);
      expect(reply).toMatchObject(problem(403, 'CALLER_NOT_ALLOWED'));
      expect(JSON.parse(reply.body)).toMatchObject({ detail: NO_ROLE });
    }
  });

  test('a user whose name in the audit trail is that of the token is refused', async () => {
    const name = 'management token';
    const attributes = { memberOf: ['admin'] };
    await api.call('POST', '/api/v1/users', { name, password: 'Mellon', attributes });
    const reply = await api.browse(await api.signIn(name), 'GET', '/api/v1/me');
    expect(reply).toMatchObject(problem(403, 'CALLER_NOT_ALLOWED'));
  });

  test.each([
    ['POST', 'services', { serviceId: 'https://x/', name: 'x' }],
    ['PUT', 'services/1', { serviceId: 'https://x/', name: 'x' }],
    ['DELETE', 'services/1', undefined],
    ['DELETE', 'sessions?user=ops', undefined],
    ['DELETE', `sessions/${'0'.repeat(64)}`, undefined],
    ['POST', 'users', { name: 'a', password: 'b' }],
    ['PATCH', 'users/a', { disabled: true }],
    ['DELETE', 'users/a', undefined],
    ['POST', 'logout-messages/retry', { all: true }],
  ])('the role read-only may not %s %s', async (method, path, body) => {
    const cookie = await api.signIn('reader');
    const headers = { 'if-match': '*' };
    const reply = await api.browse(cookie, method, `/api/v1/${path}`, body, headers);
    expect(reply).toMatchObject(problem(403, 'CALLER_NOT_ALLOWED'));
  });

  test('the role read-only may try URLs and convert service files', async () => {
    const cookie = await api.signIn('reader');
    const tried = await api.browse(cookie, 'POST', '/api/v1/services/dry-run', {
      url: 'https://x/',
    });
    expect(tried.status).toBe(200);
    const file = {
      '@class': 'org.apereo.cas.services.CasRegisteredService',
      serviceId: 'https://x/',
    };
    expect((await api.browse(cookie, 'POST', '/api/v1/services/convert', file)).status).toBe(200);
  });
});

describe('the log', () => {
  const lines: string[] = [];
  beforeAll(() => {
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  });
  afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

  test.each([
    ['nobody', 'same-origin', NO_ROLE],
    ['reader', 'same-origin', 'the role read-only changes nothing'],
    ['ops', 'cross-site', 'the request was sent by another site'],
  ] as const)('has who was refused, and what for: %s, %s', async (user, site, reason) => {
    const cookie = await api.signIn(user);
    lines.length = 0;
    const headers = { 'sec-fetch-site': site };
    await api.browse(cookie, 'DELETE', '/api/v1/users/ann?x=1', undefined, headers);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'warn',
        principal: user,
        clientAddress: '127.0.0.1',
        reason,
        method: 'DELETE',
        path: '/api/v1/users/ann',
        msg: 'a caller was refused',
      },
    ]);
  });
});

describe('a session', () => {
  test('ends with the single sign-on session', async () => {
    const cookie = await api.signIn('ops');
    const { body } = await api.browse(cookie, 'GET', '/api/v1/sessions?user=ops&limit=200');
    const { items } = JSON.parse(body) as { items: { id: string; isOwn: boolean }[] };
    const own = items.find(({ isOwn }) => isOwn);
    expect((await api.call('DELETE', `/api/v1/sessions/${own?.id}`)).status).toBe(204);
    expect(await api.browse(cookie, 'GET', '/api/v1/me')).toMatchObject(
      problem(401, 'CALLER_UNKNOWN'),
    );
  });

  test.each([
    ['disabled', 'PATCH', { disabled: true }],
    ['expired', 'PATCH', { expiresAt: '2001-01-01' }],
    ['given another password', 'PATCH', { password: 'another' }],
    ['removed', 'DELETE', undefined],
  ])('gives no access when the account of its user is %s', async (state, method, change) => {
    const name = `was ${state}`;
    const account = { name, password: 'Mellon', attributes: { memberOf: ['admin'] } };
    const { headers } = await api.call('POST', '/api/v1/users', account);
    const cookie = await api.signIn(name);
    expect((await api.browse(cookie, 'GET', '/api/v1/me')).status).toBe(200);
    const tag = { 'if-match': String(headers.etag) };
    const path = `users/${encodeURIComponent(name)}`;
    expect((await api.call(method, `/api/v1/${path}`, change, tag)).status).toBeLessThan(300);
    const undone = { disabled: false, expiresAt: null };
    for (const [verb, route, body] of [
      ['GET', 'me', undefined],
      ['PATCH', path, undone],
      ['POST', 'users', account],
    ] as const) {
      const reply = await api.browse(cookie, verb, `/api/v1/${route}`, body, tag);
      expect(reply).toMatchObject(problem(401, 'CALLER_UNKNOWN'));
    }
  });

  test('ends when a disabled account of the same name is added, with any handler', async () => {
    const cookie = await api.signIn('ops');
    const account = { name: 'ops', password: 'Mellon', disabled: true };
    const { headers } = await api.call('POST', '/api/v1/users', account);
    const tag = { 'if-match': String(headers.etag) };
    await api.call('DELETE', '/api/v1/users/ops', undefined, tag);
    expect((await api.browse(cookie, 'GET', '/api/v1/me')).status).toBe(401);
  });

  test('gives no access when the account of its user has expired by now', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const account = { name: 'brief', password: 'Mellon', attributes: { memberOf: ['admin'] } };
    await api.call('POST', '/api/v1/users', { ...account, expiresAt });
    const cookie = await api.signIn('brief');
    await until('the account has expired', async () => {
      const reply = await api.browse(cookie, 'GET', '/api/v1/me');
      return reply.status === 401;
    });
  });

  test('has the role of the attributes that the account has at each request', async () => {
    const account = { name: 'demoted', password: 'Mellon', attributes: { memberOf: ['admin'] } };
    const { headers } = await api.call('POST', '/api/v1/users', account);
    const cookie = await api.signIn('demoted');
    let tag = headers.etag;
    for (const [memberOf, status] of [
      ['auditor', 403],
      ['admin', 200],
      ['staff', 403],
    ] as const) {
      const change = { attributes: { memberOf: [memberOf] } };
      const changed = await api.call('PATCH', '/api/v1/users/demoted', change, {
        'if-match': String(tag),
      });
      tag = changed.headers.etag;
      const path = '/api/v1/sessions?user=nobody-at-all';
      expect((await api.browse(cookie, 'DELETE', path)).status).toBe(status);
    }
  });

  test('of a user of the settings has the role of the current settings', async () => {
    const cookie = await api.signIn('ops');
    const attributes = { reader: { memberOf: ['auditor'] } };
    for (const [ops, status] of [
      [{}, 403],
      [{ ops: { memberOf: ['admin'] } }, 200],
    ] as const) {
      const all = { ...attributes, ...ops };
      await api.sso.reconfigure({ 'sso.authentication.static.attributes': all });
      expect((await api.browse(cookie, 'GET', '/api/v1/me')).status).toBe(status);
    }
  });

  test('has a token that a new sign-in replaces', async () => {
    const tgt = await api.sso.login('ops', 'Mellon');
    const [first, second] = [await api.signInWith(tgt), await api.signInWith(tgt)];
    expect((await api.browse(first, 'GET', '/api/v1/me')).status).toBe(401);
    expect((await api.browse(second, 'GET', '/api/v1/me')).status).toBe(200);
  });

  test('is not accepted where the browser sends two cookies of the name', async () => {
    const cookie = await api.signIn('ops');
    const reply = await api.browse(`${cookie}; ${await api.signIn('reader')}`, 'GET', '/api/v1/me');
    expect(reply.status).toBe(401);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['a bookmark', { 'sec-fetch-site': 'none' }],
  ])('changes nothing for a request from %s', async (_, headers) => {
    const cookie = await api.signIn('ops');
    const path = '/api/v1/sessions?user=nobody-at-all';
    expect(await api.browse(cookie, 'DELETE', path, undefined, headers)).toMatchObject(
      problem(403, 'CALLER_NOT_ALLOWED'),
    );
  });

  test.each<[string | undefined, number]>([
    [undefined, 403],
    ['null', 403],
    ['https://evil.example.org', 403],
    ['own', 200],
  ])('from a browser without fetch metadata needs its own Origin: %s', async (origin, status) => {
    const cookie = await api.signIn('ops');
    const given = origin === 'own' ? api.url : origin;
    const headers = { cookie, ...(given !== undefined && { origin: given }) };
    const path = '/api/v1/sessions?user=nobody-at-all';
    expect((await http('DELETE', api.url, path, { headers })).status).toBe(status);
  });
});

describe('signing in', () => {
  test('begins at the login page, with a service of its own and a state', async () => {
    const reply = await http('GET', api.url, '/sign-in');
    expect(reply.status).toBe(303);
    const service = new URL(reply.headers.location ?? '').searchParams.get('service');
    expect(service).toMatch(new RegExp(`^${api.url}/sign-in\\?state=[\\w-]{22}$`));
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^tessera-operator-state=[\w.~-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('ends at the console, with a cookie that no other site can send', async () => {
    const begun = await http('GET', api.url, '/sign-in');
    const reply = await finish(begun.headers.location ?? '', cookieOf(begun));
    expect([reply.status, reply.headers.location]).toEqual([303, '/console/']);
    expect(reply.headers['set-cookie']).toEqual([
      'tessera-operator-state=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      expect.stringMatching(
        /^tessera-operator-session=[\w.~-]+; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test('is refused in a browser that has not begun it (login CSRF)', async () => {
    const begun = await http('GET', api.url, '/sign-in');
    const other = cookieOf(await http('GET', api.url, '/sign-in'));
    for (const cookie of ['', other, other.replace('state', 'session')]) {
      const reply = await finish(begun.headers.location ?? '', cookie);
      expect(reply.status).toBe(403);
      expect(cookieOf(reply)).not.toContain('session=');
    }
  });

  test.each(['', 'ST-1', 'TGT-1', 'ST-0'.repeat(50)])(
    'is refused with the ticket %j',
    async (st) => {
      const begun = await http('GET', api.url, '/sign-in');
      const service = new URL(begun.headers.location ?? '').searchParams.get('service') ?? '';
      const path = service.slice(api.url.length);
      const headers = { cookie: cookieOf(begun) };
      const reply = await http('GET', api.url, `${path}&ticket=${st}`, { headers });
      expect([reply.status, reply.body]).toEqual([
        403,
        'The login could not be finished. Begin again at /sign-in.',
      ]);
    },
  );

  test('is closed by no service, whatever its order', async () => {
    const closed = { name: '!', serviceId: '.*', evaluationOrder: -(2 ** 31), enabled: false };
    const added = await api.call('POST', '/api/v1/services', closed);
    expect(added.status).toBe(201);
    const cookie = await api.signIn('ops');
    expect((await api.browse(cookie, 'GET', '/api/v1/me')).status).toBe(200);
    const headers = { 'if-match': added.headers.etag ?? '' };
    const path = added.headers.location ?? '';
    expect((await api.call('DELETE', path, undefined, headers)).status).toBe(204);
  });

  test('shows a browser where to go on, after a refusal and at a wrong address', async () => {
    const headers = { accept: 'text/html' };
    for (const [path, status, link] of [
      ['/sign-in?ticket=ST-1&state=x', 403, '/sign-in'],
      ['/nothing', 404, '/console/'],
    ] as const) {
      const reply = await http('GET', api.url, path, { headers });
      expect([reply.status, reply.headers['x-frame-options']]).toEqual([status, 'DENY']);
      expect(reply.body).toContain(`<a class="button" href="${link}">`);
      expect(reply.body).toMatch(/Reference: \w+-\d+/);
    }
  });

  test('out ends the access of the browser, and goes to the logout page', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const reply = await http('POST', api.url, '/sign-out', { headers });
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      'https://sso.example.org:8443/cas/logout',
    ]);
    expect(cookieOf(reply)).toBe('tessera-operator-session=');
    expect((await http('POST', api.url, '/sign-out')).status).toBe(403);
    expect((await http('GET', api.url, '/sign-out')).status).toBe(405);
  });

  test('takes logout messages, which change nothing', async () => {
    const form = { logoutRequest: '<samlp:LogoutRequest/>' };
    const reply = await http('POST', api.url, '/sign-in', { form });
    expect([reply.status, reply.body, reply.headers['set-cookie']]).toEqual([200, '', undefined]);
    const { status, headers } = await http('DELETE', api.url, '/sign-in');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });

  /** Comes back from the login page with a ticket. */
  async function finish(location: string, cookie: string) {
    const service = new URL(location).searchParams.get('service') ?? '';
    const st = await api.sso.grant(await api.sso.login('ops', 'Mellon'), service);
    const path = service.slice(api.url.length);
    return http('GET', api.url, `${path}&ticket=${st}`, { headers: { cookie } });
  }
});

test('https has cookies that no sibling domain can set', async () => {
  const secure = await startOperatorApi(['--management.base-url=https://console.example.org']);
  try {
    const { headers } = await http(
      'GET',
      `http://localhost:${new URL(secure.url).port}`,
      '/sign-in',
    );
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-tessera-operator-state=.*; SameSite=Lax; Secure$/),
    ]);
  } finally {
    await secure.close();
  }
});

test('without a URL of the settings the console has a host of its own, to which other names lead', async () => {
  const local = await startOperatorApi(['--management.base-url=']);
  const { port } = new URL(local.url);
  const own = `http://console.localhost:${port}`;
  try {
    for (const path of ['/console/', '/console/users?x=1', '/sign-in']) {
      const { status, headers } = await http('GET', local.url, path);
      expect([status, headers.location, headers['set-cookie']]).toEqual([
        303,
        own + path,
        undefined,
      ]);
    }
    const begun = await http('GET', local.url, '/sign-in', {
      headers: { host: `console.localhost:${port}` },
    });
    const service = new URL(begun.headers.location ?? '').searchParams.get('service');
    expect(service).toMatch(new RegExp(`^${own}/sign-in\\?state=`));
    expect(cookieOf(begun)).toMatch(/^tessera-operator-state=/);
  } finally {
    await local.close();
  }
});

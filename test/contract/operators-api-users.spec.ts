// The operator's API on users, sessions, logout messages, the audit trail and the server.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import {
  type ApiAnswer,
  jsonOf,
  startOperatorApi,
  type OperatorApi,
} from '../support/operator-api.js';
import { until } from '../support/until.js';

let api: OperatorApi;

beforeAll(async () => {
  api = await startOperatorApi();
});
afterAll(() => api.close());

const cursor = (...texts: readonly string[]): string =>
  Buffer.from(JSON.stringify(texts)).toString('base64url');

const get = async (path: string): Promise<ApiAnswer> =>
  jsonOf(await api.call('GET', `/api/v1/${path}`));

const IN_FILE: unknown = expect.stringMatching(/sso\.yml:1$/);

describe('users', () => {
  test('are added, shown, changed and removed; no answer has a password or its hash', async () => {
    const attributes = { mail: ['eve@example.org'], memberOf: ['a', 'b'] };
    const added = await api.call('POST', '/api/v1/users', {
      name: 'eve',
      password: 'first password',
      attributes,
      expiresAt: '2099-01-01T00:00:00Z',
    });
    const user = jsonOf(added);
    expect([added.status, added.headers.location]).toEqual([201, '/api/v1/users/eve']);
    expect(user).toEqual({
      name: 'eve',
      attributes,
      disabled: false,
      expired: false,
      expiresAt: '2099-01-01T00:00:00.000Z',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      passwordChangedAt: expect.any(String),
    });
    expect(await api.sso.login('eve', 'first password')).toMatch(/^TGT-/);

    const edit = { password: 'second', attributes: { memberOf: [], site: ['x'] }, expiresAt: null };
    const tag = { 'if-match': String(added.headers.etag) };
    const changed = await api.call('PATCH', '/api/v1/users/eve', edit, tag);
    expect(jsonOf(changed)).toMatchObject({
      attributes: { mail: ['eve@example.org'], site: ['x'] },
      expiresAt: null,
    });
    expect(await api.sso.login('eve', 'second')).toMatch(/^TGT-/);
    await expect(api.sso.login('eve', 'first password')).rejects.toThrow('FailedLogin');

    const stale = await api.call('DELETE', '/api/v1/users/eve', undefined, tag);
    expect([stale.status, jsonOf(stale).code]).toEqual([412, 'CHANGED_MEANWHILE']);
    const current = { 'if-match': String(changed.headers.etag) };
    // The login has not changed the account.
    const removed = await api.call('DELETE', '/api/v1/users/eve', undefined, current);
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect((await api.call('GET', '/api/v1/users/eve')).status).toBe(404);
    for (const { body } of [added, changed]) {
      expect(body).not.toMatch(/argon|first password|second/);
    }
  });

  test('have any name that an account may have', async () => {
    for (const name of ['a/b', 'ü ö', 'x?y=1&z', '日本', 'a%2fb', '..%2f']) {
      const added = await api.call('POST', '/api/v1/users', { name, password: 'p' });
      expect(added.status).toBe(201);
      const shown = await api.call('GET', `/api/v1/users/${encodeURIComponent(name)}`);
      expect(jsonOf(shown).name).toBe(name.normalize('NFC'));
    }
  });

  test.each<[string, object | string, number, string]>([
    ['no name', { password: 'p' }, 400, 'MALFORMED_REQUEST'],
    ['no password', { name: 'f' }, 400, 'MALFORMED_REQUEST'],
    ['an empty password', { name: 'f', password: '' }, 400, 'MALFORMED_REQUEST'],
    ['an invalid name', { name: ' f', password: 'p' }, 400, 'ACCOUNT_INVALID'],
    ['a hash', { name: 'f', password: 'p', passwordHash: 'x' }, 400, 'MALFORMED_REQUEST'],
    ['a revision', { name: 'f', password: 'p', revision: '1' }, 400, 'MALFORMED_REQUEST'],
    [
      'a text of attributes',
      { name: 'f', password: 'p', attributes: 'a' },
      400,
      'MALFORMED_REQUEST',
    ],
    ['no lists', { name: 'f', password: 'p', attributes: { a: 'b' } }, 400, 'MALFORMED_REQUEST'],
    [
      'a secret attribute',
      { name: 'f', password: 'p', attributes: { userPassword: ['x'] } },
      400,
      'ACCOUNT_INVALID',
    ],
    ['no date', { name: 'f', password: 'p', expiresAt: 'tomorrow' }, 400, 'MALFORMED_REQUEST'],
    [
      'a wrong date',
      { name: 'f', password: 'p', expiresAt: '2027-02-30' },
      400,
      'MALFORMED_REQUEST',
    ],
    ['no switch', { name: 'f', password: 'p', disabled: 'true' }, 400, 'MALFORMED_REQUEST'],
    [
      'names that every object has',
      '{"name":"f","password":"p","attributes":{"constructor":["a"]}}',
      400,
      'MALFORMED_REQUEST',
    ],
  ])('are not added with %s; the error quotes no password', async (_, body, status, code) => {
    const reply = await api.call('POST', '/api/v1/users', body);
    expect([reply.status, jsonOf(reply).code]).toEqual([status, code]);
    expect((await api.call('GET', '/api/v1/users/f')).status).toBe(404);
  });

  test('have names of their own', async () => {
    const twin = { name: 'twin', password: 'p' };
    const replies = await Promise.all([1, 2, 3].map(() => api.call('POST', '/api/v1/users', twin)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('that are disabled cannot log in', async () => {
    const { headers } = await api.call('POST', '/api/v1/users', { name: 'off', password: 'p' });
    const tag = { 'if-match': String(headers.etag) };
    await api.call('PATCH', '/api/v1/users/off', { disabled: true }, tag);
    await expect(api.sso.login('off', 'p')).rejects.toThrow('FailedLogin');
  });

  test.each(['text=%00', 'text=a&text=b', `after=${cursor('\0')}`])(
    'are not listed for %s',
    async (query) => {
      const reply = await api.call('GET', `/api/v1/users?${query}`);
      expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
    },
  );

  test('are listed in pages by name', async () => {
    for (const name of ['page-c', 'page-a', 'page-b', 'pagf']) {
      await api.call('POST', '/api/v1/users', { name, password: 'p' });
    }
    const first = await get('users?text=page&limit=2');
    const second = await get(`users?text=page&limit=2&after=${first.next}`);
    const names = [...first.items, ...second.items].map(({ name }) => name);
    expect([names, second.next]).toEqual([['page-a', 'page-b', 'page-c'], null]);
  });
});

describe('sessions', () => {
  test('are listed with the last login first, and ended one by one or all', async () => {
    const tgts = [];
    for (let n = 0; n < 5; n += 1) tgts.push(await api.sso.login('reader', 'Mellon'));
    const first = await get('sessions?user=reader&limit=3');
    const second = await get(`sessions?user=reader&limit=3&after=${first.next}`);
    const sessions = [...first.items, ...second.items];
    expect([sessions.length, new Set(sessions.map(({ id }) => id)).size]).toEqual([5, 5]);
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      user: 'reader',
      handler: 'static',
      credentialType: 'UsernamePasswordCredential',
      authenticatedAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      isRemembered: false,
      isOwn: false,
    });
    const times = sessions.map(({ authenticatedAt }) => String(authenticatedAt));
    expect(times).toEqual(times.toSorted().toReversed());

    const path = `/api/v1/sessions/${sessions[0]?.id}`;
    expect((await api.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const gone = await api.call(method, path);
      expect([gone.status, jsonOf(gone).code]).toEqual([404, 'SESSION_NOT_FOUND']);
    }
    const all = await api.call('DELETE', '/api/v1/sessions?user=reader');
    expect(jsonOf(all)).toEqual({ ended: 4 });
    for (const tgt of tgts) await expect(api.sso.grant(tgt)).rejects.toThrow('404');
  });

  test('name the services that will be told of their end', async () => {
    await api.sso.refreshServices();
    const added = await api.call('POST', '/api/v1/services', {
      serviceId: 'http://localhost:1/told.*',
      name: 'told',
      logoutType: 'back',
      evaluationOrder: 1,
    });
    expect(added.status).toBe(201);
    await api.sso.refreshServices();
    const tgt = await api.sso.login('ops', 'Mellon');
    const service = 'http://localhost:1/told';
    const st = await api.sso.grant(tgt, service);
    await http('GET', api.sso.url, `/p3/serviceValidate?service=${service}&ticket=${st}`);
    const [session] = (await get('sessions?user=ops&limit=1')).items;
    expect((await get(`sessions/${session?.id}`)).services).toEqual([
      { protocol: 'cas', service, tickets: 1 },
    ]);
    await api.call('DELETE', `/api/v1/sessions/${session?.id}`);
    await until('an event', async () =>
      (await get('audit?action=END_SESSIONS')).items.some(
        ({ subject, user }) => subject === 'ops' && user === 'management token',
      ),
    );
  });

  test('of all users are not ended together', async () => {
    const reply = await api.call('DELETE', '/api/v1/sessions');
    expect([reply.status, jsonOf(reply).violations]).toEqual([
      400,
      [{ field: 'user', reason: 'is missing' }],
    ]);
  });

  test.each([
    ['GET', 'user=%00'],
    ['DELETE', 'user=%00'],
    ['GET', `after=${cursor('2026-02-30T00:00:00.000000Z', '0'.repeat(64))}`],
    ['GET', `after=${cursor('2026-01-01T99:00:00.000000Z', '0'.repeat(64))}`],
    ['GET', `after=${cursor('2026-01-01T00:00:00.000000Z', "' or true --")}`],
  ])('%s refuses %s', async (method, query) => {
    const reply = await api.call(method, `/api/v1/sessions?${query}`);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

describe('logout messages', () => {
  test('are listed in pages, the oldest first, and sent again', async () => {
    const { dataSource } = api.sso.database;
    await dataSource.query('delete from logout_message');
    // No node sends or removes messages of the future.
    await dataSource.query(
      `insert into logout_message (id, principal, service, ticket, ended_at, url_index, host_group, attempts, next_attempt_at,
         failed_at, last_error)
       select id, 'ann', 'https://a/', 'ST-1', ended, 0, 'a', attempts, next, failed, error
       from (values ('LR-w2', timestamptz '2098-01-02', 0, timestamptz '2099-01-01', null::timestamptz, null),
           ('LR-w1', '2098-01-01', 3, '2099-01-01', null, 'busy'),
           ('LR-f1', '2098-01-01', 13, null, '2098-01-03', 'gone')) as given (id, ended, attempts, next, failed, error)`,
    );
    const failed = await api.call('GET', '/api/v1/logout-messages');
    expect(failed.body).not.toContain('ST-');
    const common = {
      user: 'ann',
      protocol: 'cas',
      service: 'https://a/',
      endedAt: '2098-01-01T00:00:00.000Z',
    };
    const gone = { id: 'LR-f1', ...common, attempts: 13, reason: 'gone' };
    const times = { failedAt: '2098-01-03T00:00:00.000Z', nextAttemptAt: null };
    expect(jsonOf(failed)).toEqual({
      items: [{ state: 'failed', ...gone, ...times }],
      next: null,
      pending: 2,
      failed: 1,
    });
    const first = await get('logout-messages?state=waiting&limit=1');
    const waits = { state: 'waiting', failedAt: null, nextAttemptAt: '2099-01-01T00:00:00.000Z' };
    expect(first.items).toEqual([
      { id: 'LR-w1', ...common, ...waits, attempts: 3, reason: 'busy' },
    ]);
    expect(await get(`logout-messages?state=waiting&limit=1&after=${first.next}`)).toMatchObject({
      items: [{ id: 'LR-w2', attempts: 0, reason: null }],
      next: null,
    });
    const reply = await api.call('POST', '/api/v1/logout-messages/retry', { all: true });
    expect(jsonOf(reply)).toEqual({ retried: 1 });
  });

  test.each(['state=', 'state=active', 'state=failed&state=waiting', `after=${cursor('LR-1')}`])(
    'are not listed for %s',
    async (query) => {
      const reply = await api.call('GET', `/api/v1/logout-messages?${query}`);
      expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
    },
  );

  test.each([
    {},
    { ids: [] },
    { ids: [1] },
    { all: false },
    { all: 'true' },
    { ids: 'LR-1' },
    { ids: ['LR-1'], all: true },
    { ids: 'LR-1', all: true },
  ])('are not sent again for %j', async (body) => {
    const reply = await api.call('POST', '/api/v1/logout-messages/retry', body);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

describe('the audit trail', () => {
  test('is searched by user, service, action, outcome and time, in pages', async () => {
    await expect(api.sso.login('ops', 'wrong')).rejects.toThrow('FailedLogin');
    await api.sso.login('ops', 'Mellon');
    const refused = await until(
      'the refused login',
      async () => (await get('audit?user=ops&action=LOGIN&outcome=failure')).items[0],
    );
    await until('another event', async () => (await get('audit?user=ops')).items.length >= 2);
    expect(refused).toMatchObject({ user: 'ops', outcome: 'failure', clientAddress: '127.0.0.1' });
    expect(refused).not.toHaveProperty('principal');
    const since = '2026-01-01T00:00:00Z';
    const page = await get(`audit?user=ops&limit=1&since=${since}`);
    const next = await get(`audit?user=ops&limit=1&since=${since}&after=${page.next}`);
    expect(page.items[0]?.id).not.toBe(next.items[0]?.id);
    expect((await get(`audit?user=ops&until=${since}`)).items).toEqual([]);
  });

  test('is searched by two callers at a time, beside the pool, and for longer than a statement', async () => {
    const { dataSource } = api.sso.database;
    const blocker = dataSource.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table audit_event');
    const searches = Array.from({ length: 13 }, () => api.call('GET', '/api/v1/audit?limit=1'));
    const running = await until('a long search', async () => {
      const [waiting] = await dataSource.query<readonly { n: number; isLong: boolean }[]>(
        `select count(*)::int as n, clock_timestamp() - min(query_start) > '1.6 s' as "isLong" from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%from audit_event%'`,
      );
      return waiting?.isLong ? waiting.n : undefined;
    });
    await blocker.rollbackTransaction();
    await blocker.release();
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect([running, statuses.toSorted()]).toEqual([2, [...Array<number>(12).fill(200), 503]]);
  });

  test.each([
    'action=X',
    'outcome=X',
    'since=yesterday',
    'since=2026-01-01',
    'since=2026-02-30T00:00:00Z',
    'until=0000-01-01T00:00:00Z',
    'sort=id',
    '__proto__=x',
    'constructor=x',
    'toString=x',
    'user=%00',
    'service=a%00b',
    'after=W10',
    `after=${cursor('2026-99-99T00:00:00.000Z', '1')}`,
    `after=${cursor('0000-01-01T00:00:00.000Z', '1')}`,
    `after=${cursor('2026-01-01T00:00:00.000Z', '9'.repeat(19))}`,
  ])('refuses %s', async (query) => {
    const reply = await api.call('GET', `/api/v1/audit?${query}`);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

describe('the server', () => {
  test('explains its settings without secrets', async () => {
    const { items } = await get('settings');
    const valueOf = (key: string) => items.find((each) => each['key'] === key);
    expect(valueOf('sso.management.token')).toMatchObject({
      value: expect.not.stringContaining('a-management-token'),
      origin: 'command line',
    });
    expect(JSON.stringify(items)).not.toContain('Mellon');
    expect(valueOf('sso.base-url')).toMatchObject({ origin: expect.stringMatching(/yml:1$/) });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string, object]>([
    ['nothing', {}, 'sso.port', { value: '8080', origin: 'default', isLive: false }],
    [
      'what waits for a restart',
      { 'sso.port': 9_000 },
      'sso.port',
      { value: '8080', origin: IN_FILE, isLive: false, restartNeeded: true },
    ],
    [
      'what is back at its old value',
      {},
      'sso.port',
      { value: '8080', origin: 'default', isLive: false },
    ],
    [
      'what counts at once',
      { 'sso.theme.name': 'Acme' },
      'sso.theme.name',
      { value: 'Acme', origin: IN_FILE, isLive: true },
    ],
  ])('tells after a reload what waits for a restart: %s', async (_, settings, key, expected) => {
    expect(await api.sso.reconfigure(settings)).not.toHaveProperty('problems');
    const { items } = await get('settings');
    expect(items.find((each) => each['key'] === key)).toEqual({
      key,
      restartNeeded: false,
      ...expected,
    });
  });

  test('tells its health, the caller and its metrics', async () => {
    expect(await get('health')).toEqual({ status: 'ok', details: { database: { status: 'up' } } });
    expect(await get('me')).toEqual({
      name: 'management token',
      role: 'operator',
      via: 'token',
      ssoUrl: 'https://sso.example.org:8443/cas',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    const metrics = await api.call('GET', '/api/v1/metrics');
    expect([metrics.status, metrics.body]).toEqual([
      200,
      expect.stringContaining('tessera_build_info'),
    ]);
  });

  test('has no other routes, and says so as a problem', async () => {
    const reply = await api.call('GET', '/api/v1/nothing');
    expect([reply.status, jsonOf(reply).code]).toEqual([404, 'NOT_FOUND']);
    expect((await api.call('GET', '/nothing')).headers['content-type']).toMatch('text/plain');
  });
});

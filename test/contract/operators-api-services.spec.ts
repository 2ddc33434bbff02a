// The operator's API on services: what it takes, stores, refuses and tells.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { REFUSAL_REASONS } from '../../apps/sso/src/operator/services/judgements.js';
import { http } from '../support/http.js';
import { jsonOf, startOperatorApi, type OperatorApi } from '../support/operator-api.js';

let api: OperatorApi;

beforeAll(async () => {
  api = await startOperatorApi();
});
afterAll(() => api.close());

let turn = 0;
async function add(fields: object = {}) {
  turn += 1;
  const definition = { serviceId: `https://host-${turn}\\.example\\.org/.*`, name: 'x', ...fields };
  const reply = await api.call('POST', '/api/v1/services', definition);
  expect(reply.status).toBe(201);
  const { service } = jsonOf(reply);
  return { service, path: `/api/v1/services/${service.id}`, tag: String(reply.headers.etag) };
}

describe('POST', () => {
  test('stores a service with the defaults of missing fields', async () => {
    const reply = await api.call('POST', '/api/v1/services', {
      serviceId: 'https://a/',
      name: 'A',
    });
    const { service, notes, shadowedBy } = jsonOf(reply);
    expect([reply.status, notes, shadowedBy]).toEqual([201, [], null]);
    expect(reply.headers.location).toBe(`/api/v1/services/${service.id}`);
    expect(service).toEqual({
      id: expect.stringMatching(/^\d+$/),
      serviceId: 'https://a/',
      clientId: null,
      client: null,
      name: 'A',
      description: '',
      evaluationOrder: 2_147_483_647,
      enabled: true,
      expiresAt: null,
      ssoEnabled: true,
      requiredAttributes: {},
      requireAllAttributes: true,
      rejectedAttributes: {},
      unauthorizedRedirectUrl: null,
      attributeRelease: { kind: 'none' },
      defaultAttributes: true,
      releasedValues: {},
      protocolAttributes: true,
      usernameAttribute: { kind: 'principal' },
      proxyPolicy: { kind: 'refuse' },
      responseType: 'redirect',
      serviceTicketLifetime: null,
      proxyTicketLifetime: null,
      logoutType: 'none',
      logoutUrl: null,
      properties: {},
    });
    const shown = await api.call('GET', `/api/v1/services/${service.id}`);
    expect(jsonOf(shown)).toEqual(service);
    expect(shown.headers.etag).toBe(reply.headers.etag);
  });

  test('says which service comes first and gets its URLs', async () => {
    const first = await add({ serviceId: 'https://shadow/.*', evaluationOrder: 1 });
    const reply = await api.call('POST', '/api/v1/services', {
      serviceId: 'https://shadow/app',
      name: 'late',
    });
    expect(jsonOf(reply).shadowedBy).toMatchObject({ id: first.service.id, evaluationOrder: 1 });
  });

  test('takes a file of Apereo CAS, with notes on what it does not understand', async () => {
    const file = `{ // a comment
      "@class": "org.apereo.cas.services.CasRegisteredService",
      "serviceId": "https://apereo/.*", "name": "Apereo", "id": 12345678901234567,
      "theme": "dark", "requiredHandlers": ["x"],
    }`;
    const reply = await api.call('POST', '/api/v1/services', file);
    const { service, notes } = jsonOf(reply);
    expect(service).toMatchObject({ name: 'Apereo', enabled: false, logoutType: 'back' });
    expect(notes).toEqual([
      expect.objectContaining({ member: 'requiredHandlers', kind: 'not-understood' }),
      expect.objectContaining({ member: 'theme', kind: 'without-effect' }),
    ]);
  });

  test.each<[string, unknown, number, string]>([
    ['nothing', '', 400, 'MALFORMED_REQUEST'],
    ['no object', [], 400, 'MALFORMED_REQUEST'],
    ['no JSON', '{', 400, 'MALFORMED_REQUEST'],
    ['missing fields', {}, 400, 'SERVICE_INVALID'],
    ['an invalid pattern', { serviceId: '(', name: 'x' }, 400, 'SERVICE_INVALID'],
    ['an id', { serviceId: 'https://x/', name: 'x', id: '1' }, 400, 'SERVICE_INVALID'],
    ['a salt', { serviceId: 'https://x/', name: 'x', pseudonymSalt: 's' }, 400, 'SERVICE_INVALID'],
    ['a prototype', '{"serviceId":"https://x/","name":"x","__proto__":{}}', 400, 'SERVICE_INVALID'],
    [
      'a required value that is no pattern',
      { serviceId: 'https://x/', name: 'x', requiredAttributes: { memberOf: ['(?!a)'] } },
      400,
      'SERVICE_INVALID',
    ],
    [
      'a required attribute without a name',
      { serviceId: 'https://x/', name: 'x', requiredAttributes: { '': ['memberOf: admin'] } },
      400,
      'SERVICE_INVALID',
    ],
    ['a broken Apereo file', '{"@class": "x", }}', 400, 'SERVICE_INVALID'],
    [
      'a definition of another protocol',
      '{"@class":"org.apereo.cas.services.OidcRegisteredService","serviceId":".*","name":"x"}',
      400,
      'SERVICE_INVALID',
    ],
    ['what is nested too deeply', nested(20_000), 400, 'MALFORMED_REQUEST'],
    ['too much', { serviceId: 'https://x/', name: 'x'.repeat(300_000) }, 413, 'BODY_TOO_LARGE'],
  ])('refuses %s, and stores nothing', async (_, body, status, code) => {
    const before = await countServices();
    const reply = await api.call('POST', '/api/v1/services', body);
    expect([reply.status, jsonOf(reply).code]).toEqual([status, code]);
    expect(await countServices()).toBe(before);
  });

  test.each([
    ['serviceId', { serviceId: 'https://x.org/*' }, 'https://x.org/*', 'https://x\\.org/.*'],
    [
      'proxyPolicy',
      { serviceId: 'https://x/', proxyPolicy: { kind: 'pattern', pattern: 'https://p/*' } },
      'https://p/*',
      'https://p/.*',
    ],
  ])('refuses a glob as %s, as the command does', async (field, fields, glob, meant) => {
    const reason = `must be a regular expression, and ${glob} looks like a glob: did you mean ${meant}?`;
    const { path, tag } = await add();
    for (const reply of [
      await api.call('POST', '/api/v1/services', { name: 'x', ...fields }),
      await api.call('PUT', path, { name: 'x', ...fields }, { 'if-match': tag }),
    ]) {
      expect([reply.status, jsonOf(reply).violations]).toEqual([400, [{ field, reason }]]);
    }
  });

  test('refuses a pattern and an order that a service has, as the command does', async () => {
    const { service } = await add({ evaluationOrder: 7 });
    const { serviceId, id } = service;
    const body = { serviceId, name: 'y', evaluationOrder: 7 };
    const { path, tag } = await add({ ...body, evaluationOrder: 8 });
    const reason = `and evaluationOrder are those of service ${id}, "x": change that service, or give another evaluationOrder`;
    for (const reply of [
      await api.call('POST', '/api/v1/services', body),
      await api.call('PUT', path, body, { 'if-match': tag }),
    ]) {
      const { violations } = jsonOf(reply);
      expect([reply.status, violations]).toEqual([400, [{ field: 'serviceId', reason }]]);
    }
    const renamed = { ...body, name: 'z', evaluationOrder: 8 };
    const other = await api.call('PUT', path, renamed, { 'if-match': tag });
    expect([other.status, jsonOf(other).name]).toEqual([200, 'z']);
  });

  test('stores one of several equal services that come at the same time', async () => {
    const body = { serviceId: 'https://race/', name: 'x' };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => api.call('POST', '/api/v1/services', body)),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json;charset=latin1',
    '',
  ])('refuses the Content-Type %j', async (type) => {
    const body = { serviceId: 'https://x/', name: 'x' };
    const reply = await api.call('POST', '/api/v1/services', body, { 'content-type': type });
    expect([reply.status, jsonOf(reply).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

/** A definition with a list in a list in a list. */
function nested(depth: number): string {
  const list = '['.repeat(depth) + ']'.repeat(depth);
  return `{"serviceId":"https://x/","name":"x","requiredAttributes":{"a":${list}}}`;
}

describe('PUT and DELETE', () => {
  test.each(['PUT', 'DELETE'])('%s needs the current ETag', async (method) => {
    const { path, service, tag } = await add();
    const { id: _id, ...definition } = service;
    const body = method === 'PUT' ? { ...definition, name: 'y' } : undefined;
    for (const [headers, status, code] of [
      [{}, 428, 'PRECONDITION_REQUIRED'],
      [{ 'if-match': '"1"' }, 412, 'CHANGED_MEANWHILE'],
      [{ 'if-match': '*' }, 412, 'CHANGED_MEANWHILE'],
      [{ 'if-match': `W/${tag}` }, 412, 'CHANGED_MEANWHILE'],
    ] as const) {
      const reply = await api.call(method, path, body, headers);
      expect([reply.status, jsonOf(reply).code]).toEqual([status, code]);
    }
    expect(jsonOf(await api.call('GET', path))).toEqual(service);
    const reply = await api.call(method, path, body, { 'if-match': tag });
    expect(reply.status).toBe(method === 'PUT' ? 200 : 204);
  });

  test.each([
    ['another service', '1'],
    ['another type', 1],
    ['null', null],
  ])('PUT refuses an id of %s', async (_, id) => {
    const { path, service, tag } = await add();
    const reply = await api.call('PUT', path, { ...service, id }, { 'if-match': tag });
    const { code, violations } = jsonOf(reply);
    expect([reply.status, code]).toEqual([400, 'SERVICE_INVALID']);
    expect(violations).toEqual([{ field: 'id', reason: 'must be the id of the path' }]);
    expect(jsonOf(await api.call('GET', path))).toEqual(service);
  });

  test('PUT takes a service as GET shows it, and changes nothing', async () => {
    const { path } = await add({ attributeRelease: { kind: 'allowed', names: ['mail'] } });
    const shown = await api.call('GET', path);
    const { etag } = shown.headers;
    const reply = await api.call('PUT', path, shown.body, { 'if-match': String(etag) });
    expect([reply.status, reply.headers.etag, reply.body]).toEqual([200, etag, shown.body]);
  });

  test('PUT takes a glob that an imported service has already', async () => {
    const { path, service } = await add();
    await api.sso.database.dataSource.query(
      'update registered_service set service_id = $1 where id = $2',
      ['https://imported/*', service.id],
    );
    const { body, headers } = await api.call('GET', path);
    const reply = await api.call('PUT', path, body, { 'if-match': String(headers.etag) });
    expect([reply.status, reply.body]).toEqual([200, body]);
  });

  test('of two changes at the same time one wins, and the other is told', async () => {
    const { path, service, tag } = await add();
    const { id: _id, ...definition } = service;
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        api.call('PUT', path, { ...definition, name: `n${at}` }, { 'if-match': tag }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
    const won = replies.find(({ status }) => status === 200);
    expect(jsonOf(await api.call('GET', path))).toEqual(won && jsonOf(won));
  });

  test('a removed service matches no longer when the answer is there', async () => {
    const { path, tag } = await add({ serviceId: 'https://gone/' });
    const run = () => api.call('POST', '/api/v1/services/dry-run', { url: 'https://gone/' });
    expect(jsonOf(await run()).decision).toBe('allowed');
    await api.call('DELETE', path, undefined, { 'if-match': tag });
    expect(jsonOf(await run())).toMatchObject({ reason: 'SERVICE_NOT_REGISTERED', matches: [] });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { serviceId: 'https://gone/', name: 'x' } : undefined;
      const reply = await api.call(method, path, body, { 'if-match': tag });
      expect([reply.status, jsonOf(reply).code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    }
  });

  test.each(['0', '-1', '1.5', 'x', '1%20or%201=1', '9'.repeat(30)])(
    'no service has the id %s',
    async (id) => {
      const reply = await api.call('GET', `/api/v1/services/${id}`);
      expect([reply.status, jsonOf(reply).code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    },
  );
});

describe('pages', () => {
  test('show all services once, in evaluation order', async () => {
    for (let order = 0; order < 7; order += 1) await add({ name: 'paged', evaluationOrder: order });
    const seen: unknown[] = [];
    let after = '';
    do {
      const { items, next } = jsonOf(
        await api.call('GET', `/api/v1/services?text=PAGED&limit=3${after}`),
      );
      expect(items.length).toBeLessThanOrEqual(3);
      seen.push(...items.map((each) => each['evaluationOrder']));
      after = next === null ? '' : `&after=${next}`;
    } while (after !== '');
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test.each([
    ['limit=0'],
    ['limit=201'],
    ['limit=1e1'],
    ['limit=-1'],
    ['limit=1&limit=2'],
    ['after='],
    ['after=abc'],
    [`after=${Buffer.from('["1","2"]').toString('base64url')}`],
    [`after=${Buffer.from('{"0":"1"}').toString('base64url')}`],
    ['text=a&text=b'],
    ['unknown=1'],
    ['text=%ff'],
  ])('refuse %s', async (query) => {
    const reply = await api.call('GET', `/api/v1/services?${query}`);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

describe('dry run', () => {
  const dryRun = async (body: object) =>
    jsonOf(await api.call('POST', '/api/v1/services/dry-run', body));

  test('says what the service gets, and nothing else is changed by it', async () => {
    const { service } = await add({
      serviceId: 'https://told/.*',
      requiredAttributes: { memberOf: ['admin', 'staff'] },
      attributeRelease: { kind: 'mapped', names: { memberOf: ['groups'] } },
      logoutType: 'back',
    });
    const attributes = { memberOf: ['staff'], mail: ['a@example.org'] };
    expect(await dryRun({ url: 'https://told/app?x=1', user: 'ann', attributes })).toEqual({
      matches: [
        {
          id: service.id,
          name: 'x',
          evaluationOrder: 2_147_483_647,
          enabled: true,
          isDraft: false,
        },
      ],
      decision: 'allowed',
      reason: null,
      detail: 'The user may use "x".',
      missingAttributes: {},
      released: { user: 'ann', attributes: { groups: ['staff'] } },
      logout: { type: 'back', url: 'https://told/app?x=1' },
      authorization: null,
    });
    expect(await dryRun({ url: 'https://told/', user: 'ann', attributes: {} })).toMatchObject({
      decision: 'refused',
      reason: 'ATTRIBUTES_MISSING',
      missingAttributes: { memberOf: ['admin', 'staff'] },
      released: null,
    });
  });

  test.each<[string, object, object, string | null]>([
    ['a pattern', { requiredAttributes: { memberOf: ['adm.*'] } }, { memberOf: ['admin'] }, null],
    [
      'a pattern of a part',
      { requiredAttributes: { memberOf: ['adm'] } },
      { memberOf: ['admin'] },
      'ATTRIBUTES_MISSING',
    ],
    [
      'one of several',
      { requiredAttributes: { a: ['x'], b: ['y'] }, requireAllAttributes: false },
      { a: ['x'], c: ['z'] },
      null,
    ],
    [
      'a rejected value',
      { rejectedAttributes: { memberOf: ['guest.*'] } },
      { memberOf: ['guests'] },
      'ATTRIBUTES_REJECTED',
    ],
    [
      'too few attributes to tell',
      { rejectedAttributes: { memberOf: ['x'] } },
      {},
      'ATTRIBUTES_REJECTED',
    ],
  ])('judges attributes by %s', async (_rule, fields, attributes, reason) => {
    const definition = { serviceId: 'https://draft/', name: 'draft', ...fields };
    const asked = { url: 'https://draft/', user: 'ann', attributes, definition };
    expect(await dryRun(asked)).toMatchObject({ reason });
  });

  test('takes the attributes of an account, else of the last session', async () => {
    await add({ serviceId: 'https://known/', attributeRelease: { kind: 'all' } });
    const account = { name: 'dora', password: 'p', attributes: { mail: ['dora@example.org'] } };
    expect((await api.call('POST', '/api/v1/users', account)).status).toBe(201);
    await api.sso.login('reader', 'Mellon');
    const released = async (user: string) =>
      (await dryRun({ url: 'https://known/', user })).released;
    expect(await released('dora')).toEqual({
      user: 'dora',
      attributes: { mail: ['dora@example.org'] },
    });
    expect(await released('reader')).toEqual({
      user: 'reader',
      attributes: { memberOf: ['auditor'] },
    });
    expect(await dryRun({ url: 'https://known/', user: 'unknown' })).toMatchObject({
      reason: 'USER_UNKNOWN',
    });
  });

  test('refuses a user whose account is disabled or expired, whatever the attributes', async () => {
    await add({ serviceId: 'https://closed/' });
    const url = 'https://closed/';
    const users = [
      { name: 'gone', password: 'p', disabled: true },
      { name: 'late', password: 'p', expiresAt: '2020-01-01T00:00:00Z' },
    ];
    for (const user of users) {
      expect((await api.call('POST', '/api/v1/users', user)).status).toBe(201);
      for (const given of [{}, { attributes: {} }]) {
        const { decision, reason, released } = await dryRun({ url, user: user.name, ...given });
        expect([decision, reason, released]).toEqual(['refused', 'ACCOUNT_DISABLED', null]);
      }
    }
  });

  test('shows no pseudonym, which is a secret of the service', async () => {
    await add({ serviceId: 'https://secret/', usernameAttribute: { kind: 'anonymous' } });
    const { released } = await dryRun({ url: 'https://secret/', user: 'ann', attributes: {} });
    expect(released).toEqual({ user: null, attributes: {} });
  });

  test('tries a definition that is not stored, in place of another', async () => {
    const { service, path } = await add({ serviceId: 'https://draft/old' });
    const { id, ...definition } = service;
    const draft = { ...definition, serviceId: 'https://draft/new' };
    const run = (url: string, replaces?: string) => dryRun({ url, definition: draft, replaces });
    expect((await run('https://draft/new')).matches).toMatchObject([{ id: null, isDraft: true }]);
    expect((await run('https://draft/new', id)).matches).toMatchObject([{ id, isDraft: true }]);
    expect((await run('https://draft/old')).matches).toMatchObject([{ id, isDraft: false }]);
    expect((await run('https://draft/old', id)).matches).toEqual([]);
    expect(jsonOf(await api.call('GET', path))).toEqual(service);
  });

  test('names all services that match: the first decides', async () => {
    const url = 'https://several/app';
    const disabled = await add({ serviceId: url, evaluationOrder: 1, enabled: false });
    const other = await add({ serviceId: 'https://several/.*', evaluationOrder: 2 });
    const result = await dryRun({ url });
    expect(result.reason).toBe('SERVICE_DISABLED');
    expect(result.matches.map(({ id }) => id)).toEqual([disabled.service.id, other.service.id]);
  });

  test('refuses a spelling that belongs to another service, as validation does', async () => {
    await add({ serviceId: 'https://spelled/private', evaluationOrder: 1 });
    await add({ serviceId: 'https://spelled/.*', evaluationOrder: 2 });
    expect(await dryRun({ url: 'https://spelled/%70rivate' })).toMatchObject({
      decision: 'refused',
      reason: 'SPELLING_BELONGS_TO_ANOTHER_SERVICE',
    });
  });

  test.each([
    'https://browser/a\u00a0b',
    'https://browser/a\\b',
    'https://ann@browser/',
    'imaps://browser/',
  ])('refuses %j, as the login page does', async (url) => {
    const definition = { serviceId: '(https|imaps)://(ann@)?browser/.*', name: 'x' };
    for (const given of [{}, { user: 'ann', attributes: {} }]) {
      const { decision, reason, released } = await dryRun({ url, definition, ...given });
      expect([decision, reason, released]).toEqual(['refused', 'URL_NOT_ALLOWED', null]);
    }
    await add({ ...definition, evaluationOrder: turn });
    const page = await http('GET', api.sso.url, `/login?service=${encodeURIComponent(url)}`);
    expect(page.status).toBe(403);
  });

  test('refuses too deeply nested input', async () => {
    const body = `{"url":"https://x/","definition":${nested(5_000)}}`;
    const reply = await api.call('POST', '/api/v1/services/dry-run', body);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  test.each(['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty'])(
    'does not drop the name %s',
    async (name) => {
      for (const [body, field] of [
        [`{"url":"https://x/","${name}":1}`, name],
        [`{"url":"https://x/","user":"x","attributes":{"${name}":["a"]}}`, `attributes.${name}`],
        [
          `{"url":"https://x/","definition":{"requiredAttributes":{"${name}":["a"]}}}`,
          `definition.requiredAttributes.${name}`,
        ],
      ] as const) {
        const reply = await api.call('POST', '/api/v1/services/dry-run', body);
        expect([reply.status, jsonOf(reply).violations]).toEqual([
          400,
          [{ field, reason: 'is a reserved name' }],
        ]);
      }
    },
  );

  test.each<[object, string]>([
    [{}, 'MALFORMED_REQUEST'],
    [{ url: 'x', user: 'a\0' }, 'MALFORMED_REQUEST'],
    [{ url: 1 }, 'MALFORMED_REQUEST'],
    [{ url: 'x', attributes: { a: 'b' }, user: 'x' }, 'MALFORMED_REQUEST'],
    [{ url: 'x', replaces: 'x' }, 'MALFORMED_REQUEST'],
    [{ url: 'x', definition: null }, 'MALFORMED_REQUEST'],
    [{ url: 'x', user: null, attributes: null }, 'MALFORMED_REQUEST'],
    [{ url: 'x', definition: { serviceId: '(', name: 'x' } }, 'SERVICE_INVALID'],
    [{ url: 'x', other: 1 }, 'MALFORMED_REQUEST'],
  ])('refuses %j', async (body, code) => {
    const reply = await api.call('POST', '/api/v1/services/dry-run', body);
    expect([reply.status, jsonOf(reply).code]).toEqual([400, code]);
  });
});

describe('docs/operators-api.md', () => {
  const page = readFileSync('docs/operators-api.md', 'utf8');
  const after = (heading: string) => page.slice(page.indexOf(`\n## ${heading}\n`));
  const [invalid = '', definition = ''] = ['Rules of all routes', 'Definition of a service'].map(
    (heading) => /```json\n(.*?)```/s.exec(after(heading))?.[1],
  );

  test('its definition has every field, and is stored as it is', async () => {
    const reply = await api.call('POST', '/api/v1/services', definition);
    expect(reply.status).toBe(201);
    const { id, ...stored } = jsonOf(reply).service;
    expect([typeof id, stored]).toEqual(['string', JSON.parse(definition)]);
  });

  test('its problem is the answer to an invalid definition', async () => {
    const body = { serviceId: 'https://x/', name: '', attributeRelease: { kind: 'allow' } };
    const reply = await api.call('POST', '/api/v1/services', body);
    expect(reply.body).toBe(JSON.stringify(JSON.parse(invalid)));
  });

  test('it lists the reasons of a dry run, in the order of the checks', () => {
    const reasons = after('Dry run').matchAll(/^\| `([A-Z_]+)` /gm);
    expect([...reasons].map(([, reason]) => reason)).toEqual(REFUSAL_REASONS);
  });

  test('a method that a path does not have is answered as its table says', async () => {
    const reply = await api.call('PATCH', '/api/v1/services/1', {});
    const { status, headers } = reply;
    expect(page).toContain(`| ${status}    | \`${jsonOf(reply).code as string}\` `);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
    const literal = await api.call('OPTIONS', '/api/v1/services/convert');
    expect([literal.status, literal.headers.allow]).toEqual([405, 'POST']);
  });
});

test.each([
  '{"@class": "org.apereo.cas.services.RegexRegisteredService", "serviceId": "^https://c/"}',
  '{\n@class: org.apereo.cas.services.RegexRegisteredService\nserviceId: ^https://c/\n}',
])('a file of Apereo CAS is converted without being stored: %s', async (file) => {
  const before = await countServices();
  const reply = await api.call('POST', '/api/v1/services/convert', file);
  expect(jsonOf(reply).definition).toMatchObject({ serviceId: '^https://c/', enabled: true });
  expect(await countServices()).toBe(before);
});

test('each change has an event in the audit trail, with the name of the operator', async () => {
  const { service, path, tag } = await add();
  const { id, ...definition } = service;
  const changed = { ...definition, name: 'z' };
  const { headers } = await api.call('PUT', path, changed, { 'if-match': tag });
  await api.call('PUT', path, changed, { 'if-match': String(headers.etag) });
  await api.call('DELETE', path, undefined, { 'if-match': String(headers.etag) });
  const rows = await api.sso.database.dataSource.query(
    'select action, outcome, principal, client_address from audit_event where subject = $1 order by occurred_at',
    [id],
  );
  const by = { outcome: 'success', principal: 'management token', client_address: '127.0.0.1' };
  expect(rows).toEqual(
    ['REGISTER_SERVICE', 'CHANGE_SERVICE', 'REMOVE_SERVICE'].map((action) => ({ action, ...by })),
  );
});

test('without the database every route answers 503, and nothing is half-done', async () => {
  const before = await countServices();
  await api.sso.databaseProxy.set('refuse');
  try {
    for (const [method, path] of [
      ['GET', 'services'],
      ['GET', 'sessions'],
      ['GET', 'users'],
      ['GET', 'audit'],
      ['GET', 'logout-messages'],
      ['POST', 'services'],
    ] as const) {
      const body = method === 'POST' ? { serviceId: 'https://x/', name: 'x' } : undefined;
      const reply = await api.call(method, `/api/v1/${path}`, body);
      expect([path, reply.status]).toEqual([path, 503]);
      expect(reply.headers['retry-after']).toBe('2');
    }
    expect(jsonOf(await api.call('GET', '/api/v1/health'))).toMatchObject({ status: 'error' });
  } finally {
    await api.sso.databaseProxy.set('open');
  }
  expect(await countServices()).toBe(before);
});

async function countServices(): Promise<number> {
  const [row] = await api.sso.database.dataSource.query<{ n: string }[]>(
    'select count(*) as n from registered_service',
  );
  return Number(row?.n);
}

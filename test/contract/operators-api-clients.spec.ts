// The operator's API on clients of OpenID Connect and their secrets: what it takes, stores, refuses and tells.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENT_DEFAULTS, ClientSecrets, ServiceRegistry } from '@tessera/services';
import type { Reply } from '../support/http.js';
import { jsonOf, startOperatorApi, type OperatorApi } from '../support/operator-api.js';

const CLIENT = { redirectUris: ['https://app.example.org/cb'] };
const NOT_FOUND = ['4711', '0', 'x', '9'.repeat(30)];

let api: OperatorApi;

beforeAll(async () => {
  api = await startOperatorApi();
});
afterAll(() => api.close());

interface Secret {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly secret: string;
}
const secretIn = ({ body }: Reply) => JSON.parse(body) as Secret;
const codeOf = (reply: Reply) => [reply.status, jsonOf(reply).code];

let turn = 0;
const register = (fields: object = {}) =>
  api.call('POST', '/api/v1/services', {
    name: 'x',
    clientId: `client-${++turn}`,
    client: CLIENT,
    ...fields,
  });
async function add(fields: object = {}) {
  const reply = await register(fields);
  expect(reply.status).toBe(201);
  const { service } = jsonOf(reply);
  const path = `/api/v1/services/${service.id}`;
  return { service, path, secrets: `${path}/secrets`, tag: String(reply.headers.etag) };
}
const isSecret = (id: string, secret: string) =>
  new ClientSecrets(api.sso.database.dataSource.manager).matches(id, secret, () =>
    Promise.resolve(false),
  );

describe('a client', () => {
  test('is stored with the defaults of missing fields, and found by its id at once', async () => {
    const { service, path } = await add();
    const clientId = `client-${turn}`;
    expect(service).toMatchObject({
      serviceId: null,
      clientId,
      client: { ...CLIENT_DEFAULTS, ...CLIENT },
    });
    expect(jsonOf(await api.call('GET', path))).toEqual(service);
    const registry = api.sso.application.get(ServiceRegistry);
    expect(registry.findByClientId(clientId)).toMatchObject(service);
    const listed = await api.call('GET', `/api/v1/services?text=${clientId.toUpperCase()}`);
    expect(jsonOf(listed).items).toEqual([service]);
  });

  test('may be a service of CAS too', async () => {
    const { service } = await add({ serviceId: '^https://both\\.example\\.org/.*' });
    const url = 'https://both.example.org/';
    const tried = await api.call('POST', '/api/v1/services/dry-run', { url });
    expect(jsonOf(tried).matches).toMatchObject([{ id: service.id }]);
  });

  test.each<[string, object, string]>([
    ['no part', { clientId: null, client: null }, 'serviceId must not be empty'],
    ['no id', { clientId: null }, 'clientId must not be empty'],
    ['no client', { client: null }, 'client must not be empty'],
    ['a space in the id', { clientId: 'a b' }, 'clientId must be 1 to 255 characters'],
    ['a secret', { client: { ...CLIENT, secret: 'x' } }, 'client.secret is no field of a client'],
    ['an open redirect', { client: { redirectUris: ['https://*/'] } }, 'must not have a wildcard'],
  ])('with %s is refused with 400 SERVICE_INVALID', async (_what, fields, reason) => {
    const reply = await register(fields);
    expect(codeOf(reply)).toEqual([400, 'SERVICE_INVALID']);
    expect(reply.body).toContain(reason);
  });

  test('with the id of another is refused with 409, also of two at the same time', async () => {
    const { path, tag, service } = await add();
    const replies = await Promise.all([1, 2, 3].map(() => register({ clientId: 'same' })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { id: _id, ...definition } = service;
    const changed = { ...definition, clientId: 'same' };
    const put = await api.call('PUT', path, changed, { 'if-match': tag });
    expect(put.body).toBe(
      '{"type":"about:blank","title":"Conflict","status":409,"code":"CLIENT_EXISTS","detail":"another service has this client id"}',
    );
    expect(jsonOf(await api.call('GET', path))).toEqual(service);
  });

  test('that becomes a service of CAS loses its secrets', async () => {
    const { path, secrets, service, tag } = await add();
    const { secret } = secretIn(await api.call('POST', secrets));
    const { id, ...definition } = service;
    const cas = { ...definition, serviceId: 'https://late/.*', clientId: null, client: null };
    const put = await api.call('PUT', path, cas, { 'if-match': tag });
    const back = { ...definition, serviceId: 'https://late/.*' };
    await api.call('PUT', path, back, { 'if-match': String(put.headers.etag) });
    expect(await isSecret(id, secret)).toBe(false);
  });
});

describe('secrets', () => {
  test('are told once, and listed by their times', async () => {
    const { service, path, secrets } = await add();
    const reply = await api.call('POST', secrets);
    const { secret, ...shown } = secretIn(reply);
    expect(reply.status).toBe(201);
    expect(reply.headers).toMatchObject({
      location: `${secrets}/${shown.id}`,
      'cache-control': 'no-store',
    });
    expect(await isSecret(service.id, secret)).toBe(true);
    expect(shown).toEqual({
      id: expect.stringMatching(/^\d+$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt: null,
    });
    const listed = await api.call('GET', secrets);
    expect([listed.status, JSON.parse(listed.body)]).toEqual([200, { items: [shown] }]);
    const others = await Promise.all(
      [path, '/api/v1/services', '/api/v1/audit'].map((each) => api.call('GET', each)),
    );
    for (const { body } of others) {
      expect(body).not.toContain(secret);
      expect(body).not.toContain('sha256:');
    }
  });

  test('are valid side by side, until one is removed', async () => {
    const { service, secrets } = await add();
    const [old, next] = [
      secretIn(await api.call('POST', secrets)),
      secretIn(await api.call('POST', secrets)),
    ];
    const valid = () => Promise.all([old, next].map(({ secret }) => isSecret(service.id, secret)));
    expect(await valid()).toEqual([true, true]);
    const removed = await api.call('DELETE', `${secrets}/${old.id}`);
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect(await valid()).toEqual([false, true]);
    const again = await api.call('DELETE', `${secrets}/${old.id}`);
    expect(codeOf(again)).toEqual([404, 'CLIENT_SECRET_NOT_FOUND']);
  });

  test('of another client, or with an odd id, are not removed', async () => {
    const [one, other] = [await add(), await add()];
    const { id } = secretIn(await api.call('POST', one.secrets));
    const paths = [`${other.secrets}/${id}`, ...NOT_FOUND.map((each) => `${one.secrets}/${each}`)];
    for (const path of paths) {
      expect(codeOf(await api.call('DELETE', path))).toEqual([404, 'CLIENT_SECRET_NOT_FOUND']);
    }
    expect(JSON.parse((await api.call('GET', one.secrets)).body).items).toHaveLength(1);
  });

  test.each(NOT_FOUND)('there are none of the service %s', async (id) => {
    for (const method of ['GET', 'POST']) {
      const reply = await api.call(method, `/api/v1/services/${id}/secrets`);
      expect(codeOf(reply)).toEqual([404, 'SERVICE_NOT_FOUND']);
    }
  });

  test.each<[string, object, string]>([
    [
      'a public client',
      { client: { ...CLIENT, tokenEndpointAuthMethod: 'none' } },
      'client has no secret: its method is none',
    ],
    [
      'a service of CAS',
      { serviceId: 'https://cas/', clientId: null, client: null },
      'client must be given for a secret',
    ],
  ])('are refused for %s', async (_what, fields, detail) => {
    const { secrets } = await add(fields);
    const reply = await api.call('POST', secrets);
    expect(JSON.parse(reply.body)).toMatchObject({ status: 400, code: 'SERVICE_INVALID', detail });
    expect((await api.call('GET', secrets)).body).toBe('{"items":[]}');
  });

  test('are made and removed by operators alone, and not by other sites', async () => {
    const { secrets } = await add();
    const { id } = secretIn(await api.call('POST', secrets));
    const reader = await api.signIn('reader');
    expect((await api.browse(reader, 'GET', secrets)).status).toBe(200);
    const changes: readonly [string, string][] = [
      ['POST', secrets],
      ['DELETE', `${secrets}/${id}`],
    ];
    const operator = await api.signIn('ops');
    for (const [method, path] of changes) {
      const refused = await api.browse(reader, method, path);
      expect(codeOf(refused)).toEqual([403, 'CALLER_NOT_ALLOWED']);
      const headers = { 'sec-fetch-site': 'cross-site' };
      const foreign = await api.browse(operator, method, path, undefined, headers);
      expect(codeOf(foreign)).toEqual([403, 'CALLER_NOT_ALLOWED']);
    }
    expect((await api.browse(operator, 'DELETE', `${secrets}/${id}`)).status).toBe(204);
  });

  test('have events in the audit trail, by their ids', async () => {
    const { service, secrets } = await add();
    const { id } = secretIn(await api.call('POST', secrets));
    await api.call('DELETE', `${secrets}/${id}`);
    const rows = await api.sso.database.dataSource.query<readonly object[]>(
      `select action, principal, details from audit_event
       where subject = $1 and action like '%CLIENT_SECRET' order by id`,
      [service.id],
    );
    const event = { principal: 'management token', details: { secret: id } };
    expect(rows).toEqual([
      { action: 'ADD_CLIENT_SECRET', ...event },
      { action: 'REMOVE_CLIENT_SECRET', ...event },
    ]);
  });
});

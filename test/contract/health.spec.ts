// The health checks, and what a deployment without a module does not answer.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { productVersion } from '@tessera/runtime';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';

let sso: Sso;

beforeAll(async () => {
  sso = await startSso();
});
afterAll(() => sso.close());

describe('health', () => {
  test('is live and ready, with the database and its migrations', async () => {
    const live = await http('GET', sso.url, '/health/live');
    expect([live.status, live.body]).toEqual([
      200,
      `{"status":"ok","version":"${productVersion()}","info":{},"error":{},"details":{}}`,
    ]);
    const ready = await http('GET', sso.url, '/health/ready');
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.body)).toMatchObject({
      status: 'ok',
      version: productVersion(),
      info: { database: { status: 'up' } },
    });
  });

  test('is not ready while migrations are pending, and says which', async () => {
    const behind = await startSso();
    try {
      await behind.database.dataSource.query(
        "delete from schema_migration where name = 'UserAccounts0000000000003'",
      );
      const ready = await http('GET', behind.url, '/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.body).toContain('migrations pending: UserAccounts0000000000003');
      expect((await http('GET', behind.url, '/health/live')).status).toBe(200);
    } finally {
      await behind.close();
    }
  });
});

describe('on a schema that a newer version has migrated', () => {
  test.each([
    ['is ready while the schema serves this version', 24, 200, '"database":{"status":"up"}'],
    ['is not ready while it does not', 9000, 503, 'needs a program with migration 9000, such as'],
  ])('%s', async (_, compatibleFrom, status, text) => {
    const older = await startSso();
    try {
      await older.database.dataSource.query(
        `insert into schema_migration ("timestamp", name, compatible_from, version)
         values (9000, 'Future0000000009000', $1, '9.0.0')`,
        [compatibleFrom],
      );
      const ready = await http('GET', older.url, '/health/ready');
      expect(ready.status).toBe(status);
      expect(ready.body).toContain(text);
    } finally {
      await older.close();
    }
  });
});

describe.each(['/health/live', '/health/ready'])('%s', (path) => {
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers %s with 405', async (method) => {
    const reply = await http(method, sso.url, path);
    expect(reply).toMatchObject({ status: 405, body: 'Method not allowed' });
    expect(reply.headers).toMatchObject({ allow: 'GET, HEAD' });
  });

  test('answers HEAD like GET, without a body', async () => {
    expect(await http('HEAD', sso.url, path)).toMatchObject({ status: 200, body: '' });
  });
});

describe('without modules', () => {
  let bare: Sso;

  beforeAll(async () => {
    bare = await startSso({ settings: ['--sso.modules='] });
  });
  afterAll(() => bare.close());

  test.each([
    ['POST', '/v1/tickets'],
    ['POST', '/v1/tickets/TGT-1'],
    ['GET', '/v1/tickets/TGT-1'],
    ['DELETE', '/v1/tickets/TGT-1'],
    ['POST', '/v1/services/add/TGT-1'],
    ['GET', '/login'],
  ])('%s %s is no route, and validation still is one', async (method, path) => {
    const form = { username: 'casuser', password: 'Mellon' };
    expect((await http(method, bare.url, path, { form })).status).toBe(404);
    expect((await http('GET', bare.url, '/validate')).body).toBe('no\n\n');
  });
});

test.each(['/', '/nothing', '/CAS/validate', '/cas/nothing', '/cas%2Fvalidate'])(
  'outside its routes it answers 404 in plain text: %s',
  async (path) => {
    const reply = await http('GET', sso.url.replace(/\/cas$/, ''), path);
    expect(reply).toMatchObject({ status: 404, body: 'Not found' });
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
  },
);

// The health checks, and what a deployment without a module does not answer.
import { describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { startSso } from '../support/sso.js';

describe('health', () => {
  test('is live and ready, with the database and its migrations', async () => {
    const sso = await startSso();
    try {
      const live = await http('GET', sso.url, '/health/live');
      expect([live.status, JSON.parse(live.body)]).toMatchObject([200, { status: 'ok' }]);
      const ready = await http('GET', sso.url, '/health/ready');
      expect(ready.status).toBe(200);
      expect(JSON.parse(ready.body)).toMatchObject({
        status: 'ok',
        info: { database: { status: 'up' } },
      });
    } finally {
      await sso.close();
    }
  });

  test('is not ready while migrations are pending, and says which', async () => {
    const sso = await startSso();
    try {
      await sso.database.dataSource.query(
        "delete from schema_migration where name = 'UserAccounts0000000000003'",
      );
      const ready = await http('GET', sso.url, '/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.body).toContain('migrations pending: UserAccounts0000000000003');
      expect((await http('GET', sso.url, '/health/live')).status).toBe(200);
    } finally {
      await sso.close();
    }
  });
});

describe('without module rest', () => {
  test.each([
    ['POST', '/v1/tickets'],
    ['POST', '/v1/tickets/TGT-1'],
    ['GET', '/v1/tickets/TGT-1'],
    ['DELETE', '/v1/tickets/TGT-1'],
  ])('%s %s is no route, and validation still is one', async (method, path) => {
    const sso = await startSso({ settings: ['--sso.modules='] });
    try {
      const form = { username: 'casuser', password: 'Mellon' };
      expect((await http(method, sso.url, path, { form })).status).toBe(404);
      expect((await http('GET', sso.url, '/validate')).body).toBe('no\n\n');
    } finally {
      await sso.close();
    }
  });
});

test.each(['/', '/nothing', '/CAS/validate', '/cas/nothing', '/cas%2Fvalidate'])(
  'outside its routes it answers 404 in plain text: %s',
  async (path) => {
    const sso = await startSso();
    try {
      const reply = await http('GET', sso.url.replace(/\/cas$/, ''), path);
      expect(reply).toMatchObject({ status: 404, body: 'Not found' });
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
    } finally {
      await sso.close();
    }
  },
);

// What comes of having the settings of an SSO server read anew, for a caller that may: every answer, byte for byte.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

const MANAGED = {
  'sso.management.token': TOKEN,
  'sso.management.role-name': 'memberOf',
  'sso.management.role-value': 'admin',
};

let sso: Sso;
const log = recordLog();

const post = (headers: Headers, call?: Call): Promise<Reply> => refresh(sso, headers, call);

const write = (settings: Readonly<Record<string, unknown>>) =>
  sso.writeSettings('sso.yml', JSON.stringify({ ...MANAGED, ...settings }));

/** What a wrong password is answered with tells the dialect. */
async function isApereo(): Promise<boolean> {
  const form = { username: 'ann', password: 'wrong' };
  return (await http('POST', sso.url, '/v1/tickets', { form })).status === 401;
}

beforeAll(async () => {
  sso = await startSso({ settings: [USERS] });
});
afterAll(() => sso.close());
beforeEach(() => sso.reconfigure(MANAGED));

describe('a caller that is admitted', () => {
  test('gets every problem of invalid settings, and the current ones stay', async () => {
    await write({ 'sso.dialect': 'klingon', 'sso.port': 'x', 'sso.management.token': 'short' });
    expect(await post(bearer(TOKEN))).toMatchObject({
      status: 409,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({
        code: 'SETTINGS_INVALID',
        message: 'nothing was changed: the current settings stay',
        problems: [
          'sso.port: must be a whole number ("x", config/sso.yml:1)',
          'sso.dialect: must be one of documented, apereo ("klingon", config/sso.yml:1)',
          'sso.management.token: must have 20 to 512 characters, of A-Z a-z 0-9 - . _ ~ + / (openssl rand -hex 32 makes one) (config/sso.yml:1)',
        ],
      }),
    });
    expect(await isApereo()).toBe(false);
    expect((await post(bearer(TOKEN))).status).toBe(409);
  });

  test.each<[string, Headers, Call]>([
    ['with the token', bearer(TOKEN), {}],
    ['with the token, its scheme in capitals', { authorization: `BEARER ${TOKEN}` }, {}],
    ['as a user with the role', basic('casuser:Mellon'), {}],
    ['through a proxy', { ...bearer(TOKEN), 'x-forwarded-for': '192.0.2.1' }, {}],
    ['under any name', { ...bearer(TOKEN), host: 'sso.example.org' }, {}],
    [
      'with an empty object',
      { 'content-type': 'application/json', ...bearer(TOKEN) },
      { body: '{}' },
    ],
  ])('%s gets nothing when nothing changed', async (_rule, headers, call) => {
    expect(await post(headers, call)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'content-length': '2',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      body: '[]',
    });
  });

  test('answers once which settings changed, and at each call which need a restart', async () => {
    await write({ 'sso.tickets.st.lifetime': '20s', 'sso.port': 8081, 'sso.dialect': 'apereo' });
    expect(await isApereo()).toBe(false);
    expect(await post(basic('casuser:Mellon'))).toMatchObject({
      status: 200,
      body: '["sso.dialect","sso.port (restart required)","sso.tickets.st.lifetime"]',
    });
    expect(await isApereo()).toBe(true);
    expect((await post(bearer(TOKEN))).body).toBe('["sso.port (restart required)"]');
    expect(log().join('')).toContain('"cause":"POST /actuator/refresh from casuser at 127.0.0.1"');
  });

  test('by a token that the reload replaces, is unknown from then on', async () => {
    const next = `${TOKEN}-next`;
    await write({ 'sso.management.token': next });
    expect((await post(bearer(next))).status).toBe(401);
    expect((await post(bearer(TOKEN))).body).toBe('["sso.management.token"]');
    expect((await post(bearer(TOKEN))).status).toBe(401);
    expect((await post(bearer(next))).body).toBe('[]');
  });

  test('by a role that the reload replaces, is refused from then on', async () => {
    await write({ 'sso.management.role-value': 'staff' });
    expect((await post(basic('casuser:Mellon'))).body).toBe('["sso.management.role-value"]');
    await write({ 'sso.management.role-value': 'nobody' });
    expect((await post(basic('casuser:Mellon'))).body).toBe('["sso.management.role-value"]');
    expect((await post(basic('casuser:Mellon'))).status).toBe(403);
  });

  test('is answered as one of many, too', async () => {
    await write({ 'sso.dialect': 'apereo' });
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(bearer(TOKEN))));
    const answers = new Set(replies.map(({ status, body }) => `${status} ${body}`));
    expect(answers).toContain('200 ["sso.dialect"]');
    answers.delete('200 []');
    expect(answers.size).toBe(1);
  });
});

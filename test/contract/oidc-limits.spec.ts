// How often clients of OpenID Connect may call, and how often they may fail to prove who they are.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOidc } from '../support/oidc-client.js';
import { clientNamed, CONFIDENTIAL, post, secretOf } from '../support/oidc-flows.js';
import type { Reply } from '../support/http.js';
import { http } from '../support/http.js';
import type { Sso } from '../support/sso.js';

let sso: Sso;
let host = 10;
/** An address that has not called yet. */
const freshAddress = (): string => `127.0.2.${(host += 1)}`;

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

async function repeat(times: number, send: () => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let turn = 0; turn < times; turn += 1) replies.push(await send());
  return replies;
}

describe('the rate limit', () => {
  beforeAll(async () => {
    sso = await startOidc({
      settings: ['--sso.rate-limit.oidc=2'],
      services: [clientNamed('web')],
    });
  });
  afterAll(() => sso.close());

  test.each(['/token', '/par', '/introspect', '/revoke'])(
    'of %s refuses above it, before the client is looked at',
    async (path) => {
      const localAddress = freshAddress();
      const send = (form = {}) => post(sso, path, form, { localAddress });
      const [first, second] = await repeat(2, send);
      const third = await send({ client_id: 'web' });
      expect([first?.status, second?.status]).not.toContain(429);
      expect(third).toMatchObject({
        status: 429,
        body: '{"error":"temporarily_unavailable","error_description":"too many requests: try again later"}',
      });
      expect(third.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      });
    },
  );

  test('is that of an address and an endpoint', async () => {
    const localAddress = freshAddress();
    await repeat(3, () => post(sso, '/token', {}, { localAddress }));
    const others = [
      await post(sso, '/introspect', {}, { localAddress }),
      await post(sso, '/token', {}, { localAddress: freshAddress() }),
    ];
    expect(statuses(others)).not.toContain(429);
  });

  test.each([
    ['OPTIONS', '/token', 204],
    ['GET', '/jwks', 200],
    ['GET', '/authorize', 400],
    ['GET', '/userinfo', 401],
    ['POST', '/userinfo', 401],
  ])('is none for %s %s', async (method, path, status) => {
    const headers = {
      origin: 'https://client.example.org',
      'access-control-request-method': 'POST',
    };
    const replies = await repeat(4, () =>
      http(method, sso.url, `/oidc${path}`, { headers, localAddress: '127.0.3.1' }),
    );
    expect(new Set(statuses(replies))).toEqual(new Set([status]));
  });
});

test('without a limit nothing is counted', async () => {
  const services = [clientNamed('back', CONFIDENTIAL)];
  sso = await startOidc({ settings: ['--sso.rate-limit.oidc=0'], services });
  try {
    const basic = ['back', await secretOf(sso, 'back')];
    const send = () => post(sso, '/token', { grant_type: 'client_credentials' }, { basic });
    expect(statuses(await repeat(3, send))).toEqual([200, 200, 200]);
    expect(await sso.database.dataSource.query('select from request_rate')).toEqual([]);
  } finally {
    await sso.close();
  }
});

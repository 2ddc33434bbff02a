// How often clients of OpenID Connect may call, and how often they may fail to prove who they are.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { ClientSecrets, ServiceRegistry } from '@tessera/services';
import { startOidc } from '../support/oidc-client.js';
import { clientNamed, CONFIDENTIAL, post, secretOf } from '../support/oidc-flows.js';
import { http, type Reply } from '../support/http.js';
import type { Sso } from '../support/sso.js';
import { until } from '../support/until.js';

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
      settings: [
        '--sso.rate-limit.oidc=2',
        '--sso.rate-limit.register=1',
        '--sso.oidc.registration=token',
      ],
      services: [clientNamed('web')],
    });
  });
  afterAll(() => sso.close());

  test.each([
    ['/token', 2],
    ['/par', 2],
    ['/introspect', 2],
    ['/revoke', 2],
    // As registrations of services have.
    ['/register', 1],
  ])('of %s refuses above %d, before the client is looked at', async (path, limit) => {
    const localAddress = freshAddress();
    const send = (form = {}) => post(sso, path, form, { localAddress });
    const admitted = await repeat(limit, send);
    const next = await send({ client_id: 'web' });
    expect(statuses(admitted)).not.toContain(429);
    expect(next).toMatchObject({
      status: 429,
      body: '{"error":"temporarily_unavailable","error_description":"too many requests: try again later"}',
    });
    expect(next.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    });
  });

  test('of /authorize refuses above it, browsers with a page', async () => {
    const localAddress = freshAddress();
    const send = (accept: string) =>
      http('GET', sso.url, '/oidc/authorize?client_id=web', { localAddress, headers: { accept } });
    expect(statuses(await repeat(2, () => send('text/html')))).toEqual([400, 400]);
    const page = await send('text/html');
    expect(page.status).toBe(429);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html;charset=UTF-8',
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    });
    expect(page.body).toContain('Too many requests');
    expect(JSON.parse((await send('application/json')).body)).toMatchObject({
      error: 'temporarily_unavailable',
    });
  });

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

describe('clients that do not prove who they are', () => {
  const THRESHOLD = 3;
  const ADDRESS_THRESHOLD = 6;
  const OLD_SECRETS = ['sesame', 'simsim'];
  const FORM = { grant_type: 'client_credentials' };
  let secret: string;

  beforeAll(async () => {
    sso = await startOidc({
      settings: [
        '--sso.authentication.accounts.argon2.memory=8',
        `--sso.throttle.login.threshold=${THRESHOLD}`,
        `--sso.throttle.login.address-threshold=${ADDRESS_THRESHOLD}`,
      ],
      services: [
        clientNamed('back', CONFIDENTIAL),
        clientNamed('imported', CONFIDENTIAL),
        clientNamed('web'),
        clientNamed('key', {
          ...CONFIDENTIAL,
          tokenEndpointAuthMethod: 'private_key_jwt',
          jwksUri: 'https://client.example.org/jwks',
        }),
      ],
    });
    secret = await secretOf(sso, 'back');
    const hashing = new PasswordHashing({ memory: 8, iterations: 1 });
    const hashes = await Promise.all(OLD_SECRETS.map((each) => hashing.hash(each)));
    const id = sso.application.get(ServiceRegistry).findByClientId('imported')?.id ?? '';
    await sso.application.get(ClientSecrets, { strict: false }).replaceAll(id, hashes);
  });
  afterAll(() => sso.close());

  const call = (localAddress: string, clientId: string, text: string, path = '/token') =>
    post(sso, path, FORM, { localAddress, basic: [clientId, text] });
  const comparable = ({ status, body, headers: { date: _, ...headers } }: Reply) => ({
    status,
    body,
    headers,
  });
  const expectThrottled = (reply: Reply): void => {
    expect(reply).toMatchObject({
      status: 429,
      body: '{"error":"temporarily_unavailable","error_description":"too many failures: try again later"}',
    });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    });
    expect(reply.headers['www-authenticate']).toBeUndefined();
  };

  const KINDS = [
    ['with a random secret', 'back'],
    ['with an imported secret', 'imported'],
    ['that is public', 'web'],
    ['with a key', 'key'],
    ['that is not registered', 'nobody'],
  ];

  test.each(KINDS)('get the same answers: a client %s', async (_, clientId) => {
    const address = freshAddress();
    const replies = await repeat(THRESHOLD, () => call(address, clientId, 'wrong'));
    const [other] = await repeat(1, () => call(freshAddress(), 'back', 'wrong'));
    for (const reply of replies) expect(comparable(reply)).toEqual(comparable(other!));
    expect(other).toMatchObject({
      status: 401,
      body: '{"error":"invalid_client","error_description":"client authentication failed"}',
    });
    expectThrottled(await call(address, clientId, 'wrong'));
  });

  test.each(['/introspect', '/revoke', '/par'])('are counted at %s too', async (path) => {
    const address = freshAddress();
    await repeat(THRESHOLD, () => call(address, 'back', 'wrong', path));
    expectThrottled(await call(address, 'back', 'wrong'));
  });

  test('are counted by an assertion that is not theirs', async () => {
    const localAddress = freshAddress();
    const assertion = [{ alg: 'none' }, { sub: 'key' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const form = {
      ...FORM,
      client_assertion: `${assertion}.`,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const replies = await repeat(THRESHOLD, () => post(sso, '/token', form, { localAddress }));
    expect(statuses(replies)).toEqual([401, 401, 401]);
    expectThrottled(await post(sso, '/token', form, { localAddress }));
  });

  test('are blocked by the right one of imported secrets too, at this address alone', async () => {
    const address = freshAddress();
    await repeat(THRESHOLD, () => call(address, 'imported', 'wrong'));
    expectThrottled(await call(address, 'imported', 'sesame'));
    expect((await call(freshAddress(), 'imported', 'sesame')).status).toBe(200);
  });

  test('do not lock out the one that has the random secret, not even at their address', async () => {
    const address = freshAddress();
    await repeat(ADDRESS_THRESHOLD, () => call(address, 'back', 'wrong'));
    expect((await call(address, 'back', secret)).status).toBe(200);
  });

  test('block their address after as many of any names', async () => {
    const address = freshAddress();
    for (let turn = 0; turn < ADDRESS_THRESHOLD; turn += 1) {
      expect((await call(address, `nobody-${turn}`, 'wrong')).status).toBe(401);
    }
    expectThrottled(await call(address, 'imported', 'sesame'));
    expectThrottled(await call(address, 'another', 'wrong'));
  });

  test('have no more imported secrets checked at once than they may fail', async () => {
    const address = freshAddress();
    const guesses = Array.from({ length: 20 }, (_, turn) => call(address, 'imported', `w${turn}`));
    const found = statuses(await Promise.all(guesses)).filter((status) => status === 401);
    expect(found).toHaveLength(THRESHOLD);
  });

  test('are in the audit trail, also when they are blocked', async () => {
    const address = freshAddress();
    await repeat(THRESHOLD + 1, () => call(address, 'back', 'wrong'));
    const reasons = await until('the events', async () => {
      const events = await sso.database.dataSource.query<readonly { reason: string }[]>(
        `select reason from audit_event where client_address = $1 and action = 'AUTHENTICATE_CLIENT'
           and service = 'back' order by occurred_at, id`,
        [address],
      );
      return events.length > THRESHOLD && events.map(({ reason }) => reason);
    });
    const failures = Array.from({ length: THRESHOLD }, () => 'invalid_client');
    expect(reasons).toEqual([...failures, 'AUTHENTICATION_THROTTLED']);
  });

  test.each(OLD_SECRETS)('are not those with the imported secret %s', async (text) => {
    const address = freshAddress();
    const replies = await repeat(2 * ADDRESS_THRESHOLD, () => call(address, 'imported', text));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
  });

  test('are not those of which nothing is decided', async () => {
    const localAddress = freshAddress();
    const replies = await repeat(2 * ADDRESS_THRESHOLD, () =>
      post(sso, '/token', { client_id: 'web' }, { localAddress }),
    );
    expect(new Set(statuses(replies))).toEqual(new Set([400]));
    expect((await call(localAddress, 'imported', 'sesame')).status).toBe(200);
  });
});

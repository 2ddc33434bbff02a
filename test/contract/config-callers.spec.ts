// Who may call the config server, and what it takes to start it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import {
  configServerSettings,
  startConfigServer,
  type ConfigServer,
} from '../support/config-server.js';
import { http, type Call, type Reply } from '../support/http.js';

const TEXT = { 'content-type': 'text/plain' };
const PASSWORD = '--encrypt.key=foo';

describe('callers', () => {
  const token = 'a-token-of-ops';
  const clients = {
    ops: { 'token-hash': sha256(token), applications: ['*'], permissions: ['encrypt', 'decrypt'] },
    writer: { 'token-hash': sha256('w'), applications: 'orders', permissions: 'encrypt' },
  };
  const as = (known: string) => ({ ...TEXT, authorization: `Bearer ${known}` });
  let guarded: ConfigServer;
  const call = (path: string, headers: Call['headers'] = TEXT): Promise<Reply> =>
    http('POST', guarded.url, path, { body: 'x', ...(headers && { headers }) });

  beforeAll(async () => {
    guarded = await startConfigServer([
      PASSWORD,
      `--config-server.clients=${JSON.stringify(clients)}`,
      '--config-server.throttle.threshold=3',
      '--config-server.throttle.address-threshold=4',
    ]);
  });
  afterAll(() => guarded.close());

  test.each([
    ['who says nothing', '/encrypt', TEXT, 401, 'UNAUTHORIZED'],
    ['with another application', '/encrypt/users/prod', as('w'), 403, 'FORBIDDEN'],
    ['that may not decrypt', '/decrypt', as('w'), 403, 'FORBIDDEN'],
    ['with a wrong token', '/encrypt', as('wrong'), 401, 'UNAUTHORIZED'],
  ])('%s are refused', async (...[, path, headers, status, word]) => {
    const reply = await call(path, headers);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ status: word });
    expect(reply.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="config-server"' : undefined,
    );
  });

  test.each([
    ['that may do it', '/encrypt', as(token)],
    ['with their own application', '/encrypt/orders/prod', as('w')],
  ])('%s are let in', async (_rule, path, headers) => {
    expect((await call(path, headers)).status).toBe(200);
  });

  test('are throttled after too many failures, except with a right token', async () => {
    for (const wrong of ['second', 'third', 'fourth']) await call('/encrypt', as(wrong));
    const reply = await call('/encrypt', as('fifth'));
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(reply.body).toBe(
      '{"description":"too many failed logins: try again later","status":"THROTTLED"}',
    );
    expect((await call('/encrypt', as(token))).status).toBe(200);
  });
});

describe('without clients', () => {
  let open: ConfigServer;

  beforeAll(async () => {
    open = await startConfigServer([PASSWORD]);
  });
  afterAll(() => open.close());

  test.each([
    ['for whom a proxy of this machine speaks', { 'x-forwarded-for': '192.0.2.1' }],
    ['who is a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('nobody may decrypt %s', async (_rule, headers) => {
    const call = { headers: { ...TEXT, ...headers }, body: 'x' };
    const { status, body } = await http('POST', open.url, '/decrypt', call);
    expect([status, JSON.parse(body)]).toMatchObject([403, { status: 'FORBIDDEN' }]);
  });

  test('programs of this machine may', async () => {
    const { status } = await http('POST', open.url, '/encrypt', { headers: TEXT, body: 'x' });
    expect(status).toBe(200);
  });
});

describe('it does not start', () => {
  const remedy = 'name at least one client with its password-hash or token-hash';
  test.each<[string, string[], string]>([
    [
      'where other machines can call and no client is known',
      ['--config-server.host=0.0.0.0'],
      `is required where other machines can call: ${remedy}, or set config-server.host=127.0.0.1`,
    ],
    [
      'where it has a name that DNS may lead anywhere, and no client',
      ['--config-server.host=config.localhost'],
      `is required where other machines can call: ${remedy}, or set config-server.host=127.0.0.1`,
    ],
    [
      'in profile production without clients, on loopback too',
      ['--profiles.active=production'],
      `is required in profile production: ${remedy}`,
    ],
    [
      'where a proxy is named and no client',
      ['--config-server.proxies.trusted=127.0.0.1'],
      `is required where config-server.proxies.trusted names proxies: ${remedy}`,
    ],
    [
      'with a client that has its password in clear',
      ['--config-server.clients={"a":{"password-hash":"s3cret","applications":"*"}}'],
      '"a" password-hash is none that can be verified; argon2id is one that can',
    ],
    [
      'with several invalid clients, and lists all of them',
      [
        '--config-server.clients={"a":{"applications":"*"},"b":{"token-hash":"x","applications":"*"}}',
      ],
      '"a" needs a password-hash or a token-hash; "b" token-hash must be the SHA-256 of the token in 64 hexadecimal digits',
    ],
    [
      'with two clients of one token, however its hash is written',
      [
        `--config-server.clients=${JSON.stringify({
          a: { 'token-hash': sha256('t'), applications: 'orders' },
          b: { 'token-hash': `sha256:${sha256('t').toUpperCase()}`, applications: '*' },
        })}`,
      ],
      '"a" and "b" have the same token-hash',
    ],
  ])('%s', async (_rule, settings, message) => {
    const refused = configServerSettings(settings);
    await expect(refused).rejects.toMatchObject({
      violations: expect.arrayContaining([
        expect.objectContaining({ key: 'config-server.clients', message }),
      ]),
    });
    await expect(refused).rejects.not.toMatchObject({
      message: expect.stringContaining('s3cret'),
    });
  });

  test.each(['localhost', '127.0.0.2', '::1'])('but does on %s', async (host) => {
    const settings = await configServerSettings([`--config-server.host=${host}`]);
    expect(settings.host).toBe(host);
  });
});

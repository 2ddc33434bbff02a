// The callers of the config server after a reload, and the callers that may request one.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PasswordHashing, sha256 } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import {
  startConfigServerFromFile,
  type ReloadableConfigServer,
} from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';

type Headers = Readonly<Record<string, string>>;
type Client = Readonly<Record<string, string>>;

const hashing = new PasswordHashing({ memory: 1_024, iterations: 1 });
const NOBODY: Headers = {};
const PATH = '/actuator/refresh';
const NOT_ALLOWED = 'this client may not refresh the settings';
const UNKNOWN = 'a client has to say who it is, and to prove it';

/** Clients by password, by token, and one that may ask for a reload. */
let orders: Client;
const ops: Client = { 'token-hash': sha256('ops'), applications: '*' };
const deployer: Client = {
  'token-hash': sha256('deployer'),
  applications: 'orders',
  permissions: 'refresh',
};

let folder: string;
let server: ReloadableConfigServer;
let lines: string[];

const basic = (name: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const clients = (named: Readonly<Record<string, Client>>): object => ({
  'config-server.clients': named,
});

async function read(headers: Headers, path = '/orders/prod'): Promise<number> {
  return (await http('GET', server.url, path, { headers })).status;
}
const refresh = (headers: Headers, method = 'POST', body = ''): Promise<Reply> =>
  http(method, server.url, PATH, { headers, ...(method === 'POST' && { body }) });

async function start(settings: object): Promise<void> {
  server = await startConfigServerFromFile(folder, settings);
}

beforeAll(async () => {
  const hash = await hashing.hash('s3cret');
  orders = { 'password-hash': hash, applications: 'orders' };
});
beforeEach(async () => {
  lines = [];
  const write = (line: string): unknown => lines.push(line);
  configureLogging({ application: 'test', levels: { root: 'info' }, write });
  folder = await makeFolder();
});
afterEach(async () => {
  await server.close();
  await removeFolder(folder);
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

test('a reload refuses at once a removed client, an old password or token, and a removed permission', async () => {
  await start({});
  expect(await read(NOBODY)).toBe(200);
  await server.reload(clients({ orders, ops }));
  expect([
    await read(NOBODY),
    await read(basic('orders', 's3cret')),
    await read(bearer('ops'), '/users/prod'),
  ]).toEqual([401, 200, 200]);
  const changed = { ...orders, 'password-hash': await hashing.hash('changed') };
  await server.reload(clients({ orders: changed, ops: { ...ops, applications: 'orders' } }));
  expect([
    await read(basic('orders', 's3cret')),
    await read(basic('orders', 'changed')),
    await read(bearer('ops')),
    await read(bearer('ops'), '/users/prod'),
  ]).toEqual([401, 200, 200, 403]);
  await server.reload(clients({ ops: { ...ops, 'token-hash': sha256('other') } }));
  expect([
    await read(basic('orders', 'changed')),
    await read(bearer('ops')),
    await read(bearer('other')),
  ]).toEqual([401, 401, 200]);
});

test('a reload that names no clients any more leaves those there are to the restart', async () => {
  const key = 'config-server.clients';
  await start(clients({ orders, ops }));
  expect(await server.reload({})).toEqual({ changed: [key], restart: [key] });
  expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 200]);
  expect(lines.join('')).not.toContain('every program of this machine');
  expect(await server.reload(clients({ orders }))).toMatchObject({ restart: [] });
  expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 401]);
});

test('a refused reload leaves clients who they were', async () => {
  const host = { 'config-server.host': '0.0.0.0' };
  await start({ ...host, ...clients({ ops }) });
  const refused: [object, RegExp][] = [
    [{}, /^config-server\.clients: is required where other machines/],
    [
      { ...clients({ ops }), 'config-server.proxies.trusted': 'nowhere' },
      /^config-server\.proxies\.trusted: /,
    ],
    [
      clients({ ops, billing: { applications: '*' } }),
      /^config-server\.clients: "billing" needs a password-hash/,
    ],
  ];
  for (const [settings, problem] of refused) {
    const outcome = await server.reload({ ...host, ...settings });
    expect(outcome).toEqual({ problems: [expect.stringMatching(problem)] });
    expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 200]);
  }
});

describe('failures and requests that were counted', () => {
  const THROTTLE = { 'config-server.throttle.threshold': 3 };
  const fail = async (times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      statuses.push(await read(basic('orders', `wrong ${time}`)));
    }
    return statuses;
  };

  test('count on, by the threshold of the reload', async () => {
    await start({ ...THROTTLE, ...clients({ orders }) });
    expect(await fail(2)).toEqual([401, 401]);
    await server.reload({ ...THROTTLE, ...clients({ orders, ops }) });
    expect(await fail(2)).toEqual([401, 429]);
    await server.reload({ 'config-server.throttle.threshold': 5, ...clients({ orders }) });
    expect(await read(basic('orders', 's3cret'))).toBe(200);
    await server.reload({ 'config-server.throttle.threshold': 2, ...clients({ orders }) });
    expect(await read(basic('orders', 's3cret'))).toBe(429);
  });

  test('count on for limits of requests', async () => {
    await start({ 'config-server.rate-limit.refresh': 1 });
    const statuses = [(await refresh(NOBODY)).status];
    await server.reload({ 'config-server.rate-limit.refresh': 2 });
    for (let time = 0; time < 2; time += 1) statuses.push((await refresh(NOBODY)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('POST /actuator/refresh', () => {
  const all = () => clients({ orders, ops, deployer });
  const quick = { 'config-server.overrides': { k: 'v' } };

  test('reloads nothing for others, and throttles them', async () => {
    await start({ ...all(), 'config-server.throttle.threshold': 2 });
    await server.write({ ...all(), ...quick });
    const refused: [Headers, number, string][] = [
      [NOBODY, 401, UNKNOWN],
      [bearer('wrong'), 401, UNKNOWN],
      [basic('orders', 's3cret'), 403, NOT_ALLOWED],
      [bearer('ops'), 403, NOT_ALLOWED],
      [basic('orders', 'wrong'), 401, UNKNOWN],
      [basic('orders', 'wrong again'), 401, UNKNOWN],
      [basic('orders', 's3cret'), 429, 'too many failed logins: try again later'],
    ];
    for (const [headers, status, message] of refused) {
      const reply = await refresh(headers);
      expect(reply.status).toBe(status);
      expect(JSON.parse(reply.body)).toMatchObject({ status, path: PATH, message });
      expect(reply.headers['www-authenticate']).toBe(
        status === 401 ? 'Basic realm="config-server"' : undefined,
      );
      expect(reply.headers).toHaveProperty(status === 429 ? 'retry-after' : 'content-type');
    }
    expect(await server.reload({ ...all(), ...quick })).toMatchObject({
      changed: ['config-server.overrides', 'config-server.throttle.threshold'],
    });
  });

  test('reloads nothing without clients for others than programs of this machine', async () => {
    await start({});
    await server.write(quick);
    const others: Headers[] = [
      { 'x-forwarded-for': '192.0.2.1' },
      { origin: 'https://example.org' },
      { host: 'rebound.example.org' },
    ];
    for (const headers of others) expect((await refresh(headers)).status).toBe(403);
    expect((await refresh(NOBODY)).body).toBe('["config-server.overrides"]');
  });

  test('reports all errors of new settings, and keeps the current ones', async () => {
    await start(all());
    await server.write({ ...all(), 'config-server.throttle.threshold': 0, 'encrypt.format': 'x' });
    const reply = await refresh(bearer('deployer'));
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
      409,
      {
        code: 'SETTINGS_INVALID',
        problems: [
          expect.stringContaining('encrypt.format'),
          expect.stringContaining('config-server.throttle.threshold'),
        ],
      },
    ]);
    expect(await read(basic('orders', 's3cret'))).toBe(200);
  });

  test('reloads settings for a client with the permission, whatever it sends, and names it', async () => {
    await start(all());
    await server.write({ ...all(), ...quick, 'config-server.port': 9999 });
    const reply = await refresh(
      { ...bearer('deployer'), 'content-type': 'text/plain' },
      'POST',
      'x',
    );
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '["config-server.overrides","config-server.port (restart required)"]',
    });
    const { body } = await http('GET', server.url, '/orders-prod.properties', {
      headers: basic('orders', 's3cret'),
    });
    expect(body).toMatch(/^k: v$/m);
    expect(lines.join('')).toContain('deployer at 127.0.0.1');
    expect((await refresh(bearer('deployer'))).body).toBe(
      '["config-server.port (restart required)"]',
    );
  });

  test('takes no other method, and no other path from the applications', async () => {
    await start({});
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const reply = await refresh(NOBODY, method);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
    }
    for (const path of ['/actuator/health', '/actuator/refresh/main', '/actuator-refresh.yml']) {
      expect(await read(NOBODY, path)).toBe(200);
    }
  });
});

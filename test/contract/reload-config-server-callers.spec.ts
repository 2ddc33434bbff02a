// Who may call the config server after a reload, and who may ask it for one.
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

describe('a reload of clients refuses at once', () => {
  test('a removed client', async () => {
    await start(clients({ orders, ops }));
    expect([await read(basic('orders', 's3cret')), await read(bearer('ops'))]).toEqual([200, 200]);
    await server.reload(clients({ ops: { ...ops, 'token-hash': sha256('other') } }));
    expect([await read(basic('orders', 's3cret')), await read(bearer('ops'))]).toEqual([401, 401]);
    expect(await read(bearer('other'))).toBe(200);
  });

  test('a password that is another now, which was proved before', async () => {
    await start(clients({ orders }));
    expect(await read(basic('orders', 's3cret'))).toBe(200);
    const changed = { ...orders, 'password-hash': await hashing.hash('changed') };
    await server.reload(clients({ orders: changed }));
    expect(await read(basic('orders', 's3cret'))).toBe(401);
    expect(await read(basic('orders', 'changed'))).toBe(200);
  });

  test('what a client may do no longer', async () => {
    await start(clients({ ops }));
    expect([await read(bearer('ops')), await read(bearer('ops'), '/users/prod')]).toEqual([
      200, 200,
    ]);
    await server.reload(clients({ ops: { ...ops, applications: 'orders' } }));
    expect([await read(bearer('ops')), await read(bearer('ops'), '/users/prod')]).toEqual([
      200, 403,
    ]);
    await server.reload(clients({ ops: { ...ops, permissions: 'encrypt' } }));
    expect(await read(bearer('ops'))).toBe(403);
  });

  test('everybody else, where there were none', async () => {
    await start({});
    expect(await read(NOBODY)).toBe(200);
    await server.reload(clients({ ops }));
    expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 200]);
  });
});

test('a reload without clients, and with the address that needs none, leaves both to the restart', async () => {
  const keys = ['config-server.clients', 'config-server.host'];
  await start({ 'config-server.host': '0.0.0.0', ...clients({ ops }) });
  const outcome = await server.reload({ 'config-server.host': '::1' });
  expect(outcome).toEqual({ changed: keys, restart: keys });
  expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 200]);
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

describe('a reload is refused', () => {
  const remedy = expect.stringMatching(/^config-server\.clients: is required where other machines/);

  test.each<[string, object, unknown]>([
    ['that would open the server to other machines', {}, remedy],
    [
      'that trusts an address that is none',
      { ...clients({ ops }), 'config-server.proxies.trusted': 'nowhere' },
      expect.stringMatching(/^config-server\.proxies\.trusted: /),
    ],
    [
      'with a client that cannot prove itself',
      clients({ ops, billing: { applications: '*' } }),
      expect.stringMatching(/^config-server\.clients: "billing" needs a password-hash/),
    ],
  ])('%s, and clients are who they were', async (_rule, settings, problem) => {
    const host = { 'config-server.host': '0.0.0.0' };
    await start({ ...host, ...clients({ ops }) });
    expect(await server.reload({ ...host, ...settings })).toEqual({ problems: [problem] });
    expect([await read(NOBODY), await read(bearer('ops'))]).toEqual([401, 200]);
  });
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

  test('count on when other clients come, and a block holds', async () => {
    await start({ ...THROTTLE, ...clients({ orders }) });
    expect(await fail(2)).toEqual([401, 401]);
    await server.reload({ ...THROTTLE, ...clients({ orders, ops }) });
    expect(await fail(2)).toEqual([401, 429]);
    await server.reload({ ...THROTTLE, ...clients({ orders }) });
    expect(await read(basic('orders', 's3cret'))).toBe(429);
  });

  test('are judged by another threshold at once', async () => {
    await start({ ...THROTTLE, ...clients({ orders }) });
    expect(await fail(4)).toEqual([401, 401, 401, 429]);
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

  test('are those of who a proxy speaks for, as soon as it is trusted', async () => {
    const settings = { ...THROTTLE, ...clients({ orders }) };
    const from = (address: string): Headers => ({ 'x-forwarded-for': address });
    await start(settings);
    const wrong = (address: string) => read({ ...from(address), ...basic('orders', 'wrong') });
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await wrong(address);
    expect(await wrong('192.0.2.4')).toBe(429);
    await server.reload({ ...settings, 'config-server.proxies.trusted': '127.0.0.1' });
    expect(await wrong('192.0.2.4')).toBe(401);
  });
});

describe('POST /actuator/refresh', () => {
  const all = () => clients({ orders, ops, deployer });
  const quick = { 'config-server.overrides': { k: 'v' } };

  test.each<[string, Headers, number, string]>([
    ['who says nothing', NOBODY, 401, UNKNOWN],
    ['with a wrong token', bearer('wrong'), 401, UNKNOWN],
    ['with a wrong password', basic('orders', 'wrong'), 401, UNKNOWN],
    [
      'that may only read',
      basic('orders', 's3cret'),
      403,
      'this client may not refresh the settings',
    ],
    ['with all applications', bearer('ops'), 403, 'this client may not refresh the settings'],
  ])('reloads nothing for clients %s', async (_rule, headers, status, message) => {
    await start(all());
    await server.write({ ...all(), ...quick });
    const reply = await refresh(headers);
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
      status,
      { status, path: PATH, message },
    ]);
    expect(reply.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="config-server"' : undefined,
    );
    expect(await server.reload()).toMatchObject({ changed: ['config-server.overrides'] });
  });

  test.each<[string, Headers]>([
    ['of another machine, by a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['that a page of another site makes', { origin: 'https://example.org' }],
    ['under another name', { host: 'rebound.example.org' }],
  ])('reloads nothing without clients for a request %s', async (_rule, headers) => {
    await start({});
    await server.write(quick);
    expect((await refresh(headers)).status).toBe(403);
    expect(await server.reload()).toMatchObject({ changed: ['config-server.overrides'] });
  });

  test('throttles a client with too many failures', async () => {
    const settings = { ...all(), 'config-server.throttle.threshold': 1 };
    await start(settings);
    await refresh(basic('orders', 'wrong'));
    const reply = await refresh(basic('orders', 's3cret'));
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
      429,
      { message: 'too many failed logins: try again later' },
    ]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('is not %s', async (method) => {
    await start({});
    const reply = await refresh(NOBODY, method);
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
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

  test('reloads them for programs of this machine when there are no clients', async () => {
    await start({});
    await server.write(quick);
    expect((await refresh(NOBODY)).body).toBe('["config-server.overrides"]');
  });

  test('takes no other path from the applications', async () => {
    await start({});
    for (const path of ['/actuator/health', '/actuator/refresh/main', '/actuator-refresh.yml']) {
      expect(await read(NOBODY, path)).toBe(200);
    }
  });
});

// The endpoint over HTTP, with stubs for authorisation and reload.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { DatabaseError } from '@tessera/runtime';
import { http, type Call, type Reply } from '../../../../test/support/http.js';
import { AdmissionError } from '../errors/errors.js';
import { createApplication } from '../application/application.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { type RefreshOutcome, RefreshModule, type RequestedReload } from './refresh.module.js';

const PATH = '/actuator/refresh';
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const MAX_BODY_BYTES = 65_536;
const UNAVAILABLE = new DatabaseError('DATABASE_UNAVAILABLE', 'away');

let app: INestApplication;
let port: number;
let lines: string[];
let reasons: string[];
let recorded: RequestedReload[];
let admit: () => Promise<string>;
let reload: () => Promise<RefreshOutcome>;

beforeAll(async () => {
  const module = RefreshModule.forRoot({
    admit: () => admit(),
    reload: (reason) => {
      reasons.push(reason);
      return reload();
    },
    record: (requested) => recorded.push(requested),
  });
  const unlimited = RateLimitModule.forRootAsync({
    useFactory: () => ({
      limits: { requests: {}, window: 1_000 },
      addressOf: () => '',
      storage: { increment: () => Promise.reject(new Error('unexpected call')) },
    }),
  });
  app = await createApplication(
    {
      ...module,
      imports: [...(module.imports ?? []), unlimited],
    },
    {
      contextPath: '/cas',
    },
  );
  await app.listen(0, '127.0.0.1');
  ({ port } = (app.getHttpServer() as Server).address() as AddressInfo);
});

afterAll(async () => {
  await app.close();
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

beforeEach(() => {
  lines = [];
  reasons = [];
  recorded = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  admit = () => Promise.resolve('ann at 192.0.2.1');
  reload = () => Promise.resolve({ changed: [], restart: [] });
});

function ask(method: string, call: Call = {}): Promise<Reply> {
  return http(method, `http://127.0.0.1:${port}/cas`, PATH, call);
}

test('lists keys that need a restart although nothing changed, and each key once', async () => {
  reload = () => Promise.resolve({ changed: ['b', 'c'], restart: ['a', 'c'] });
  expect((await ask('POST')).body).toBe('["a (restart required)","b","c (restart required)"]');
});

describe('nothing is reloaded', () => {
  afterEach(() => expect([reasons, recorded]).toEqual([[], []]));

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
    'by %s, for any caller',
    async (method) => {
      admit = () => Promise.reject(new Error('must not be called'));
      expect(await ask(method)).toMatchObject({
        status: 405,
        headers: { ...HEADERS, allow: 'POST' },
        body: method === 'HEAD' ? '' : 'Method not allowed',
      });
    },
  );

  test.each([
    [401, 'CALLER_UNKNOWN', { 'www-authenticate': 'Bearer realm="x"' }],
    [403, 'CALLER_NOT_ALLOWED', {}],
    [429, 'AUTHENTICATION_THROTTLED', { 'retry-after': '7' }],
    [423, 'AUTHENTICATION_THROTTLED', { 'retry-after': '7' }],
  ] as const)('for a caller that is refused with %d %s', async (status, code, headers) => {
    admit = () => Promise.reject(new AdmissionError(code, status, 'not you', headers));
    expect(await ask('POST', { body: 'x'.repeat(MAX_BODY_BYTES * 4) })).toMatchObject({
      status,
      headers: { ...HEADERS, ...headers, 'content-type': 'text/plain;charset=UTF-8' },
      body: 'not you',
    });
    expect(lines).toEqual([]);
  });

  test.each([
    ['is unavailable', UNAVAILABLE, 503, 'Service temporarily unavailable'],
    ['fails', new Error('s3cret'), 500, 'Internal error'],
  ])('while authorisation %s', async (_rule, error, status, body) => {
    admit = () => Promise.reject(error);
    expect(await ask('POST')).toMatchObject({ status, body });
  });

  test.each([
    ['of known length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('for a body that is too large, %s', async (_rule, headers) => {
    expect(await ask('POST', { body: 'x'.repeat(MAX_BODY_BYTES + 1), headers })).toMatchObject({
      status: 413,
      headers: HEADERS,
      body: 'the body is larger than 65536 bytes',
    });
  });

  test('for a caller that goes away before its body has come', async () => {
    const admitted = Promise.withResolvers<undefined>();
    admit = () => {
      admitted.resolve(undefined);
      return Promise.resolve('somebody');
    };
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /cas${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab`);
    await admitted.promise;
    socket.destroy();
    await once(socket, 'close');
    expect((await ask('GET')).status).toBe(405);
  });
});

describe('settings are reloaded once', () => {
  afterEach(() => expect(reasons).toEqual(['POST /actuator/refresh from ann at 192.0.2.1']));

  test.each<[string, Call]>([
    ['without a body', {}],
    ['with a body of no length', { body: '' }],
    ['with an empty object', { body: '{}', headers: { 'content-type': 'application/json' } }],
    ['with a list of keys', { body: '["a"]', headers: { 'content-type': 'application/json' } }],
    ['with a form', { form: { a: 'b' } }],
    ['with garbage', { body: Buffer.from([0, 255]), headers: { 'content-type': '\t;=' } }],
    ['with a content coding', { body: 'x', headers: { 'content-encoding': 'gzip' } }],
    ['with the largest body', { body: 'x'.repeat(MAX_BODY_BYTES) }],
    ['in chunks', { body: 'x', headers: { 'transfer-encoding': 'chunked' } }],
    ['for a client that accepts another type', { headers: { accept: 'text/html' } }],
  ])('%s, which changes nothing', async (_rule, call) => {
    expect(await ask('POST', call)).toMatchObject({
      status: 200,
      headers: { ...HEADERS, 'content-type': 'application/json', 'content-length': '2' },
      body: '[]',
    });
    expect(recorded).toEqual([{ outcome: 'success', details: { cause: reasons[0] } }]);
  });

  test('and the keys are sorted, with those that need a restart', async () => {
    reload = () =>
      Promise.resolve({
        changed: ['sso.port', 'sso.dialect', 'database.url', 'sso.host'],
        restart: ['sso.port', 'database.url'],
      });
    expect((await ask('POST')).body).toBe(
      '["database.url (restart required)","sso.dialect","sso.host","sso.port (restart required)"]',
    );
  });

  test('and every violation is reported where they are refused', async () => {
    const problems = ['sso.st.lifetime: must be a duration (config/sso.yml:3)', 'a: "b" <c>'];
    reload = () => Promise.resolve({ problems });
    expect(await ask('POST')).toMatchObject({
      status: 409,
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body:
        '{"code":"SETTINGS_INVALID","message":"nothing was changed: the current settings stay",' +
        '"problems":["sso.st.lifetime: must be a duration (config/sso.yml:3)","a: \\"b\\" <c>"]}',
    });
    expect(recorded).toEqual([
      { outcome: 'failure', reason: 'SETTINGS_INVALID', details: { cause: reasons[0] } },
    ]);
  });

  test('and an internal error is not disclosed', async () => {
    reload = () => Promise.reject(new Error('s3cret'));
    expect(await ask('POST')).toMatchObject({ status: 500, body: 'Internal error' });
  });
});

test('each of many callers at once gets an answer', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask('POST')));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['200 []']),
  );
  expect(reasons).toHaveLength(50);
});

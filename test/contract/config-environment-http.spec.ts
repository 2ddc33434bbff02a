// What is HTTP about the environment endpoints: validators, methods, types, refusals, callers, backends that are away.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ThrottledError } from '@tessera/throttling';
import { BackendError } from '../../apps/config-server/src/backends/backend-error.js';
import type {
  EnvironmentBackend,
  EnvironmentQuery,
} from '../../apps/config-server/src/backends/environment-backend.js';
import { CallerError } from '../../apps/config-server/src/callers/caller-error.js';
import {
  ANYBODY,
  serveEnvironments,
  type EnvironmentServer,
} from '../support/config-environment.js';
import { http, type Reply } from '../support/http.js';
import { until } from '../support/until.js';

const FORMS = ['/orders/prod', '/orders-prod.yml', '/orders-prod.properties', '/orders-prod.json'];
const BODY =
  '{"name":"orders","profiles":["prod"],"label":null,"version":"c1","state":"","propertySources":[{"name":"s","source":{"k":"v"}}]}';

/** Stand-ins for a backend and for the callers: what they say, and what they were asked. */
let said: { revision: string; value: string } | Error;
let refusal: Error | undefined;
let questions: EnvironmentQuery[];
let admissions: unknown[];
let server: EnvironmentServer;

const backend: EnvironmentBackend = {
  name: 'stand-in',
  find(query) {
    questions.push(query);
    if (said instanceof Error) return Promise.reject(said);
    const { revision, value } = said;
    const sources = [{ name: 's', properties: new Map([['k', { value }]]) }];
    return Promise.resolve({ revision, version: 'c1', state: '', sources });
  },
  readFile({ path }) {
    if (said instanceof Error) return Promise.reject(said);
    const modified = new Date('2026-01-02T03:04:05Z');
    return Promise.resolve(
      path === 'x.txt' ? { content: Buffer.from([0x6b, 0xff]), modified } : undefined,
    );
  },
};

async function start(): Promise<void> {
  server = await serveEnvironments([backend], {
    callers: {
      admit({ url }, permission, { applications, profiles }) {
        admissions.push([url, permission, applications, profiles]);
        return refusal ? Promise.reject(refusal) : Promise.resolve(ANYBODY);
      },
    },
  });
}

beforeAll(start);
beforeEach(() => {
  [said, refusal, questions, admissions] = [{ revision: '1', value: 'v' }, undefined, [], []];
});
afterAll(() => server.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return http('GET', server.url, path, { headers });
}

/** The answer to a refusal, but for its time. */
function errorBody(status: number, error: string, path: string, message: unknown): unknown {
  return { timestamp: expect.any(String), status, error, path, message };
}

test('an environment has these headers and no others of ours', async () => {
  const { status, headers, body } = await get('/orders/prod');
  const { date, connection, ...ours } = headers;
  expect([status, body, typeof date, connection]).toEqual([200, BODY, 'string', 'close']);
  expect(ours).toEqual({
    'content-type': 'application/json',
    'content-length': String(BODY.length),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
    vary: 'Accept',
  });
});

describe('validators', () => {
  test.each([...FORMS, '/orders/prod/main/x.txt'])('%s: 304 for its tag', async (path) => {
    const first = await get(path);
    const etag = first.headers.etag ?? '';
    for (const tags of [etag, `"x", W/${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': tags });
      expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-length']).toBeUndefined();
    }
    const other = await get(path, {
      'if-none-match': '"x"',
      'if-modified-since': new Date().toUTCString(),
    });
    expect([other.status, other.body]).toEqual([200, first.body]);
  });

  test('each form has a tag of its own, and so has other content', async () => {
    const tags = await Promise.all(FORMS.map(async (path) => (await get(path)).headers.etag));
    expect(new Set(tags).size).toBe(FORMS.length);
    said = { revision: '2', value: 'w' };
    await until('the change is seen', async () => (await get('/orders/prod')).body.includes('"w"'));
    expect((await get('/orders/prod', { 'if-none-match': tags[0] ?? '' })).status).toBe(200);
  });
});

describe('methods', () => {
  test('HEAD has the headers of GET', async () => {
    const { headers, status, body } = await http('HEAD', server.url, '/orders/prod');
    expect([status, body, headers['content-length']]).toEqual([200, '', String(BODY.length)]);
  });

  test.each(['POST', 'OPTIONS'])('%s is refused', async (method) => {
    const { status, headers, body } = await http(method, server.url, '/orders/prod', { body: 'x' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    const expected = errorBody(405, 'Method Not Allowed', '/orders/prod', 'Method not allowed');
    expect(JSON.parse(body)).toEqual(expected);
  });
});

describe('types', () => {
  test.each([
    ['application/json;q=0.5, */*;q=0.1', 200],
    ['text/plain', 406],
  ])('an environment for Accept: %s is %i', async (accept, status) => {
    expect((await get('/orders/prod', { accept })).status).toBe(status);
  });

  test('flattened forms ignore Accept', async () => {
    expect((await get('/orders-prod.yml', { accept: 'application/xml' })).status).toBe(200);
  });

  test('a file that is no text stays as it is', async () => {
    const { headers, status } = await get('/orders/prod/main/x.txt', { accept: 'text/plain' });
    expect([status, headers['content-length']]).toEqual([200, '2']);
  });
});

const NOTHING_HERE = 'there is nothing at this path: environments are at /{application}/{profile}';

describe('refusals before any backend is asked', () => {
  test.each([
    ['/orders', 404, 'Not Found', NOTHING_HERE],
    ['/', 404, 'Not Found', NOTHING_HERE],
    ['/encrypt/status', 404, 'Not Found', NOTHING_HERE],
    ['/orders/prod/main/.git/config', 404, 'Not Found', 'there is no such file'],
    ['/orders/prod;x=1', 400, 'Bad Request', expect.stringContaining('profile')],
    ['/orders/prod/main/..%2f"x', 400, 'Bad Request', expect.stringContaining('file')],
    ['/orders/prod/..%252f', 400, 'Bad Request', expect.stringContaining('label')],
    ['/orders-prod.yml?a=%ff', 400, 'Bad Request', expect.stringContaining('parameter')],
  ])('%s is %i', async (path, status, error, message) => {
    const reply = await get(path);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe('application/json');
    const [bare = ''] = path.split('?');
    expect(JSON.parse(reply.body)).toEqual(errorBody(status, error, bare, message));
    expect([questions, admissions]).toEqual([[], []]);
  });

  test('the time is written as existing servers write it', async () => {
    const { timestamp } = JSON.parse((await get('/orders')).body) as { timestamp: string };
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  });
});

describe('callers', () => {
  test.each([
    ['/orders,a(_)b/dev,prod/main/x.txt?resolvePlaceholders=false', 'files'],
    ['/orders,a(_)b/dev,prod?resolvePlaceholders=false', 'read'],
  ])('of %s are admitted to all it names, first of all', async (url, permission) => {
    await get(url);
    expect(admissions).toEqual([[url, permission, ['orders', 'a/b'], ['dev', 'prod']]]);
  });

  test.each<readonly [Error, number, Record<string, string>]>([
    [
      new CallerError('CALLER_UNKNOWN', 'who?'),
      401,
      { 'www-authenticate': 'Basic realm="config-server"' },
    ],
    [new CallerError('CALLER_NOT_ALLOWED', 'not you'), 403, {}],
    [new ThrottledError(7), 429, { 'retry-after': '7' }],
  ])('%s is answered with %i', async (error, status, headers) => {
    refusal = error;
    for (const path of [...FORMS, '/orders/prod/main/x.txt']) {
      const reply = await get(path);
      expect(reply).toMatchObject({ status, headers });
      expect(JSON.parse(reply.body)).toMatchObject({ status, message: error.message });
    }
    expect((await http('POST', server.url, '/orders/prod')).status).toBe(status);
    expect(questions).toEqual([]);
  });
});

describe('backends', () => {
  // Each test begins without answers in the cache.
  beforeEach(async () => {
    await server.close();
    await start();
  });

  test.each<readonly [Error, number, Record<string, string>]>([
    [BackendError.unavailable('stand-in'), 503, { 'retry-after': '2' }],
    [new BackendError('LABEL_UNKNOWN', 'no such label'), 404, {}],
    [new BackendError('QUERY_TOO_WIDE', 'too many names'), 400, {}],
    [new BackendError('SOURCE_MALFORMED', 'x.yml, line 3'), 500, {}],
  ])('%s is answered with %i, whatever the form', async (error, status, headers) => {
    said = error;
    for (const path of [...FORMS, '/orders/prod/main/x.txt']) {
      const reply = await get(path);
      expect(reply).toMatchObject({ status, headers });
      expect(JSON.parse(reply.body)).toMatchObject({ status, path, message: error.message });
    }
  });

  test('an internal error shows nothing internal', async () => {
    said = new Error('at /home/secret');
    const { status, body } = await get('/orders/prod');
    expect(status).toBe(500);
    const expected = errorBody(500, 'Internal Server Error', '/orders/prod', 'Internal error');
    expect(JSON.parse(body)).toEqual(expected);
  });

  test('are asked once for all forms', async () => {
    await Promise.all([...FORMS, ...FORMS].map((path) => get(path)));
    expect(questions).toHaveLength(1);
  });
});

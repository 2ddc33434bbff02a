// Config servers that are unavailable, slow or hostile: how often they are tried, and the messages.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret, type SourceResult } from '../../settings/index.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { TestAuthority } from '../../../../../test/support/pki/test-authority.js';
import { until } from '../../../../../test/support/until.js';
import {
  reply,
  FakeHttpServer,
  type Handler,
} from '../../../../../test/support/fake-http-server.js';
import { ConfigServerClientSettings } from './config-server-client-settings.js';
import { ConfigServerSource } from './config-server-source.js';

const TIMEOUT = 200;
const CANARY = 'canary-of-a-secret';
const JSON_TYPE = { 'content-type': 'application/json;charset=UTF-8' };
const NOBODY = 'http://127.0.0.1:1';
const GOOD = environment({ 'sso.port': 1 });
const REASON = 'names no server that answers in 3 attempts: ';
const STRANGE = 'answers with something other than an environment of settings';

function environment(source: object): Handler {
  return reply(200, { propertySources: [{ name: 'file:sso.yml', source }] }, JSON_TYPE);
}

const text = (body: string): Handler => reply(200, body, JSON_TYPE);
const hangs: Handler = () => {};
const stalls: Handler = (response) => void response.writeHead(200, JSON_TYPE).write('{"data"');
const breaks: Handler = (response) => void response.destroy();
const floods: Handler = (response) => {
  const more = (): void => {
    if (!response.destroyed) response.write(' '.repeat(1_048_576), () => setImmediate(more));
  };
  more();
};

let fakeServer: FakeHttpServer;
const lines: string[] = [];

beforeAll(async () => {
  fakeServer = await FakeHttpServer.start();
});
afterAll(() => fakeServer.stop());
beforeEach(() => {
  lines.length = 0;
  configureLogging({
    application: 'sso',
    levels: { root: 'debug' },
    write: (line) => lines.push(line),
  });
});
afterEach(() => {
  expect(lines.join('\n')).not.toContain(CANARY);
  configureLogging({ application: 'sso', levels: {} });
});

async function load(given: Partial<ConfigServerClientSettings> = {}): Promise<SourceResult> {
  const retry = { timeout: TIMEOUT, maxAttempts: 3, initialInterval: 10, maxInterval: 20 };
  const token = new Secret(CANARY);
  const settings = { urls: [fakeServer.url], ...retry, token, ...given };
  const group = () => Object.assign(new ConfigServerClientSettings(), settings);
  const name = { applicationName: 'sso', profiles: ['a', 'b'] };
  const request = { ...name, group: group as never };
  const { accept, ...result } = await new ConfigServerSource().load(request);
  await accept?.();
  expect(JSON.stringify(result)).not.toContain(CANARY);
  return result;
}

const messagesOf = ({ violations }: SourceResult) => violations.map(({ message }) => message);

describe('a server is asked again and again that', () => {
  test.each<[string, Handler, string]>([
    ['never answers', hangs, `does not answer within ${TIMEOUT} ms`],
    ['stops in the middle', stalls, `does not answer within ${TIMEOUT} ms`],
    ['breaks off', breaks, 'cannot be reached (ECONNRESET): if it speaks TLS, write https://'],
    ['answers 500', reply(500, CANARY), 'answers 500'],
    ['answers 503', reply(503, ''), 'answers 503'],
    ['asks for patience', reply(429, ''), 'answers 429'],
  ])('%s', async (_what, response, reason) => {
    fakeServer.respondWith(response);
    const [message] = messagesOf(await load());
    expect(message).toContain(`${REASON}${fakeServer.url} ${reason}; start one, or set `);
    expect(fakeServer.requests).toHaveLength(3);
    expect(lines).toHaveLength(2);

    fakeServer.respondWith(response, response, GOOD);
    expect(messagesOf(await load())).toEqual([]);
  });

  test('is not there yet', async () => {
    const server = createServer((_request, response) => GOOD(response, _request));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    const loading = load({ urls: [`http://127.0.0.1:${port}`], maxAttempts: 1_000 });
    await until('nobody answers', () => lines.length > 0);
    server.listen(port, '127.0.0.1');
    try {
      expect((await loading).values).toHaveLength(1);
    } finally {
      server.close();
    }
  });
});

describe('a server is asked once that', () => {
  test.each<[string, Handler, string]>([
    [
      'leads elsewhere',
      reply(302, '', { location: `/${CANARY}` }),
      'answers 302: redirects are not followed',
    ],
    ['has no such label', reply(404, ''), 'answers 404: it is not a config server, or has no sso'],
    ['answers 400', reply(400, CANARY), 'answers 400: a config server never does'],
    ['answers without content', reply(204, ''), 'answers 204'],
    ['answers without end', floods, 'gives an answer of more than 8388608 bytes'],
    ['answers with a page', reply(200, CANARY, { 'content-type': 'text/html' }), STRANGE],
    ['does not say that it is JSON', reply(200, '{"propertySources":[]}'), STRANGE],
    ['answers with JSON cut short', text(`{"a":"${CANARY}"`), STRANGE],
    ['answers with lists in lists', text('['.repeat(1e5) + ']'.repeat(1e5)), STRANGE],
    ['answers with maps for values', environment({ a: { b: CANARY } }), STRANGE],
  ])('%s', async (_what, response, reason) => {
    fakeServer.respondWith(response);
    const result = await load({ failFast: false, timeout: 20_000 });
    expect(result.values).toEqual([]);
    expect(messagesOf(result)).toEqual([expect.stringContaining(`${fakeServer.url} ${reason}`)]);
    expect(fakeServer.requests).toHaveLength(1);
  });
});

test('keys that objects have by nature are keys like others', async () => {
  fakeServer.respondWith(
    text('{"propertySources":[{"name":"a","source":{"__proto__.x":"1","a.__proto__.x":"2"}}]}'),
  );
  expect((await load()).values).toHaveLength(2);
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});

test.each([
  ['', '/sso/a,b'],
  ['main', '/sso/a,b/main'],
  ['feature/x', '/sso/a,b/feature(_)x'],
])('an environment of the label "%s" is asked for at %s', async (label, path) => {
  fakeServer.respondWith(GOOD);
  await load({ label });
  expect(fakeServer.requests[0]).toMatchObject({
    url: path,
    headers: { accept: 'application/json', authorization: `Bearer ${CANARY}` },
  });
});

test('nobody is asked where there is no config server', async () => {
  expect(await load({ urls: [] })).toEqual({ values: [], violations: [], isInUse: false });
});

describe('of several servers', () => {
  test('the first that answers counts, in their order', async () => {
    fakeServer.respondWith(GOOD);
    const { values } = await load({ urls: [NOBODY, fakeServer.url, NOBODY] });
    expect(values[0]?.origin).toBe(`config server ${fakeServer.url} (file:sso.yml)`);
    expect(lines).toEqual([]);
  });

  test('all that are unavailable are listed', async () => {
    fakeServer.respondWith(reply(503, ''));
    const [message] = messagesOf(await load({ urls: [NOBODY, fakeServer.url] }));
    expect(message).toContain(
      `${NOBODY} cannot be reached (ECONNREFUSED), ${fakeServer.url} answers 503`,
    );
  });
});

describe('an optional server that does not answer', () => {
  test('is logged', async () => {
    expect(await load({ urls: [NOBODY], failFast: false })).toEqual({ values: [], violations: [] });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 'warn',
      logger: 'settings',
      reason: `${NOBODY} cannot be reached (ECONNREFUSED)`,
      msg: 'no config server answers; continuing without its settings',
    });
  });
});

describe('over TLS a server is asked', () => {
  let folder: string;
  let server: Server;
  let received = 0;

  beforeAll(async () => {
    folder = await makeFolder();
    const [authority, other] = await Promise.all([
      TestAuthority.create(),
      TestAuthority.create('CN=Other CA'),
    ]);
    await writeFile(join(folder, 'ca.pem'), authority.cert);
    await writeFile(join(folder, 'other.pem'), other.cert);
    await writeFile(join(folder, 'none.pem'), 'no certificate');
    server = createTlsServer(await authority.issue('CN=config'), (request, response) => {
      received += 1;
      GOOD(response, request);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await removeFolder(folder);
  });

  const loadWith = (ca: string) => {
    const { port } = server.address() as AddressInfo;
    const caFile = ca === '' ? '' : join(folder, ca);
    return load({ urls: [`https://127.0.0.1:${port}`], caFile, failFast: false });
  };

  test.each([
    ['nobody vouches for it', '', 'has a certificate that is not trusted'],
    ['another CA vouches for it', 'other.pem', 'has a certificate that is not trusted'],
    ['the CA cannot be read', 'nosuch.pem', 'nosuch.pem, which does not exist'],
    ['the CA is none', 'none.pem', 'none.pem, which holds no certificate'],
  ])('nothing where %s', async (_why, ca, reason) => {
    received = 0;
    const { violations } = await loadWith(ca);
    expect(violations).toEqual([
      { key: 'sso.config-server.ca-file', message: expect.stringContaining(reason) },
    ]);
    expect(received).toBe(0);
  });

  test('in vain where it speaks plain HTTP', async () => {
    fakeServer.respondWith(GOOD);
    const { violations } = await load({ urls: [fakeServer.url.replace('http:', 'https:')] });
    const message = expect.stringMatching(/EPROTO\): it seems to speak plain HTTP: write http:/);
    expect(violations).toEqual([{ key: 'sso.config-server.url', message }]);
    expect(lines).toEqual([]);
  });

  test('by its http URL in vain, and the log says so', async () => {
    const { port } = server.address() as AddressInfo;
    const [message] = messagesOf(await load({ urls: [`http://127.0.0.1:${port}`] }));
    expect(message).toContain('cannot be reached (ECONNRESET): if it speaks TLS, write https://');
  });

  test('where the CA that was named vouches for it', async () => {
    expect((await loadWith('ca.pem')).values).toHaveLength(1);
  });
});

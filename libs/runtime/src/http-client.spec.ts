import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestAuthority } from '../../../test/support/pki/test-authority.js';
import { reply, FakeHttpServer, type Handler } from '../../../test/support/fake-http-server.js';
import { HttpClient, schemeHint, type HttpAnswer } from './http-client.js';

const MOST = 8 * 1_048_576;

let fakeServer: FakeHttpServer;
let client: HttpClient;

beforeAll(async () => {
  fakeServer = await FakeHttpServer.start();
});
afterAll(() => fakeServer.stop());
beforeEach(() => {
  client = new HttpClient(false);
});
afterEach(() => client.close());

function send(said: Handler, timeout = 20_000): Promise<HttpAnswer> {
  fakeServer.respondWith(said);
  const signal = AbortSignal.timeout(timeout);
  const headers = { 'x-asked-by': 'test' };
  return client.send({ method: 'POST', url: `${fakeServer.url}/a`, headers, body: 'b', signal });
}

describe('an answer', () => {
  test('has at most 8 MiB', async () => {
    expect((await send(reply(200, 'x'.repeat(MOST)))).body).toHaveLength(MOST);
    await expect(send(reply(200, 'x'.repeat(MOST + 1)))).rejects.toThrow(
      `an answer of more than ${MOST} bytes`,
    );
  });

  test.each<[string, Handler]>([
    ['never comes', () => {}],
    ['stops in the middle', (response) => void response.writeHead(200).write('x')],
  ])('that %s ends with its signal', async (_how, said) => {
    await expect(send(said, 50)).rejects.toThrow(/aborted/);
  });

  test('that redirects is not followed', async () => {
    const { status, contentType } = await send(reply(307, '', { location: `${fakeServer.url}/b` }));
    expect([status, contentType]).toEqual([307, '']);
    expect(fakeServer.requests.map(({ url }) => url)).not.toContain('/b');
  });
});

test('a request has the given method, headers and body', async () => {
  const { status, contentType, body } = await send(reply(200, 'c', { 'content-type': 'a/b' }));
  expect([status, contentType, body.toString()]).toEqual([200, 'a/b', 'c']);
  const [{ method, headers } = {}] = fakeServer.requests;
  expect(method).toBe('POST');
  expect(headers).toMatchObject({ 'x-asked-by': 'test', 'content-length': '1' });
});

test('close aborts pending requests', async () => {
  const sending = send(() => client.close());
  await expect(sending).rejects.toHaveProperty('code', 'ECONNRESET');
});

test('an untrusted certificate is refused although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
  const authority = await TestAuthority.create();
  const server = createServer(await authority.issue('CN=server'), (_request, response) => {
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = `
    const { HttpClient } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    const signal = AbortSignal.timeout(20_000);
    await new HttpClient(true)
      .send({ method: 'GET', url: '${url}', headers: {}, signal })
      .catch(({ code }) => console.log(code));`;
  const hooks = join(import.meta.dirname, '../../../test/support/resolve-sources.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--experimental-transform-types', `--import=${hooks}`, '--input-type=module', '-e', program],
    { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
  );
  server.close();
  expect(stdout).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE\n');
});

describe('a scheme hint', () => {
  let servers: Readonly<Record<'plain' | 'tls', Server>>;

  beforeAll(async () => {
    const authority = await TestAuthority.create();
    servers = {
      plain: createPlainServer(),
      tls: createServer(await authority.issue('CN=server')),
    };
    for (const server of Object.values(servers)) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
  });
  afterAll(() => {
    for (const server of Object.values(servers)) server.close();
  });

  test.each<['http' | 'https', 'plain' | 'tls', string | undefined]>([
    ['https', 'plain', 'it seems to speak plain HTTP: write http://'],
    ['http', 'tls', 'if it speaks TLS, write https://'],
    ['https', 'tls', undefined],
  ])('%s to a server of kind %s: %s', async (scheme, kind, hint) => {
    const { port } = servers[kind].address() as AddressInfo;
    const other = new HttpClient(scheme === 'https');
    const url = `${scheme}://127.0.0.1:${port}/`;
    const signal = AbortSignal.timeout(10_000);
    const sent = other.send({ method: 'GET', url, headers: {}, signal });
    const error: unknown = await sent.catch((thrown: unknown) => thrown);
    other.close();
    expect(error).toHaveProperty('code');
    expect(schemeHint(url, error)).toBe(hint);
  });

  test.each(['http://127.0.0.1:1/', 'https://127.0.0.1:1/'])(
    'there is no hint for a server that is down: %s',
    (url) => {
      expect(
        schemeHint(url, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      ).toBeUndefined();
    },
  );
});

// The faults that real servers leave a client with that speaks the other scheme.
import { once } from 'node:events';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestAuthority } from '../../../test/support/pki/test-authority.js';
import { HttpClient } from './http-client.js';
import { schemeHint } from './scheme-hint.js';

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
  const client = new HttpClient(scheme === 'https');
  const url = `${scheme}://127.0.0.1:${port}/`;
  const signal = AbortSignal.timeout(10_000);
  const asked = client.send({ method: 'GET', url, headers: {}, signal });
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  client.close();
  expect(error).toHaveProperty('code');
  expect(schemeHint(url, error)).toBe(hint);
});

test.each(['http://127.0.0.1:1/', 'https://127.0.0.1:1/'])(
  'nothing is said of a server that is not there: %s',
  (url) => {
    expect(
      schemeHint(url, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    ).toBeUndefined();
  },
);

// The callers that may read `GET /metrics`.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AddressRanges, ApplicationHost, createApplication, Listener } from '@tessera/server';
import { http } from '../../../test/support/http.js';
import { MetricsModule } from './metrics.module.js';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

let server: { readonly url: string; close(): Promise<void> };
let read: () => Promise<string>;

async function open(allowed: readonly string[] = []): Promise<void> {
  const allowedAddresses = AddressRanges.parse(allowed);
  const module = MetricsModule.forRoot({ read: () => read(), allowedAddresses });
  const management = await Listener.create();
  const listeners = { public: await Listener.create(), management };
  const options = { contextPath: '', listener: listeners.public };
  const host = new ApplicationHost(() => createApplication(module, options), listeners);
  await host.start(undefined);
  management.server.listen(0, '127.0.0.1');
  await once(management.server, 'listening');
  server = {
    url: `http://127.0.0.1:${(management.server.address() as AddressInfo).port}`,
    async close() {
      management.server.close();
      await host.close();
    },
  };
}

beforeEach(() => {
  read = () => Promise.resolve('one 1\n');
});
afterEach(() => server.close());

describe('without allowed addresses', () => {
  beforeEach(() => open());

  test.each([
    ['by another name (DNS rebinding)', { host: 'metrics.example.org' }, /by another name/],
    ['through a proxy', { 'x-forwarded-for': '192.0.2.1' }, /a proxy passes this on/],
    ['from a page of another origin', { origin: 'https://evil.example' }, /a page from elsewhere/],
  ])('refuses a request %s', async (_, headers, reason) => {
    const reply = await http('GET', server.url, '/metrics', { headers });
    expect(reply.status).toBe(403);
    expect(reply.body).toMatch(reason);
    expect(reply.body).toContain('management.metrics.allowed-addresses');
  });

  test('refuses other methods, and has no other path', async () => {
    const post = await http('POST', server.url, '/metrics');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await http('GET', server.url, '/')).status).toBe(404);
  });

  test('answers 503 where the metrics cannot be read', async () => {
    read = () => Promise.reject(new Error('Operation timed out.'));
    const reply = await http('GET', server.url, '/metrics');
    expect([reply.status, reply.body]).toEqual([503, 'a worker process did not answer in time']);
  });

  test('answers a program of this machine in the format of Prometheus', async () => {
    const { status, headers, body } = await http('GET', server.url, '/metrics');
    expect([status, headers['content-type'], body]).toEqual([200, TYPE, 'one 1\n']);
    expect(headers['cache-control']).toBe('no-store');
  });
});

test('answers an allowed address by any name', async () => {
  await open(['127.0.0.0/24']);
  const headers = { host: 'metrics.example.org' };
  expect((await http('GET', server.url, '/metrics', { headers })).status).toBe(200);
});

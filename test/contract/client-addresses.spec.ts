// Where a login comes from, as its line in the log says: decided by the connection, and by proxies that are configured.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';

const SPOOFED = {
  'x-forwarded-for': '198.51.100.1',
  forwarded: 'for=198.51.100.1',
  'x-real-ip': '198.51.100.1',
  'client-ip': '198.51.100.1',
  'true-client-ip': '198.51.100.1',
  'x-forwarded-host': 'evil.example',
};

interface Deployment {
  readonly proxies: string;
  readonly settings: readonly string[];
  /** Address of the peer, its headers, and where it is said to be. */
  readonly rows: readonly (readonly [string, Readonly<Record<string, string>>, string])[];
}

describe.each<Deployment>([
  {
    proxies: 'no proxy',
    settings: [],
    rows: [['127.0.0.1', SPOOFED, '127.0.0.1']],
  },
  {
    proxies: 'another proxy',
    settings: ['--sso.proxies.trusted=127.0.0.9,::1'],
    rows: [['127.0.0.1', SPOOFED, '127.0.0.1']],
  },
  {
    proxies: 'the proxy 127.0.0.1',
    settings: ['--sso.proxies.trusted=127.0.0.1'],
    rows: [
      ['127.0.0.2', SPOOFED, '127.0.0.2'],
      ['127.0.0.1', { forwarded: 'for=198.51.100.1' }, '127.0.0.1'],
      ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 192.0.2.7' }, '192.0.2.7'],
      ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1, nonsense' }, '127.0.0.1'],
    ],
  },
  {
    proxies: 'the proxy 127.0.0.1, which sends Forwarded',
    settings: ['--sso.proxies.trusted=127.0.0.1/32', '--sso.proxies.header=Forwarded'],
    rows: [
      ['127.0.0.2', SPOOFED, '127.0.0.2'],
      ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '127.0.0.1'],
      ['127.0.0.1', { forwarded: 'for=198.51.100.1, for="[2001:db8::7]:99"' }, '2001:db8::7'],
    ],
  },
])('with $proxies configured', ({ settings, rows }) => {
  let sso: Sso;
  let lines: string[] = [];

  beforeAll(async () => {
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
    sso = await startSso({ settings });
  });
  afterEach(() => {
    lines = [];
  });
  afterAll(async () => {
    await sso.close();
    configureLogging({ application: 'sso', levels: {} });
  });

  test.each(rows)('a login from %s with %j is from %s', async (localAddress, headers, expected) => {
    const form = { username: 'casuser', password: 'wrong' };
    await http('POST', sso.url, '/v1/tickets', { form, headers, localAddress });
    const line = lines.find((each) => each.includes('authentication refused')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ clientAddress: expected });
  });
});

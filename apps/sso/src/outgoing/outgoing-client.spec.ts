import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AddressRanges } from '@tessera/server';
import { DnsServer } from '../../../../test/support/dns-server.js';
import { FakeHttpServer, reply } from '../../../../test/support/fake-http-server.js';
import { until } from '../../../../test/support/until.js';
import { OutgoingClient, type OutgoingPolicy } from './outgoing-client.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];

function clientWith(allowed: readonly string[], options: Partial<OutgoingPolicy> = {}) {
  const allowedAddresses = AddressRanges.parse(allowed);
  return new OutgoingClient({ allowHttp: true, allowedAddresses, ...options });
}

const get = (client: OutgoingClient, url: string, ms = 5_000): Promise<number> =>
  client.get(url, AbortSignal.timeout(ms));

const post = (client: OutgoingClient, url: string, ms = 5_000): Promise<number> =>
  client.postForm(url, { name: 'value' }, AbortSignal.timeout(ms));

const METHODS = [
  ['GET', get],
  ['POST', post],
] as const;

let server: FakeHttpServer;
let port: string;

beforeAll(async () => {
  server = await FakeHttpServer.start();
  ({ port } = new URL(server.url));
});
beforeEach(() => server.respondWith(reply(200, 'ok')));
afterAll(() => server.stop());

describe.each(METHODS)('an address that is not allowed for %s', (_method, call) => {
  // Each of them leads to this machine or its network, in some parser or by some route.
  test.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '0.0.0.0',
    '0',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '169.254.169.254',
    '2852039166',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '255.255.255.255',
  ])('is not connected to: %s', async (host) => {
    const sent = call(clientWith([]), `http://${host}:${port}/`);
    await expect(sent).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(server.requests).toEqual([]);
  });

  test('is allowed by a setting, and no other', async () => {
    const client = clientWith(['127.0.0.1']);
    expect(await call(client, server.url)).toBe(200);
    await expect(call(client, `http://127.0.0.2:${port}/`)).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    });
  });
});

describe.each(METHODS)('a URL that is not allowed for %s', (_method, call) => {
  test.each([
    ['is no URL', 'app.example.org'],
    ['is empty', ''],
    ['has no host', 'https://'],
    ['is of another scheme', 'ftp://127.0.0.1/'],
    ['reads a file', 'file:///etc/passwd'],
    ['is a script', 'javascript:alert(1)'],
    ['is data', 'data:text/plain,x'],
    ['has a user', 'https://user@127.0.0.1/'],
    ['has a password', 'https://:x@127.0.0.1/'],
    ['has a fragment', 'https://127.0.0.1/#x'],
  ])('is refused where it %s', async (_, url) => {
    await expect(call(clientWith(LOOPBACK), url)).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    });
  });

  test('is refused where it is plain http, unless a setting allows it', async () => {
    const strict = clientWith(LOOPBACK, { allowHttp: false });
    await expect(call(strict, server.url)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    expect(server.requests).toEqual([]);
  });
});

describe('a host name', () => {
  let dns: DnsServer;
  let client: OutgoingClient;

  beforeAll(async () => {
    dns = await DnsServer.start();
  });
  beforeEach(() => {
    dns.queries = 0;
    const allowedAddresses = AddressRanges.parse(['127.0.0.1']);
    client = new OutgoingClient({ allowHttp: true, allowedAddresses }, dns.resolve);
  });
  afterAll(() => dns.stop());

  test('is connected to at the address that was checked, though its next address is another', async () => {
    dns.answers = [['127.0.0.1'], ['127.0.0.2']];
    const { length } = server.requests;
    expect(await get(client, `http://rebinding.test:${port}/`)).toBe(200);
    expect([server.requests.length - length, dns.queries]).toEqual([1, 1]);
    expect(server.requests[0]?.headers.host).toBe(`rebinding.test:${port}`);
    await expect(get(client, `http://rebinding.test:${port}/`)).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    });
    expect(server.requests).toHaveLength(length + 1);
  });

  test.each([
    ['first', ['127.0.0.1', '127.0.0.2']],
    ['last', ['127.0.0.2', '127.0.0.1']],
    ['among many', ['127.0.0.2', '127.0.0.1', '10.0.0.1', '127.0.0.1']],
  ])('is refused with one allowed address, %s, and one that is not', async (_, addresses) => {
    dns.answers = [addresses];
    await expect(get(client, `http://mixed.test:${port}/`)).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    });
    expect(server.requests).toEqual([]);
  });

  test('without an address is reported', async () => {
    dns.answers = [[]];
    await expect(get(client, 'http://nowhere.test/')).rejects.toMatchObject({
      code: 'HOST_NOT_FOUND',
    });
  });

  test('that no server resolves is given up in time', async () => {
    const never = new OutgoingClient(
      { allowHttp: true, allowedAddresses: AddressRanges.parse([]) },
      () => new Promise(() => {}),
    );
    await expect(get(never, 'http://slow.test/', 50)).rejects.toMatchObject({
      code: 'HOST_NOT_FOUND',
    });
  });
});

describe('an answer', () => {
  const client = clientWith(LOOPBACK);

  test.each([200, 204, 302, 404, 500])(
    'with status %i is returned, and not followed',
    async (status) => {
      server.respondWith(reply(status, '', { location: `${server.url}/other` }));
      expect(await get(client, `${server.url}/callback?a=%20b+c`)).toBe(status);
      expect(server.requests.map(({ url }) => url)).toEqual(['/callback?a=%20b+c']);
    },
  );

  test('sets no cookie for the next request, which has a connection of its own', async () => {
    server.respondWith(reply(200, '', { 'set-cookie': 'a=b' }));
    await get(client, server.url);
    await get(client, server.url);
    const [first, second] = server.requests;
    expect(second?.headers.cookie).toBeUndefined();
    expect(second?.socket).not.toBe(first?.socket);
  });

  test('without an end is read in part', async () => {
    let written = 0;
    server.respondWith((response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on('drain', write);
      write();
    });
    expect(await get(client, server.url)).toBe(200);
    await until('the connection is closed', () => server.requests[0]?.socket.destroyed);
    expect(written).toBeLessThan(64 * 1_048_576);
  });

  test.each([
    ['that never comes', () => {}],
    ['that never ends', (response: { write(text: string): boolean }) => void response.write('x')],
  ])('%s is given up in time', async (_, handler) => {
    server.respondWith(handler);
    await expect(get(client, server.url, 100)).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'It did not answer in time',
    });
  });

  test('that changes the protocol is refused at once', async () => {
    server.respondWith((_response, { socket }) => {
      socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    await expect(get(client, server.url)).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'It did not answer',
    });
  });

  test('is returned as a document', async () => {
    server.respondWith(reply(200, '{"a":"é"}'));
    const read = client.getText(server.url, AbortSignal.timeout(5_000));
    expect(await read).toBe('{"a":"é"}');
  });

  test.each([
    [302, '', 'UNEXPECTED_STATUS', 'It answered with status 302'],
    [500, 'x', 'UNEXPECTED_STATUS', 'It answered with status 500'],
    [200, 'x'.repeat(65_537), 'NO_ANSWER', 'Its answer is too long'],
  ])(
    'with status %i, a redirect or too long, is no document',
    async (status, body, code, message) => {
      server.respondWith(reply(status, body, { location: `${server.url}/other` }));
      const read = client.getText(server.url, AbortSignal.timeout(5_000));
      await expect(read).rejects.toMatchObject({ code, message });
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each(['100 Continue', '103 Early Hints'])('after endless %s is given up', async (status) => {
    server.respondWith((_response, { socket }) => {
      socket.on('error', () => {});
      const write = (): void => {
        while (!socket.destroyed && socket.write(`HTTP/1.1 ${status}\r\n\r\n`.repeat(100)));
      };
      socket.on('drain', write);
      write();
    });
    await expect(get(client, server.url)).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'It did not answer',
    });
  });

  test('after one interim answer is taken', async () => {
    server.respondWith((response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end();
    });
    expect(await get(client, server.url)).toBe(200);
  });

  test('that is no HTTP, and a port without a server, are reported', async () => {
    server.respondWith((_response, { socket }) => socket.end('SSH-2.0\r\n'));
    await expect(get(client, server.url)).rejects.toMatchObject({ code: 'NO_ANSWER' });
    await expect(get(client, 'http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'It did not answer',
    });
  });
});

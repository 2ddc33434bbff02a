import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectEncrypted } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { Drain } from './drain.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let authority: TestAuthority;
let identity: Identity;
let server: Server | HttpsServer;
let drain: Drain;

beforeAll(async () => {
  authority = await TestAuthority.create();
  identity = await authority.issue('CN=server');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(made: Server | HttpsServer): Promise<void> {
  server = made;
  drain = new Drain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Opens a connection and waits until the server has it; over HTTPS until the handshake is done. */
async function open(): Promise<Socket> {
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const isPlain = !(server instanceof HttpsServer);
  const socket = isPlain ? connect(address) : connectEncrypted({ ...address, ca: authority.cert });
  await once(server, isPlain ? 'connection' : 'secureConnection');
  return socket;
}

/** Sends a request and waits until the server has it. */
async function ask(socket: Socket): Promise<ServerResponse> {
  socket.write(REQUEST);
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return response;
}

async function askAndAnswer(socket: Socket): Promise<void> {
  const response = await ask(socket);
  response.end('answer');
  await once(socket, 'data');
}

describe.each([
  ['HTTP', () => createServer()],
  ['HTTPS', () => createHttpsServer(identity)],
])('draining a server that speaks %s', (_, make) => {
  beforeEach(() => serve(make()));

  test('returns at once where there is no connection', async () => {
    await drain.run();
  });

  test('returns where the server never listened', async () => {
    await new Drain(make()).run();
  });

  test('takes no new connection', async () => {
    const { port } = server.address() as AddressInfo;
    await drain.run();
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  test('closes a connection on which nothing was sent, and one that has its answers', async () => {
    const unused = await open();
    const used = await open();
    await askAndAnswer(used);
    const closed = Promise.all([once(unused.resume(), 'close'), once(used.resume(), 'close')]);
    await drain.run();
    await closed;
  });

  test('answers a running request before it returns', async () => {
    const socket = await open();
    const quiet = await open();
    const response = await ask(socket);
    let drained = false;
    const over = drain.run().then(() => (drained = true));
    await once(quiet.resume(), 'close');
    expect(drained).toBe(false);
    response.end('the answer');
    expect(await text(socket)).toContain('the answer');
    await over;
  });

  test('takes new connections during the drain time, and answers with Connection: close', async () => {
    const drainTime = Promise.withResolvers<undefined>();
    const kept = await open();
    await askAndAnswer(kept);
    const over = drain.run(drainTime.promise);
    for (const socket of [kept, await open()]) {
      const response = await ask(socket);
      response.end('the last');
      expect(await text(socket)).toMatch(/\r\nConnection: close\r\n[^]*the last/);
    }
    const { port } = server.address() as AddressInfo;
    drainTime.resolve(undefined);
    await over;
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  test('answers a request that arrives on an open connection, with Connection: close', async () => {
    const socket = await open();
    await askAndAnswer(socket);
    const over = drain.run();
    const response = await ask(socket);
    response.end('the last');
    expect(await text(socket)).toMatch(/\r\nConnection: close\r\n[^]*the last/);
    await over;
  });
});

describe('draining a server that speaks HTTPS', () => {
  test('closes a connection whose handshake hangs or never begins', async () => {
    await serve(createHttpsServer(identity));
    const { port } = server.address() as AddressInfo;
    const silent = connect(port, '127.0.0.1');
    await once(server, 'connection');
    const hung = connect(port, '127.0.0.1');
    await once(server, 'connection');
    hung.write(Buffer.from('16030100', 'hex'));
    const closed = Promise.all([once(silent.resume(), 'close'), once(hung.resume(), 'close')]);
    await drain.run();
    await closed;
  });

  test('ends at its limit, also where a caller sends its handshake byte by byte', async () => {
    await serve(createHttpsServer(identity));
    const slow = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(server, 'connection');
    slow.write(Buffer.from('160301400001003ffc', 'hex'));
    const sending = setInterval(() => slow.write('a'), 20);
    // `once` would fail with the error of a connection that was reset.
    const closed = Promise.withResolvers<boolean>();
    slow
      .on('error', () => {})
      .on('close', closed.resolve)
      .resume();
    await drain.run(undefined, 200);
    await closed.promise;
    clearInterval(sending);
  });
});

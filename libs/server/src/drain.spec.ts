import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Drain } from './drain.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let server: Server;
let drain: Drain;

beforeEach(async () => {
  server = createServer();
  drain = new Drain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(server, 'connection');
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

describe('draining', () => {
  test('returns at once where there is no connection', async () => {
    const began = performance.now();
    await drain.run();
    expect(performance.now() - began).toBeLessThan(50);
  });

  test('returns where the server never listened', async () => {
    await new Drain(createServer()).run();
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

  test('answers what arrives meanwhile on an open connection, and says that it is the last', async () => {
    const socket = await open();
    await askAndAnswer(socket);
    const over = drain.run();
    const response = await ask(socket);
    response.end('the last');
    expect(await text(socket)).toMatch(/\r\nConnection: close\r\n[^]*the last/);
    await over;
  });
});

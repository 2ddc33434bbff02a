import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { maxOpenFiles } from '@tessera/runtime';
import { Connections, limitConnections, refusedConnections } from './connections.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
const ANSWER_TIMEOUT = 50;
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let answer: RequestListener;
const callers: Socket[] = [];

beforeEach(async () => {
  answer = (_request, response) => response.end();
  server = createServer((request, response) => answer(request, response));
  limitConnections(server, ANSWER_TIMEOUT);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
  server.closeAllConnections();
  server.close();
});

function call(): Socket {
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  callers.push(caller);
  return caller.on('error', () => {});
}

async function open(): Promise<Socket> {
  const accepted = once(server, 'connection');
  const caller = call();
  await accepted;
  return caller;
}

async function answered(caller: Socket): Promise<void> {
  caller.write(REQUEST);
  await once(caller, 'data');
}

describe('the number of connections', () => {
  test('is below the number of files that the process may open', () => {
    expect(server.maxConnections).toBeLessThan(maxOpenFiles());
  });

  test('never exceeds the maximum: the next one is closed at once, and counted', async () => {
    server.maxConnections = 1;
    let refused = 0;
    const end = refusedConnections.subscribe(() => (refused += 1));
    const first = await open();
    const second = call().resume();
    await once(second, 'close');
    end();
    expect(refused).toBe(1);
    await answered(first);
  });

  test.each([
    ['near the maximum', 2],
    ['at the maximum', 1],
  ])('%s, idle connections make room', async (_what, maximum) => {
    const idle = await open();
    await answered(idle);
    server.maxConnections = maximum;
    const closed = once(idle, 'close');
    call();
    await closed;
    await answered(await open());
  });

  test('connections on which nothing has arrived for a while are idle, too', async () => {
    const silent = (await open()).resume();
    const connections = Connections.of(server);
    connections.closeIdle(60_000);
    await answered(silent);
    const newcomer = (await open()).resume();
    connections.closeIdle();
    await once(newcomer, 'close');
  });
});

describe('a connection without progress', () => {
  test('is closed where the caller does not read the answer', async () => {
    answer = (_request, response) => response.end(LARGE);
    const accepted = once(server, 'connection');
    const caller = await open();
    const [connection] = (await accepted) as [Socket];
    caller.write(REQUEST);
    await once(connection, 'close');
    expect(connection.bytesWritten).toBeGreaterThan(0);
  });

  test('is closed after the keep-alive timeout', async () => {
    Object.assign(server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 1 });
    const caller = await open();
    await answered(caller);
    await once(caller, 'close');
  });

  test('stays open while the answer is being made', async () => {
    answer = (_request, response) => {
      response.setHeader('Connection', 'close');
      server.once('timeout', () => response.end('late'));
    };
    const caller = await open();
    caller.write(REQUEST);
    expect(await text(caller)).toContain('late');
  });
});

import { once } from 'node:events';
import { createServer, ServerResponse, IncomingMessage, type RequestListener } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { DownloadLimiter } from './download-limiter.js';

const TIMEOUT_MS = 43_210;
const BUSY = expect.objectContaining({ code: 'FILES_BUSY', status: 503 });

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
const limited = (): DownloadLimiter => new DownloadLimiter({ bytes: 10, timeoutMs: TIMEOUT_MS });

describe('files in flight', () => {
  test('are rejected above the limit, and not below', () => {
    const files = limited();
    files.track(6, newResponse());
    expect(() => files.track(5, newResponse())).toThrow(BUSY);
    files.requireCapacity();
    files.track(4, newResponse());
    expect(() => files.requireCapacity()).toThrow(BUSY);
    expect(() => files.track(1, newResponse())).toThrow(BUSY);
  });

  test('may be a single larger one', () => {
    const files = limited();
    files.track(11, newResponse());
    expect(() => files.requireCapacity()).toThrow(BUSY);
  });

  test('count until the response is closed, once', () => {
    const files = limited();
    const [first, second] = [newResponse(), newResponse()];
    files.track(5, first);
    files.track(5, second);
    first.emit('close');
    first.emit('close');
    expect(() => files.track(6, newResponse())).toThrow(BUSY);
    files.track(5, newResponse());
  });

  test('do not count if they were rejected, or if the caller has left', () => {
    const files = limited();
    files.track(6, newResponse());
    const refused = newResponse();
    expect(() => files.track(5, refused)).toThrow(BUSY);
    refused.emit('close');
    const gone = newResponse();
    Object.defineProperty(gone, 'closed', { value: true });
    files.track(4, gone);
    files.track(4, newResponse());
  });
});

describe('the connection', () => {
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  async function send(text: string, listener: RequestListener): Promise<Socket> {
    const server = createServer({ keepAliveTimeout: 75_000 }, listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    closing.push(() => {
      client.destroy();
      server.close();
    });
    client.write(text);
    return client;
  }

  const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

  test('has the timeout while the file is in flight, and afterwards its own', async () => {
    let during: number | undefined;
    let socket: Socket | undefined;
    const client = await send(GET, (request, response) => {
      ({ socket } = request);
      limited().track(1, response);
      during = socket.timeout;
      response.end('x');
    });
    client.resume();
    await until('the response is sent', () => during !== undefined && socket?.timeout !== during);
    expect(during).toBe(TIMEOUT_MS);
    expect(socket?.timeout).toBeGreaterThanOrEqual(75_000);
  });

  test('has none for a pipelined response that is still pending', async () => {
    const sockets: Socket[] = [];
    let isWaiting = false;
    const client = await send(GET + GET, (request, response) => {
      if (sockets.push(request.socket) > 1) {
        response.once('socket', () => (isWaiting = true));
        return;
      }
      limited().track(1, response);
      setImmediate(() => response.end('x'));
    });
    client.resume();
    await until('the second response is current', () => isWaiting);
    expect(sockets[1]?.timeout).toBe(0);
  });
});

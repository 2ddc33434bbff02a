// The bound of plain files under way, and what becomes of the connection of a caller that takes none.
import { once } from 'node:events';
import { createServer, ServerResponse, IncomingMessage, type RequestListener } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { DownloadLimiter } from './download-limiter.js';

const PATIENCE = 43_210;
const BUSY = expect.objectContaining({ code: 'FILES_BUSY', status: 503 });

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
const limited = (): DownloadLimiter => new DownloadLimiter({ bytes: 10, patience: PATIENCE });

describe('files under way', () => {
  test('are refused beyond the bound, and not before', () => {
    const files = limited();
    files.begin(6, response());
    expect(() => files.begin(5, response())).toThrow(BUSY);
    files.requireRoom();
    files.begin(4, response());
    expect(() => files.requireRoom()).toThrow(BUSY);
    expect(() => files.begin(1, response())).toThrow(BUSY);
  });

  test('may be one that is larger alone', () => {
    const files = limited();
    files.begin(11, response());
    expect(() => files.requireRoom()).toThrow(BUSY);
  });

  test('count until the answer is closed, once', () => {
    const files = limited();
    const [first, second] = [response(), response()];
    files.begin(5, first);
    files.begin(5, second);
    first.emit('close');
    first.emit('close');
    expect(() => files.begin(6, response())).toThrow(BUSY);
    files.begin(5, response());
  });

  test('do not count where they were refused, or where the caller has gone', () => {
    const files = limited();
    files.begin(6, response());
    const refused = response();
    expect(() => files.begin(5, refused)).toThrow(BUSY);
    refused.emit('close');
    const gone = response();
    Object.defineProperty(gone, 'closed', { value: true });
    files.begin(4, gone);
    files.begin(4, response());
  });
});

describe('the connection', () => {
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  async function request(text: string, listener: RequestListener): Promise<Socket> {
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

  test('has the limit of time while the file is under way, and afterwards its own', async () => {
    let during: number | undefined;
    let socket: Socket | undefined;
    const client = await request(GET, (asked, answer) => {
      ({ socket } = asked);
      limited().begin(1, answer);
      during = socket.timeout;
      answer.end('x');
    });
    client.resume();
    await until('the answer is over', () => during !== undefined && socket?.timeout !== during);
    expect(during).toBe(PATIENCE);
    expect(socket?.timeout).toBeGreaterThanOrEqual(75_000);
  });

  test('has none for the answer behind it that is waited for', async () => {
    const sockets: Socket[] = [];
    let isWaiting = false;
    const client = await request(GET + GET, (asked, answer) => {
      if (sockets.push(asked.socket) > 1) {
        answer.once('socket', () => (isWaiting = true));
        return;
      }
      limited().begin(1, answer);
      setImmediate(() => answer.end('x'));
    });
    client.resume();
    await until('the second has its turn', () => isWaiting);
    expect(sockets[1]?.timeout).toBe(0);
  });
});

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bindAnswer, element, message } from '../../../../test/support/ldap-messages.js';
import { until } from '../../../../test/support/until.js';
import { GuardedStream } from './guarded-stream.js';

const REQUEST = message(2, element(0x60));
const ANSWER = message(2, bindAnswer(0));

let socket: Socket;
let server: Socket;
let stream: GuardedStream;
let heard: Buffer[];

beforeEach(async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection');
  socket = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  [server] = (await accepted) as [Socket];
  listener.close();
  stream = new GuardedStream(socket);
  heard = [];
});
afterEach(() => {
  stream.destroy();
  server.destroy();
});

const listen = () => stream.on('data', (bytes: Buffer) => heard.push(bytes));
async function ask(): Promise<void> {
  const arrived = once(server, 'data');
  stream.write(REQUEST);
  expect((await arrived)[0]).toEqual(REQUEST);
}
const closed = () => until('it is closed', () => stream.closed && socket.destroyed);

describe('a stream', () => {
  test('is destroyed by what the server says unasked, though nobody listens', async () => {
    server.write(ANSWER);
    await closed();
    expect(stream.errored?.message).toBe('the server says what nobody asked');
    expect(stream.readyState).toBe('closed');
  });

  test('is destroyed by the first fault, and passes nothing after it', async () => {
    listen();
    await ask();
    server.write(Buffer.concat([Buffer.from('3003020102', 'hex'), ANSWER]));
    await closed();
    expect(stream.errored?.message).toContain('the server does not speak LDAP');
    expect(heard).toEqual([]);
  });

  test.each([
    ['ends', () => server.end()],
    ['is lost', () => server.resetAndDestroy()],
    ['is closed on this side', () => socket.destroy()],
  ])('ends when the connection %s', async (_how, end) => {
    listen();
    end();
    await closed();
  });

  test('ends the connection when it is destroyed', async () => {
    expect(stream.readyState).toBe('open');
    server.resume();
    const ended = once(server, 'close');
    stream.destroy();
    await ended;
    await closed();
  });

  test('passes answers message by message, whole', async () => {
    listen();
    for (let round = 1; round <= 2; round += 1) {
      await ask();
      server.write(ANSWER.subarray(0, 5));
      await until('the first bytes have come', () => socket.bytesRead % ANSWER.length === 5);
      expect(heard).toHaveLength(round - 1);
      server.write(ANSWER.subarray(5));
      await until('it is passed', () => heard.length === round);
    }
    expect(heard).toEqual([ANSWER, ANSWER]);
  });
});

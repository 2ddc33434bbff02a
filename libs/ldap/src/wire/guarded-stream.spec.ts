import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ALICE,
  attribute,
  bindAnswer,
  element,
  entry,
  integer,
  message,
  reference,
  result,
  searchDone,
  text,
} from '../../../../test/support/ldap-messages.js';
import { until } from '../../../../test/support/until.js';
import { GuardedStream, ResponseGuard } from './guarded-stream.js';

const REQUEST = message(2, element(0x60));
const ANSWER = message(2, bindAnswer(0));

describe('a stream', () => {
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

  test('is destroyed by an unexpected message, even without listeners', async () => {
    server.write(ANSWER);
    await closed();
    expect(stream.errored?.message).toBe('the server sent an unexpected message');
    expect(stream.readyState).toBe('closed');
  });

  test('is destroyed by the first error, and passes nothing after it', async () => {
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

  test('passes complete messages one by one', async () => {
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

const ID = 7;
const BIND = message(ID, element(0x60, integer(2, 3), text('a=b'), element(0x80, 'c')));
const SEARCH = message(ID, element(0x63));
const ABANDON = message(ID, element(0x50));
const ELSEWHERE = reference('ldap://b/');
const LARGE = entry('a=b', attribute('c', 'x'.repeat(1_048_576)));

const times = (count: number, operation: Buffer) => Array.from({ length: count }, () => operation);
/** The messages that reach the client. */
function shown(request: Buffer | undefined, operations: readonly Buffer[], id = ID): Buffer[] {
  const guard = new ResponseGuard(request);
  return operations.filter((operation) => guard.accept(message(id, operation)));
}

describe('an answer', () => {
  test.each<[string, Buffer | undefined, readonly Buffer[], string]>([
    ['before anything was asked', undefined, [bindAnswer(0)], 'an unexpected message'],
    ['to a request that has none', ABANDON, [bindAnswer(0)], 'wrong type'],
    ['twice', BIND, [bindAnswer(49), bindAnswer(0)], 'an unexpected message'],
    ['after its end', SEARCH, [searchDone(), ALICE], 'an unexpected message'],
    ['to a search, given to a bind', BIND, [searchDone()], 'wrong type'],
    ['to an extension, given to a bind', BIND, [result(0x78, 0)], 'wrong type'],
    ['of entries, given to a bind', BIND, [ALICE], 'wrong type'],
    ['of references, given to a bind', BIND, [ELSEWHERE], 'wrong type'],
    ['to a bind, given to a search', SEARCH, [bindAnswer(0)], 'wrong type'],
    ['to an extension, given to a search', SEARCH, [result(0x78, 0)], 'wrong type'],
    ['of three entries', SEARCH, times(3, ALICE), 'too many entries'],
    ['of too many references', SEARCH, times(1_001, ELSEWHERE), 'too many references'],
    ['of too many bytes', SEARCH, times(2, LARGE), 'too many bytes'],
    ['that is malformed', SEARCH, [element(0x64)], 'does not speak LDAP'],
  ])('is refused %s', (_what, request, operations, reason) => {
    expect(() => shown(request, operations)).toThrow(reason);
  });

  test('is refused to another request, and where the server ends the session', () => {
    expect(() => shown(BIND, [bindAnswer(0)], ID + 1)).toThrow('an unexpected message');
    for (const request of [undefined, BIND]) {
      const notice = () => shown(request, [result(0x78, 52)], 0);
      expect(notice).toThrow('the server ended the session: LDAP result 52');
    }
  });

  test.each([
    ['to a bind', BIND, [bindAnswer(49)], [bindAnswer(49)]],
    ['to a search of nothing', SEARCH, [searchDone()], [searchDone()]],
    ['of two entries', SEARCH, [ALICE, ALICE, searchDone(4)], [ALICE, ALICE, searchDone(4)]],
    ['without its references', SEARCH, [...times(1_000, ELSEWHERE), searchDone()], [searchDone()]],
  ])('is shown %s', (_what, request, operations, seen) => {
    expect(shown(request, operations)).toEqual(seen);
  });
});

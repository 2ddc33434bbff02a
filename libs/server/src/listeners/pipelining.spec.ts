import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectEncrypted, TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { until } from '../../../../test/support/until.js';
import { readBody } from '../requests/body.js';
import { oneAtATime } from './pipelining.js';

const MANY = 400;

let identity: Identity;
let server: Server | HttpsServer;
const callers: Socket[] = [];

beforeAll(async () => {
  identity = await (await TestAuthority.create()).issue('CN=server');
});

afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
  server.closeAllConnections();
  server.close();
});

async function listen(created: Server | HttpsServer): Promise<void> {
  server = created;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function open(): Promise<Socket> {
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const isPlain = !('setSecureContext' in server);
  const caller = isPlain
    ? connect(address)
    : connectEncrypted({ ...address, rejectUnauthorized: false });
  callers.push(caller);
  caller.on('error', () => {});
  await once(caller, caller instanceof TLSSocket ? 'secureConnect' : 'connect');
  return caller;
}

function get(path: string | number): string {
  return `GET /${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

describe.each([
  ['HTTP', (listener: RequestListener) => createServer(listener)],
  ['HTTPS', (listener: RequestListener) => createHttpsServer(identity, listener)],
])('requests that are sent at once over %s', (_, create) => {
  test('are handled one after the other, and answered in their order', async () => {
    let running = 0;
    let most = 0;
    const listener: RequestListener = (request, response) => {
      most = Math.max(most, ++running);
      void setImmediate().then(() => {
        running -= 1;
        response.end(`${request.url};`);
      });
    };
    await listen(create(oneAtATime(listener)));
    const caller = await open();
    let answers = '';
    caller.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    caller.write(numbers(MANY).map(get).join(''));
    await until('all are answered', () => answers.includes(`/${MANY - 1};`));
    expect(answers.match(/\/\d+(?=;)/g)).toEqual(numbers(MANY).map((number) => `/${number}`));
    expect(most).toBe(1);
  });

  test('let the requests of another connection come in between', async () => {
    const handled: string[] = [];
    const listener: RequestListener = ({ url = '' }, response) => {
      handled.push(url);
      response.end();
      if (url === '/0') other.write(get('other'));
    };
    await listen(create(oneAtATime(listener)));
    const other = await open();
    const caller = await open();
    caller.resume().write(numbers(MANY).map(get).join(''));
    await until('all are handled', () => handled.length === MANY + 1);
    expect(handled.indexOf('/other')).toBeLessThan(MANY / 2);
  });

  test('are not read beyond what has arrived, also while a body is read', async () => {
    const lengths: number[] = [];
    const unanswered: (() => unknown)[] = [];
    const listener: RequestListener = (request, response) => {
      void readBody(request, 1_000).then((body) => lengths.push(body.length));
      unanswered.push(() => response.end());
    };
    await listen(create(oneAtATime(listener)));
    const accepted = once(server, 'setSecureContext' in server ? 'secureConnection' : 'connection');
    const caller = await open();
    const [connection] = (await accepted) as [Socket];
    const post = `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\nbody`;
    caller.resume().write(post.repeat(100_000));
    for (const count of numbers(20)) {
      await until('the body is read', () => lengths.length > count);
      await setImmediate();
      expect(connection.isPaused()).toBe(true);
      unanswered.pop()?.();
    }
    expect(connection.bytesRead).toBeLessThan(500_000);
  });

  test('are dropped when their caller is gone', async () => {
    const first = Promise.withResolvers<() => unknown>();
    let handled = 0;
    const listener: RequestListener = (_request, response) => {
      handled += 1;
      if (handled === 1) first.resolve(() => response.end());
      else response.end();
    };
    await listen(create(oneAtATime(listener)));
    const accepted = once(server, 'connection');
    const caller = await open();
    const [connection] = (await accepted) as [Socket];
    caller.write(numbers(MANY).map(get).join(''));
    const answer = await first.promise;
    caller.destroy();
    await once(caller, 'close');
    answer();
    await until('the server knows', () => connection.destroyed);
    await setImmediate();
    expect(handled).toBeLessThan(5);
  });
});

// What callers that hold a request open see when their application is replaced.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Controller, Get, Module, Post, Req } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Request } from 'express';
import { http } from '../../../../test/support/http.js';
import { type Answer, text } from '../answers/answer.js';
import { Listener } from '../listeners/listener.js';
import { readBody } from '../requests/body.js';
import { createApplication } from './application.js';
import { ApplicationHost } from './application-host.js';

const closed: string[] = [];
let arrived: PromiseWithResolvers<undefined>;
let slowAnswer: PromiseWithResolvers<Answer>;

function moduleOf(name: string) {
  @Controller()
  class TestController {
    @Post('body')
    async body(@Req() request: Request): Promise<Answer> {
      arrived.resolve(undefined);
      await readBody(request, 100);
      return text(200, name);
    }

    @Get('slow')
    slow(): Promise<Answer> {
      arrived.resolve(undefined);
      return slowAnswer.promise;
    }

    @Get('name')
    name(): Answer {
      return text(200, name);
    }

    onApplicationShutdown(): void {
      closed.push(name);
    }
  }

  @Module({ controllers: [TestController] })
  class TestModule {}
  return TestModule;
}

let host: ApplicationHost<string>;
let listener: Listener;
let port: number;

beforeEach(async () => {
  closed.length = 0;
  arrived = Promise.withResolvers();
  slowAnswer = Promise.withResolvers();
  listener = await Listener.create();
  const create = (name: string) => createApplication(moduleOf(name), { contextPath: '', listener });
  host = new ApplicationHost(create, { public: listener });
  await host.start('old');
  listener.server.listen(0, '127.0.0.1');
  await once(listener.server, 'listening');
  ({ port } = listener.server.address() as AddressInfo);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
});
afterEach(async () => {
  jest.useRealTimers();
  slowAnswer.resolve(text(200, 'late'));
  listener.server.close();
  await host.close();
});

/** Sends the beginning of a request, and waits until its handler runs. */
async function begin(head: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`${head}\r\nHost: localhost\r\n`);
  socket.write(head.startsWith('POST') ? 'Content-Length: 2\r\n\r\na' : '\r\n');
  await arrived.promise;
  return socket;
}

async function replace(): Promise<void> {
  (await host.prepare('new')).commit();
}

test('the rest of a body may come within two seconds', async () => {
  const socket = await begin('POST /body HTTP/1.1');
  await replace();
  jest.advanceTimersByTime(1_999);
  socket.end('b');
  expect((await socket.toArray()).join('')).toMatch(/\r\n\r\nold$/);
});

test('a caller that does not send the rest of a body is disconnected, and the old application ends', async () => {
  const socket = await begin('POST /body HTTP/1.1');
  await replace();
  expect(closed).toEqual([]);
  jest.advanceTimersByTime(2_000);
  await once(socket, 'close');
  await host.close();
  expect(closed).toEqual(['old', 'new']);
});

test('an answer may take a minute, while the new application answers others', async () => {
  const socket = await begin('GET /slow HTTP/1.1');
  await replace();
  jest.advanceTimersByTime(59_999);
  expect(await http('GET', `http://127.0.0.1:${port}`, '/name')).toMatchObject({ body: 'new' });
  expect(closed).toEqual([]);
  jest.advanceTimersByTime(1);
  await once(socket, 'close');
});

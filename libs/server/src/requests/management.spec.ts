// No request of the public listener reaches a route for operators, however its target is written.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { All, Controller, Get, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from '../../../../test/support/raw-request.js';
import { type Answer, text } from '../answers/answer.js';
import { createApplication } from '../application/application.js';
import type { AnswerAdapter } from '../application/express-adapter.js';
import { managementPath } from './management.js';

const reached: string[] = [];

@Controller(managementPath('api'))
class OperatorController {
  @All(['secret', '*path'])
  answer(): Answer {
    reached.push('api');
    return text(200, 'for operators');
  }
}

@Controller('page')
class PublicController {
  @Get()
  answer(): Answer {
    return text(200, 'for everybody');
  }
}

@Module({ controllers: [OperatorController, PublicController] })
class TestModule {}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const TARGETS = [
  '/.management/api/secret',
  '/.management/api/secret/',
  '/.management//api/secret',
  '//.management/api/secret',
  '///.management/api/secret',
  '/.Management/api/secret',
  '/.MANAGEMENT/api/secret',
  '/%2emanagement/api/secret',
  '/%2Emanagement/api/secret',
  '/.%6danagement/api/secret',
  '/%252emanagement/api/secret',
  '/.management%2fapi%2fsecret',
  '/.management\\api\\secret',
  '\\.management/api/secret',
  '/./.management/api/secret',
  '/page/../.management/api/secret',
  '/cas/../.management/api/secret',
  '/cas/.management/api/secret',
  '/.management/../.management/api/secret',
  '/.management/.management/api/secret',
  '/.management;x=y/api/secret',
  '/.management/api/secret?x',
  '/?/.management/api/secret',
  '/#/.management/api/secret',
  'http://localhost/.management/api/secret',
  'http://localhost//.management/api/secret',
  'http://localhost/%2emanagement/api/secret',
  'http://localhost/x/../.management/api/secret',
  'http:/.management/api/secret',
  'http:\\\\localhost\\.management\\api\\secret',
  'file:///.management/api/secret',
  'x:/.management/api/secret',
  '.management/api/secret',
  '/api/secret',
  '*',
];

describe.each(['', '/cas', '/.management', '/.management/api', '/a/.management'])(
  'with the context path "%s"',
  (contextPath) => {
    let app: NestExpressApplication;
    let management: Server;
    let url: string;

    beforeAll(async () => {
      app = await createApplication(TestModule, { contextPath });
      await app.listen(0, '127.0.0.1');
      url = `http://127.0.0.1:${portOf(app.getHttpServer())}`;
      const adapter = app.getHttpAdapter() as unknown as AnswerAdapter;
      management = createServer(adapter.handleManagement);
      await once(management.listen(0, '127.0.0.1'), 'listening');
    });
    afterAll(async () => {
      management.close();
      await app.close();
    });

    const ask = (origin: string, method: string, target: string): Promise<string> =>
      sendRaw(origin, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

    test.each(['GET', 'POST', 'HEAD', 'OPTIONS'])('by no target of %s', async (method) => {
      reached.length = 0;
      for (const prefix of new Set(['', contextPath])) {
        for (const target of TARGETS) {
          const path = target.startsWith('/') ? prefix + target : target;
          expect(await ask(url, method, path)).not.toMatch(/^HTTP\/1\.1 2/);
        }
      }
      expect(reached).toEqual([]);
    });

    test.each(['/api/secret', 'http://x/api/secret'])(
      'the management listener answers %s',
      async (target) => {
        const answer = await ask(`http://127.0.0.1:${portOf(management)}`, 'GET', target);
        expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*for operators$/);
      },
    );
  },
);

test('its own routes stay open to the public listener', async () => {
  const app = await createApplication(TestModule, { contextPath: '/cas' });
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${portOf(app.getHttpServer())}`;
  const request = 'GET /cas/page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(url, request)).toMatch(/^HTTP\/1\.1 200 [^]*for everybody$/);
  await app.close();
});

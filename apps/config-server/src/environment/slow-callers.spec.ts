// Callers that ask for plain files and read nothing, over real connections.
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Module, type DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, expect, test } from '@jest/globals';
import { createApplication } from '@tessera/server';
import { http, type Reply } from '../../../../test/support/http.js';
import { until } from '../../../../test/support/until.js';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { ConfigAudit } from '../audit/config-audit.js';
import { CALLERS } from '../callers/callers.js';
import { EnvironmentSettings } from '../settings/environment-settings.js';
import { EnvironmentAnswers } from './environment-answers.js';
import { EnvironmentController } from './environment.controller.js';
import { DownloadLimiter } from './download-limiter.js';
import { KeyedAnswers } from './keyed-answers.js';

/** More than the system takes off our hands for a connection that nobody reads. */
const FILE = Buffer.alloc(24 * 1024 * 1024, '#');
const PATH = '/orders/prod/main/large.bin';

let app: NestExpressApplication;
let slow: Socket;

afterEach(async () => {
  slow.destroy();
  await app.close();
});

@Module({})
class TestModule {}

/** Stand-ins for a backend with one file, and for callers who may do everything. */
async function serve(timeoutMs: number): Promise<number> {
  const backend: EnvironmentBackend = {
    name: 'stand-in',
    find: () => Promise.reject(new Error('not asked')),
    readFile: () => Promise.resolve({ content: FILE, modified: new Date(0) }),
  };
  const decryptor = { decrypt: () => Promise.reject(new Error('not asked')) };
  const settings = new EnvironmentSettings();
  const answers = new EnvironmentAnswers({ backends: [backend], decryptor, settings });
  const downloads = new DownloadLimiter({ bytes: FILE.length + 1, timeoutMs });
  const module: DynamicModule = {
    module: TestModule,
    controllers: [EnvironmentController],
    providers: [
      { provide: CALLERS, useValue: { admit: () => Promise.resolve({}) } },
      { provide: ConfigAudit, useValue: { recordRead() {} } },
      { provide: KeyedAnswers, useValue: { answers } },
      { provide: DownloadLimiter, useValue: downloads },
    ],
  };
  app = await createApplication(module, { contextPath: '' });
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}

function ask(port: number): Promise<Reply> {
  const headers = { accept: 'application/octet-stream' };
  return http('GET', `http://127.0.0.1:${port}`, PATH, { headers });
}

function askAndReadNothing(port: number): void {
  slow = connect(port, '127.0.0.1').pause();
  slow.on('error', () => {});
  slow.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/octet-stream\r\n\r\n`);
}

async function refusal(port: number): Promise<Reply> {
  return until('a file is refused', async () => {
    const reply = await ask(port);
    return reply.status === 503 && reply;
  });
}

function served(port: number): Promise<true> {
  return until('files are served again', async () => (await ask(port)).status === 200);
}

test('what they do not read is refused to others with 503, until they are gone', async () => {
  const port = await serve(600_000);
  const whole = await ask(port);
  expect([whole.status, whole.body.length]).toEqual([200, FILE.length]);
  expect(whole.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(FILE.length),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  });
  askAndReadNothing(port);
  const { headers, body } = await refusal(port);
  expect([headers['retry-after'], JSON.parse(body)]).toEqual([
    '2',
    {
      timestamp: expect.any(String),
      status: 503,
      error: 'Service Unavailable',
      path: PATH,
      message: 'too many plain files are under way: try again later',
    },
  ]);
  slow.destroy();
  await served(port);
});

test('they are cut off where they take nothing for too long', async () => {
  const port = await serve(1_000);
  askAndReadNothing(port);
  await refusal(port);
  await served(port);
});

// Callers that request plain files and do not read the responses, over real connections.
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, expect, test } from '@jest/globals';
import { createApplication } from '@tessera/server';
import { http, type Reply } from '../../../../test/support/http.js';
import { until } from '../../../../test/support/until.js';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { Callers } from '../callers/callers.js';
import { EnvironmentSettings } from '../settings/environment-settings.js';
import { EnvironmentAnswers } from './environment-answers.js';
import { EnvironmentModule } from './environment.module.js';
import { DownloadLimiter } from './download-limiter.js';

/** Larger than the socket buffers of a connection without a reader. */
const FILE = Buffer.alloc(24 * 1024 * 1024, '#');
const PATH = '/orders/prod/main/large.bin';

let app: NestExpressApplication;
let slow: Socket;

afterEach(async () => {
  slow.destroy();
  await app.close();
});

/** Serves a fake backend with one file, to callers with all rights. */
async function serve(timeoutMs: number): Promise<number> {
  const backend: EnvironmentBackend = {
    name: 'stand-in',
    find: () => Promise.reject(new Error('unexpected call')),
    readFile: () => Promise.resolve({ content: FILE, modified: new Date(0) }),
  };
  const decryptor = { decrypt: () => Promise.reject(new Error('unexpected call')) };
  const settings = new EnvironmentSettings();
  const answers = new EnvironmentAnswers({ backends: [backend], decryptor, settings });
  const filesUnderWay = new DownloadLimiter({ bytes: FILE.length + 1, timeoutMs });
  const callers = { admit: () => Promise.resolve() } as unknown as Callers;
  const module = EnvironmentModule.forRoot({ answers: () => answers, callers, filesUnderWay });
  app = await createApplication(module, { contextPath: '', isTemporary: () => false });
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}

function download(port: number): Promise<Reply> {
  const headers = { accept: 'application/octet-stream' };
  return http('GET', `http://127.0.0.1:${port}`, PATH, { headers });
}

function downloadWithoutReading(port: number): void {
  slow = connect(port, '127.0.0.1').pause();
  slow.on('error', () => {});
  slow.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/octet-stream\r\n\r\n`);
}

async function rejection(port: number): Promise<Reply> {
  return until('a file is rejected', async () => {
    const reply = await download(port);
    return reply.status === 503 && reply;
  });
}

function served(port: number): Promise<true> {
  return until('files are served again', async () => (await download(port)).status === 200);
}

test('other callers get 503 until they are gone', async () => {
  const port = await serve(600_000);
  const whole = await download(port);
  expect([whole.status, whole.body.length]).toEqual([200, FILE.length]);
  expect(whole.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(FILE.length),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  });
  downloadWithoutReading(port);
  const { headers, body } = await rejection(port);
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

test('their connections are closed after the timeout without progress', async () => {
  const port = await serve(1_000);
  downloadWithoutReading(port);
  await rejection(port);
  await served(port);
});

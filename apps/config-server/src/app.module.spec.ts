// The application in Nest's own test module, and what a failed start leaves behind.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AnswerAdapter, Listener } from '@tessera/server';
import { configServerSettings } from '../../../test/support/config-server.js';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { http, urlOf } from '../../../test/support/http.js';
import { AppModule } from './app.module.js';
import { Backends } from './backends/backends.js';
import type { EnvironmentBackend } from './backends/environment-backend.js';
import { GitBackend } from './backends/git/git-backend.js';
import { createConfigServer } from './process/create-config-server.js';
import { FIXED_PARTS, newCounts } from '../../../test/support/process-parts.js';

const PARTS = { ...FIXED_PARTS, ...newCounts() };

let folder: string;
let app: INestApplication | undefined;

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app?.close();
  app = undefined;
  await removeFolder(folder);
});

test('the backends can be replaced', async () => {
  const properties = new Map([['limit', { value: '7' }]]);
  const backend: EnvironmentBackend = {
    name: 'stub',
    find: () =>
      Promise.resolve({
        revision: '1',
        version: null,
        state: null,
        sources: [{ name: 'stub', properties }],
      }),
  };
  const settings = await configServerSettings([
    '--profiles.active=dev',
    '--encrypt.generate=false',
  ]);
  const module = await Test.createTestingModule({
    imports: [await AppModule.forRoot(settings, PARTS)],
  })
    .overrideProvider(Backends)
    .useValue({ all: [backend] })
    .compile();
  app = module.createNestApplication(new AnswerAdapter(await Listener.create()), {
    bodyParser: false,
  });
  await app.listen(0, '127.0.0.1');
  const { status, body } = await http('GET', urlOf(app), '/orders/prod');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({
    name: 'orders',
    propertySources: [{ name: 'stub', source: { limit: '7' } }],
  });
});

test('a start that fails for its keys closes the backends that are open', async () => {
  const close = jest.spyOn(GitBackend.prototype, 'close');
  const settings = await configServerSettings([
    '--profiles.active=dev',
    '--config-server.backends=git',
    `--config-server.git.uri=${join(folder, 'remote')}`,
    `--config-server.git.clone-directory=${join(folder, 'clones')}`,
    `--encrypt.key-store.location=${join(folder, 'none.p12')}`,
    '--encrypt.key-store.password=changeit',
  ]);
  await expect(createConfigServer(settings, PARTS)).rejects.toThrow(/none\.p12/);
  expect(close).toHaveBeenCalledTimes(1);
});

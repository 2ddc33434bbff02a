// The application in Nest's own test module: parts can be replaced, and settings are injected.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigService } from '@nestjs/config';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Express } from 'express';
import { reloadOf, type Reload, LiveSettings } from '@tessera/config';
import { AnswerAdapter } from '@tessera/server';
import { parseTicketId, TicketRegistry } from '@tessera/tickets';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { http, urlOf } from '../../../test/support/http.js';
import { AppModule } from './app.module.js';
import { ticketsConfig } from './settings/namespaces.js';
import type { TicketSettings } from './settings/ticket-settings.js';
import { SsoSettings } from './settings.js';

const SECRET = 'correct-horse-battery-staple-0001';
const TGT = 'TGT-0000000000000000000000000000000000000000001';

let folder: string;
let database: TestDatabase;
let live: LiveSettings<SsoSettings>;
let reload: Reload;
let app: INestApplication | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'config'));
  await settings({ 'sso.management.token': SECRET });
  live = await LiveSettings.load(SsoSettings, {
    application: 'sso',
    env: {},
    directory: folder,
    credentialDirectories: [],
    argv: ['--profiles.active=dev', `--database.url=${database.url}`, '--sso.services.import='],
  });
  reload = reloadOf(live);
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  await removeFolder(folder);
});

async function settings(values: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(join(folder, 'config', 'sso.yml'), JSON.stringify(values));
}

async function testingModule() {
  return Test.createTestingModule({ imports: [await AppModule.forRoot(live, reload)] });
}

test('the ticket registry can be replaced', async () => {
  const registry: Partial<TicketRegistry> = {
    createTicketGrantingTicket: () => Promise.resolve(parseTicketId(TGT)!),
    clean: () => Promise.resolve({ sessions: 0, rotated: false }),
  };
  const module = (await testingModule()).overrideProvider(TicketRegistry).useValue(registry);
  app = (await module.compile()).createNestApplication(new AnswerAdapter(), {
    bodyParser: false,
  });
  await app.listen(0, '127.0.0.1');
  const form = { username: 'casuser', password: 'Mellon' };
  const { status, headers } = await http('POST', urlOf(app), '/v1/tickets', { form });
  expect(status).toBe(201);
  expect(headers['location']).toMatch(new RegExp(`/v1/tickets/${TGT}$`));
});

test('the router tries the routes of tickets first', async () => {
  app = (await (await testingModule()).compile()).createNestApplication(new AnswerAdapter(), {
    bodyParser: false,
  });
  await app.init();
  const { router } = app.getHttpAdapter().getInstance() as Express;
  const paths = router.stack.flatMap(({ route }) => route?.path ?? []);
  expect(paths[0]).toBe('/p3/serviceValidate');
  expect(paths.indexOf('/v1/tickets/:tgt')).toBeLessThan(paths.indexOf('/login'));
});

describe('@nestjs/config', () => {
  beforeEach(async () => {
    app = (await (await testingModule()).compile()).createNestApplication(new AnswerAdapter(), {
      bodyParser: false,
    });
    await app.init();
  });

  test('shows a reloaded setting, by ConfigService and in the group that was injected', async () => {
    const config = app!.get(ConfigService);
    const tickets = app!.get<TicketSettings>(ticketsConfig.KEY, { strict: false });
    expect([config.get('tickets.stLifetime'), tickets.stLifetime]).toEqual([10_000, 10_000]);
    await settings({ 'sso.management.token': SECRET, 'sso.tickets.st.lifetime': '7s' });
    expect(await reload('a test')).toMatchObject({ changed: ['sso.tickets.st.lifetime'] });
    expect([config.get('tickets.stLifetime'), tickets.stLifetime]).toEqual([7_000, 7_000]);
    expect(app!.get(ticketsConfig.KEY, { strict: false })).toBe(tickets);
  });

  test('copies no setting into process.env, at the start or at a reload', async () => {
    await settings({ 'sso.management.token': `${SECRET}-2` });
    await reload('a test');
    const environment = JSON.stringify(process.env);
    expect(environment).not.toContain(SECRET);
    expect(environment).not.toContain(database.url);
    expect(Object.keys(process.env).filter((name) => /^(sso|tickets)\b/.test(name))).toEqual([]);
  });

  test('refuses to change a setting', () => {
    const tickets = app!.get<Record<string, unknown>>(ticketsConfig.KEY, { strict: false });
    expect(() => {
      tickets['suffix'] = 'x';
    }).toThrow(TypeError);
  });
});

// The application in Nest's own test module: parts can be replaced, and settings are injected.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigService } from '@nestjs/config';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Express } from 'express';
import { loadSettings } from '@tessera/config';
import { AnswerAdapter, Listener } from '@tessera/server';
import { parseTicketId, TicketRegistry } from '@tessera/tickets';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { http, urlOf } from '../../../test/support/http.js';
import { AppModule } from './app.module.js';
import { ticketsConfig } from './settings/namespaces.js';
import type { TicketSettings } from './settings/ticket-settings.js';
import { SsoSettings } from './settings/sso-settings.js';
import { FIXED_PARTS } from '../../../test/support/process-parts.js';

const SECRET = 'correct-horse-battery-staple-0001';
const TGT = 'TGT-0000000000000000000000000000000000000000001';

let database: TestDatabase;
let settings: SsoSettings;
let app: INestApplication | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const argv = [
    '--profiles.active=dev',
    `--database.url=${database.url}`,
    '--sso.services.import=',
    `--sso.management.token=${SECRET}`,
  ];
  ({ settings } = await loadSettings(SsoSettings, { application: 'sso', env: {}, argv }));
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function testingModule() {
  return Test.createTestingModule({ imports: [await AppModule.forRoot(settings, FIXED_PARTS)] });
}

test('the ticket registry can be replaced', async () => {
  const registry: Partial<TicketRegistry> = {
    createTicketGrantingTicket: () => Promise.resolve(parseTicketId(TGT)!),
    clean: () => Promise.resolve({ sessions: 0, rotated: false }),
  };
  const module = (await testingModule()).overrideProvider(TicketRegistry).useValue(registry);
  app = (await module.compile()).createNestApplication(new AnswerAdapter(await Listener.create()), {
    bodyParser: false,
  });
  await app.listen(0, '127.0.0.1');
  const form = { username: 'casuser', password: 'Mellon' };
  const { status, headers } = await http('POST', urlOf(app), '/v1/tickets', { form });
  expect(status).toBe(201);
  expect(headers['location']).toMatch(new RegExp(`/v1/tickets/${TGT}$`));
});

test('the router tries the routes of tickets first', async () => {
  app = (await (await testingModule()).compile()).createNestApplication(
    new AnswerAdapter(await Listener.create()),
    {
      bodyParser: false,
    },
  );
  await app.init();
  const { router } = app.getHttpAdapter().getInstance() as Express;
  const paths = router.stack.flatMap(({ route }) => route?.path ?? []);
  expect(paths[0]).toBe('/p3/serviceValidate');
  expect(paths.indexOf('/v1/tickets/:tgt')).toBeLessThan(paths.indexOf('/login'));
});

describe('@nestjs/config', () => {
  beforeEach(async () => {
    app = (await (await testingModule()).compile()).createNestApplication(
      new AnswerAdapter(await Listener.create()),
      {
        bodyParser: false,
      },
    );
    await app.init();
  });

  test('hands settings out by ConfigService and by group', () => {
    const tickets = app!.get<TicketSettings>(ticketsConfig.KEY, { strict: false });
    expect(app!.get(ConfigService).get('tickets.stLifetime')).toBe(10_000);
    expect(tickets).toBe(settings.tickets);
  });

  test('copies no setting into process.env', () => {
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

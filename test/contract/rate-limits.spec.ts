// Rate limits: how many requests of one client address each route takes, and what a caller above the limit is answered.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { loadSettings } from '@tessera/config';
import { createSso } from '../../apps/sso/src/process/create-sso.js';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { DIALECTS } from '../support/dialects.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply, urlOf } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';
import { FIXED_PARTS } from '../support/process-parts.js';

const MESSAGE = 'too many requests: try again later';
const CREDENTIALS = { username: 'casuser', password: 'Mellon' };
const WRONG = { username: 'casuser', password: 'wrong' };

let sso: Sso;
let server: ConfigServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const login = (form: Readonly<Record<string, string>> = CREDENTIALS, localAddress = '127.0.0.1') =>
  http('POST', sso.url, '/v1/tickets', { form, localAddress });

/** Another node on the same database. */
async function secondNode(settings: readonly string[]): Promise<INestApplication> {
  const { settings: loaded } = await loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: [
      '--profiles.active=dev',
      `--database.url=${sso.database.url}`,
      '--sso.services.import=',
      ...settings,
    ],
  });
  const app = await createSso(loaded, FIXED_PARTS);
  await app.listen(0, '127.0.0.1');
  return app;
}

function statuses(replies: readonly Reply[]): readonly number[] {
  return replies.map(({ status }) => status);
}

async function repeat(times: number, send: () => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let turn = 0; turn < times; turn += 1) replies.push(await send());
  return replies;
}

describe('POST /v1/tickets', () => {
  afterEach(() => sso.close());

  test('has no limit by default', async () => {
    sso = await startSso();
    expect(new Set(statuses(await repeat(30, () => login())))).toEqual(new Set([201]));
    expect(await sso.database.dataSource.query('select from request_rate')).toEqual([]);
  });

  test.each(DIALECTS)(
    'refuses above the limit, in dialect $dialect',
    async ({ dialect, throttled, badCredentials }) => {
      sso = await startSso({ settings: ['--sso.rate-limit.login=3', `--sso.dialect=${dialect}`] });
      expect(statuses([await login(), await login(WRONG), await login()])).toEqual([
        201,
        badCredentials,
        201,
      ]);
      for (const form of [CREDENTIALS, WRONG]) {
        const reply = await login(form);
        expect(reply).toMatchObject({ status: throttled, body: MESSAGE });
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(50);
        expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
        expect(reply.headers['content-type']).toBe('text/plain;charset=UTF-8');
      }
      expect(
        Object.keys((await login()).headers).filter((name) => name.includes('ratelimit')),
      ).toEqual([]);
      expect((await login(CREDENTIALS, '127.0.0.2')).status).toBe(201);
    },
  );

  test('counts by the client address that a trusted proxy gives', async () => {
    sso = await startSso({
      settings: ['--sso.rate-limit.login=1', '--sso.proxies.trusted=127.0.0.1'],
    });
    const from = (address: string) =>
      http('POST', sso.url, '/v1/tickets', {
        form: CREDENTIALS,
        headers: { 'x-forwarded-for': address },
      });
    expect(
      statuses([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]),
    ).toEqual([201, 429, 201]);
  });

  test('counts the requests of all nodes, and forgets them when the window ends', async () => {
    sso = await startSso({ settings: ['--sso.rate-limit.login=2'] });
    const { dataSource } = sso.database;
    const other = await secondNode(['--sso.rate-limit.login=2']);
    try {
      const onOther = () =>
        http('POST', `${urlOf(other)}/cas`, '/v1/tickets', { form: CREDENTIALS });
      expect(statuses([await login(), await onOther(), await login(), await onOther()])).toEqual([
        201, 201, 429, 429,
      ]);
      await dataSource.query(`update request_rate set expires_at = now()`);
      expect((await login()).status).toBe(201);
    } finally {
      await other.close();
    }
  });

  test('never lets more through at once than the limit', async () => {
    sso = await startSso({ settings: ['--sso.rate-limit.login=5'] });
    const replies = await Promise.all(Array.from({ length: 20 }, () => login()));
    expect(statuses(replies).filter((status) => status === 201)).toHaveLength(5);
  });

  test('is no limit for granting, validating and logging out', async () => {
    sso = await startSso({ settings: ['--sso.rate-limit.login=1'] });
    const tgt = await sso.login();
    for (let turn = 0; turn < 5; turn += 1) await sso.grant(tgt);
    expect((await http('DELETE', sso.url, `/v1/tickets/${tgt}`)).status).toBe(200);
  });

  test('answers 503 while the database is unavailable', async () => {
    sso = await startSso({ settings: ['--sso.rate-limit.login=1'] });
    await sso.databaseProxy.set('refuse');
    sso.databaseProxy.cut();
    expect((await login()).status).toBe(503);
  });

  test('does not keep a reload from repairing an unavailable database', async () => {
    sso = await startSso({ settings: ['--sso.rate-limit.refresh=1'] });
    await sso.databaseProxy.set('refuse');
    sso.databaseProxy.cut();
    expect((await http('POST', sso.url, '/actuator/refresh')).status).toBe(200);
  });

  test('takes another limit at a reload', async () => {
    sso = await startSso({ settings: [] });
    await sso.reconfigure({ 'sso.rate-limit.login': 1 });
    expect(statuses([await login(), await login()])).toEqual([201, 429]);
  });
});

test.each([
  ['POST /v1/services/add/TGT-1', 'register', 404, MESSAGE],
  ['POST /actuator/refresh', 'refresh', 200, MESSAGE],
  ['POST /login', 'login-form', 400, '>Try again in '],
] as const)('%s has a limit of its own', async (route, name, status, message) => {
  sso = await startSso({
    settings: [`--sso.rate-limit.${name}=1`],
  });
  const [method = '', path = ''] = route.split(' ');
  const form = { serviceId: 'https://a/', name: 'a', description: 'a' };
  const send = () => http(method, sso.url, path, { form });
  const [first, second] = await repeat(2, send);
  await sso.close();
  expect(first?.status).toBe(status);
  expect(second?.status).toBe(429);
  expect(second?.body).toContain(message);
  expect(Number(second?.headers['retry-after'])).toBeGreaterThan(0);
});

test.each(['encrypt', 'decrypt'])('POST /%s has a limit of its own', async (route) => {
  const folder = await makeFolder();
  server = await startConfigServer([
    `--config-server.native.location=${folder}`,
    '--encrypt.key=0123456789abcdef0123456789abcdef',
    `--config-server.rate-limit.${route}=2`,
  ]);
  const { url } = server;
  const send = () =>
    http('POST', url, `/${route}`, { body: 'x', headers: { 'content-type': 'text/plain' } });
  const replies = await repeat(3, send);
  await removeFolder(folder);
  expect(statuses(replies).slice(0, 2)).not.toContain(429);
  expect(replies[2]).toMatchObject({
    status: 429,
    body: `{"description":"${MESSAGE}","status":"THROTTLED"}`,
  });
});

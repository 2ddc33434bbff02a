// Whatever route takes a credential is throttled: all routes of the running application are called with credentials of every
// kind, from an address that is blocked, and nobody may look at one. A new route or kind of credential takes part by itself,
// as long as `KINDS` knows how credentials of its kind are sent.
import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { RegisteredServiceEntity } from '@tessera/services';
import { loadSettings } from '@tessera/config';
import { TicketGranting } from '@tessera/tickets';
import type { AuthenticationHandler } from '../../apps/sso/src/authentication/authentication-handler.js';
import { Authenticator } from '../../apps/sso/src/authentication/authenticator.js';
import { createSso } from '../../apps/sso/src/process/create-sso.js';
import { MODULE_NAMES } from '../../apps/sso/src/settings/module-names.js';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Call } from '../support/http.js';
import { createTestPki } from '../support/pki/test-pki.js';
import { pathsOf, addFirstRoute } from '../support/routes.js';
import { APP, registerApp } from '../support/sso-node.js';
import { FIXED_PARTS } from '../support/process-parts.js';

const BLOCKED = '127.0.0.2';
const THRESHOLD = 2;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PASSWORD = { username: 'alice', password: 'Mellon' };
const HEADER = 'ssl-client-cert';

let database: TestDatabase;
let directory: string;
let app: INestApplication;
let origin: string;
let certificate: string;
let handlers: readonly AuthenticationHandler[];
/** Handlers that were asked, in order. */
const asked: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity, UserAccount] });
  await registerApp(database.dataSource);
  const passwordHash = await new PasswordHashing({ memory: 8, iterations: 1 }).hash('Mellon');
  await AccountStore.of(database.dataSource).add({ name: 'alice', passwordHash });
  const pki = await createTestPki();
  certificate = (await pki.client({ subject: 'CN=alice' })).pem;
  directory = await makeFolder();
  await writeFile(join(directory, 'ca.pem'), pki.bundle);
  app = await start();
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  handlers = Reflect.get(app.get(Authenticator), 'handlers') as AuthenticationHandler[];
  for (const handler of handlers) watch(handler);
});
afterAll(async () => {
  await app.close();
  await database.drop();
  await removeFolder(directory);
});

/** With every module there is. */
async function start(): Promise<INestApplication> {
  const { settings } = await loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: [
      '--profiles.active=dev',
      `--database.url=${database.url}`,
      '--sso.services.import=',
      `--sso.modules=${MODULE_NAMES.join(',')}`,
      '--sso.authentication.handlers=accounts',
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.throttle.rest.enabled=true',
      `--sso.throttle.rest.threshold=${THRESHOLD}`,
      `--sso.rest.x509.ca-file=${join(directory, 'ca.pem')}`,
      '--sso.rest.x509.trusted-hosts=127.0.0.0/8',
      '--sso.rest.x509.principal=cn',
      `--sso.rest.x509.header.name=${HEADER}`,
      '--sso.rest.x509.header.proxies=127.0.0.0/8',
    ],
  });
  const created = await createSso(settings, FIXED_PARTS);
  await created.listen(0, '127.0.0.1');
  return created;
}

function watch(handler: AuthenticationHandler): void {
  const authenticate = handler.authenticate.bind(handler);
  handler.authenticate = (credential) => {
    asked.push(handler.name);
    return authenticate(credential);
  };
}

function verifications(): number {
  const hashings = handlers.map((handler) => Reflect.get(handler, 'hashing') as unknown);
  return hashings
    .filter((hashing) => hashing instanceof PasswordHashing)
    .reduce((sum, hashing) => sum + hashing.verifications, 0);
}

interface Kind {
  readonly name: string;
  readonly form: () => Readonly<Record<string, string>>;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Everything a route may ask for beside a credential, in one form. */
const FURTHER = { service: APP, renew: 'true', execution: 'e1s1', _eventId: 'submit' };

const KINDS: readonly Kind[] = [
  { name: 'password', form: () => PASSWORD },
  { name: 'certificate', form: () => ({ cert: certificate }) },
  {
    name: 'certificate of a proxy',
    form: () => ({}),
    headers: () => ({ [HEADER]: encodeURIComponent(certificate) }),
  },
  {
    name: 'password in a header',
    form: () => ({}),
    headers: () => ({ authorization: `Basic ${btoa('alice:Mellon')}` }),
  },
];

interface Walked {
  /** `POST /cas/v1/tickets password`, where a handler was asked. */
  readonly reached: readonly string[];
  /** Statuses of the others that the walk of an address which is not blocked reaches. */
  readonly statuses: ReadonlyMap<string, number>;
}

/** Calls every path in every way with good credentials of every kind. */
async function walk(localAddress: string): Promise<Walked> {
  const reached: string[] = [];
  const statuses = new Map<string, number>();
  const ways = METHODS.flatMap((method) => KINDS.map((kind) => ({ method, kind })));
  for (const path of pathsOf(app)) {
    for (const { method, kind } of ways) {
      const before = asked.length;
      const call = { form: { ...FURTHER, ...kind.form() }, ...headersOf(kind), localAddress };
      const { status } = await http(method, origin, await filled(path), call);
      const name = `${method} ${path} ${kind.name}`;
      statuses.set(name, status);
      if (asked.length > before) reached.push(name);
    }
  }
  return { reached, statuses };
}

function headersOf(kind: Kind): Pick<Call, 'headers'> {
  return kind.headers === undefined ? {} : { headers: kind.headers() };
}

/** The path with a live session of alice's for each parameter; some routes end it, so it is a new one each time. */
async function filled(path: string): Promise<string> {
  const principal = { id: 'alice', attributes: {} };
  const login = { handler: 'a', credentialType: 'b', authenticatedAt: new Date(), methods: [] };
  const { text } = await app.get(TicketGranting).issue({ principal, ...login });
  return path.replaceAll(/:\w+/g, text);
}

const TAKING_CREDENTIALS = ['/cas/v1/tickets', '/cas/v1/tickets/:tgt'].flatMap((path) =>
  ['password', 'certificate', 'certificate of a proxy'].map((kind) => `POST ${path} ${kind}`),
);

describe('the routes', () => {
  test('that take credentials reach the handlers, from an address that is not blocked', async () => {
    const before = verifications();
    const { reached } = await walk('127.0.0.1');
    expect(reached).toEqual(expect.arrayContaining(TAKING_CREDENTIALS));
    expect(asked).toContain('x509');
    expect(verifications()).toBeGreaterThan(before);
  });

  test('reach no handler from an address that is blocked, and have no password hash computed', async () => {
    for (let turn = 0; turn < THRESHOLD; turn += 1) {
      const form = { ...PASSWORD, password: 'wrong' };
      await http('POST', origin, '/cas/v1/tickets', { form, localAddress: BLOCKED });
    }
    const before = verifications();
    const { reached, statuses } = await walk(BLOCKED);
    expect(reached).toEqual([]);
    expect(verifications()).toBe(before);
    expect(TAKING_CREDENTIALS.map((route) => statuses.get(route))).toEqual(
      TAKING_CREDENTIALS.map(() => 429),
    );
  });

  test('are found out where one asks a handler past the authenticator', async () => {
    addFirstRoute(app, '/cas/forgetful', async (_request, response) => {
      const credential = {
        type: 'UsernamePasswordCredential',
        ...PASSWORD,
        form: new Map(),
      } as const;
      await handlers[0]?.authenticate(credential);
      response.end();
    });
    const { reached } = await walk(BLOCKED);
    expect(reached).toEqual(KINDS.map(({ name }) => `POST /cas/forgetful ${name}`));
  });
});

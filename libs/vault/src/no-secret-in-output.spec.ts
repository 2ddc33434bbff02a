// Secrets and credentials appear in no log line, no error and no debug output of libraries.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { reply, FakeHttpServer, type Handler } from '../../../test/support/fake-http-server.js';
import { refuseUnsafeEnvironment, VaultClient } from './vault-client.js';
import { LeasedToken } from './leased-token.js';
import { appRoleLogin, givenToken, kubernetesLogin, type LogIn } from './logins.js';
import type { TokenProvider } from './tokens.js';

const SECRETS = [
  'hvs.sesame',
  'secret-id-of-ours',
  'value-of-ours',
  'hvs.from-login',
  'jwt-of-ours',
];
const GOOD = reply(200, { data: { 'db.password': 'value-of-ours', user: 'value-of-ours' } });
const LEASE = { client_token: 'hvs.from-login', lease_duration: 60, renewable: true };
const LOGIN = reply(200, { auth: LEASE });
const LOOKUP = reply(200, { data: { id: 'hvs.sesame', ttl: 0, expire_time: null } });
const DENIED = reply(403, { errors: ['permission denied'] });
/** Echoes the secrets of the request, raw and encoded. */
const echoes =
  (status: number): Handler =>
  async (response, request) => {
    const body = await textOf(request);
    const echo = `${String(request.headers['x-vault-token'])} ${body} ${encodeURIComponent(body)}`;
    reply(status, { errors: [`denied ${echo}`], warnings: [body], data: { [echo]: 1 } })(
      response,
      request,
    );
  };
const JWT = { setting: 'test.jwt', path: '' };

const POISON = {
  VAULT_ADDR: 'http://127.0.0.1:1',
  VAULT_TOKEN: 'hvs.of-somebody-else',
  VAULT_NAMESPACE: 'elsewhere',
  VAULT_PREFIX: '/elsewhere',
  HTTP_PROXY: 'http://127.0.0.1:1',
  http_proxy: 'http://127.0.0.1:1',
};

/** The library that node-vault writes its debug output with. */
const debug = createRequire(createRequire(import.meta.url).resolve('node-vault'))('debug') as {
  enable(namespaces: string): void;
  disable(): void;
};

const written: string[] = [];
const { write } = process.stderr;
let fakeServer: FakeHttpServer;
let folder: string;
let time = 0;

beforeAll(async () => {
  Object.assign(process.env, POISON);
  debug.enable('node-vault,*');
  process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  configureLogging({
    application: 'test',
    levels: { root: 'debug' },
    pretty: false,
    write: (line) => written.push(line),
  });
  fakeServer = await FakeHttpServer.start();
  folder = await makeFolder();
  JWT.path = join(folder, 'jwt');
  await writeFile(JWT.path, 'jwt-of-ours');
});
afterAll(async () => {
  debug.disable();
  await removeFolder(folder);
  process.stderr.write = write;
  for (const name of Object.keys(POISON)) Reflect.deleteProperty(process.env, name);
  await fakeServer.stop();
});

/** Reads twice; the second read renews the login. */
async function readWith(tokens: TokenProvider): Promise<unknown> {
  const options = { uri: fakeServer.url, tokens, namespace: '', timeout: 300 };
  const client = await VaultClient.open(options);
  const keyValues = client.keyValues({ mount: 'secret', version: 1 });
  try {
    await keyValues.read('orders');
    time += 45_000;
    return await keyValues.read('orders');
  } catch (error) {
    return error;
  } finally {
    client.close();
  }
}

const leased = (logIn: LogIn) => new LeasedToken(logIn, () => time);
const sesame = () => leased(givenToken(() => 'hvs.sesame'));
const appRole = () =>
  leased(
    appRoleLogin({ roleId: 'r', revealSecretId: () => 'secret-id-of-ours', mount: 'approle' }),
  );
const kubernetes = () =>
  leased(kubernetesLogin({ role: 'r', tokenFile: JWT, mount: 'kubernetes' }));

test.each<[string, () => TokenProvider, readonly Handler[]]>([
  ['a read', sesame, [LOOKUP, GOOD]],
  ['a token that is refused', sesame, [DENIED]],
  ['a token that is no header', () => leased(givenToken(() => 'hvs.sesame\n')), [GOOD]],
  ['a login', appRole, [LOGIN, GOOD, LOGIN, GOOD]],
  ['a login that is refused', appRole, [reply(400, { errors: ['invalid secret id'] })]],
  ['a login without an answer', appRole, [() => {}]],
  ['a renewal that is refused', appRole, [LOGIN, GOOD, DENIED, LOGIN, GOOD]],
  ['a renewal without a sound answer', appRole, [LOGIN, GOOD, reply(200, 'hvs.from-login'), GOOD]],
  ['a renewal that breaks off', appRole, [LOGIN, GOOD, (response) => response.destroy(), GOOD]],
  ['a login by Kubernetes', kubernetes, [LOGIN, GOOD]],
  ['a login by Kubernetes that is refused', kubernetes, [DENIED]],
  ['an echo of a token', sesame, [LOOKUP, echoes(403)]],
  ['an echo of a token, and no engine', sesame, [LOOKUP, echoes(404)]],
  ['an echo of a token that is looked up', sesame, [echoes(503)]],
  ['an echo of a token that Vault gave', appRole, [LOGIN, echoes(503)]],
  ['an echo of a renewal', appRole, [LOGIN, GOOD, echoes(500), GOOD]],
  ['an echo of a login', appRole, [echoes(403)]],
  ['an echo of a login, sealed out', appRole, [echoes(503)]],
  ['an echo of a login by Kubernetes', kubernetes, [echoes(400)]],
  ['an answer that is no JSON', sesame, [LOOKUP, reply(200, 'value-of-ours')]],
  ['an answer that breaks off', sesame, [LOOKUP, (response) => response.destroy()]],
])('%s leaves nothing behind', async (_what, tokens, replies) => {
  written.length = 0;
  fakeServer.respondWith(...replies);
  const outcome = await readWith(tokens());
  if (outcome instanceof Error) written.push(inspect(outcome, { depth: 9, showHidden: true }));
  expect(written.join('')).toContain('"logger":"vault"');
  for (const secret of SECRETS) expect(written.join('')).not.toContain(secret);
});

test('a line of level debug has path, status, duration and the names of keys', async () => {
  written.length = 0;
  fakeServer.respondWith(LOGIN, GOOD, LOGIN, GOOD);
  await readWith(appRole());
  const line = (path: string, keys: readonly string[]): unknown =>
    expect.objectContaining({
      logger: 'vault',
      level: 'debug',
      path,
      keys,
      status: 200,
      duration: expect.any(Number),
    });
  expect(written.map((each) => JSON.parse(each) as unknown)).toEqual([
    line('auth/approle/login', []),
    line('secret/orders', ['db.password', 'user']),
    line('auth/token/renew-self', []),
    line('secret/orders', ['db.password', 'user']),
  ]);
});

test('the environment sets neither the address nor the credentials', async () => {
  fakeServer.respondWith(LOGIN, GOOD, LOGIN, GOOD);
  await readWith(appRole());
  expect(fakeServer.requests.map(({ url }) => url)).toEqual([
    '/v1/auth/approle/login',
    '/v1/secret/orders',
    '/v1/auth/token/renew-self',
    '/v1/secret/orders',
  ]);
  expect(fakeServer.requests[0]?.headers).not.toHaveProperty('x-vault-token');
  expect(fakeServer.requests[1]?.headers).toHaveProperty('x-vault-token', 'hvs.from-login');
  expect(fakeServer.requests[1]?.headers).not.toHaveProperty('x-vault-namespace');
});

test.each(['1', 'true', 'false', '0'])('VAULT_SKIP_VERIFY=%s is refused', (value) => {
  expect(() => refuseUnsafeEnvironment({ VAULT_SKIP_VERIFY: value })).toThrow(
    expect.objectContaining({ code: 'VAULT_ENVIRONMENT_UNSAFE' }),
  );
});

test.each([{}, { VAULT_SKIP_VERIFY: undefined }, { VAULT_SKIP_VERIFY: '' }])(
  'an environment without it is accepted: %p',
  (environment) => {
    expect(() => refuseUnsafeEnvironment(environment)).not.toThrow();
  },
);

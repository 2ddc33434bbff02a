// What Vault keeps and what opens it appear nowhere: in no line of any level, in no error, in nothing that the environment
// makes libraries say.
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { reply, VaultImpostor } from '../../../test/support/vault-impostor.js';
import { AppRoleLogin } from './app-role-login.js';
import { refuseUnsafeEnvironment } from './environment.js';
import { fixedToken, type TokenProvider } from './tokens.js';
import { VaultClient } from './vault-client.js';

const KEPT = ['hvs.sesame', 'secret-id-of-ours', 'value-of-ours', 'hvs.from-login'];
const GOOD = reply(200, { data: { 'db.password': 'value-of-ours', user: 'value-of-ours' } });
const LOGIN = reply(200, { auth: { client_token: 'hvs.from-login', lease_duration: 60 } });

const POISON = {
  DEBUG: '*',
  VAULT_ADDR: 'http://127.0.0.1:1',
  VAULT_TOKEN: 'hvs.of-somebody-else',
  VAULT_NAMESPACE: 'elsewhere',
  VAULT_PREFIX: '/elsewhere',
  HTTP_PROXY: 'http://127.0.0.1:1',
  http_proxy: 'http://127.0.0.1:1',
};

const written: string[] = [];
const { write } = process.stderr;
let impostor: VaultImpostor;

beforeAll(async () => {
  Object.assign(process.env, POISON);
  process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  configureLogging({
    application: 'test',
    levels: { root: 'debug' },
    pretty: false,
    write: (line) => written.push(line),
  });
  impostor = await VaultImpostor.start();
});
afterAll(async () => {
  process.stderr.write = write;
  for (const name of Object.keys(POISON)) Reflect.deleteProperty(process.env, name);
  await impostor.stop();
});

async function readWith(tokens: TokenProvider): Promise<unknown> {
  const options = { uri: impostor.url, tokens, namespace: '', timeout: 2_000 };
  const client = await VaultClient.open(options);
  try {
    return await client.keyValues({ mount: 'secret', version: 1 }).read('orders');
  } catch (error) {
    return error;
  } finally {
    client.close();
  }
}

const appRole = () =>
  new AppRoleLogin({ roleId: 'r', revealSecretId: () => 'secret-id-of-ours', mount: 'approle' });

test.each([
  ['a read', () => fixedToken(() => 'hvs.sesame'), [GOOD]],
  ['a login', appRole, [LOGIN, GOOD]],
  ['a login that is refused', appRole, [reply(400, { errors: ['invalid secret id'] })]],
  ['a token that is refused', () => fixedToken(() => 'hvs.sesame'), [reply(403, { errors: [] })]],
  [
    'an answer that is no JSON',
    () => fixedToken(() => 'hvs.sesame'),
    [reply(200, 'value-of-ours')],
  ],
  ['a token that is no header', () => fixedToken(() => 'hvs.sesame\n'), [GOOD]],
])('%s leaves nothing behind', async (_what, tokens, replies) => {
  written.length = 0;
  impostor.says(...replies);
  const outcome = await readWith(tokens());
  if (outcome instanceof Error) written.push(inspect(outcome, { depth: 9, showHidden: true }));
  expect(written.join('')).toContain('"logger":"vault"');
  for (const kept of KEPT) expect(written.join('')).not.toContain(kept);
});

test('a line of level debug has path, status, duration and the names of keys', async () => {
  written.length = 0;
  impostor.says(GOOD);
  await readWith(fixedToken(() => 'hvs.sesame'));
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      logger: 'vault',
      level: 'debug',
      path: 'secret/orders',
      status: 200,
      duration: expect.any(Number),
      keys: ['db.password', 'user'],
    }),
  ]);
});

test('the environment says neither where Vault is nor who asks', async () => {
  impostor.says(LOGIN, GOOD);
  await readWith(appRole());
  expect(impostor.requests.map(({ url }) => url)).toEqual([
    '/v1/auth/approle/login',
    '/v1/secret/orders',
  ]);
  expect(impostor.requests[0]?.headers).not.toHaveProperty('x-vault-token');
  expect(impostor.requests[1]?.headers).toHaveProperty('x-vault-token', 'hvs.from-login');
  expect(impostor.requests[1]?.headers).not.toHaveProperty('x-vault-namespace');
});

test.each(['1', 'true', 'false', '0'])('VAULT_SKIP_VERIFY=%s is refused', (value) => {
  expect(() => refuseUnsafeEnvironment({ VAULT_SKIP_VERIFY: value })).toThrow(
    expect.objectContaining({ code: 'VAULT_ENVIRONMENT_UNSAFE' }),
  );
});

test.each([{}, { VAULT_SKIP_VERIFY: undefined }, { VAULT_SKIP_VERIFY: '' }])(
  'an environment that says nothing of it will do: %p',
  (environment) => {
    expect(() => refuseUnsafeEnvironment(environment)).not.toThrow();
  },
);

// Errors of Vault: their messages, retries and fallbacks. Nothing may contain a secret.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret, type SourceRequest } from '../../settings/index.js';
import { TcpProxy } from '../../../../../test/support/tcp-proxy.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { TestAuthority } from '../../../../../test/support/pki/test-authority.js';
import { until } from '../../../../../test/support/until.js';
import { describeWithVault, Vault } from '../../../../../test/support/vault.js';
import { VaultSettings } from './vault-settings.js';
import { VaultSource } from './vault-source.js';

const CANARIES = { token: Vault.rootToken, secretId: 'canary-secret-id', value: 'canary-value' };
const READ_SSO = 'path "secret/data/sso" { capabilities = ["read"] }';
const NOWHERE = 'http://127.0.0.1:1';

let source: VaultSource;
/** All log lines and violations. */
const output: string[] = [];

function load(given: Partial<VaultSettings>, environment = {}) {
  source = new VaultSource(environment);
  return loadAgain(given);
}

/** @param isValid whether the settings of all sources are valid */
async function loadAgain(given: Partial<VaultSettings>, isValid = true) {
  const quick = { maxAttempts: 2, initialInterval: 5, maxInterval: 5, timeout: 5_000 };
  const own = { ...quick, token: new Secret(CANARIES.token), ...given };
  const settings = Object.assign(new VaultSettings(), own);
  const group: SourceRequest['group'] = () => settings as never;
  const request = { applicationName: 'sso', profiles: [], group };
  const { accept, discard, ...result } = await source.load(request);
  if (isValid) await accept?.();
  else discard?.();
  output.push(JSON.stringify(result.violations));
  return result;
}

beforeAll(() => {
  const write = (line: string): number => output.push(line);
  configureLogging({ application: 'test', levels: { root: 'debug' }, pretty: false, write });
});
beforeEach(() => {
  output.length = 0;
});
afterEach(() => {
  source.close();
  for (const canary of Object.values(CANARIES)) expect(output.join('')).not.toContain(canary);
});

const attempts = () => output.filter((line) => line.includes('retrying')).length;

describeWithVault('a Vault', () => {
  let vault: Vault;
  let proxy: TcpProxy;
  let uri: string;

  beforeAll(async () => {
    vault = await Vault.start();
    proxy = new TcpProxy({ port: vault.port, host: '127.0.0.1' });
    await proxy.set('open');
    uri = `http://127.0.0.1:${proxy.port}`;
    await vault.put('sso', { 'sso.name': CANARIES.value });
  });
  beforeEach(() => proxy.set('open'));
  afterAll(async () => {
    await proxy.close();
    await vault.stop();
  });

  const good = [
    { key: 'sso.name', value: CANARIES.value, origin: 'vault secret/sso', isProtected: true },
  ];

  test('that refuses a path is a problem, which names the path and is asked once', async () => {
    const token = new Secret(await vault.tokenFor('sso-alone', READ_SSO));
    expect(await load({ uri, token })).toEqual({
      values: good,
      violations: [
        {
          origin: 'vault secret/application',
          message: expect.stringMatching(
            /^cannot be read: correct vault.token, or its policy.*application.*permission denied/,
          ),
        },
      ],
    });
    expect(attempts()).toBe(0);
  });

  test('that refuses a path is a warning without fail-fast, and the rest counts', async () => {
    const token = new Secret(await vault.tokenFor('sso-alone', READ_SSO));
    expect(await load({ uri, token, failFast: false })).toEqual({ values: good, violations: [] });
    const warnings = output.filter((line) => line.includes('"warn"'));
    expect(warnings).toEqual([expect.stringContaining('"paths":["application"]')]);
  });

  test('that takes no login is one problem, whatever the number of paths', async () => {
    await vault.appRole('sso', { token_policies: 'sso-alone' });
    const secretId = new Secret(CANARIES.secretId);
    const { violations } = await load({ uri, token: undefined, roleId: 'r', secretId });
    expect(violations).toEqual([
      {
        key: 'vault.app-role.secret-id',
        message: expect.stringMatching(
          /^is refused by Vault: Vault refuses auth\/approle\/login. \(status 400: invalid/,
        ),
      },
    ]);
  });

  test('is logged in to once, though settings are read again', async () => {
    await vault.tokenFor('all', 'path "secret/*" { capabilities = ["read"] }');
    const settings = { token_policies: 'all', secret_id_num_uses: '1' };
    const { roleId, secretId } = await vault.appRole('once', settings);
    const given = { uri, token: undefined, roleId, secretId: new Secret(secretId) };
    expect(await load(given)).toEqual({ values: good, violations: [] });
    expect(await loadAgain(given)).toEqual({ values: good, violations: [] });
  });

  test('is logged in to again with another secret', async () => {
    await load({ uri });
    const token = new Secret('hvs.unknown');
    expect((await loadAgain({ uri, token })).violations).toHaveLength(1);
    expect(await loadAgain({ uri })).toEqual({ values: good, violations: [] });
  });

  test('without that engine is a problem', async () => {
    expect((await load({ uri, mount: 'nosuch' })).violations).toEqual([
      {
        origin: 'vault nosuch/sso',
        message: expect.stringContaining('sys/internal/ui/mounts/nosuch'),
      },
    ]);
    expect((await load({ uri, givenVersion: '1' })).violations).toEqual([
      { key: 'vault.kv.backend', message: expect.stringContaining('vault.kv.version is wrong') },
    ]);
  });

  test('that is asked over TLS, and speaks none, is a problem', async () => {
    const message = expect.stringContaining('it seems to speak plain HTTP: write http://');
    const { violations } = await load({ uri: uri.replace('http:', 'https:') });
    expect(violations).toEqual([{ key: 'vault.uri', message }]);
  });

  test('that is sealed is a problem, until it is unsealed', async () => {
    await vault.seal();
    try {
      expect(await load({ uri })).toEqual({
        values: [],
        violations: [{ key: 'vault.uri', message: 'names a Vault that is sealed: unseal it' }],
      });
      const loading = loadAgain({ uri, maxAttempts: 100, initialInterval: 20, maxInterval: 20 });
      await until('it is asked again', () => attempts() > 1);
      await vault.unseal();
      expect(await loading).toEqual({ values: good, violations: [] });
    } finally {
      await vault.unseal();
    }
  });

  test('that comes while it is waited for gives its settings', async () => {
    await proxy.set('refuse');
    const loading = load({ uri, maxAttempts: 100, initialInterval: 20, maxInterval: 20 });
    await until('it is asked again', () => attempts() > 1);
    await proxy.set('open');
    expect(await loading).toEqual({ values: good, violations: [] });
  });

  test('that first has invalid settings and then none keeps the last valid ones', async () => {
    expect(await load({ uri, failFast: false })).toEqual({ values: good, violations: [] });
    await vault.put('sso', { 'sso.name': 'refused' });
    await loadAgain({ uri, failFast: false }, false);
    await proxy.set('refuse');
    expect(await loadAgain({ uri, failFast: false })).toEqual({ values: good, violations: [] });
    await vault.put('sso', { 'sso.name': CANARIES.value });
  });

  test.each([
    ['is down', 'refuse', 5_000, 'ECONNREFUSED|socket hang up|ECONNRESET'],
    ['does not answer', 'hang', 200, 'no answer within 200 ms'],
  ] as const)('that later %s is a problem, or nothing new', async (_, state, timeout, reason) => {
    for (const failFast of [true, false]) {
      await proxy.set('open');
      const given = { uri, failFast };
      expect(await load(given)).toEqual({ values: good, violations: [] });
      await proxy.set(state);
      const message = expect.stringMatching(`^names no Vault that answers.*(${reason})`);
      expect(await loadAgain({ ...given, timeout })).toEqual(
        failFast
          ? { values: [], violations: [{ key: 'vault.uri', message }] }
          : { values: good, violations: [] },
      );
    }
  });
});

describe('without a Vault', () => {
  test('the start goes on without fail-fast, with one warning', async () => {
    expect(await load({ uri: NOWHERE, failFast: false })).toEqual({ values: [], violations: [] });
    expect(output.filter((line) => line.includes('continuing with the last ones'))).toEqual([
      expect.stringContaining('"paths":["sso","application"],"reasons":["names no Vault'),
    ]);
    expect(attempts()).toBe(1);
  });

  test.each<[string, Partial<VaultSettings>, object, object]>([
    ['the address', {}, {}, { key: 'vault.uri', message: expect.stringMatching('ECONNREFUSED') }],
    [
      'the file of CAs',
      { caFile: '/nosuch' },
      {},
      {
        key: 'vault.ca-file',
        message: '/nosuch does not exist',
      },
    ],
    [
      'the file of the token',
      { tokenFile: '/nosuch' },
      {},
      {
        key: 'vault.token-file',
        message: '/nosuch does not exist',
      },
    ],
    [
      'the environment',
      {},
      { VAULT_SKIP_VERIFY: 'false' },
      {
        origin: 'environment',
        message: expect.stringMatching(/^VAULT_SKIP_VERIFY is set/),
      },
    ],
  ])('%s is what the problem is about', async (_what, given, environment, violation) => {
    const { violations } = await load({ uri: NOWHERE, ...given }, environment);
    expect(violations).toEqual([violation]);
  });
});

describe('a server that nobody vouches for', () => {
  let folder: string;
  let front: Server;
  let received = 0;

  beforeAll(async () => {
    folder = await makeFolder();
    const [authority, other] = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
    await writeFile(join(folder, 'other.pem'), other.cert);
    front = createServer(await authority.issue('CN=vault'), (socket) => {
      socket.on('data', () => (received += 1)).on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  afterAll(async () => {
    front.close();
    await removeFolder(folder);
  });

  const uri = () => `https://127.0.0.1:${(front.address() as AddressInfo).port}`;

  test.each([
    ['public CAs', () => ({})],
    ['another CA', () => ({ caFile: join(folder, 'other.pem') })],
  ])('hears nothing, and is asked no more: %s', async (_what, given) => {
    const { violations } = await load({ uri: uri(), ...given() });
    expect(violations).toEqual([
      { key: 'vault.uri', message: expect.stringMatching(/not trusted: .* vault\.ca-file/) },
    ]);
    expect({ received, attempts: attempts() }).toEqual({ received: 0, attempts: 0 });
  });
});

// Owns the faults that the secrets of the built programs go through: of Vault, config server, database, directory, settings
// and callers, with every log level on. Every secret is recognised wherever it turns up: none does where it does not belong.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endPrograms, type ProgramName } from '../support/process.js';
import { until } from '../support/until.js';
import { describeWithVault } from '../support/vault.js';
import { commandLines, filesIn } from './canaries.js';
import { SsoCaller } from './canary-callers.js';
import { resetCredentials, ORIGIN_RELOAD_ERRORS, ORIGIN_FAILING_STARTS } from './canary-origins.js';
import { recordCommandLines, recordOutput, OUTPUTS, recorded, TRACER } from './canary-places.js';
import { start, startPrograms, type Environment, type Programs } from './canary-programs.js';
import { canaries, protect, secrets } from './canary-secrets.js';
import { exceptVaultLogin, resetSettings, vaultSecrets, writeSettings } from './canary-settings.js';
import { explainSettings, exerciseConfigServer, exerciseGit, exerciseSso } from './canary-use.js';
import {
  closeFixture,
  databaseUrl,
  operatorFile,
  openFixture,
  tlsUrl,
  type Fixture,
} from './canary-fixture.js';
import { echo, neverAnswer } from './echo.js';

/** Of programs, in their working directory. */
const DATA_FOLDER = '.data';

describe('a secret is recognised', () => {
  const secret = secrets.vaultToken;
  const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16));

  test.each([
    ['as it is', `{"token":"${secret}"}`, 'plain'],
    ['in capitals', secret.toUpperCase(), 'plain'],
    ['by its end', secret.slice(-14), 'plain'],
    ['without its end', secret.slice(0, -14), 'plain'],
    ['in hexadecimal digits', bytes.join(''), 'hex'],
    ['in Base64', Buffer.from(secret).toString('base64'), 'base64'],
    ['in Base64 behind one letter', Buffer.from(`:${secret}`).toString('base64'), 'base64'],
    ['in Base64 behind two', Buffer.from(`u:${secret}?`).toString('base64url'), 'base64'],
    ['in a URL', bytes.map((byte) => `%${byte}`).join(''), 'url'],
    ['in JSON', bytes.map((byte) => String.raw`\u00${byte}`).join(''), 'json'],
  ])('%s', (_form, written, form) => {
    expect(canaries.foundIn(`before ${written} behind`)).toEqual([`vault-token (${form})`]);
  });

  test('but not by its name or by the last four characters, which tickets show', () => {
    expect(canaries.foundIn(`CANARY-vault-token-…${secret.slice(-4)}`)).toEqual([]);
  });
});

/** What a reload meets: how it comes to be, and how the answer tells it. */
const RELOAD_ERRORS: readonly (readonly [
  what: string,
  change: (fixture: Fixture) => unknown,
  told: RegExp,
])[] = [
  [
    'a Vault that lets nobody read',
    (fixture) => fixture.vaultProxy.respondWith(exceptVaultLogin(fixture, echo(403))),
    /correct vault\.app-role\.secret-id, or its policy/,
  ],
  [
    'a Vault that refuses everything',
    ({ vaultProxy }) => vaultProxy.respondWith(echo(403)),
    // A token that is not new is given up first, and there is a login in its place.
    /vault\.app-role\.secret-id(, or its policy|: is refused by Vault)/,
  ],
  ['a Vault that fails', ({ vaultProxy }) => vaultProxy.respondWith(echo(500)), /vault\.uri.*500/],
  [
    'a Vault that leads elsewhere',
    ({ vaultProxy }) => vaultProxy.respondWith(echo(307)),
    /vault\.uri.*307/,
  ],
  [
    'a Vault that does not answer',
    (fixture) => {
      fixture.vaultProxy.respondWith(neverAnswer);
      return writeSettings(fixture, { 'vault.timeout': '50ms' });
    },
    /no answer within 50 ms/,
  ],
  [
    'a Vault of another CA',
    (fixture) =>
      writeSettings(fixture, {
        'vault.uri': tlsUrl(fixture),
        'vault.ca-file': operatorFile(fixture, 'other-ca.pem'),
      }),
    /not trusted/,
  ],
  [
    'a Vault behind TLS that repeats',
    (fixture) =>
      writeSettings(fixture, {
        'vault.uri': tlsUrl(fixture),
        'vault.ca-file': operatorFile(fixture, 'ca.pem'),
      }),
    /secret-id: is refused by Vault/,
  ],
  [
    'a config server that refuses',
    ({ configServerProxy }) => configServerProxy.respondWith(echo(401)),
    /answers 401/,
  ],
  [
    'a config server that fails',
    (fixture) => {
      fixture.configServerProxy.respondWith(echo(500));
      return writeSettings(fixture, { 'sso.config-server.last-known-good': '' });
    },
    /answers 500/,
  ],
  [
    'a config server that leads elsewhere',
    ({ configServerProxy }) => configServerProxy.respondWith(echo(302)),
    /answers 302/,
  ],
  [
    'a config server that repeats',
    ({ configServerProxy }) => configServerProxy.respondWith(echo(200)),
    /something other/,
  ],
  [
    'a config server that does not answer',
    (fixture) => {
      fixture.configServerProxy.respondWith(neverAnswer);
      const given = { timeout: '50ms', 'last-known-good': '' };
      return writeSettings(fixture, { 'sso.config-server': given });
    },
    /does not answer within 50 ms/,
  ],
  [
    'a config server of another CA',
    (fixture) =>
      writeSettings(fixture, {
        'sso.config-server.url': tlsUrl(fixture),
        'sso.config-server.ca-file': operatorFile(fixture, 'other-ca.pem'),
      }),
    /not trusted/,
  ],
  [
    'a value that is protected with another password',
    async (fixture) =>
      writeSettings(fixture, {
        'sso.rest.services.role-value': await protect(secrets.plain, secrets.otherStandalone),
      }),
    /role-value: cannot be decrypted/,
  ],
  [
    'a value that is wrong, once decrypted',
    async (fixture) =>
      writeSettings(fixture, { 'sso.tickets.st.lifetime': await protect(secrets.plain) }),
    /sso\.tickets\.st\.lifetime: must be a duration/,
  ],
  [
    'a password that the database does not know',
    (fixture) => fixture.vault.put('sso', vaultSecrets(fixture, secrets.wrongDatabase)),
    /database\.url/,
  ],
  [
    'a database that is away',
    (fixture) =>
      Promise.all([
        fixture.databaseProxy.set('refuse'),
        fixture.vault.put('sso', vaultSecrets(fixture, secrets.wrongDatabase)),
      ]),
    /database\.url/,
  ],
  ...ORIGIN_RELOAD_ERRORS,
];

/** Programs that do not start: with what in the environment, and what they say. */
const FAILING_STARTS: readonly (readonly [
  what: string,
  name: ProgramName,
  given: (fixture: Fixture) => Environment | Promise<Environment>,
  told: RegExp,
])[] = [
  [
    'with secrets that nobody knows',
    'sso',
    () => ({
      VAULT_APP_ROLE_SECRET_ID: secrets.wrongSecretId,
      SSO_CONFIG_SERVER_USERNAME: '',
      SSO_CONFIG_SERVER_PASSWORD: '',
      SSO_CONFIG_SERVER_TOKEN: secrets.bearer,
      SSO_STANDALONE_SECURITY_PASSWORD: secrets.otherStandalone,
    }),
    /secret-id: is refused by Vault(.|\n)*config-server\.token: .* answers 401/,
  ],
  [
    'with a token that Vault does not know',
    'sso',
    () => ({
      VAULT_APP_ROLE_ROLE_ID: '',
      VAULT_APP_ROLE_SECRET_ID: '',
      VAULT_TOKEN: secrets.vaultToken,
    }),
    /vault.token/,
  ],
  [
    'with a password that the database does not know',
    'sso',
    (fixture) => ({ DATABASE_URL: databaseUrl(fixture, secrets.wrongDatabase) }),
    /password authentication failed|28P01/,
  ],
  [
    'with the passphrase of another key',
    'sso',
    () => ({ SSO_TLS_KEY_PASSPHRASE: secrets.wrongPassphrase }),
    /key.pem is encrypted with another passphrase/,
  ],
  [
    'with the password of another key store',
    'config-server',
    () => ({ ENCRYPT_KEY_STORE_PASSWORD: secrets.wrongKeyStore, VAULT_APP_ROLE_SECRET_ID: '' }),
    /key-store/,
  ],
  ...ORIGIN_FAILING_STARTS,
];

describeWithVault('of the secrets of programs', () => {
  let fixture: Fixture;
  let programs: Programs;
  let caller: SsoCaller;

  beforeAll(async () => {
    fixture = await openFixture();
    programs = await startPrograms(fixture);
    caller = new SsoCaller(programs.ssoUrl, fixture.authority);
  });
  afterAll(async () => {
    await endPrograms();
    await closeFixture(fixture);
  });

  test('all are used where programs do what they are for', async () => {
    await exerciseSso(caller, fixture);
    await exerciseConfigServer(programs.configUrl);
    await exerciseGit(fixture);
    expect(await explainSettings(fixture)).toBe(0);
  });

  test.each(RELOAD_ERRORS)(
    'all are used where a reload meets %s',
    async (_what, change, reason) => {
      await change(fixture);
      const { status, body } = await caller.reload();
      await resetSettings(fixture, programs.configUrl);
      await resetCredentials(fixture);
      expect({ status, body }).toEqual({ status: 409, body: expect.stringMatching(reason) });
    },
  );

  test('all are used where a reload meets nothing wrong', async () => {
    await writeSettings(fixture, { 'sso.dialect': 'apereo' });
    expect(await caller.reload()).toMatchObject({ status: 200, body: '["sso.dialect"]' });
  });

  test('all are used in starts in vain', async () => {
    const endings = FAILING_STARTS.map(async ([what, name, given]) => {
      const program = start(fixture, name, await given(fixture));
      await until('it runs', () => commandLines(program.pid).includes('main.js'));
      recordCommandLines(program);
      const { code } = await program.ended;
      recordOutput(program);
      return [what, code !== 0, program.stderr];
    });
    expect(await Promise.all(endings)).toEqual(
      FAILING_STARTS.map(([what, , , told]) => [what, true, expect.stringMatching(told)]),
    );
  });

  test('all that was said and written is looked at', async () => {
    const { sso, config } = programs;
    recordCommandLines(sso);
    recordCommandLines(config);
    await endPrograms();
    recordOutput(sso);
    recordOutput(config);
    await writeFile(join(fixture.home, 'tmp', TRACER), '');
    recorded.files.push(filesIn(fixture.home, DATA_FOLDER));
  });

  test.each(OUTPUTS)('each place where one could be is looked at: %s', (place) => {
    expect(recorded[place].join('\n')).toContain(TRACER);
  });

  test.each(OUTPUTS)('none is found: %s', (place) => {
    expect(canaries.foundIn(recorded[place].join('\n'))).toEqual([]);
  });
});

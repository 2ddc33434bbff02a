// Errors that reloads and starts of the programs meet, each with the text that reports it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramName } from '../support/process.js';
import { protect, secrets } from './canaries.js';
import {
  exceptVaultLogin,
  operatorFile,
  tlsUrl,
  vaultSecrets,
  writeCredential,
  writeSettings,
  type Fixture,
} from './canary-fixture.js';
import type { Environment } from './canary-programs.js';
import { echo, neverAnswer } from './handlers.js';

type ReloadError = readonly [
  event: string,
  change: (fixture: Fixture) => unknown,
  reported: RegExp,
];

/** A program, the environment that its start fails with, and its standard error. */
type FailingStart = readonly [
  event: string,
  name: ProgramName,
  environment: (fixture: Fixture) => Environment | Promise<Environment>,
  reported: RegExp,
];

/** An application whose only setting is in Vault. */
const VAULT_ONLY_APPLICATION = 'vault-only';

/** Invalid values that are secret by their origin, under keys that are not secret. */
const ORIGIN_RELOAD_ERRORS: readonly ReloadError[] = [
  [
    'a number that is none, in Vault',
    (fixture) => putInVault(fixture, { 'database.pool-size': secrets.unlikeItsKey }),
    /database\.pool-size: must be a whole number \(vault secret\/sso\)/,
  ],
  [
    'an unknown module, in Vault',
    (fixture) => putInVault(fixture, { 'sso.modules': ['rest', secrets.unlikeItsKey] }),
    /sso\.modules: names an unknown module; there are login, .* \(vault secret\/sso\)/,
  ],
  [
    'a file that is not there, in Vault',
    (fixture) => putInVault(fixture, { 'sso.authentication.ldap.ca-file': secrets.unlikeItsKey }),
    /sso\.authentication\.ldap\.ca-file:? .*\[secret\].*does not exist/,
  ],
  [
    'a duration that is none, as a credential',
    (fixture) => writeCredential(fixture, 'sso.tickets.pt.lifetime', secrets.unlikeItsKey),
    /sso\.tickets\.pt\.lifetime: must be a duration such as 500ms, [^"]* \(\//,
  ],
  [
    'a pattern that is none, decrypted',
    async (fixture) =>
      writeSettings(fixture, {
        'sso.rest.services.role-value': await protect(`(?P<${secrets.unlikeItsKey}`),
      }),
    /role-value: is not an RE2 pattern: invalid named capture \(/,
  ],
];

/** Wrong values from all three origins. */
const ORIGINS_FAILING_START: FailingStart = [
  'with wrong values in Vault, in a credential file, and protected',
  'sso',
  async (fixture) => {
    await fixture.vault.put(VAULT_ONLY_APPLICATION, { 'sso.port': secrets.unlikeItsKey });
    const directory = operatorFile(fixture, 'wrong-credentials');
    await mkdir(directory);
    await writeFile(join(directory, 'database.pool-size'), secrets.unlikeItsKey);
    return {
      APPLICATION_NAME: VAULT_ONLY_APPLICATION,
      VAULT_URI: fixture.vault.url,
      VAULT_APP_ROLE_ROLE_ID: fixture.roleId,
      SSO_PORT: '',
      CREDENTIALS_DIRECTORY: directory,
      SSO_BASE_URL: await protect(secrets.unlikeItsKey),
    };
  },
  inAnyOrder(
    /sso\.port: must be a whole number \(vault secret\/vault-only\)/,
    /database\.pool-size: must be a whole number \(\//,
    /sso\.base-url: must be an http or https URL \(environment SSO_BASE_URL\)/,
  ),
];

function inAnyOrder(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => `(?=[^]*${source})`).join(''));
}

function putInVault(fixture: Fixture, settings: object): Promise<void> {
  return fixture.vault.put('sso', { ...vaultSecrets(fixture, secrets.database), ...settings });
}

export const RELOAD_ERRORS: readonly ReloadError[] = [
  [
    'a Vault that lets nobody read',
    (fixture) => fixture.vaultProxy.respondWith(exceptVaultLogin(fixture, echo(403))),
    /correct vault\.app-role\.secret-id, or its policy/,
  ],
  [
    'a Vault that refuses everything',
    ({ vaultProxy }) => vaultProxy.respondWith(echo(403)),
    // The client drops a token that is not new and logs in again.
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
    /The database refuses user or password/,
  ],
  [
    'a database that is away',
    (fixture) =>
      Promise.all([
        fixture.databaseProxy.set('refuse'),
        fixture.vault.put('sso', vaultSecrets(fixture, secrets.wrongDatabase)),
      ]),
    /The database is not available/,
  ],
  ...ORIGIN_RELOAD_ERRORS,
];

export const FAILING_STARTS: readonly FailingStart[] = [
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
  ORIGINS_FAILING_START,
];

// Secrets under keys that are no secrets: from Vault, a credential file and a {cipher} value, right ones and wrong ones.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protect, secrets } from './canary-secrets.js';
import { vaultSecrets, writeSettings } from './canary-settings.js';
import { operatorFile, type Fixture } from './canary-fixture.js';

type Environment = Readonly<Record<string, string>>;

/** An application of which Vault alone has a setting. */
const VAULT_ONLY_APPLICATION = 'vain';

/** Wrong values that a reload meets, and how the answer tells them. */
export const ORIGIN_RELOAD_ERRORS: readonly (readonly [
  what: string,
  change: (fixture: Fixture) => unknown,
  told: RegExp,
])[] = [
  [
    'a number that is none, in Vault',
    (fixture) => putInVault(fixture, { 'database.pool-size': secrets.unlikeItsKey }),
    /database\.pool-size: must be a whole number \(vault secret\/sso\)/,
  ],
  [
    'an unknown module, in Vault',
    (fixture) => putInVault(fixture, { 'sso.modules': ['rest', secrets.unlikeItsKey] }),
    /sso\.modules: names an unknown module; there are rest, .* \(vault secret\/sso\)/,
  ],
  [
    'a file that is not there, in Vault',
    (fixture) => putInVault(fixture, { 'sso.authentication.ldap.ca-file': secrets.unlikeItsKey }),
    /sso\.authentication\.ldap\.ca-file:? .*\[secret\].*ENOENT/,
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

/** Starts in vain because of wrong values. */
export const ORIGIN_FAILING_STARTS: readonly (readonly [
  what: string,
  name: 'sso',
  given: (fixture: Fixture) => Environment | Promise<Environment>,
  told: RegExp,
])[] = [
  [
    'with a number in Vault that is none',
    'sso',
    async (fixture) => {
      await fixture.vault.put(VAULT_ONLY_APPLICATION, { 'sso.port': secrets.unlikeItsKey });
      return {
        APPLICATION_NAME: VAULT_ONLY_APPLICATION,
        VAULT_URI: fixture.vault.url,
        VAULT_APP_ROLE_ROLE_ID: fixture.roleId,
        SSO_PORT: '',
      };
    },
    /sso\.port: must be a whole number \(vault secret\/vain\)/,
  ],
  [
    'with a number in a credential file that is none',
    'sso',
    async (fixture) => {
      const directory = operatorFile(fixture, 'wrong-credentials');
      await mkdir(directory);
      await writeFile(join(directory, 'database.pool-size'), secrets.unlikeItsKey);
      return { CREDENTIALS_DIRECTORY: directory };
    },
    /database\.pool-size: must be a whole number \(\//,
  ],
  [
    'with a protected URL that is none',
    'sso',
    async () => ({ SSO_BASE_URL: await protect(secrets.unlikeItsKey) }),
    /sso\.base-url: must be an http or https URL \(environment SSO_BASE_URL\)/,
  ],
];

export async function resetCredentials(fixture: Fixture): Promise<void> {
  await rm(operatorFile(fixture, 'credentials'), { recursive: true, force: true });
  await mkdir(operatorFile(fixture, 'credentials'));
  const filter = `(&(uid={username})(description=${secrets.ofCredential}))`;
  await writeCredential(fixture, 'sso.authentication.ldap.filter', filter);
}

function writeCredential(fixture: Fixture, key: string, value: string): Promise<void> {
  return writeFile(join(operatorFile(fixture, 'credentials'), key), value);
}

function putInVault(fixture: Fixture, settings: object): Promise<void> {
  return fixture.vault.put('sso', { ...vaultSecrets(fixture, secrets.database), ...settings });
}

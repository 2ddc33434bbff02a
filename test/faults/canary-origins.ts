// Secrets under keys that are no secrets: from Vault, a credential file and a {cipher} value, right ones and wrong ones.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protect, secrets } from './canary-secrets.js';
import { vaultSecrets, writeSettings } from './canary-settings.js';
import { keptFile, type World } from './canary-world.js';

type Environment = Readonly<Record<string, string>>;

/** An application of which Vault alone has a setting. */
const VAIN = 'vain';

/** Wrong values that a reload meets, and how the answer tells them. */
export const ORIGIN_FAULTS: readonly (readonly [
  what: string,
  change: (world: World) => unknown,
  told: RegExp,
])[] = [
  [
    'a number that is none, in Vault',
    (world) => putInVault(world, { 'database.pool-size': secrets.unlikeItsKey }),
    /database\.pool-size: must be a whole number \(vault secret\/sso\)/,
  ],
  [
    'an unknown module, in Vault',
    (world) => putInVault(world, { 'sso.modules': ['rest', secrets.unlikeItsKey] }),
    /sso\.modules: names an unknown module; there are rest, .* \(vault secret\/sso\)/,
  ],
  [
    'a file that is not there, in Vault',
    (world) => putInVault(world, { 'sso.authentication.ldap.ca-file': secrets.unlikeItsKey }),
    /sso\.authentication\.ldap\.ca-file:? .*\[secret\].*ENOENT/,
  ],
  [
    'a duration that is none, as a credential',
    (world) => writeCredential(world, 'sso.tickets.pt.lifetime', secrets.unlikeItsKey),
    /sso\.tickets\.pt\.lifetime: must be a duration such as 500ms, [^"]* \(\//,
  ],
  [
    'a pattern that is none, decrypted',
    async (world) =>
      writeSettings(world, {
        'sso.rest.services.role-value': await protect(`(?P<${secrets.unlikeItsKey}`),
      }),
    /role-value: is not an RE2 pattern: invalid named capture \(/,
  ],
];

/** Starts in vain because of wrong values. */
export const ORIGIN_STARTS: readonly (readonly [
  what: string,
  name: 'sso',
  given: (world: World) => Environment | Promise<Environment>,
  told: RegExp,
])[] = [
  [
    'with a number in Vault that is none',
    'sso',
    async (world) => {
      await world.vault.put(VAIN, { 'sso.port': secrets.unlikeItsKey });
      return {
        APPLICATION_NAME: VAIN,
        VAULT_URI: world.vault.url,
        VAULT_APP_ROLE_ROLE_ID: world.roleId,
        SSO_PORT: '',
      };
    },
    /sso\.port: must be a whole number \(vault secret\/vain\)/,
  ],
  [
    'with a number in a credential file that is none',
    'sso',
    async (world) => {
      const directory = keptFile(world, 'wrong-credentials');
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

export async function mendCredentials(world: World): Promise<void> {
  await rm(keptFile(world, 'credentials'), { recursive: true, force: true });
  await mkdir(keptFile(world, 'credentials'));
  const filter = `(&(uid={username})(description=${secrets.ofCredential}))`;
  await writeCredential(world, 'sso.authentication.ldap.filter', filter);
}

function writeCredential(world: World, key: string, value: string): Promise<void> {
  return writeFile(join(keptFile(world, 'credentials'), key), value);
}

function putInVault(world: World, settings: object): Promise<void> {
  return world.vault.put('sso', { ...vaultSecrets(world, secrets.database), ...settings });
}

// Owns the programs of the world: what each is given, and the two that run throughout. What is asked of them is not here.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PasswordHashing } from '@tessera/crypto';
import { Program, type ProgramName } from '../support/process.js';
import { askConfig } from './canary-callers.js';
import { TRACER } from './canary-places.js';
import { secrets } from './canary-secrets.js';
import { mendCredentials } from './canary-origins.js';
import { mendSettings } from './canary-settings.js';
import { keptFile, type World } from './canary-world.js';

export type Environment = Readonly<Record<string, string>>;

/** Of a config server, none of whose settings is in Vault or protected. */
export const NO_SETTINGS_TO_FETCH: Environment = {
  SSO_STANDALONE_SECURITY_PASSWORD: '',
  VAULT_APP_ROLE_SECRET_ID: '',
};

export interface Programs {
  readonly config: Program;
  readonly configUrl: string;
  readonly sso: Program;
  readonly ssoUrl: string;
}

export async function startPrograms(world: World): Promise<Programs> {
  await mendCredentials(world);
  const passwordHash = await new PasswordHashing({ iterations: 1 }).hash(secrets.basic);
  const permissions = ['read', 'encrypt', 'decrypt'];
  const client = { 'password-hash': passwordHash, applications: '*', permissions };
  const config = start(world, 'config-server', {
    ...NO_SETTINGS_TO_FETCH,
    CONFIG_SERVER_CLIENTS: JSON.stringify({ sso: client }),
  });
  const configUrl = `http://127.0.0.1:${await portOf(config)}`;
  await serveUsers(world, configUrl);
  await mendSettings(world, configUrl);
  const sso = start(world, 'sso', {});
  return { config, configUrl, sso, ssoUrl: `https://127.0.0.1:${await portOf(sso)}/cas` };
}

/** It can write to what is its own alone, and says all there is to say. An empty variable is not given. */
export function start(
  world: World,
  name: ProgramName,
  given: Environment,
  ...args: readonly string[]
): Program {
  const own = {
    HOME: join(world.home, 'home'),
    TMPDIR: join(world.home, 'tmp'),
    DEBUG: '*',
    LOGGING_LEVEL_ROOT: 'debug',
    SSO_PORT: '0',
    CONFIG_SERVER_PORT: '0',
    SSO_CONFIG_SERVER_USERNAME: 'sso',
    SSO_CONFIG_SERVER_PASSWORD: secrets.basic,
    SSO_STANDALONE_SECURITY_PASSWORD: `@${keptFile(world, 'standalone')}`,
    SSO_TLS_KEY_PASSPHRASE: secrets.passphrase,
    VAULT_APP_ROLE_SECRET_ID: secrets.secretId,
    CREDENTIALS_DIRECTORY: keptFile(world, 'credentials'),
    ENCRYPT_KEY: secrets.encryptKey,
    ENCRYPT_KEY_STORE_LOCATION: keptFile(world, 'store.p12'),
    ENCRYPT_KEY_STORE_PASSWORD: secrets.keyStore,
  };
  const profiles = `--profiles.active=dev,${TRACER}`;
  const env = Object.entries({ ...own, ...given }).filter(([, value]) => value !== '');
  return Program.start(name, [...args, profiles], {
    cwd: world.home,
    env: Object.fromEntries(env),
  });
}

/** Of a server, once it listens. */
export async function portOf(program: Program): Promise<string> {
  const [, port = ''] = await program.says(/"port":(\d+),"msg":"listening"/);
  return port;
}

/** Has the config server serve the people who can log in. */
async function serveUsers({ home }: World, configUrl: string): Promise<void> {
  const users = await askConfig(configUrl, '/encrypt', `ada::${secrets.user}`);
  const served = { sso: { authentication: { static: { users: `{cipher}${users.body}` } } } };
  await writeFile(join(home, 'config-repo/sso.yml'), JSON.stringify(served));
}

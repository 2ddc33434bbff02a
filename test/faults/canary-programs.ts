// Owns the programs of the fixture: what each is given, and the two that run throughout. What is asked of them is not here.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PasswordHashing } from '@tessera/crypto';
import { Program, type ProgramName } from '../support/process.js';
import { callConfigServer } from './canary-callers.js';
import { TRACER } from './canary-places.js';
import { secrets } from './canary-secrets.js';
import { resetCredentials } from './canary-origins.js';
import { resetSettings } from './canary-settings.js';
import { operatorFile, type Fixture } from './canary-fixture.js';

export type Environment = Readonly<Record<string, string>>;

/** Of a config server, none of whose settings is in Vault or protected. */
export const NO_REMOTE_SETTINGS: Environment = {
  SSO_STANDALONE_SECURITY_PASSWORD: '',
  VAULT_APP_ROLE_SECRET_ID: '',
};

export interface Programs {
  readonly config: Program;
  readonly configUrl: string;
  readonly sso: Program;
  readonly ssoUrl: string;
}

export async function startPrograms(fixture: Fixture): Promise<Programs> {
  await resetCredentials(fixture);
  const passwordHash = await new PasswordHashing({ iterations: 1 }).hash(secrets.basic);
  const permissions = ['read', 'encrypt', 'decrypt'];
  const client = { 'password-hash': passwordHash, applications: '*', permissions };
  const config = start(fixture, 'config-server', {
    ...NO_REMOTE_SETTINGS,
    CONFIG_SERVER_CLIENTS: JSON.stringify({ sso: client }),
  });
  const configUrl = `http://127.0.0.1:${await portOf(config)}`;
  await serveUsers(fixture, configUrl);
  await resetSettings(fixture, configUrl);
  const sso = start(fixture, 'sso', {});
  return { config, configUrl, sso, ssoUrl: `https://127.0.0.1:${await portOf(sso)}/cas` };
}

/** It can write to what is its own alone, and says all there is to say. An empty variable is not given. */
export function start(
  fixture: Fixture,
  name: ProgramName,
  given: Environment,
  ...args: readonly string[]
): Program {
  const own = {
    HOME: join(fixture.home, 'home'),
    TMPDIR: join(fixture.home, 'tmp'),
    DEBUG: '*',
    LOGGING_LEVEL_ROOT: 'debug',
    SSO_PORT: '0',
    CONFIG_SERVER_PORT: '0',
    SSO_CONFIG_SERVER_USERNAME: 'sso',
    SSO_CONFIG_SERVER_PASSWORD: secrets.basic,
    SSO_STANDALONE_SECURITY_PASSWORD: `@${operatorFile(fixture, 'standalone')}`,
    SSO_TLS_KEY_PASSPHRASE: secrets.passphrase,
    VAULT_APP_ROLE_SECRET_ID: secrets.secretId,
    CREDENTIALS_DIRECTORY: operatorFile(fixture, 'credentials'),
    ENCRYPT_KEY: secrets.encryptKey,
    ENCRYPT_KEY_STORE_LOCATION: operatorFile(fixture, 'store.p12'),
    ENCRYPT_KEY_STORE_PASSWORD: secrets.keyStore,
  };
  const profiles = `--profiles.active=dev,${TRACER}`;
  const env = Object.entries({ ...own, ...given }).filter(([, value]) => value !== '');
  return Program.start(name, [...args, profiles], {
    cwd: fixture.home,
    env: Object.fromEntries(env),
  });
}

/** Of a server, once it listens. */
export async function portOf(program: Program): Promise<string> {
  const [, port = ''] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
  return port;
}

/** Has the config server serve the people who can log in. */
async function serveUsers({ home }: Fixture, configUrl: string): Promise<void> {
  const users = await callConfigServer(configUrl, '/encrypt', `ada::${secrets.user}`);
  const served = { sso: { authentication: { static: { users: `{cipher}${users.body}` } } } };
  await writeFile(join(home, 'config-repo/sso.yml'), JSON.stringify(served));
}

// Owns what the sso's settings come from: its file, Vault's secret, and what the servers in front of Vault and of the config
// server say. Not those servers themselves.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from '../support/vault-impostor.js';
import { canaries, protect, secrets } from './canary-secrets.js';
import { databaseUrl, keptFile, type World } from './canary-world.js';
import { passOn } from './echo.js';

const RETRY = { 'max-attempts': 2, 'initial-interval': '5ms', 'max-interval': '5ms' };

/** Brings all that settings come from in order. */
export async function mendSettings(world: World, configUrl: string): Promise<void> {
  const { vaultFront, configFront, vault, door } = world;
  vaultFront.says(passOn(vault.url, watchLogin));
  configFront.says(passOn(configUrl));
  await Promise.all([
    writeSettings(world),
    door.set('open'),
    vault.put('sso', vaultSecrets(world, secrets.database)),
  ]);
}

/** Puts the settings file in place. */
export async function writeSettings(world: World, changed: object = {}): Promise<void> {
  const settings = {
    'sso.base-url': 'https://sso.example.org/cas',
    'sso.services.import': '',
    'sso.tls.certificate-file': keptFile(world, 'cert.pem'),
    'sso.tls.key-file': keptFile(world, 'key.pem'),
    'sso.authentication.handlers': ['static', 'ldap'],
    'sso.authentication.ldap.urls': world.ldap.url,
    'sso.authentication.ldap.bind-dn': 'cn=search,dc=example,dc=org',
    'sso.authentication.ldap.base-dn': 'dc=example,dc=org',
    'sso.rest.services.role-name': 'memberOf',
    'sso.rest.services.role-value': await protect(secrets.plain),
    'sso.config-server.url': world.configFront.url,
    'sso.config-server.retry': RETRY,
    'sso.config-server.last-known-good': join(world.home, 'last-known-good'),
    'vault.uri': world.vaultFront.url,
    'vault.app-role.role-id': world.roleId,
    'vault.retry': RETRY,
    'settings.reload': { 'file-interval': '0s', 'remote-interval': '0s' },
  };
  await writeFile(join(world.home, 'config/sso.yml'), JSON.stringify({ ...settings, ...changed }));
}

/** What Vault holds. */
export function vaultSecrets(world: World, databasePassword: string): object {
  return {
    'database.url': databaseUrl(world, databasePassword),
    'sso.authentication.ldap.bind-password': secrets.bind,
    'sso.management.token': secrets.management,
    'sso.management.role-name': 'memberOf',
    'sso.management.role-value': secrets.ofVault,
  };
}

/** Logins to Vault are as ever, all else is answered so. */
export function lettingIn({ vault }: World, other: Reply): Reply {
  return (response, request) => {
    const isLogin = request.url?.startsWith('/v1/auth/') ?? false;
    (isLogin ? passOn(vault.url, watchLogin) : other)(response, request);
  };
}

function watchLogin(body: string): void {
  const { auth } = JSON.parse(body || '{}') as { auth?: { client_token: string } | null };
  if (auth) canaries.watch('token of a login to Vault', auth.client_token);
}

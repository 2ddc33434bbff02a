// Owns what the sso's settings come from: its file, Vault's secret, and what the servers in front of Vault and of the config
// server say. Not those servers themselves.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Responder } from '../support/fake-http-server.js';
import { canaries, protect, secrets } from './canary-secrets.js';
import { databaseUrl, operatorFile, type Fixture } from './canary-fixture.js';
import { forwardTo } from './echo.js';

const RETRY = { 'max-attempts': 2, 'initial-interval': '5ms', 'max-interval': '5ms' };

/** Brings all that settings come from in order. */
export async function resetSettings(fixture: Fixture, configUrl: string): Promise<void> {
  const { vaultProxy, configServerProxy, vault, databaseProxy } = fixture;
  vaultProxy.respondWith(forwardTo(vault.url, watchLogin));
  configServerProxy.respondWith(forwardTo(configUrl));
  await Promise.all([
    writeSettings(fixture),
    databaseProxy.set('open'),
    vault.put('sso', vaultSecrets(fixture, secrets.database)),
  ]);
}

/** Puts the settings file in place. */
export async function writeSettings(fixture: Fixture, changed: object = {}): Promise<void> {
  const settings = {
    'sso.base-url': 'https://sso.example.org/cas',
    'sso.services.import': '',
    'sso.tls.certificate-file': operatorFile(fixture, 'cert.pem'),
    'sso.tls.key-file': operatorFile(fixture, 'key.pem'),
    'sso.authentication.handlers': ['static', 'ldap'],
    'sso.authentication.ldap.urls': fixture.ldap.url,
    'sso.authentication.ldap.bind-dn': 'cn=search,dc=example,dc=org',
    'sso.authentication.ldap.base-dn': 'dc=example,dc=org',
    'sso.rest.services.role-name': 'memberOf',
    'sso.rest.services.role-value': await protect(secrets.plain),
    'sso.config-server.url': fixture.configServerProxy.url,
    'sso.config-server.retry': RETRY,
    'sso.config-server.last-known-good': join(fixture.home, 'last-known-good'),
    'vault.uri': fixture.vaultProxy.url,
    'vault.app-role.role-id': fixture.roleId,
    'vault.retry': RETRY,
    'settings.reload': { 'file-interval': '0s', 'remote-interval': '0s' },
  };
  await writeFile(
    join(fixture.home, 'config/sso.yml'),
    JSON.stringify({ ...settings, ...changed }),
  );
}

/** What Vault holds. */
export function vaultSecrets(fixture: Fixture, databasePassword: string): object {
  return {
    'database.url': databaseUrl(fixture, databasePassword),
    'sso.authentication.ldap.bind-password': secrets.bind,
    'sso.management.token': secrets.management,
    'sso.management.role-name': 'memberOf',
    'sso.management.role-value': secrets.ofVault,
  };
}

/** Logins to Vault are as ever, all else is answered so. */
export function exceptVaultLogin({ vault }: Fixture, other: Responder): Responder {
  return (response, request) => {
    const isLogin = request.url?.startsWith('/v1/auth/') ?? false;
    (isLogin ? forwardTo(vault.url, watchLogin) : other)(response, request);
  };
}

function watchLogin(body: string): void {
  const { auth } = JSON.parse(body || '{}') as { auth?: { client_token: string } | null };
  if (auth) canaries.watch('token of a login to Vault', auth.client_token);
}

// The fixture of the canary tests: folders and files, the servers that the programs call, and the settings of the SSO.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import forge from 'node-forge';
import { RegisteredServiceEntity } from '@tessera/services';
import { DatabaseRole } from '../support/database-role.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FakeHttpServer, type Handler } from '../support/fake-http-server.js';
import { FakeLdapServer } from '../support/fake-ldap-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { element, integer, message, text } from '../support/ldap-messages.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { query } from '../support/query.js';
import { registerApp } from '../support/sso-node.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { Vault } from '../support/vault.js';
import { secrets, canaries, protect } from './canaries.js';
import { echo, forwardTo } from './handlers.js';

/** @see RFC 4511 §4.2.2 */
const BIND_RESPONSE = 0x61;
const INVALID_CREDENTIALS = 49;

interface Folders {
  /** The only folder that the programs write to. */
  readonly home: string;
  /** Files of the operator, outside `home`. */
  readonly operatorFolder: string;
  readonly authority: TestAuthority;
}

interface DatabaseFixture {
  readonly database: TestDatabase;
  readonly role: DatabaseRole;
  /** All connections of the programs to the database go through it. */
  readonly databaseProxy: DatabaseProxy;
}

interface VaultFixture {
  readonly vault: Vault;
  readonly roleId: string;
}

interface FakeServers {
  readonly vaultProxy: FakeHttpServer;
  readonly configServerProxy: FakeHttpServer;
  /** Fakes a Vault or a config server behind TLS. */
  readonly tlsServer: Server;
  readonly ldap: FakeLdapServer;
  readonly otlp: OtlpReceiver;
}

export interface Fixture extends Folders, DatabaseFixture, VaultFixture, FakeServers {}

export async function openFixture(): Promise<Fixture> {
  const [home, operatorFolder, authority] = await Promise.all([
    makeFolder(),
    makeFolder(),
    TestAuthority.create(),
  ]);
  const folders = { home, operatorFolder, authority };
  const [database, vault, fronts] = await Promise.all([
    openDatabase(),
    openVault(),
    startFakeServers(authority),
    writeOperatorFiles(folders),
  ]);
  return { ...folders, ...database, ...vault, ...fronts };
}

export async function closeFixture(fixture: Fixture): Promise<void> {
  const { vault, vaultProxy, configServerProxy, databaseProxy, otlp } = fixture;
  fixture.tlsServer.close();
  fixture.ldap.close();
  await Promise.all([
    vaultProxy.stop(),
    configServerProxy.stop(),
    otlp.stop(),
    vault.stop(),
    databaseProxy.close(),
  ]);
  await fixture.role.drop();
  await fixture.database.drop();
  await Promise.all([removeFolder(fixture.home), removeFolder(fixture.operatorFolder)]);
}

/** Path of a file of the operator. */
export function operatorFile(
  { operatorFolder }: Pick<Fixture, 'operatorFolder'>,
  name: string,
): string {
  return join(operatorFolder, name);
}

export function tlsUrl({ tlsServer }: Fixture): string {
  return `https://127.0.0.1:${(tlsServer.address() as AddressInfo).port}`;
}

function databaseUrl({ databaseProxy, role }: Fixture, password: string): string {
  return databaseProxy.url.replace('//postgres@', `//${role.name}:${password}@`);
}

async function openDatabase(): Promise<DatabaseFixture> {
  const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await registerApp(database.dataSource);
  const databaseProxy = new DatabaseProxy(database.url);
  await databaseProxy.set('open');
  const role = await DatabaseRole.create(database.url);
  await query(database.url, `alter role ${role.name} password '${secrets.database}'`);
  return { database, role, databaseProxy };
}

async function openVault(): Promise<VaultFixture> {
  const vault = await Vault.start();
  await vault.tokenFor('canary', 'path "secret/*" { capabilities = ["read"] }');
  const { roleId } = await vault.appRole('canary', { token_policies: 'canary' });
  const secretId = JSON.stringify({ secret_id: secrets.secretId });
  await vault.send('POST', 'auth/approle/role/canary/custom-secret-id', secretId);
  return { vault, roleId };
}

async function startFakeServers(authority: TestAuthority): Promise<FakeServers> {
  const [vaultProxy, configServerProxy, ldap, otlp] = await Promise.all([
    FakeHttpServer.start(),
    FakeHttpServer.start(),
    FakeLdapServer.start(),
    OtlpReceiver.start(),
  ]);
  const diagnostic = text(`${secrets.bind} is not the password`);
  const bindResponse = element(
    BIND_RESPONSE,
    integer(0x0a, INVALID_CREDENTIALS),
    text(''),
    diagnostic,
  );
  ldap.onBind = (id) => message(id, bindResponse);
  const tlsServer = createServer(await authority.issue('CN=front'), (request, response) => {
    echo(403)(response, request);
  }).listen(0, '127.0.0.1');
  await once(tlsServer, 'listening');
  return { vaultProxy, configServerProxy, tlsServer, ldap, otlp };
}

async function writeOperatorFiles(folders: Folders): Promise<void> {
  const { home, authority } = folders;
  for (const name of ['home', 'tmp', 'config', 'config-repo']) await mkdir(join(home, name));
  const { cert, key } = await authority.issue('CN=sso');
  const other = await TestAuthority.create('CN=Other CA');
  const cipher = { cipher: 'aes-256-cbc', passphrase: secrets.passphrase };
  const files = {
    standalone: secrets.standalone,
    'cert.pem': cert,
    'key.pem': createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', ...cipher }),
    'ca.pem': authority.cert,
    'other-ca.pem': other.cert,
    'store.p12': keyStore(secrets.keyStore),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(operatorFile(folders, name), content, { mode: 0o600 });
  }
}

/** PKCS#12, with one RSA key. */
function keyStore(password: string): Buffer {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const key = forge.pki.privateKeyFromPem(pem);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.sign(key);
  const store = forge.pkcs12.toPkcs12Asn1(key, certificate, password, { algorithm: '3des' });
  return Buffer.from(forge.asn1.toDer(store).getBytes(), 'latin1');
}

const RETRY = { 'max-attempts': 2, 'initial-interval': '5ms', 'max-interval': '5ms' };

/** Restores every source of settings to a valid state. */
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

/** Writes the settings file. @param changed settings that differ from the valid ones */
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

/** The settings of the SSO in Vault. */
export function vaultSecrets(fixture: Fixture, databasePassword: string): object {
  return {
    'database.url': databaseUrl(fixture, databasePassword),
    'sso.authentication.ldap.bind-password': secrets.bind,
    'sso.management.token': secrets.management,
    'sso.management.role-name': 'memberOf',
    'sso.management.role-value': secrets.ofVault,
  };
}

/** Forwards logins to Vault, and answers all other requests with `other`. */
export function exceptVaultLogin({ vault }: Fixture, other: Handler): Handler {
  return (response, request) => {
    const isLogin = request.url?.startsWith('/v1/auth/') ?? false;
    (isLogin ? forwardTo(vault.url, watchLogin) : other)(response, request);
  };
}

function watchLogin(body: string): void {
  const { auth } = JSON.parse(body || '{}') as { auth?: { client_token: string } | null };
  if (auth) canaries.watch('token of a login to Vault', auth.client_token);
}

export async function resetCredentials(fixture: Fixture): Promise<void> {
  await rm(operatorFile(fixture, 'credentials'), { recursive: true, force: true });
  await mkdir(operatorFile(fixture, 'credentials'));
  const filter = `(&(uid={username})(description=${secrets.ofCredential}))`;
  await writeCredential(fixture, 'sso.authentication.ldap.filter', filter);
}

export function writeCredential(fixture: Fixture, key: string, value: string): Promise<void> {
  return writeFile(join(operatorFile(fixture, 'credentials'), key), value);
}

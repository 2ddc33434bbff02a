// Owns the fixture of the programs: folders and files, and the servers they ask, with what stands in front of those. Neither
// the settings that lead there nor the programs.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import forge from 'node-forge';
import { RegisteredServiceEntity } from '@tessera/services';
import { DatabaseProxy } from '../support/database-proxy.js';
import { DatabaseRole } from '../support/database-role.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { FakeLdapServer } from '../support/fake-ldap-server.js';
import { element, integer, message, text } from '../support/ldap-messages.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { query } from '../support/query.js';
import { registerApp } from '../support/sso-node.js';
import { FakeHttpServer } from '../support/fake-http-server.js';
import { Vault } from '../support/vault.js';
import { secrets } from './canary-secrets.js';
import { echo } from './echo.js';

/** Of LDAP. @see RFC 4511 §4.2.2 */
const BIND_ANSWER = 0x61;
const INVALID_CREDENTIALS = 49;

interface Folders {
  /** Of the programs: they write to it alone. */
  readonly home: string;
  /** What operators keep in files, outside of it. */
  readonly operatorFolder: string;
  readonly authority: TestAuthority;
}

interface DatabaseFixture {
  readonly database: TestDatabase;
  readonly role: DatabaseRole;
  /** The programs' only way to the database. */
  readonly databaseProxy: DatabaseProxy;
}

interface VaultFixture {
  readonly vault: Vault;
  readonly roleId: string;
}

interface FakeServers {
  readonly vaultProxy: FakeHttpServer;
  readonly configServerProxy: FakeHttpServer;
  /** In place of a Vault or a config server behind TLS. */
  readonly tlsServer: Server;
  readonly ldap: FakeLdapServer;
}

export interface Fixture extends Folders, DatabaseFixture, VaultFixture, FakeServers {}

export async function openFixture(): Promise<Fixture> {
  const [home, operatorFolder, authority] = await Promise.all([
    makeFolder(),
    makeFolder(),
    TestAuthority.create(),
  ]);
  const ground = { home, operatorFolder, authority };
  const [database, vault, fronts] = await Promise.all([
    openDatabase(),
    openVault(),
    startFakeServers(authority),
    writeOperatorFiles(ground),
  ]);
  return { ...ground, ...database, ...vault, ...fronts };
}

export async function closeFixture(fixture: Fixture): Promise<void> {
  const { vault, vaultProxy, configServerProxy, databaseProxy } = fixture;
  fixture.tlsServer.close();
  fixture.ldap.close();
  await Promise.all([
    vaultProxy.stop(),
    configServerProxy.stop(),
    vault.stop(),
    databaseProxy.close(),
  ]);
  await fixture.role.drop();
  await fixture.database.drop();
  await Promise.all([removeFolder(fixture.home), removeFolder(fixture.operatorFolder)]);
}

/** Path of a file that operators keep. */
export function operatorFile(
  { operatorFolder }: Pick<Fixture, 'operatorFolder'>,
  name: string,
): string {
  return join(operatorFolder, name);
}

export function tlsUrl({ tlsServer }: Fixture): string {
  return `https://127.0.0.1:${(tlsServer.address() as AddressInfo).port}`;
}

export function databaseUrl({ databaseProxy, role }: Fixture, password: string): string {
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
  const [vaultProxy, configServerProxy, ldap] = await Promise.all([
    FakeHttpServer.start(),
    FakeHttpServer.start(),
    FakeLdapServer.start(),
  ]);
  const words = text(`${secrets.bind} is not the password`);
  const refusal = element(BIND_ANSWER, integer(0x0a, INVALID_CREDENTIALS), text(''), words);
  ldap.onBind = (id) => message(id, refusal);
  const tlsServer = createServer(await authority.issue('CN=front'), (request, response) => {
    echo(403)(response, request);
  }).listen(0, '127.0.0.1');
  await once(tlsServer, 'listening');
  return { vaultProxy, configServerProxy, tlsServer, ldap };
}

async function writeOperatorFiles(ground: Folders): Promise<void> {
  const { home, authority } = ground;
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
    await writeFile(operatorFile(ground, name), content, { mode: 0o600 });
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

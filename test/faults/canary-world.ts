// Owns the world of the programs: folders and files, and the servers they ask, with what stands in front of those. Neither
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
import { LdapImpostor } from '../support/ldap-impostor.js';
import { element, integer, message, text } from '../support/ldap-messages.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { query } from '../support/query.js';
import { registerApp } from '../support/sso-node.js';
import { VaultImpostor } from '../support/vault-impostor.js';
import { Vault } from '../support/vault.js';
import { secrets } from './canary-secrets.js';
import { echo } from './echo.js';

/** Of LDAP. @see RFC 4511 §4.2.2 */
const BIND_ANSWER = 0x61;
const INVALID_CREDENTIALS = 49;

interface Ground {
  /** Of the programs: they write to it alone. */
  readonly home: string;
  /** What operators keep in files, outside of it. */
  readonly kept: string;
  readonly authority: TestAuthority;
}

interface OpenDatabase {
  readonly database: TestDatabase;
  readonly role: DatabaseRole;
  /** The programs' only way to the database. */
  readonly door: DatabaseProxy;
}

interface OpenVault {
  readonly vault: Vault;
  readonly roleId: string;
}

interface Fronts {
  readonly vaultFront: VaultImpostor;
  readonly configFront: VaultImpostor;
  /** In place of a Vault or a config server behind TLS. */
  readonly tlsFront: Server;
  readonly ldap: LdapImpostor;
}

export interface World extends Ground, OpenDatabase, OpenVault, Fronts {}

export async function openWorld(): Promise<World> {
  const [home, kept, authority] = await Promise.all([
    makeFolder(),
    makeFolder(),
    TestAuthority.create(),
  ]);
  const ground = { home, kept, authority };
  const [database, vault, fronts] = await Promise.all([
    openDatabase(),
    openVault(),
    openFronts(authority),
    keepFiles(ground),
  ]);
  return { ...ground, ...database, ...vault, ...fronts };
}

export async function closeWorld(world: World): Promise<void> {
  const { vault, vaultFront, configFront, door } = world;
  world.tlsFront.close();
  world.ldap.close();
  await Promise.all([vaultFront.stop(), configFront.stop(), vault.stop(), door.close()]);
  await world.role.drop();
  await world.database.drop();
  await Promise.all([removeFolder(world.home), removeFolder(world.kept)]);
}

/** Path of a file that operators keep. */
export function keptFile({ kept }: Pick<World, 'kept'>, name: string): string {
  return join(kept, name);
}

export function tlsUrl({ tlsFront }: World): string {
  return `https://127.0.0.1:${(tlsFront.address() as AddressInfo).port}`;
}

export function databaseUrl({ door, role }: World, password: string): string {
  return door.url.replace('//postgres@', `//${role.name}:${password}@`);
}

async function openDatabase(): Promise<OpenDatabase> {
  const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await registerApp(database.dataSource);
  const door = new DatabaseProxy(database.url);
  await door.set('open');
  const role = await DatabaseRole.create(database.url);
  await query(database.url, `alter role ${role.name} password '${secrets.database}'`);
  return { database, role, door };
}

async function openVault(): Promise<OpenVault> {
  const vault = await Vault.start();
  await vault.tokenFor('canary', 'path "secret/*" { capabilities = ["read"] }');
  const { roleId } = await vault.appRole('canary', { token_policies: 'canary' });
  const secretId = JSON.stringify({ secret_id: secrets.secretId });
  await vault.send('POST', 'auth/approle/role/canary/custom-secret-id', secretId);
  return { vault, roleId };
}

async function openFronts(authority: TestAuthority): Promise<Fronts> {
  const [vaultFront, configFront, ldap] = await Promise.all([
    VaultImpostor.start(),
    VaultImpostor.start(),
    LdapImpostor.start(),
  ]);
  const words = text(`${secrets.bind} is not the password`);
  const refusal = element(BIND_ANSWER, integer(0x0a, INVALID_CREDENTIALS), text(''), words);
  ldap.onBind = (id) => message(id, refusal);
  const tlsFront = createServer(await authority.issue('CN=front'), (request, response) => {
    echo(403)(response, request);
  }).listen(0, '127.0.0.1');
  await once(tlsFront, 'listening');
  return { vaultFront, configFront, tlsFront, ldap };
}

async function keepFiles(ground: Ground): Promise<void> {
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
    await writeFile(keptFile(ground, name), content, { mode: 0o600 });
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

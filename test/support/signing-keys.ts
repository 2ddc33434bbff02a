// Commands on signing keys, nodes that read them, and key files to import.
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditSearch } from '@tessera/audit';
import { newKeyFile, parseEnvelopeKey } from '@tessera/crypto';
import { Announcements } from '@tessera/database';
import { openKeySealing, SigningKeys, SigningKeyStore } from '@tessera/signing-keys';
import { clearAuditTrail } from './audit-records.js';
import { runTessera, withoutArgumentWarnings } from './command-line.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { makeFolder, removeFolder } from './folders.js';

export const rsaJwk = (modulusLength = 2048): JsonWebKey =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ format: 'jwk' });
export const ecJwk = (namedCurve = 'P-256'): JsonWebKey =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' });

export const idsOf = (keys: readonly { readonly kid: string }[]): readonly string[] =>
  keys.map(({ kid }) => kid);

/** Sealing keys, as the setting has them. */
export const [OLD, NEW] = [newKeyFile('old').trim(), newKeyFile('new').trim()];

export class SigningKeySuite {
  readonly store: SigningKeyStore;
  private readonly running: { stop(): Promise<void> }[] = [];

  static async open(): Promise<SigningKeySuite> {
    return new SigningKeySuite(await createTestDatabase(), await makeFolder());
  }

  private constructor(
    private readonly database: TestDatabase,
    private readonly directory: string,
  ) {
    this.store = new SigningKeyStore(database.dataSource.manager);
  }

  /** Stops the nodes, and removes all keys and events. */
  async clear(): Promise<void> {
    for (const each of this.running.splice(0)) await each.stop();
    await this.database.dataSource.query('delete from signing_key');
    await clearAuditTrail(this.database.dataSource);
  }

  async close(): Promise<void> {
    await this.clear();
    await this.database.drop();
    await removeFolder(this.directory);
  }

  /** Runs `tessera oidc keys …`. @param sealingKeys empty: the setting is not there */
  async keys(args: readonly string[], sealingKeys: readonly string[] = [OLD]) {
    const settings = [
      `--database.url=${this.database.url}`,
      `--settings.location=${this.directory}`,
    ];
    if (sealingKeys.length > 0) settings.push(`--sso.oidc.sealing-keys=${sealingKeys.join(',')}`);
    const result = await runTessera(['oidc', 'keys', ...args, ...settings]);
    return { ...result, stderr: withoutArgumentWarnings(result.stderr) };
  }

  /** A node that has started, and so has made the keys that were missing. */
  async node(sealingKey = OLD): Promise<SigningKeys> {
    const sealingKeys = [parseEnvelopeKey(sealingKey)!];
    const sealing = await openKeySealing({ sealingKeys, generatesKey: false });
    const announcements = new Announcements(this.database.dataSource);
    const keys = new SigningKeys(this.store, sealing, announcements);
    this.running.push(keys, announcements);
    await keys.start();
    announcements.start();
    return keys;
  }

  async events(): Promise<readonly object[]> {
    const { dataSource } = this.database;
    const search = new AuditSearch((text, values) => dataSource.query(text, values));
    const found = await search.find({}, 10);
    return found.map(({ action, subject, details }) => ({ action, subject, ...details }));
  }

  /** Writes a JSON Web Key Set. @returns its path */
  async file(...keys: readonly object[]): Promise<string> {
    const path = join(this.directory, 'keystore.jwks');
    await writeFile(path, JSON.stringify({ keys }));
    return path;
  }
}

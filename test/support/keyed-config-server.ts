// A config server with an old key, a new key to replace it, and a value encrypted with each.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { envelopeRingKey, newKeyFile, readKeyFile } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import type { ReloadOutcome } from '@tessera/config';
import { startConfigServerFromFile, type ReloadableConfigServer } from './config-server.js';
import { makeFolder, removeFolder } from './folders.js';
import { http, type Reply } from './http.js';

/** Properties of an application whose value cannot be decrypted. */
export const UNREADABLE = { 'invalid.k': '<n/a>' };
export const TEXT = { 'content-type': 'text/plain' };

interface KeyFile {
  readonly path: string;
  /** The name of the key, encrypted with the key. */
  readonly cipher: string;
}
type KeyName = 'old' | 'new';

/** The applications `old` and `new` have a property `k` each, encrypted with the key of that name. */
export class KeyedConfigServer {
  private constructor(
    readonly folder: string,
    readonly keys: Readonly<Record<KeyName, KeyFile>>,
    /** Log lines since the start, warnings and errors. */
    readonly lines: readonly string[],
    private readonly server: ReloadableConfigServer,
  ) {}

  /** Starts it with the old key. */
  static async start(): Promise<KeyedConfigServer> {
    const lines: string[] = [];
    const write = (line: string): unknown => lines.push(line);
    configureLogging({ application: 'test', levels: { root: 'warn' }, write });
    const folder = await makeFolder();
    const [ofOld, ofNew] = await Promise.all([newKey(folder, 'old'), newKey(folder, 'new')]);
    const keys = { old: ofOld, new: ofNew };
    await mkdir(join(folder, 'repo'));
    for (const name of ['old', 'new'] as const) {
      const content = `k={cipher}${keys[name].cipher}\n`;
      await writeFile(join(folder, 'repo', `${name}.properties`), content);
    }
    const settings = settingsWith(folder, { 'encrypt.key-files': keys.old.path });
    const server = await startConfigServerFromFile(folder, settings);
    return new KeyedConfigServer(folder, keys, lines, server);
  }

  get url(): string {
    return this.server.url;
  }

  /** @param settings if given, they replace the current ones first */
  reload(settings?: object): Promise<ReloadOutcome> {
    return this.server.reload(settings && settingsWith(this.folder, settings));
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return http('GET', this.url, path, { headers });
  }

  post(path: string, body: string): Promise<Reply> {
    return http('POST', this.url, path, { headers: TEXT, body });
  }

  /** The properties in the source of an application with the highest precedence. */
  async served(application: KeyName): Promise<Record<string, unknown>> {
    const { body } = await this.get(`/${application}/default`);
    return (JSON.parse(body) as { propertySources: [{ source: Record<string, unknown> }] })
      .propertySources[0].source;
  }

  async close(): Promise<void> {
    await this.server.close();
    await removeFolder(this.folder);
    configureLogging({ application: 'test', levels: { root: 'warn' } });
  }
}

function settingsWith(folder: string, settings: object): object {
  return { 'config-server.native.location': join(folder, 'repo'), ...settings };
}

async function newKey(folder: string, name: KeyName): Promise<KeyFile> {
  const path = join(folder, `${name}.key`);
  await writeFile(path, newKeyFile(), { mode: 0o600 });
  const file = await readKeyFile(path);
  if (file.kind === 'rsa') throw new Error('not a symmetric key');
  return { path, cipher: await envelopeRingKey(file.key).encryptor.encrypt(Buffer.from(name)) };
}

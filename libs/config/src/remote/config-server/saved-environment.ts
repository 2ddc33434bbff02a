// Saves the last answer of the config server, encrypted, for when no server answers.
import { CryptoError, formOf, type KeyRing } from '@tessera/crypto';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { readPrivateFile, replacePrivateFile } from './private-file.js';
import { parseEnvironment, type ServedEnvironment } from './served-environment.js';

export interface SavedAnswer {
  readonly server: string;
  /** When the answer was received. */
  readonly time: Date;
  readonly environment: ServedEnvironment;
}

/** The decrypted content of the file. */
interface Content {
  readonly name: string;
  readonly server: string;
  readonly time: string;
  readonly json: string;
}

export class SavedEnvironment {
  private constructor(
    private readonly path: string,
    private readonly keys: KeyRing,
    /** The alias of the key that encrypts. */
    private readonly alias: string,
  ) {}

  /** Undefined without a key for authenticated encryption: anyone with the public half of an RSA key can write the file. */
  static async open(path: string, keys: KeyRing): Promise<SavedEnvironment | undefined> {
    for (const alias of keys.aliases) {
      const sample = await keys.encrypt(Buffer.alloc(0), alias);
      if (isEnvelope(sample)) return new SavedEnvironment(path, keys, alias);
    }
    return undefined;
  }

  /**
   * Replaces the saved answer.
   *
   * @returns why it failed; the text names the file
   */
  async save(
    name: EnvironmentName,
    answer: Omit<SavedAnswer, 'environment'> & { readonly json: Uint8Array },
  ): Promise<string | undefined> {
    const content: Content = {
      name: describeEnvironment(name),
      server: answer.server,
      time: answer.time.toISOString(),
      json: Buffer.from(answer.json).toString(),
    };
    const text = await this.keys.encrypt(Buffer.from(JSON.stringify(content)), this.alias);
    return replacePrivateFile(this.path, text);
  }

  /**
   * The saved answer of an environment, or why there is none; the text names the file.
   *
   * @param servers the configured servers; answers of others are rejected
   */
  async load(name: EnvironmentName, servers: readonly string[]): Promise<SavedAnswer | string> {
    const read = await readPrivateFile(this.path);
    if ('error' in read) return read.error;
    const plain = await this.decrypt(read.text);
    if (!plain) return `${this.path} is damaged, or was encrypted with another key`;
    const content = contentOf(plain);
    const environment = content && parseEnvironment(Buffer.from(content.json));
    if (!environment) return `${this.path} is damaged`;
    const { name: savedName, server, time } = content;
    if (savedName !== describeEnvironment(name)) {
      return `${this.path} is of another environment: ${savedName}`;
    }
    if (!servers.includes(server)) return `${this.path} is of another server: ${server}`;
    return { server, time: new Date(time), environment };
  }

  private async decrypt(text: string): Promise<Buffer | undefined> {
    if (!isEnvelope(text)) return undefined;
    try {
      return await this.keys.decrypt(text);
    } catch (error) {
      if (error instanceof CryptoError) return undefined;
      throw error;
    }
  }
}

/** The authenticated format: only a holder of the key can write it, and changes are detected. */
function isEnvelope(text: string): boolean {
  return formOf(text).startsWith('v1.');
}

function contentOf(plain: Buffer): Content | undefined {
  try {
    const { name, server, time, json } = JSON.parse(plain.toString()) as Record<string, unknown>;
    const members = [name, server, time, json];
    if (!members.every((member) => typeof member === 'string')) return undefined;
    if (Number.isNaN(Date.parse(String(time)))) return undefined;
    return { name, server, time, json } as Content;
  } catch {
    return undefined;
  }
}

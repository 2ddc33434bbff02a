// Owns what is kept of the last answer of the config server, encrypted, for when no server answers. When it counts is the
// source's affair.
import { CryptoError, formOf, type KeyRing } from '@tessera/crypto';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { readPrivateFile, replacePrivateFile } from './private-file.js';
import { parseEnvironment, type ServedEnvironment } from './served-environment.js';

export interface KeptAnswer {
  readonly server: string;
  /** When the answer came. */
  readonly time: Date;
  readonly environment: ServedEnvironment;
}

/** What is in the file, once it is decrypted. */
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
    /** Of the key that encrypts. */
    private readonly alias: string,
  ) {}

  /** Undefined where no key writes texts that show every change: with an RSA key anybody can write who has its public half. */
  static async open(path: string, keys: KeyRing): Promise<SavedEnvironment | undefined> {
    for (const alias of keys.aliases) {
      const sample = await keys.encrypt(Buffer.alloc(0), alias);
      if (isEnvelope(sample)) return new SavedEnvironment(path, keys, alias);
    }
    return undefined;
  }

  /**
   * Puts an answer in the place of the one before.
   *
   * @returns why it cannot, which names the file
   */
  async keep(
    name: EnvironmentName,
    answer: Omit<KeptAnswer, 'environment'> & { readonly json: Uint8Array },
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
   * What was kept under the name, or why there is nothing: a text that names the file.
   *
   * @param servers whose answers count
   */
  async recall(name: EnvironmentName, servers: readonly string[]): Promise<KeptAnswer | string> {
    const read = await readPrivateFile(this.path);
    if ('fault' in read) return read.fault;
    const plain = await this.decrypt(read.text);
    if (!plain) return `${this.path} is damaged, or was encrypted with another key`;
    const content = contentOf(plain);
    const environment = content && parseEnvironment(Buffer.from(content.json));
    if (!environment) return `${this.path} is damaged`;
    const { name: kept, server, time } = content;
    if (kept !== describeEnvironment(name)) return `${this.path} is of another one: ${kept}`;
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

/** The one form in which no change goes unnoticed, and which only who has the key can write. */
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

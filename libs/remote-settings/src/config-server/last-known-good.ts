// Owns the file that keeps the last answer of the config server, encrypted, for when no server answers. When it counts is the
// source's affair.
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { CryptoError, readGuardedFile, type KeyRing } from '@tessera/crypto';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { parseEnvironment, type ServedEnvironment } from './served-environment.js';

/** As it is read again: no larger. */
const MOST_BYTES = 1_048_576;

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

export class LastKnownGood {
  constructor(
    private readonly path: string,
    private readonly keys: KeyRing,
  ) {}

  /**
   * Puts an answer in the place of the one before, as a whole: who opens the file finds one of them.
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
    const text = await this.keys.encrypt(Buffer.from(JSON.stringify(content)));
    if (text.length > MOST_BYTES) return `${this.path} would have more than ${MOST_BYTES} bytes`;
    return this.replace(text);
  }

  /** What was kept under the name, or why there is nothing: a text that names the file. */
  async recall(name: EnvironmentName): Promise<KeptAnswer | string> {
    try {
      const text = await readGuardedFile(this.path);
      const content = contentOf(await this.keys.decrypt(text.toString()));
      if (!content) return `${this.path} is damaged`;
      const { name: kept, server } = content;
      if (kept !== describeEnvironment(name)) return `${this.path} is of another one: ${kept}`;
      const environment = parseEnvironment(Buffer.from(content.json));
      if (!environment) return `${this.path} is damaged`;
      return { server, time: new Date(content.time), environment };
    } catch (error) {
      if (!(error instanceof CryptoError)) throw error;
      if (error.code === 'KEY_UNUSABLE') return error.message;
      return `${this.path} is damaged, or was encrypted with another key`;
    }
  }

  private async replace(text: string): Promise<string | undefined> {
    const unfinished = `${this.path}.${randomUUID()}.unfinished`;
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, this.path);
      return undefined;
    } catch (error) {
      await rm(unfinished, { force: true });
      return `${this.path} cannot be written (${(error as NodeJS.ErrnoException).code})`;
    }
  }
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
